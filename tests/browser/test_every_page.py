"""Every page, once on each kind of screen: nothing cut, nothing on top of anything, no rule of accessibility broken."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page

from panel.menu import PAGES, TITLES
from tests.browser import layout
from tests.browser.conftest import look, wait_until_drawn
from tests.browser.reader import result_of, see_all
from tests.browser.rules import broken_rules
from tests.browser.streamlit_page import GROUND
from tests.length import at_length
from tests.views.links import DEAR
from views.registry import VIEWS, tab_title

EVERY_PAGE = ["/", *(f"/{page}" for page in PAGES)]
CHARTED = [path for path in VIEWS if path not in ("/claims", "/data")]
"""Views that open on a chart; the others open on a table."""
DARK = "rgb(18, 22, 29)"
IN_THE_DARK = at_length(EVERY_PAGE, few=EVERY_PAGE[::2])
"""Pages that every rule is checked on in dark; in light it is the others, at length all."""
IN_LIGHT = at_length(EVERY_PAGE, few=EVERY_PAGE[1::2])
COMPARED = at_length(list(VIEWS), few=[path for path in VIEWS if path not in DEAR])
"""Views whose charts are held against an answer made here, beside that of the server."""
WIDE = at_length(EVERY_PAGE, few=EVERY_PAGE[1::3])
"""Pages that are looked at on a large screen, too; on a laptop and a phone all pages are."""
OPENED = "() => {{ for (const part of document.querySelectorAll('.panel {}')) part.open = {} }}"
FITTED = """() => [...document.querySelectorAll('.panel .live.js-plotly-plot')].every(chart => !chart.offsetParent ||
  Math.abs(chart.clientWidth - chart.querySelector('.main-svg').clientWidth) <= 1)"""
"""Whether every chart in its place is as wide as that is."""


@pytest.fixture(scope="module")
def tab(window: BrowserContext) -> Iterator[Page]:
    """One page of the window, which goes from address to address."""
    page = window.new_page()
    yield page
    page.close()


@pytest.mark.parametrize("path", EVERY_PAGE)
def test_every_page_opens_at_its_address_fits_every_screen_and_keeps_nobody_out(
    *, path, tab, server, window, guard
):
    page = tab
    guard.watch(window)
    page.goto("about:blank")  # else the page before is drawn anew for this screen
    look(page)
    page.goto(server.url + path)
    wait_until_drawn(page)
    assert (urlsplit(page.url).path, page.title()) == (path, tab_title(TITLES[path]))
    see_all(page)
    layout.check_layout(page, path)
    layout.check_headings(page)
    layout.check_charts(page)
    if path in COMPARED:
        for number, exhibit in enumerate(result_of(path).exhibits, start=1):
            chart = page.locator(f'.panel .plot[data-exhibit="{number}"] .live[role="img"]')
            assert chart.get_attribute("aria-label") == exhibit.chart.alt
    if path in CHARTED:
        layout.check_in_sight(page)
    page.evaluate(OPENED.format("details", "true"))
    for section in page.locator(".panel details.table").all():
        section.locator(".scroller").wait_for()
    if path in IN_LIGHT:
        assert broken_rules(page) == []
    page.evaluate(OPENED.format("details.table", "false"))
    screens = (("wide", layout.check_on_a_large_screen), ("phone", layout.check_on_a_phone))
    for viewport, check in screens if path in WIDE else screens[1:]:
        look(page, viewport=viewport, dark=viewport == "phone")
        page.wait_for_function(FITTED)
        layout.check_layout(page, path)
        if path in CHARTED:
            check(page)
    page.wait_for_function(f"() => {GROUND} === '{DARK}'")
    if path in IN_THE_DARK:
        assert broken_rules(page) == []
    guard.leave()
