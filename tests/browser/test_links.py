"""A view is a link: what the address does to the page, and the page to the address."""

from urllib.parse import parse_qs, urlsplit

from tests.browser.reader import (
    choose,
    control,
    figures,
    full_link,
    headline,
    panel,
    result_of,
    spaced,
    until_headline,
    warnings,
)
from views.registry import VIEWS
from views.settings import definitions

LANGUAGE = "/training-compute?since=2020&domain=language"


def until(page, link):
    until_headline(page, result_of(link).headline)


def test_a_copied_link_spells_out_everything_and_shows_the_same_without_a_further_question(
    *, server, open_page, guard
):
    page = open_page(LANGUAGE)
    until(page, LANGUAGE)
    copied = full_link(page)
    assert copied.startswith(f"{server.url}/training-compute?")
    query = parse_qs(urlsplit(copied).query, keep_blank_values=True)
    assert list(query) == list(definitions(VIEWS["/training-compute"].settings))
    assert query["release"] != ["latest"]
    requested = len(guard.requests)
    again = open_page(copied.removeprefix(server.url))
    until(again, LANGUAGE)
    assert figures(again) == figures(page)
    assert warnings(again) == []
    assert [request for request in guard.requests[requested:] if "part=finding" in request] == []
    assert again.url == copied


def test_a_damaged_link_opens_the_view_says_what_it_ignored_and_leaves_the_rest(open_page):
    page = open_page("/training-compute?since=2020&top=none&colour=red")
    until(page, "/training-compute?since=2020")
    lines = warnings(page)
    assert lines[0] == "top=none was ignored; allowed: a whole number from 1 to 100."
    assert lines[1].startswith("colour=red was ignored; allowed: the settings release, ")
    assert len(lines) == 2
    page.wait_for_function("() => location.search === '?since=2020'")
    choose(page, "domain", to="language")
    assert parse_qs(urlsplit(page.url).query) == {"since": ["2020"], "domain": ["language"]}
    assert warnings(page) == []


def test_what_is_typed_and_cannot_be_is_named_beside_its_control_and_can_be_mended_there(open_page):
    page = open_page("/training-compute?since=2018")
    box = control(page, "since")
    problem = panel(page).locator('[data-field="since"] .problem')
    box.fill("2018-13")
    problem.wait_for(state="visible")
    assert "“2018-13” cannot be used; allowed: " in problem.inner_text()
    assert box.input_value() == "2018-13"  # nothing is taken from under the reader's fingers
    assert headline(page) == spaced(result_of("/training-compute?since=2018").headline)
    assert (urlsplit(page.url).query, warnings(page)) == ("since=2018", [])
    box.fill("2018-12")
    problem.wait_for(state="hidden")
    until(page, "/training-compute?since=2018-12")
    box.fill("never")
    box.press("Tab")
    problem.wait_for(state="visible")
    page.wait_for_function("""() => document.querySelector('.panel [name="since"]').value === "2018-12" """)
    assert "“never” cannot be used" in problem.inner_text()
    assert headline(page) == spaced(result_of("/training-compute?since=2018-12").headline)
    choose(page, "domain", to="language")
    assert not problem.is_visible()
