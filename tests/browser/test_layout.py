"""What a reader sees first, on every screen, in light and dark: nothing cut, nothing on top of anything."""

from tests.browser.conftest import look
from tests.browser.reader import choose, control, result_of, until_shown, watch
from views.registry import VIEWS
from views.settings import definitions

FOCUSED = """() => {
  const at = document.activeElement;
  const ring = getComputedStyle(at).outlineStyle !== 'none' || getComputedStyle(at).boxShadow !== 'none';
  const label = at.getAttribute('aria-label') || at.labels?.[0]?.innerText;
  return [label || at.innerText || at.tagName, Boolean(at.closest('.panel')), ring];
}"""

FIRST_ROW = [one for one in definitions(VIEWS["/training-compute"].settings).items() if one[1].first_row]
HAS_FOCUS = "one => one === document.activeElement"


def walk(page):
    """The keyboard reaches menu, controls and sections, and shows where it is."""
    reached, unseen = set(), []
    for _ in range(60):
        page.keyboard.press("Tab")
        label, ours, ring = page.evaluate(FOCUSED)
        reached.add(label.strip())
        if ours and not ring:
            unseen.append(label)
    first_row = [item.label for _, item in FIRST_ROW]
    wanted = {"Chips", *first_row, "Adjust", "Share", "Add to deck", "Table", "Method"}
    assert wanted <= reached, wanted - reached
    assert unseen == []


def test_on_a_phone_the_controls_come_up_as_a_sheet_that_done_escape_and_back_close(open_page):
    page = open_page("/training-compute", viewport="phone")
    sheet, opener = page.locator(".panel .controls"), page.get_by_role("button", name="Adjust")
    assert not sheet.is_visible()
    assert opener.get_attribute("aria-expanded") == "false"
    opener.scroll_into_view_if_needed()
    before = page.locator("h1").bounding_box()["y"]
    opener.click()
    assert sheet.is_visible() and opener.get_attribute("aria-expanded") == "true"
    assert sheet.evaluate(HAS_FOCUS)  # a field would bring up a keyboard over the sheet
    box = sheet.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and round(box["y"] + box["height"]) == 844
    assert control(page, "interval").is_visible()
    page.get_by_role("button", name="Done").click()
    assert sheet.is_hidden()
    assert abs(page.locator("h1").bounding_box()["y"] - before) <= 2  # without a choice the page stays
    opener.click()
    page.go_back()
    sheet.wait_for(state="hidden")
    assert page.url.endswith("/training-compute")
    for close in (lambda: page.mouse.click(195, 100), lambda: page.keyboard.press("Escape")):
        opener.click()
        close()
        sheet.wait_for(state="hidden")
        assert opener.evaluate(HAS_FOCUS)
        page.wait_for_function("() => !history.state?.sheet")
    opener.click()
    choose(page, "domain", to="language")
    assert sheet.is_visible()  # it stays for the next choice
    headline = page.locator("h1").inner_text()
    assert sheet.locator(".now").is_visible() and sheet.locator(".now").inner_text() == headline
    page.go_back()
    sheet.wait_for(state="hidden")
    page.wait_for_url("**?domain=language")
    assert page.locator("h1").inner_text() == headline
    opener.click()
    page.get_by_role("button", name="Done").click()
    assert not sheet.is_visible()
    assert "Adjust (1)" in opener.inner_text()
    assert page.evaluate("document.activeElement.dataset.act") == "adjust"
    page.wait_for_function("() => !history.state?.sheet")
    page.go_back()
    page.wait_for_function("said => document.querySelector('h1').innerText !== said", arg=headline)
    assert page.url.endswith("/training-compute")


def test_what_a_figure_and_a_field_mean_is_told_behind_a_button_large_enough_to_press(open_page):
    page, field = open_page("/training-compute"), '[data-field="since"]'
    for viewport, place in (("laptop", ".figures"), ("laptop", field), ("phone", field)):
        look(page, viewport=viewport)
        if viewport == "phone":
            page.get_by_role("button", name="Adjust").click()
        button = page.locator(f".panel {place} .help").first
        box = button.bounding_box() or {}
        assert min(box["width"], box["height"]) >= 24
        help_text = page.locator(f'.panel [id="{button.get_attribute("popovertarget")}"]')
        assert not help_text.is_visible() and button.get_attribute("aria-expanded") == "false"
        button.focus()
        page.keyboard.press("Enter")
        assert help_text.is_visible() and help_text.inner_text()
        page.wait_for_function("one => one.ariaExpanded === 'true'", arg=button.element_handle())
        page.keyboard.press("Escape")
        assert not help_text.is_visible()


def test_by_keyboard_settings_sections_and_every_point_of_the_chart_are_a_few_steps_away(open_page):
    page = open_page("/training-compute")
    where = "() => document.activeElement.name ?? ''"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.innerText") == "Skip to the settings"
    page.keyboard.press("Enter")
    steps = 2
    while not page.evaluate(where) and steps < 9:
        page.keyboard.press("Tab")
        steps += 1
    assert steps <= 8
    assert page.evaluate(where) == FIRST_ROW[0][0]
    page.locator('.skip a[href="#chart"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.matches('.plot')")
    spoken = page.locator(".panel .spoken[role=status]")
    texts = []
    for key in ("End", "ArrowLeft", "Home"):
        page.keyboard.press(key)
        page.wait_for_function(
            "before => !['', before].includes(document.querySelector('.panel .spoken')?.textContent ?? '')",
            arg=texts[-1] if texts else "",
        )
        texts.append(spoken.text_content())
    assert len(set(texts)) == 3 and all(any(sign.isdigit() for sign in text) for text in texts)
    assert any(str(row[0]) in texts[0] for row in result_of("/training-compute").table.rows)
    page.locator(".bar .home").focus()
    walk(page)
    page.locator("#table > summary").focus()
    page.keyboard.press("Enter")
    page.locator("#table .scroller tbody tr").first.wait_for(state="visible")
    control(page, "rule").focus()
    before = watch(page)
    page.keyboard.press("ArrowDown")
    until_shown(page, before=before)
    assert "rule=" in page.url
    assert page.evaluate("document.activeElement.name") == "rule"  # the next arrow goes on from here
