"""What a reader chose on one page never changes another page, and is there again on return."""

from urllib.parse import parse_qs, urlsplit

from views.registry import VIEWS
from views.setting_kinds import Choice
from views.settings import definitions
from views.view import link, read

CHOICES = {
    "/": {"since": "2016"},
    "/growth-gap": {"chips": "all"},
    "/compute-to-memory": {"batch": "110"},
    "/training-compute": {"domain": "language"},
    "/accelerators": {"rule": "flagships"},
    "/growth-accounting": {"domain": "language"},
    "/track-record": {"rule": "records"},
    "/placement": {"prompt": "3000"},
    "/training-run": {"batch": "8"},
    "/latency-floor": {"batch": "2"},
    "/techniques": {"context": "4096"},
    "/claims": {"find": "memory"},
    "/data": {"find": "nvidia"},
}
"""A choice for every view that shares the name of a setting with another."""


def shared_link(page):
    """Return the link that Share gives; asking for it runs the page again."""
    page.get_by_role("button", name="Share").click()
    text = page.locator('[data-testid="stCode"]').first.inner_text().strip()
    page.keyboard.press("Escape")
    parts = urlsplit(text)
    return parts.path, parse_qs(parts.query, keep_blank_values=True)


def expected(view, query):
    parts = urlsplit(link(view, read(view, query)[0]))
    return parts.path, parse_qs(parts.query, keep_blank_values=True)


def go_by_menu(page, view, *, drawn):
    page.locator('[data-testid="stSidebarNav"]').get_by_role("link", name=view.title, exact=True).click()
    page.wait_for_function("path => location.pathname === path", arg=view.path)
    page.wait_for_function("text => document.body.innerText.includes(text)", arg=view.question)
    drawn(page)


def choose(page, view, *, drawn):
    """Make the view's choice as a reader does, in its control."""
    [(name, value)] = CHOICES[view.path].items()
    setting = definitions(view.settings)[name]
    if not setting.first_row:
        page.get_by_role("button", name="More choices").click()
    control = page.locator(f".st-key-{name}")
    if isinstance(setting, Choice):
        control.get_by_role("combobox").click()
        page.get_by_role("option", name=value, exact=True).click()
    else:
        control.locator("input").fill(value)
        control.locator("input").press("Enter")
    page.wait_for_function("text => location.search.includes(text)", arg=f"{name}={value}")
    page.keyboard.press("Escape")
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
    views = [VIEWS[path] for path in CHOICES]
    for view in views:
        if view is not views[0]:
            go_by_menu(page, view, drawn=drawn)
        assert shared_link(page) == expected(view, ""), view.path
        choose(page, view, drawn=drawn)
    for view in reversed(views[:-1]):
        go_by_menu(page, view, drawn=drawn)
        query = "&".join(f"{name}={value}" for name, value in CHOICES[view.path].items())
        assert shared_link(page) == expected(view, query), view.path
        page.wait_for_function("text => location.search.includes(text)", arg=query)
