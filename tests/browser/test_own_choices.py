"""What a reader chose on one page never changes another page, and is there again on return."""

import tomllib
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.browser.reader import choose, go_by_menu, panel, result_of, until_headline
from tests.length import at_length
from views.registry import VIEWS
from views.settings import definitions
from views.view import read

CHOICES = tomllib.loads(Path(__file__).with_name("choices.toml").read_text(encoding="utf-8"))
"""A choice for every view that shares the name of a setting with another."""


def held(page):
    """Return what every control of the page in sight holds."""
    return (
        panel(page)
        .locator(".controls [name]:not([name=vs])")
        .evaluate_all("controls => Object.fromEntries(controls.map(one => [one.name, one.value]))")
    )


def check(page, view, *, query):
    """The page shows these choices and no other: in its controls, its headline and its address."""
    settings, _ = read(view, query)
    until_headline(page, result_of(f"{view.path}?{query}").headline)
    assert held(page) == settings.described(), view.path
    assert parse_qs(urlsplit(page.url).query) == parse_qs(query), view.path


def open_by_menu(page, view, *, drawn):
    go_by_menu(page, view.title)
    drawn(page)


def others_with(name, path):
    return [view for view in VIEWS.values() if view.path != path and name in definitions(view.settings)]


def test_every_view_that_shares_a_name_beside_the_release_has_a_choice_of_such_a_name():
    sharing = {
        path
        for path, view in VIEWS.items()
        if any(others_with(name, path) for name in definitions(view.settings) if name != "release")
    }
    assert set(CHOICES) == sharing
    assert all(others_with(name, path) for path, choice in CHOICES.items() for name in choice)


def test_no_page_changes_another_and_each_keeps_its_own(open_page, drawn):
    """Forward through the menu each page is as nobody touched it, then one of its choices changes; on the way back
    each page has its own choice and no other: every pair of pages, in both orders.
    """
    page = open_page("/")
    views = [VIEWS[path] for path in at_length(list(CHOICES), few=list(CHOICES)[:3])]
    for view in views:
        if view is not views[0]:
            open_by_menu(page, view, drawn=drawn)
        check(page, view, query="")
        [(name, value)] = CHOICES[view.path].items()
        choose(page, name, to=value)
        check(page, view, query=f"{name}={value}")
    for view in reversed(views[:-1]):
        open_by_menu(page, view, drawn=drawn)
        [(name, value)] = CHOICES[view.path].items()
        check(page, view, query=f"{name}={value}")


def test_a_model_chosen_on_one_page_is_offered_on_the_next_and_taken_over_only_when_asked(open_page):
    page = open_page("/training-run?model=deepseek-v3")
    page.get_by_role("link", name="Response speed").click()
    page.locator('.panel[data-view="latency-floor"]').wait_for()
    offer = page.get_by_role("button", name="Carry over: DeepSeek-V3")
    offer.wait_for()
    assert page.url.endswith("/latency-floor")
    assert "Llama" in page.locator("h1").inner_text()
    offer.click()
    page.wait_for_url("**/latency-floor?model=deepseek-v3")
    page.wait_for_function("() => document.querySelector('h1').textContent.includes('DeepSeek')")
    assert offer.count() == 0
    page.go_back()
    page.wait_for_function("() => document.querySelector('h1').textContent.includes('Llama')")
