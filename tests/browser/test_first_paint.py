"""Before any script has come bar and finding stand there, and nothing moves when the page becomes live."""

import urllib.request

import pytest

from tests.browser.conftest import VIEWPORTS
from tests.browser.reader import DEADLINE_S, figures, headline, key_figures, result_of, until_shows
from tests.browser.streamlit_page import GROUND, MAIN
from tests.length import at_length

SCRIPTS, STREAMLITS = "**/assets/**", "**/static/js/**"
BOXES = """() => ['h1', '.panel .plot', '.panel .figures'].map(one => document.querySelector(one))
  .concat(...document.querySelectorAll('header.bar, header.bar *')).map(one => one.getBoundingClientRect())
  .map(box => [box.left, box.top, box.width, box.height])"""
SHIFTS = """() => {
  window.shift = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({type: "layout-shift", buffered: true});
}"""
MOST_SHIFT = 0.05
MOST_MOVED = 1.0
"""From the first paint to the live page. [px]"""

NOT_YET = """new MutationObserver((_, watch) => {
  const answer = document.getElementById("first-answer");
  if (!answer) return;
  watch.disconnect();
  answer.remove();
  document.querySelector("#first .panel").innerHTML = '<p class="question">?</p><h1>One moment …</h1>';
}).observe(document, {childList: true, subtree: true})"""
"""Makes of a document one whose finding takes longer than a browser waits."""


def ready(server, path):
    """Have the document made, which a browser would not wait for."""
    for _ in range(20):
        with urllib.request.urlopen(server.url + path, timeout=DEADLINE_S) as got:
            if b'id="first-answer"' in got.read():
                return
    pytest.fail(f"The document of {path} was never finished.")


PAINTED = [("/", "laptop", True), ("/training-compute?since=2018", "phone", True)]


@pytest.mark.parametrize(
    ("path", "viewport", "dark"), at_length([*PAINTED, ("/compute-to-memory", "laptop", False)], few=PAINTED)
)
def test_nothing_moves_from_the_first_paint_to_the_live_page(
    *, path, viewport, dark, server, new_page, drawn
):
    ready(server, path)
    page = new_page(viewport=viewport, dark=dark)
    held, released = [], False
    page.route(SCRIPTS, lambda route: route.continue_() if released else held.append(route))
    page.goto(server.url + path, wait_until="commit")
    page.wait_for_selector("#first .panel .plot svg")
    page.evaluate(
        "() => document.fonts.ready.then(() => { document.querySelector('header.bar').same = true })"
    )
    page.evaluate(SHIFTS)
    assert headline(page) == result_of(path).headline
    assert figures(page) == key_figures(result_of(path))
    before = page.evaluate(BOXES)
    ground = page.locator("#first").evaluate("one => getComputedStyle(one).backgroundColor")
    released = True
    for route in held:
        route.continue_()
    drawn(page)
    page.wait_for_timeout(300)
    for first, live in zip(before, page.evaluate(BOXES), strict=True):
        assert all(abs(was - now) <= MOST_MOVED for was, now in zip(first, live, strict=True)), (first, live)
    assert page.evaluate("window.shift") < MOST_SHIFT
    assert page.evaluate(f"() => {GROUND}") == ground
    bar, main = page.locator("header.bar"), page.locator(MAIN).bounding_box() or {}
    assert bar.evaluate("one => one.same") and main["y"] == (bar.bounding_box() or {})["height"]
    assert main["y"] + main["height"] == VIEWPORTS[viewport][1]


def test_where_streamlit_does_not_arrive_the_page_is_live_all_the_same(*, server, new_page, guard):
    guard.expected.append("ERR_FAILED|dynamically imported")
    page = new_page()
    page.route(STREAMLITS, lambda route: route.abort())
    page.goto(server.url + "/training-compute")
    page.locator(".panel .live.js-plotly-plot .main-svg").first.wait_for()
    page.locator('.panel [name="since"]').fill("2018")
    page.locator('.panel [name="since"]').press("Tab")
    page.wait_for_function("() => location.search === '?since=2018'")
    assert headline(page) == result_of("/training-compute?since=2018").headline


def test_a_finding_that_is_not_ready_with_the_document_comes_as_soon_as_it_is(*, server, new_page, drawn):
    path = "/training-compute?since=2018"
    ready(server, path)
    page = new_page()
    page.add_init_script(NOT_YET)
    page.goto(server.url + path, wait_until="commit")
    page.get_by_role("heading", name="One moment").wait_for()
    drawn(page)
    until_shows(page, path)
