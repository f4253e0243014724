"""A page that is open while a new version of the program takes the place of the old one."""

import shutil
import sys
from pathlib import Path

from panel.streamlit_names import SESSIONS
from tests.browser.conftest import ROOT, wait_until_drawn
from tests.browser.reader import choose, control, go_by_menu, headline, until_headline

PACKAGES = ("analysis", "charts", "data", "pages", "panel", "views", "web", ".streamlit")
RECONNECTED_MS = 3000
"""Streamlit joins the new server, which hands its page over. [ms]"""


def changed_program(folder: Path) -> Path:
    """Return a copy of the program with a module of the page changed."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package)
    for file in ("app.py", "requirements.txt"):
        shutil.copy(ROOT / file, folder / file)
    module = folder / "panel" / "browser" / "address.js"
    module.write_text(f"{module.read_text('utf-8')}// newer\n", "utf-8")
    return folder


def programs(page):
    return set(
        page.evaluate(
            "() => performance.getEntriesByType('resource').map((one) => one.name)"
            ".filter((name) => name.includes('/assets/') && !name.includes('/vendor/'))"
            ".map((name) => name.split('/').at(-2))"
        )
    )


def one_program(page):
    """Return what stands for the program of the page, all of whose modules are of one."""
    (program,) = programs(page)
    return program


def until_new(page, *, before):
    page.wait_for_function(
        "before => document.querySelector('script[data-boot]').src.split('/').at(-2) !== before", arg=before
    )
    wait_until_drawn(page)
    assert one_program(page) != before


def test_the_next_change_and_the_next_page_are_of_the_new_version_and_back_goes_to_the_choice_before(
    *, start_server, new_page, guard, tmp_path
):
    guard.expected += ["ERR_CONNECTION", "WebSocket connection", SESSIONS, "server is not responding"]
    old = start_server()
    changing, going = new_page(), new_page()
    for page in (changing, going):
        page.goto(f"{old.url}/training-compute?since=2018")
        wait_until_drawn(page)
    old.stop()
    newer = changed_program(tmp_path / "newer")
    port = int(old.url.rpartition(":")[2])
    start_server(command=[sys.executable, str(newer / "app.py")], cwd=newer, port=port)
    before = one_program(changing)
    changing.wait_for_timeout(RECONNECTED_MS)
    assert one_program(changing) == one_program(going) == before  # whoever reads is left alone

    control(changing, "since").fill("2016")
    control(changing, "since").press("Tab")
    until_new(changing, before=before)
    assert control(changing, "since").input_value() == "2016"
    assert changing.url.endswith("?since=2016")
    changing.go_back()
    changing.wait_for_function("() => document.querySelector('[name=since]')?.value === '2018'")
    assert changing.url.endswith("?since=2018")

    go_by_menu(going, "Chip growth")
    until_new(going, before=before)
    whole = headline(going)
    choose(going, "vendor", to="nvidia")
    assert headline(going) != whole
    going.go_back()
    going.wait_for_function(
        "() => !location.search && !document.querySelector('[name=vendor]').value.startsWith('n')"
    )
    until_headline(going, whole)
