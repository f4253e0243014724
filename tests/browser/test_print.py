"""A view on paper: the finding, its charts and its sources, nothing that is pressed; the screen stays as it was."""

import re

from tests.browser.reader import panel, result_of
from tests.browser.streamlit_page import GROUND, KEEPER

PATH = "/training-compute?since=2018"
PRESSED = (
    ".bar",
    ".panel :is(button, select, input)",
    ".panel :is(.table, #method) > summary",
    ".panel .leads",
)
INK = """() => getComputedStyle(document.querySelector('.panel .live .xtick text')).fill.match(/[0-9]+/g).map(Number)"""


def begin_printing(page):
    """Print as the browser does."""
    page.evaluate("() => { dispatchEvent(new Event('beforeprint')) }")
    page.wait_for_function(
        """() => [...document.querySelectorAll('.panel .plot')]
          .every(plot => plot.querySelector('.main-svg[viewBox]'))"""
    )
    page.emulate_media(media="print")


def test_printing_leaves_the_page_as_it_was_and_paper_has_no_button_whole_charts_and_open_tables(open_page):
    page = open_page(PATH)
    before = page.locator(".panel .main-svg").first.bounding_box()
    sheets = page.pdf(format="A4")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", sheets)) <= 3
    assert page.locator(".panel .main-svg[viewBox]").count() == 0
    assert page.locator(".panel .main-svg").first.bounding_box() == before
    begin_printing(page)
    for width, height in ((718, 1050), (1050, 718)):  # upright and across
        page.set_viewport_size({"width": width, "height": height})
        check_sheet(page, width=width, height=height)
    # A closed table is not printed at all, an open one whole.
    table = panel(page).locator("#table table")
    assert not table.is_visible()
    page.emulate_media(media="screen")
    page.evaluate(
        "() => { dispatchEvent(new Event('afterprint')); document.getElementById('table').open = true }"
    )
    panel(page).locator("#table .scroller tbody tr").first.wait_for()
    begin_printing(page)
    assert table.is_visible() and panel(page).locator("#method p:visible").count() == 0
    assert panel(page).locator("#table tbody tr").count() == len(result_of(PATH).table.rows)


def check_sheet(page, *, width, height):
    for gone in PRESSED:
        assert page.locator(f"{gone}:visible").count() == 0, gone
    result = result_of(PATH)
    assert page.locator("h1").is_visible()
    assert page.locator(".panel .figures dd").first.is_visible()
    drawings = page.locator(".panel .main-svg:visible")
    assert drawings.count() >= len(result.exhibits)
    for drawing in drawings.all():
        box = drawing.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width + 1
        assert 50 < box["height"] <= height * 0.62
    source = page.get_by_text(re.compile(re.escape(result.settings_line[:50]))).first.bounding_box()
    chart = drawings.first.bounding_box()
    assert source["y"] >= chart["y"] + chart["height"] - 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width + 1
    # What shows nothing takes no room either: it would be a last sheet, empty.
    assert page.locator(KEEPER).bounding_box() is None


def test_charts_a_reader_has_not_come_to_are_on_paper_too(open_page):
    page = open_page("/growth-gap")
    undrawn = page.locator(".panel .plot:not([data-drawn])").count()
    assert undrawn > 0, "choose a page whose last charts are far below"
    sheets = page.pdf(format="A4")
    assert page.locator(".panel .plot:not([data-drawn])").count() == 0
    assert len(re.findall(rb"/Type\s*/Page\b", sheets)) >= 2


def test_a_dark_page_is_printed_in_light_colours_and_is_dark_again_afterwards(open_page):
    page = open_page(PATH, dark=True)
    assert min(page.evaluate(INK)) > 140
    begin_printing(page)
    page.wait_for_function("() => document.querySelector('.panel').dataset.scheme === 'light'")
    assert max(page.evaluate(INK)) < 130
    assert page.evaluate(GROUND) == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('.panel')).color") == "rgb(26, 34, 48)"
    assert page.evaluate("getComputedStyle(document.body).filter") == "none"
    page.emulate_media(media="screen")
    page.evaluate("() => { dispatchEvent(new Event('afterprint')) }")
    page.wait_for_function("() => document.querySelector('.panel').dataset.scheme === 'dark'")
    assert min(page.evaluate(INK)) > 140


def test_a_dark_page_that_is_no_views_is_turned_light_on_paper(open_page):
    page = open_page("/methods", dark=True)
    begin_printing(page)
    assert "invert" in page.evaluate("getComputedStyle(document.body).filter")
    page.evaluate("() => { dispatchEvent(new Event('afterprint')) }")
    assert page.evaluate("getComputedStyle(document.body).filter") == "none"


def test_a_page_without_scripts_is_printed_too(server, new_page):
    page = new_page(java_script_enabled=False)
    page.goto(server.url + PATH)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1050})
    assert page.locator("h1").is_visible()
    box = page.locator(".panel .plot svg[role=img]").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 719 and box["height"] > 150
    for gone in (".bar", ".panel :is(button, select, summary)"):
        assert page.locator(f"{gone}:visible").count() == 0, gone
