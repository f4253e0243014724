"""A view without any script: read, chosen, walked through by links, as a crawler, a mail client or a reader does."""

from urllib.parse import parse_qs, urlsplit

import pytest

from panel.page import FIRST_ROWS
from panel.terms import LINK
from tests.browser.reader import control, figures, headline, key_figures, result_of
from tests.length import LONG
from views.registry import VIEWS
from views.settings import definitions
from web.pages import LATE

MOST_LOADS = 20


def until_answered(page):
    """Load the page again, as a reader would, until its document has come with its finding."""
    for _ in range(MOST_LOADS):
        if headline(page) != LATE:
            return
        page.reload()
    pytest.fail(f"{page.url} never came with its finding")


SOME = tuple(VIEWS) if LONG else ("/", "/placement", "/claims")
"""The tests of documents hold every view to what it says without scripts; here a browser shows some."""


def first_control(path):
    """Return the name of the first control in the first row of a view; empty where there are steps alone."""
    known = definitions(VIEWS[path].settings).items()
    return next((name for name, one in known if one.first_row and not getattr(one, "ordered", False)), "")


@pytest.fixture
def plain_page(new_page, server):
    """Opens an address where no script runs."""

    def open_it(path, **how):
        page = new_page(java_script_enabled=False, **how)
        page.goto(server.url + path)
        until_answered(page)
        return page

    return open_it


@pytest.mark.parametrize("path", SOME)
def test_the_finding_its_figures_its_chart_and_its_rows_stand_there(path, plain_page):
    page = plain_page(path)
    result = result_of(path)
    assert headline(page) == result.headline
    assert figures(page) == key_figures(result)
    assert page.locator(".panel .plot svg").first.is_visible()
    assert page.locator(".panel .plot svg").first.get_attribute("aria-label")
    assert page.locator("#table tbody tr").count() == min(FIRST_ROWS, len(result.table.rows))
    assert page.locator(".panel .question").inner_text() == VIEWS[path].question
    term = page.locator(".panel a.term").first
    assert term.count() == 0 or term.get_attribute("href") == LINK
    for word in ("share", "deck", "adjust", "done"):  # what only a script can do is not offered
        assert not page.locator(f'[data-act="{word}"]').is_visible(), word


@pytest.mark.parametrize("path", [path for path in SOME if first_control(path)])
def test_the_controls_are_a_form_that_leads_to_the_link_of_its_choices(path, plain_page):
    page = plain_page(path)
    name = first_control(path)
    box = control(page, name)
    if box.evaluate("one => one.tagName") == "SELECT":
        words = box.locator("option").evaluate_all("options => options.map(option => option.value)")
        chosen = next(word for word in words if word != box.input_value())
        box.select_option(chosen)
    else:
        chosen = {"find": "memory", "value": "30 %"}.get(name) or str(int(float(box.input_value() or 1)) + 1)
        box.fill(chosen)
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_url("**?*")
    until_answered(page)
    given = parse_qs(urlsplit(page.url).query, keep_blank_values=True)
    assert urlsplit(page.url).path == path
    assert given[name] == [chosen]
    assert headline(page) == result_of(f"{path}?{urlsplit(page.url).query}").headline
    assert control(page, name).input_value() == chosen
    assert page.locator(".panel .warning").count() == 0


def test_a_section_opens_and_a_further_page_is_led_to(plain_page):
    page = plain_page("/")
    assert not page.locator("#method p").first.is_visible()
    page.locator("#method > summary").click()
    assert page.locator("#method p").first.is_visible()
    onward = page.get_by_role("navigation", name="Explore next").get_by_role("link")
    assert [link.get_attribute("href") for link in onward.all()] == list(VIEWS["/"].leads_to)
    onward.first.click()
    page.wait_for_url(f"**{VIEWS['/'].leads_to[0]}")
    until_answered(page)
    assert headline(page) == result_of(VIEWS["/"].leads_to[0]).headline


@pytest.mark.parametrize(("viewport", "dark"), [("phone", True), ("laptop", False)])
def test_it_stands_in_the_colours_of_the_reader_and_fits_the_screen(*, viewport, dark, plain_page):
    page = plain_page("/training-compute", viewport=viewport, dark=dark)
    ground = page.locator("#first").evaluate("one => getComputedStyle(one).backgroundColor")
    assert ground == ("rgb(18, 22, 29)" if dark else "rgb(255, 255, 255)")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
