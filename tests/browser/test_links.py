"""A view is a link: what the address does to the page, and the page to the address."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from views.registry import VIEWS
from views.settings import definitions
from views.view import answer, read

LANGUAGE = "/training-compute?since=2020&domain=language"


def headline_of(link):
    """Return what the page of a link must say."""
    path, _, query = link.partition("?")
    settings, _ = read(VIEWS[path], query)
    return answer(VIEWS[path], settings).headline


def figures_of(page):
    return page.locator('[data-testid="stMetricValue"]').all_inner_texts()


def until_headline(page, text):
    page.wait_for_function(
        "text => document.querySelector('h1')?.innerText?.trim() === text", arg=text, timeout=20_000
    )


def choose(page, label, *, option):
    """Pick an option of a select box, as a reader does."""
    page.get_by_role("combobox", name=label).first.click()
    page.get_by_role("option", name=option, exact=True).click()


def copied_link(page):
    page.get_by_role("button", name="Share").click()
    return page.locator('[data-testid="stCode"]').first.inner_text().strip()


@pytest.mark.parametrize(
    "link", [LANGUAGE, "/accelerators?metric=fp16&rule=flagships&vendor=nvidia&interval=classical"]
)
def test_a_cold_deep_link_opens_its_page_with_its_numbers(*, link, fresh_server, open_page):
    page = open_page(link, on=fresh_server)
    until_headline(page, headline_of(link))
    path, _, query = link.partition("?")
    figures = answer(VIEWS[path], read(VIEWS[path], query)[0]).figures
    assert figures_of(page) == [figure.text for figure in figures if figure.key][:4]
    assert page.locator('[data-testid="stAlert"]').count() == 0
    assert urlsplit(page.url).path == path


def test_a_change_goes_into_the_address_and_a_reload_keeps_it(open_page, drawn):
    page = open_page("/training-compute")
    choose(page, "Which runs", option="notable")
    until_headline(page, headline_of("/training-compute?rule=notable"))
    page.wait_for_url(re.compile(r"[?&]rule=notable"))
    before = figures_of(page)
    page.reload()
    drawn(page)
    until_headline(page, headline_of("/training-compute?rule=notable"))
    assert figures_of(page) == before


def test_a_copied_link_spells_out_everything_and_shows_the_same_on_a_fresh_server(
    *, fresh_server, server, open_page
):
    page = open_page(LANGUAGE)
    until_headline(page, headline_of(LANGUAGE))
    copied = copied_link(page)
    assert copied.startswith(f"{server.url}/training-compute?")
    given = parse_qs(urlsplit(copied).query, keep_blank_values=True)
    assert list(given) == list(definitions(VIEWS["/training-compute"].settings))
    assert given["release"] != ["latest"]
    again = open_page(copied.removeprefix(server.url), on=fresh_server)
    until_headline(again, headline_of(LANGUAGE))
    assert figures_of(again) == figures_of(page)
    assert again.locator('[data-testid="stAlert"]').count() == 0


def test_a_damaged_link_opens_the_view_says_what_it_ignored_and_leaves_the_rest(open_page):
    page = open_page("/training-compute?since=2020&top=none&colour=red")
    until_headline(page, headline_of("/training-compute?since=2020"))
    said = " ".join(page.locator('[data-testid="stAlert"]').all_inner_texts())
    assert "top=none was ignored; allowed: a whole number from 1 to 100." in said
    assert "colour=red was ignored; allowed: this view has the settings release, " in said
    assert "top=" not in page.url and "colour=" not in page.url and "since=2020" in page.url


def test_a_month_that_is_none_is_named_once(open_page):
    page = open_page("/training-compute?since=2030-13")
    until_headline(page, headline_of("/training-compute"))
    assert page.locator('[data-testid="stAlert"]').count() == 1


def test_markup_in_a_link_is_shown_as_text(open_page):
    page = open_page("/data?find=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%20**b**%20%24x%24")
    headline = page.locator("h1").inner_text()
    assert "<img src=x onerror=alert(1)> **b** $x$" in headline
    assert page.locator("h1 img, h1 strong, h1 .katex").count() == 0


def test_a_setting_of_one_page_does_not_follow_to_another(open_page, drawn):
    page = open_page("/?since=2015")
    page.get_by_role("link", name="Training compute").first.click()
    page.wait_for_url("**/training-compute*")
    until_headline(page, headline_of("/training-compute"))
    assert "since" not in urlsplit(page.url).query


def test_a_month_can_be_typed(open_page):
    page = open_page("/training-compute")
    box = page.get_by_role("combobox", name="Since").first
    box.click()
    box.fill("2018-06")
    box.press("Enter")
    until_headline(page, headline_of("/training-compute?since=2018-06"))
    page.wait_for_url(re.compile(r"since=2018-06"))


def test_an_embedded_view_shows_headline_chart_and_source_only(open_page):
    page = open_page("/training-compute?embed=true&since=2020")
    until_headline(page, headline_of("/training-compute?since=2020"))
    assert page.locator('[data-testid="stPlotlyChart"]').count() == 1
    assert "Data: Epoch AI (CC BY 4.0)" in page.locator('[data-testid="stMain"]').inner_text()
    for gone in ("stSidebar", "stMetric", "stSelectbox", "stPopover", "stTabs", "stDataFrame"):
        assert page.locator(f'[data-testid="{gone}"]:visible').count() == 0, gone
