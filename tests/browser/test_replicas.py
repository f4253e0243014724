"""Two processes behind nginx, as deploy/nginx.conf has it: one address, and a reader who loses none of it."""

import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from tests.browser.reader import DEADLINE_S, choose, headline, until_shows
from tests.browser.streamlit_page import FILE_CHOOSER
from tests.charts.powerpoint_examples import company_template
from tests.deploy.nginx import needs_nginx, running

pytestmark = needs_nginx


def get(url: str, **headers: str) -> Any:
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=DEADLINE_S) as answer:
        return answer.status, answer.headers, answer.read()


@pytest.fixture
def replicas(start_server: Callable[..., Any]) -> list[Any]:
    """Two processes of the app, which answer to any name, as behind a proxy."""
    return [start_server(ALLOWED_HOSTS="*") for _ in range(2)]


@pytest.fixture
def proxy(replicas: list[Any], tmp_path: Path) -> Iterator[str]:
    """nginx in front of them; gives its address."""
    addresses = [replica.url.removeprefix("http://") for replica in replicas]
    with running(tmp_path, replicas=addresses) as port:
        yield f"http://127.0.0.1:{port}"


def serving(replicas: list[Any]) -> list[int]:
    """Return how many connections each process holds open with the proxy, as the kernel counts them."""
    counts = []
    for replica in replicas:
        port = f"{int(replica.url.rpartition(':')[2]):04X}"
        rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        counts.append(sum(row[1].endswith(f":{port}") and row[3] == "01" for row in rows))
    return counts


def test_links_and_uploads_work_through_the_proxy_and_a_killed_replica_loses_nobody_s_view(
    *, proxy, replicas, new_page, drawn, guard
):
    page = new_page()
    page.goto(f"{proxy}/training-compute?since=2018")
    drawn(page)
    assert "gap_replica" in {cookie.get("name") for cookie in page.context.cookies()}
    before = headline(page)

    # A session: deck, upload and download stay with one replica, whatever the round robin would do.
    page.get_by_role("button", name="Add to deck").click()
    page.get_by_role("button", name="In the deck (1)").click()
    page.get_by_role("button", name="Own template").click()
    page.locator(FILE_CHOOSER).set_input_files(
        {"name": "house.pptx", "mimeType": "application/zip", "buffer": company_template()}
    )
    page.get_by_text("house.pptx").wait_for()
    page.wait_for_timeout(500)
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download slides").click()
    assert any(
        shape.has_chart for slide in Presentation(download.value.path()).slides for shape in slide.shapes
    )

    # One replica dies under the reader; the next action continues on the other, with the same view.
    guard.expected.append("WebSocket")
    guard.expected.append("50[0-9]|ERR_")
    page.goto(f"{proxy}/training-compute?since=2018")
    drawn(page)
    busier = max(range(2), key=lambda k: serving(replicas)[k])
    replicas[busier].process.kill()
    replicas[busier].process.wait(timeout=DEADLINE_S)
    page.wait_for_timeout(3000)
    choose(page, "domain", to="language")
    until_shows(page, "/training-compute?since=2018&domain=language")
    assert "since=2018" in page.url and "domain=language" in page.url
    assert headline(page) != before
    assert get(f"{proxy}/accelerators.png")[0] == 200
