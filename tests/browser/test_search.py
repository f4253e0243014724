"""The search opens by key and button, is worked by keyboard, and leads to pages, controls and entries."""

from tests.browser.reader import result_of, until_headline
from tests.browser.streamlit_page import PANEL


def opened(page):
    dialog = page.get_by_role("dialog", name="Search")
    dialog.get_by_role("option").first.wait_for()
    return dialog


def test_a_key_opens_it_arrows_choose_enter_follows_and_a_slash_in_a_field_is_a_slash(open_page):
    page = open_page("/data", dark=True)
    for keys in ("/", "Control+k"):
        page.keyboard.press(keys)
        dialog = opened(page)
        assert page.evaluate("document.activeElement.getAttribute('role')") == "combobox"
        page.keyboard.press("Escape")
        dialog.wait_for(state="hidden")
    page.locator(".panel input[type=search]").first.focus()
    page.keyboard.press("/")
    assert page.locator("dialog[open]").count() == 0
    page.keyboard.press("Control+k")
    dialog = opened(page)
    page.keyboard.type("growth")
    page.wait_for_function(
        "() => [...document.querySelectorAll('#palette-list a')].every(one => /growth/i.test(one.textContent))"
    )
    page.keyboard.press("ArrowDown")
    chosen = dialog.locator('[aria-selected="true"]')
    assert chosen.count() == 1
    active = page.evaluate("document.activeElement.getAttribute('aria-activedescendant')")
    assert chosen.get_attribute("id") == active
    page.keyboard.press("Control+a")
    page.keyboard.type("chip growth")
    page.wait_for_function("() => document.querySelector('#palette-list a b').textContent === 'Chip growth'")
    page.keyboard.press("Enter")
    page.wait_for_url("**/accelerators")
    until_headline(page, result_of("/accelerators").headline)


def test_a_setting_opens_its_page_with_the_control_in_focus(open_page):
    page = open_page("/methods", viewport="phone")
    page.get_by_role("button", name="Search").click()
    opened(page)
    page.keyboard.type("people")
    page.wait_for_function("() => document.querySelector('#palette-list a b').textContent === 'People'")
    page.keyboard.press("Enter")
    page.wait_for_url("**/placement#set-people")
    page.locator(f'{PANEL}[data-path="/placement"]').wait_for()
    page.wait_for_function("() => document.activeElement.name === 'people'")
    assert page.locator('.panel [name="people"]').is_visible()
