"""A term of art tells what it means by pointer, key and finger, and leads to the glossary where no script runs."""

from urllib.parse import urlsplit

from panel.terms import LINK
from tests.browser.reader import panel

PATH = "/compute-to-memory"
SAID = ".term-text"


def first_term(page):
    return panel(page).locator("a.term").first


def test_a_pointer_that_rests_is_told_and_escape_puts_it_away(open_page):
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


def test_the_keyboard_is_told_and_enter_leads_to_the_glossary(open_page):
    page = open_page(PATH)
    first_term(page).focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.locator(SAID).wait_for(state="visible")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{LINK}")


def test_what_is_told_stands_within_a_phone(open_page):
    page = open_page(PATH, viewport="phone")
    first_term(page).click()
    box = page.locator(SAID).bounding_box() or {}
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_on_a_phone_a_thumb_hits_the_button_of_a_key_figure_within_44_pixels(open_page):
    help_button = open_page("/fleet", viewport="phone").locator(".panel .figures .help").first
    hit = help_button.evaluate(
        """one => { one.scrollIntoView({block: "center"});
        const box = one.getBoundingClientRect(), middle = box.y + box.height / 2;
        return [[box.right - 1, middle], [box.right - 43, middle], [box.x + 9, middle - 21], [box.x + 9, middle + 21]]
          .map(([x, y]) => one.contains(document.elementFromPoint(x, y))); }"""
    )
    assert hit == [True] * 4
