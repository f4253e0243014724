"""The menu has the mark, stands where the first paint had it, and the browser's tab follows it."""

from tests.browser.reader import go_by_menu
from tests.browser.streamlit_page import ENTRY, GROUP_HEADING, LOGO_LINK, SIDEBAR
from views.registry import tab_title
from web.paths import PAGES

FIRST = "#first .first-logo, #first .first-menu a, #first .first-menu h2"
LIVE = f"{SIDEBAR} {LOGO_LINK}, {ENTRY}, {GROUP_HEADING}"
PLACES = """selector => Object.fromEntries([...document.querySelectorAll(selector)].map(one => {
  const words = one.querySelector('p') ?? one;
  const range = document.createRange();
  range.selectNodeContents(words);
  const box = one.matches('.first-logo, button') ? one.getBoundingClientRect() : range.getBoundingClientRect();
  return [one.innerText.split("\\n")[0].trim(), [box.left, box.top + box.height / 2]];
}))"""
"""Where each word of a menu begins, and its middle."""
MOST_MOVED = 1.5
"""From the first paint's menu to Streamlit's. [px]"""


def until_titled(page, title):
    page.wait_for_function("title => document.title === title", arg=title)


def test_the_tab_follows_the_menu_and_back(open_page):
    page = open_page("/placement")
    go_by_menu(page, "Chip growth")
    until_titled(page, "Chip growth – Scaling Gap")
    go_by_menu(page, "Methods")
    until_titled(page, "Methods – Scaling Gap")
    page.go_back()
    until_titled(page, "Chip growth – Scaling Gap")


def test_the_menu_stands_where_the_first_paint_had_it(*, new_page, server, drawn):
    page, held, measured = new_page(), [], []
    page.route("**/static/js/*.js", lambda route: route.continue_() if measured else held.append(route))
    page.goto(f"{server.url}/growth-gap", wait_until="commit")
    page.wait_for_selector("#first .first-menu a")
    page.evaluate("() => document.fonts.ready.then(() => true)")
    before = page.evaluate(PLACES, FIRST)
    measured.append(before)
    for route in held:
        route.continue_()
    drawn(page)
    after = page.evaluate(PLACES, LIVE)
    assert len(before) == len(after) == len(PAGES) + 7
    before = list(before.values())
    for name, (now, was) in zip(after, zip(after.values(), before, strict=True), strict=True):
        assert all(abs(a - b) <= MOST_MOVED for a, b in zip(now, was, strict=True)), (name, was, now)


def test_the_mark_leads_to_the_start_page(open_page):
    page = open_page("/claims", dark=True)
    page.locator(LOGO_LINK).first.click()
    page.wait_for_function("() => location.pathname === '/'")
    until_titled(page, tab_title("Overview"))
