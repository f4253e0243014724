import http.server
import re
import threading
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from views.registry import VIEWS
from views.view import answer, read

QUERY = "since=2018"
PATH = f"/training-compute?{QUERY}"
TYPES = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "csv": "text/csv",
    "json": "application/json",
    "bib": "application/x-bibtex",
}


def spaced(text):
    """Return text as the page sets it: the space that keeps a number and its unit together is a space."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def result():
    view = VIEWS["/training-compute"]
    return answer(view, read(view, QUERY)[0])


def share(page):
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy link").wait_for()


def status(page):
    locator = page.locator("p[role=status]")
    page.wait_for_timeout(50)
    for _ in range(200):
        if locator.inner_text():
            return locator.inner_text()
        page.wait_for_timeout(50)
    return ""


def test_each_file_the_share_control_offers_is_there_and_of_its_type(open_page, server):
    page = open_page(PATH)
    share(page)
    page.get_by_role("tab", name="Files").click()
    links = [one.get_attribute("href") for one in page.locator('[data-testid="stLinkButton"] a').all()]
    assert [urlsplit(link).path.rpartition(".")[2] for link in links] == list(TYPES)
    for link in links:
        with urllib.request.urlopen(server.url + link, timeout=30) as got:
            assert got.status == 200
            assert got.headers["Content-Type"].startswith(TYPES[urlsplit(link).path.rpartition(".")[2]])
        assert urlsplit(link).query == urlsplit(result().link).query


def test_link_picture_and_numbers_go_to_the_clipboard(open_page, server):
    page = open_page(PATH, permissions=["clipboard-read", "clipboard-write"])
    share(page)
    page.get_by_role("button", name="Copy link").click()
    assert status(page) == "Link copied"
    assert page.evaluate("navigator.clipboard.readText()") == server.url + result().link
    page.get_by_role("button", name="Copy image").click()
    page.get_by_text("Picture copied").wait_for()
    types = "navigator.clipboard.read().then(items => items.flatMap(item => item.types))"
    assert page.evaluate(types) == ["image/png"]
    page.get_by_role("button", name="Copy data").click()
    page.get_by_text("Numbers copied").wait_for()
    rows = [row.split("\t") for row in page.evaluate("navigator.clipboard.readText()").split("\n")]
    table = result().table
    assert len(rows) == len(table.rows) + 1
    assert {len(row) for row in rows} == {len(table.columns)}
    assert rows[1][0] == table.rows[0][0]


def test_without_a_clipboard_the_link_is_still_copied_and_the_picture_opens(
    *, new_page, server, drawn, guard
):
    guard.expected.append(r"404 .*/favicon\.ico")  # what a browser asks for beside a bare picture
    page = new_page()
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto(server.url + PATH)
    drawn(page)
    share(page)
    page.get_by_role("button", name="Copy link").click()
    assert status(page) == "Link copied"
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Copy image").click()
    assert urlsplit(opened.value.url).path == "/training-compute.png"


FOCUSED = """() => { let at = document.activeElement;
while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
return at.innerText.trim() }"""


def test_the_share_control_is_reached_and_used_by_keyboard_alone(open_page):
    page = open_page(PATH, permissions=["clipboard-read", "clipboard-write"])
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED).startswith("Share"):
            break
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({FOCUSED})() === 'Copy link'")
    page.keyboard.press("Enter")
    assert status(page) == "Link copied"
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Copy image"
    for _ in range(10):
        page.keyboard.press("Shift+Tab")
        if page.evaluate(FOCUSED) == "Link":
            break
    assert page.evaluate(FOCUSED) == "Link"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Picture (PNG)").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Picture (PNG)").wait_for(state="hidden")


@pytest.fixture
def host_page(tmp_path: Path) -> Iterator[str]:
    """Serves a page of another origin on this machine; gives its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format, *args):
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}"
    site.shutdown()
    site.server_close()


def frame_of(page, host_page, *, tmp_path, address):
    frame = f'<iframe src="{address}" title="t" width="1000" height="680"></iframe>'
    (tmp_path / "host.html").write_text(f'<link rel="icon" href="data:,">{frame}')
    page.goto(f"{host_page}/host.html")
    return page.frame_locator("iframe")


def test_a_frame_shows_headline_chart_and_source_and_a_link_to_the_full_view(
    *, start_server, host_page, new_page, tmp_path
):
    server = start_server(EMBED_ANCESTORS=f"'self' {host_page}")
    page = new_page()
    frame = frame_of(
        page, host_page, tmp_path=tmp_path, address=f"{server.url}/training-compute?embed=true&{QUERY}"
    )
    frame.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=30_000)
    assert spaced(frame.locator("h1").inner_text()) == result().headline
    assert result().settings_line in spaced(frame.locator('[data-testid="stCaptionContainer"]').inner_text())
    full = frame.get_by_role("link", name="Open the full view")
    assert full.get_attribute("href") == result().link
    assert full.get_attribute("target") == "_blank"
    for gone in ("stSidebar", "stSelectbox", "stPopover", "stButton", "stMetric", "stToolbar"):
        assert frame.locator(f'[data-testid="{gone}"]:visible').count() == 0, gone


def test_a_page_that_may_not_embed_us_gets_an_empty_frame(*, host_page, new_page, tmp_path, server, guard):
    guard.expected.append("frame-ancestors")
    guard.expected.append("chrome-error")
    page = new_page()
    frame_of(page, host_page, tmp_path=tmp_path, address=f"{server.url}/training-compute?embed=true")
    page.wait_for_timeout(1500)
    assert all(not frame.url.startswith(server.url) for frame in page.frames)


def begin_printing(page):
    """Print as the browser does, once the page listens: its listener comes after the first charts."""
    page.wait_for_function(
        """() => { window.dispatchEvent(new Event("beforeprint"));
        return document.querySelector(".js-plotly-plot .main-svg[viewBox]"); }"""
    )
    page.emulate_media(media="print")


@pytest.mark.parametrize(("width", "height"), [(718, 1050), (1050, 718)], ids=["portrait", "landscape"])
def test_on_paper_there_are_no_controls_and_every_chart_fits_the_sheet(*, width, height, open_page):
    page = open_page(PATH)
    begin_printing(page)
    page.set_viewport_size({"width": width, "height": height})
    for gone in ("stSidebar", "stHeader", "stSelectbox", "stPopover", "stButton", "stTab"):
        assert page.locator(f'[data-testid="{gone}"]:visible').count() == 0, gone
    drawings = page.locator(".js-plotly-plot .main-svg:visible")
    assert drawings.count() >= 2
    for drawing in drawings.all():
        box = drawing.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width + 1
        assert box["height"] <= height * 0.62
    source = page.get_by_text(re.compile(re.escape(result().settings_line[:50]))).first.bounding_box()
    chart = drawings.first.bounding_box()
    assert source["y"] >= chart["y"] + chart["height"] - 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width + 1


def test_a_dark_page_is_printed_dark_on_white(open_page):
    page = open_page(PATH, dark=True)
    begin_printing(page)
    assert "invert" in page.evaluate("getComputedStyle(document.body).filter")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("getComputedStyle(document.body).filter") == "none"


def test_printing_leaves_the_page_as_it_was(open_page):
    page = open_page(PATH)
    before = page.locator(".js-plotly-plot .main-svg").first.bounding_box()
    sheets = page.pdf(format="A4")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", sheets)) <= 3
    assert page.locator(".js-plotly-plot .main-svg[viewBox]").count() == 0
    assert page.locator(".js-plotly-plot .main-svg").first.bounding_box() == before
