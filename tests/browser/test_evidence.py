"""What a mark, a figure and a row rest on: a drawer beside the page, the row's own page, and charts seen closer."""

from tests.browser.reader import headline, panel, result_of, spaced, until_headline
from tests.browser.rules import broken_rules
from tests.browser.streamlit_page import MAIN

WIDTH = f"() => [document.querySelector('{MAIN}').scrollWidth, document.querySelector('h1').offsetTop]"


def opened(page, words):
    """Return the drawer when it says this."""
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("heading", level=2).first.wait_for()
    page.wait_for_function(
        "words => document.querySelector('.evidence').innerText.includes(words)", arg=words
    )
    return drawer


def test_a_mark_opens_its_row_by_key_and_escape_gives_the_chart_the_focus_again(open_page):
    page = open_page("/accelerators?rule=flagships&vendor=nvidia", dark=True)
    before = page.evaluate(WIDTH)
    panel(page).locator('.plot[data-exhibit="1"]').focus()
    for key in ("End", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    drawer = opened(page, "Pages that use it")
    assert page.evaluate(WIDTH) == before and drawer.bounding_box()["width"] == 380
    assert page.evaluate("document.activeElement.ariaLabel") == "Close" and broken_rules(page) == []
    named = drawer.get_by_role("heading", level=2).first.inner_text()
    page.keyboard.press("Escape")
    assert not drawer.is_visible() and page.evaluate("document.activeElement.classList.contains('plot')")
    page.keyboard.press("Enter")
    opened(page, "Pages that use it").get_by_role("link", name="Open the page of this row").click()
    page.wait_for_url("**/data?*row=*")
    until_headline(page, named)


def test_a_figure_opens_what_it_is_made_of_and_the_rows_behind_it_on_a_phone(open_page):
    page = open_page("/training-compute", viewport="phone")
    growth = result_of("/training-compute").figure("yearly_growth")
    panel(page).locator(".figures a").first.click()
    drawer = opened(page, growth.method)
    assert growth.interval_text in spaced(drawer.inner_text()) and drawer.bounding_box()["width"] == 390
    assert broken_rules(page) == []
    drawer.get_by_role("link", name="Rows behind this figure").click()
    row = panel(page).locator("#table td a[href^='/data?']").first
    row.wait_for()
    assert not drawer.is_visible()
    row.click()
    opened(page, "Source").get_by_role("button", name="Close").click()
    drawer.wait_for(state="hidden")
    assert "/training-compute" in page.url


def test_escape_closes_what_was_opened_last_and_a_drag_sees_a_chart_closer_until_it_is_reset(open_page):
    page = open_page("/training-compute")
    panel(page).locator(".figures a").first.click()
    drawer = opened(page, "Made by")
    panel(page).locator(".figures .help").first.click()
    text = panel(page).locator(".figures .help-text").first
    assert text.is_visible() and drawer.is_visible()
    page.keyboard.press("Escape")
    assert drawer.is_visible() and not text.is_visible()
    page.keyboard.press("Escape")
    drawer.wait_for(state="hidden")
    box = panel(page).locator(".plot .nsewdrag").first.bounding_box() or {}
    page.mouse.move(box["x"] + 100, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 250, steps=5)
    page.mouse.up()
    whole = page.get_by_role("button", name="Reset zoom")
    whole.click()
    whole.wait_for(state="detached")
    assert headline(page) == result_of("/training-compute").headline


def test_a_table_of_the_data_opens_on_its_main_columns_and_shows_all_on_request(open_page):
    page = open_page("/data?table=accelerators")
    every = len(result_of("/data?table=accelerators").table.columns)
    heads = panel(page).locator("#table th:visible")
    page.get_by_text("All columns").click()
    assert heads.count() == every
    page.get_by_text("All columns").click()
    assert heads.count() < every and "Memory bandwidth" in heads.all_inner_texts()


def test_a_number_pasted_on_what_changed_is_answered(open_page):
    page = open_page("/what-changed")
    field = panel(page).get_by_role("searchbox").first
    field.fill("4.7x")
    until_headline(page, result_of("/what-changed?quote=4.7x").headline)
    field.fill("a word")
    page.wait_for_function("() => document.querySelector('.card')?.innerText.includes('Paste a link')")
