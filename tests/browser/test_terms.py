"""A term of art tells what it means by pointer, key and finger, and leads to the glossary where no script runs."""

from urllib.parse import urlsplit

from panel.terms import LINK
from tests.browser.reader import panel

PATH = "/compute-to-memory"
SAID = ".term-text"


def first_term(page):
    return panel(page).locator("a.term").first


def test_a_pointer_that_rests_and_the_keyboard_are_told_escape_puts_it_away_and_enter_leads_on(open_page):
    page = open_page(PATH)
    term = first_term(page)
    term.hover()
    page.locator(SAID).wait_for(state="visible")
    assert (term.get_attribute("aria-description") or "?") in page.locator(SAID).inner_text()
    assert page.locator(SAID).get_by_role("link").get_attribute("href").endswith(LINK)
    page.keyboard.press("Escape")
    page.locator(SAID).wait_for(state="hidden")
    page.mouse.move(0, 0)
    term.click()
    page.locator(SAID).wait_for(state="visible")
    assert urlsplit(page.url).path == PATH
    page.keyboard.press("Escape")
    page.locator(SAID).wait_for(state="hidden")
    page.mouse.move(0, 0)
    first_term(page).focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.locator(SAID).wait_for(state="visible")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{LINK}")


def test_on_a_phone_what_is_told_stands_within_it_and_a_thumb_hits_a_button_within_44_pixels(open_page):
    page = open_page("/fleet", viewport="phone")
    hit = page.locator(".panel .figures .help").first.evaluate(
        """one => { one.scrollIntoView({block: "center"});
        const box = one.getBoundingClientRect(), middle = box.y + box.height / 2;
        return [[box.right - 1, middle], [box.right - 43, middle], [box.x + 9, middle - 21], [box.x + 9, middle + 21]]
          .map(([x, y]) => one.contains(document.elementFromPoint(x, y))); }"""
    )
    assert hit == [True] * 4
    first_term(page).scroll_into_view_if_needed()
    page.wait_for_timeout(100)  # a page that scrolls closes the explanation
    first_term(page).click()
    box = page.locator(SAID).bounding_box() or {}
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
