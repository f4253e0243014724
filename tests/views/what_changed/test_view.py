"""What a release changed, and whether what was quoted still holds."""

from typing import Any
from urllib.parse import urlencode

import pytest

from data.releases import from_export, latest, load, names
from tests.data import exports
from views.registry import VIEWS
from views.view import answer, link, read, short
from views.what_changed.pairs import figures_of
from views.what_changed.view import VIEW

OLD, BALANCE = "2025-11", VIEWS["/compute-to-memory"]
PINNED, RUN = link(BALANCE, BALANCE.settings(release=OLD)), VIEWS["/training-run"]
IN_DECK, SHORT = f"/deck?{urlencode({'view': PINNED})}", short(BALANCE, BALANCE.settings(release=OLD))
FORMS = (PINNED, SHORT, f"/compute-to-memory.png?release={OLD}", IN_DECK)
REFUSED = {"hello": "neither a link of this site nor a number", "987654x": "No page shows 987654x"}
REFUSED |= {"https://a.org/b": "does not lead to a page of this site", "/v/zzz": "damaged or cut short"}
REFUSED |= {"/fleet?release=1999": "got '1999'", "x" * 999: "neither", "/claims": "page with figures"}


def result(quote: str = "", **others: str) -> Any:
    return answer(VIEW, read(VIEW, urlencode({"quote": quote, **others}))[0])


@pytest.mark.parametrize("against", ["previous", "corrected", *names()])
def test_each_key_figure_stands_once_beside_the_earlier_one_those_outside_first(against):
    shown = result(against=against)
    rows = shown.table.rows
    assert len({row[:2] for row in rows}) == len(rows) > 40
    outside = [str(row[6]).startswith("Moved") for row in rows]
    assert outside == sorted(outside, reverse=True)
    assert all((row[6] == "Unchanged") == (row[2] == row[4]) for row in rows)
    same = [bar.text.endswith(", unchanged") for bar in shown.exhibits[0].chart.bars]
    assert same == sorted(same)
    assert f"{sum(row[2] != row[4] for row in rows) or 'Not one'} of {len(rows)} key" in shown.headline


@pytest.mark.parametrize("address", FORMS)
def test_a_quoted_link_of_any_form_says_what_its_figure_was_and_is(address):
    was, now = (answer(BALANCE, BALANCE.settings(release=name)).figures[0] for name in (OLD, latest()))
    for quote in (address, f"https://example.org{address}", f"example.org{address}"):
        card = result(quote).cards[0]
        assert [fact.text for fact in card.facts[:2]] == [was.text, now.text]
        assert (card.verdict, card.tone) == (f"Still inside, now {now.text}", "good")


def test_a_long_link_is_kept_as_its_short_form():
    query = urlencode({"quote": f"https://example.org{link(RUN, RUN.settings())}"})
    assert read(VIEW, query)[0].described()["quote"] == short(RUN, RUN.settings())


def test_a_number_that_a_page_shows_is_found_with_page_and_release():
    for figure in figures_of(BALANCE, release=load(latest())):
        if figure.is_key:
            cards = {(one.title, one.verdict) for one in result(figure.text).cards}
            assert (f"FLOP per byte: {figure.label}", "Unchanged") in cards


@pytest.mark.parametrize("quote", REFUSED)
def test_what_cannot_be_read_is_refused_in_words(quote):
    assert [REFUSED[quote] in card.text for card in result(quote).cards] == [True]


def test_a_reader_s_own_rows_stand_beside_ours():
    own = from_export(exports.models(*exports.RUNS), None, name="your export")
    rows = {row[:2]: row for row in answer(VIEW, VIEW.settings(), release=own).table.rows}
    assert rows["Compute growth", "Growth a year"][4] == "10× a year"
