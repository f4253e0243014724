"""What a machine can find that keeps someone out: axe-core's rules, on what a reader opens, light and dark."""

import pytest

from tests.browser.rules import broken_rules

DARK = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


def test_what_is_wrong_is_found(open_page):
    page = open_page("/training-compute")
    page.evaluate("() => { document.querySelector('.panel h1').style.color = '#eee' }")
    assert [line.split(":")[0] for line in broken_rules(page)] == ["color-contrast (serious)"]


def test_share_and_the_controls_break_no_rule_when_they_are_open(open_page):
    page = open_page("/training-run?plan=manual")
    page.locator("details.adjust > summary").click()
    page.locator("#table > summary").click()
    page.locator("#table .scroller").wait_for()
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy link", exact=True).wait_for()
    assert broken_rules(page) == []


@DARK
def test_a_phone_with_its_sheet_of_controls_breaks_none(*, open_page, dark):
    page = open_page("/placement", viewport="phone", dark=dark)
    page.get_by_role("button", name="Adjust").click()
    assert broken_rules(page) == []


@pytest.mark.parametrize(("viewport", "dark"), [("laptop", True), ("phone", False)])
def test_the_search_breaks_none_with_results_and_with_nothing_found(*, open_page, dark, viewport):
    page = open_page("/methods", dark=dark, viewport=viewport)
    page.get_by_role("search").get_by_role("button", name="Search").click()
    page.get_by_role("dialog", name="Search").get_by_role("option").first.wait_for()
    assert broken_rules(page) == []
    page.keyboard.type("no such word")
    page.get_by_role("status").filter(has_text="Nothing found").wait_for()
    assert broken_rules(page) == []


@DARK
def test_warnings_chips_and_a_problem_beside_its_control_break_none(*, open_page, dark):
    page = open_page("/training-compute?interval=classical&level=50&top=none", dark=dark)
    assert page.locator(".panel .warning").count() == 1 and page.locator(".panel .chip").count() >= 3
    page.locator('.panel [name="since"]').fill("never")
    page.locator('[data-field="since"] .problem').wait_for(state="visible")
    assert broken_rules(page) == []


@pytest.mark.parametrize(
    ("path", "dark"),
    [
        ("/training-compute", True),
        ("/training-compute", False),
        ("/data", True),
        ("/training-compute?embed=true", False),
    ],
)
def test_the_page_before_any_script_and_in_a_frame_breaks_none(*, path, dark, server, new_page, guard):
    guard.expected.append("ERR_FAILED")
    page = new_page(dark=dark)
    page.route("**/assets/**", lambda route: route.abort())
    page.goto(server.url + path)
    page.wait_for_selector("#first .panel .plot svg")
    assert broken_rules(page) == []
