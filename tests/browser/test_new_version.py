"""A page that is open while a new version of the program takes the place of the old one."""

import shutil
import sys
from pathlib import Path

import pytest

from panel.streamlit_names import SESSIONS
from tests.browser.conftest import ROOT, wait_until_drawn
from tests.browser.reader import choose, control, go_by_menu, headline

PACKAGES = ("analysis", "charts", "data", "pages", "panel", "views", "web", ".streamlit")
RECONNECTED_MS = 3000
"""Streamlit joins the new server, which hands its page over. [ms]"""


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """The program with a module of the page changed."""
    folder = tmp_path / "newer"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
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


@pytest.fixture
def opened(*, start_server, new_page, guard):
    """Gives a page of the old program, at ``?since=2018``, with the new one listening where the old one did."""

    def open_it(newer: Path):
        guard.expected += ["ERR_CONNECTION", "WebSocket connection", SESSIONS, "server is not responding"]
        old = start_server()
        page = new_page()
        page.goto(f"{old.url}/training-compute?since=2018")
        wait_until_drawn(page)
        old.stop()
        port = int(old.url.rpartition(":")[2])
        start_server(command=[sys.executable, str(newer / "app.py")], cwd=newer, port=port)
        return page

    return open_it


def until_headline(page, text):
    page.wait_for_function(
        "text => document.querySelector('.panel h1').innerText.replaceAll('\\u00a0', ' ') === text", arg=text
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


def test_the_next_change_brings_the_page_of_the_new_version(*, opened, newer):
    page = opened(newer)
    before = one_program(page)
    control(page, "since").fill("2016")
    control(page, "since").press("Tab")
    until_new(page, before=before)
    assert control(page, "since").input_value() == "2016"
    assert page.url.endswith("?since=2016")
    page.go_back()
    page.wait_for_function("() => document.querySelector('[name=since]')?.value === '2018'")
    assert page.url.endswith("?since=2018")


def test_the_next_page_is_of_the_new_version_and_back_goes_to_the_choice_before(*, opened, newer):
    page = opened(newer)
    before = one_program(page)
    page.wait_for_timeout(RECONNECTED_MS)
    assert one_program(page) == before  # whoever reads is left alone
    go_by_menu(page, "Chip growth")
    until_new(page, before=before)
    whole = headline(page)
    choose(page, "vendor", to="nvidia")
    assert headline(page) != whole
    page.go_back()
    page.wait_for_function(
        "() => !location.search && !document.querySelector('[name=vendor]').value.startsWith('n')"
    )
    until_headline(page, whole)
