"""What a machine can find that keeps someone out: axe-core's rules, on what a reader opens, light and dark."""

import pytest

from tests.browser.reader import headline, result_of, until_answered
from tests.browser.rules import broken_rules
from tests.length import at_length

IN_SCHEME = "scheme => document.querySelector('.panel').dataset.scheme === scheme"
WITHOUT_SCRIPTS = ["/training-compute?embed=true", "/training-compute?since=2018", "/data"]


def check_in_both_schemes(page, *, live=True):
    """The page as it is breaks no rule, in light or in dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        if live:
            page.wait_for_function(IN_SCHEME, arg=scheme)
        assert broken_rules(page) == []


def test_share_and_the_controls_break_no_rule_when_they_are_open_and_what_is_wrong_is_found(open_page):
    page = open_page("/training-compute")
    page.locator("details.adjust > summary").click()
    page.locator("#table > summary").click()
    page.locator("#table .scroller").wait_for()
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy link", exact=True).wait_for()
    assert broken_rules(page) == []
    page.get_by_role("dialog").locator("h2").first.evaluate("one => { one.style.color = '#eee' }")
    assert [line.split(":")[0] for line in broken_rules(page)] == ["color-contrast (serious)"]


def test_a_phone_with_its_sheet_of_controls_breaks_none(open_page):
    page = open_page("/training-compute", viewport="phone")
    page.get_by_role("button", name="Adjust").click()
    check_in_both_schemes(page)


def test_the_search_breaks_none_with_results_and_with_nothing_found(open_page):
    page = open_page("/training-compute", viewport="phone")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("dialog", name="Search").get_by_role("option").first.wait_for()
    check_in_both_schemes(page)
    page.keyboard.type("no such word")
    page.get_by_role("status").filter(has_text="Nothing found").wait_for()
    check_in_both_schemes(page)


def test_warnings_chips_and_a_problem_beside_its_control_break_none(open_page):
    page = open_page("/training-compute?interval=classical&level=50&top=none")
    assert page.locator(".panel .warning").count() == 1 and page.locator(".panel .chip").count() >= 3
    page.locator('.panel [name="since"]').fill("never")
    page.locator('[data-field="since"] .problem').wait_for(state="visible")
    check_in_both_schemes(page)


@pytest.mark.parametrize("path", at_length(WITHOUT_SCRIPTS, few=WITHOUT_SCRIPTS[:2]))
def test_where_no_script_arrives_the_finding_stands_there_and_breaks_none(*, path, server, new_page, guard):
    guard.expected.append("ERR_FAILED")
    page = new_page()
    page.route("**/assets/**", lambda route: route.abort())
    page.goto(server.url + path)
    until_answered(page)
    assert page.locator("#first .panel .plot svg").first.is_visible()
    assert headline(page) == result_of(path.removesuffix("?embed=true")).headline
    check_in_both_schemes(page, live=False)
