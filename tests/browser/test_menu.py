"""The bar leads to every page, by pointer, finger and keyboard."""

from panel.menu import PAGES
from tests.browser.reader import go_by_menu
from views.registry import tab_title


def until_titled(page, title):
    page.wait_for_function("title => document.title === title", arg=title)


def marked(page):
    return [link.get_attribute("href") for link in page.locator(".bar [aria-current=page]").all()]


def test_the_tab_and_the_mark_follow_the_menu_and_back_without_a_new_document(open_page):
    page = open_page("/training-compute")
    page.evaluate("() => { window.same = true }")
    for title, path in (("Chip growth", "/accelerators"), ("Methods", "/methods")):
        go_by_menu(page, title)
        until_titled(page, tab_title(title))
        assert marked(page) == [path]
    page.go_back()
    until_titled(page, "Chip growth – Scaling Gap")
    assert marked(page) == ["/accelerators"]
    page.locator(".siblings a", has_text="Installed base").click()
    until_titled(page, tab_title("Installed base"))
    page.locator(".bar .home").click()
    until_titled(page, tab_title("Overview"))
    assert page.evaluate("window.same") and marked(page) == ["/"]


def test_keys_open_an_entry_go_through_it_and_close_it(open_page):
    page = open_page("/fleet", dark=True)
    focused = "document.activeElement.textContent"
    page.locator(".bar summary").first.focus()
    for key, words in (
        ("ArrowRight", "Compute"),
        ("ArrowDown", "Growth"),
        ("ArrowDown", "What drives it"),
        ("Escape", "Compute"),
        ("ArrowLeft", "The gap"),
        ("Enter", "The gap"),
        ("Tab", "Three measures"),
    ):
        page.keyboard.press(key)
        assert page.evaluate(focused) == words
        assert page.locator(".bar details[open]").count() == (
            words not in ("Compute", "The gap") or key == "Enter"
        )
    page.keyboard.press("Enter")
    until_titled(page, tab_title("Three measures"))
    assert page.locator(".bar details[open]").count() == 0


def test_on_a_phone_one_button_opens_every_page_with_and_without_scripts(*, open_page, server, new_page):
    page = open_page("/claims", viewport="phone")
    page.get_by_role("button", name="Menu").click()
    assert page.locator(".bar-menu nav a:visible").count() == len(PAGES)
    page.keyboard.press("Escape")
    page.locator(".bar-menu").wait_for(state="hidden")
    go_by_menu(page, "Deck")
    until_titled(page, tab_title("Deck"))
    plain = new_page(viewport="phone", java_script_enabled=False)
    plain.goto(f"{server.url}/claims")
    plain.get_by_role("button", name="Menu").click()
    plain.locator(".bar summary", has_text="Chips").click()
    plain.locator(".bar a", has_text="Installed base").click()
    plain.wait_for_url("**/fleet")
