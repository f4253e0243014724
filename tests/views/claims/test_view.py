import json
import re
from dataclasses import replace

import pytest

from data import standing
from data.releases import load, names, reading
from tests.views import links
from views.claims.cards import FIRST_CARDS, TONES, WORDS
from views.claims.statements import ARTICLES
from views.claims.view import TOPIC_OPTIONS, VIEW, ClaimSettings
from views.result import as_json
from views.setting_kinds import Choice
from views.settings import definitions
from views.view import answer, read

COUNTS = ["n_supported", "n_undecided", "n_off", "n_wrong", "n_not_checkable"]


def result(**chosen):
    return answer(VIEW, ClaimSettings(**chosen))


def cells(outcome, column):
    place = [item.name for item in outcome.table.columns].index(column)
    return [row[place] for row in outcome.table.rows]


def claimed():
    return dict(zip(cells(result(), "claim_id"), cells(result(), "claimed"), strict=True))


def every_card(**chosen):
    return [card for card in result(cards="all", **chosen).cards if card.name != "yours"]


@pytest.mark.parametrize("release", names())
def test_every_statement_stands_in_the_table_and_the_figures_add_up(release):
    outcome = result(release=release)
    with reading(load(release).stands_on):
        claims = list(standing.table("claims")["claim_id"])
    assert cells(outcome, "claim_id") == claims
    counts = [outcome.figure(name).value for name in COUNTS]
    assert sum(value or 0 for value in counts) == len(claims)
    assert counts[0] == cells(outcome, "verdict").count("supported")
    assert json.dumps(as_json(outcome), allow_nan=False)


def test_the_headline_can_be_quoted():
    outcome = result()
    every, supported, undecided, off, wrong, rest = (int(figure.value or 0) for figure in outcome.figures)
    assert outcome.headline == f"{supported} of {every - rest} testable published claims hold"
    told = [int(number) for number in re.findall(r"\d+", outcome.subtitle)]
    assert (
        told == [every, 6, rest, every - rest, undecided, off, wrong] and "from 6 sources" in outcome.subtitle
    )
    assert outcome.exhibits[0].chart.title == outcome.headline


@pytest.mark.parametrize(
    ("name", "options"),
    [("article", ARTICLES), ("topic", [topic for topic in TOPIC_OPTIONS if topic != "all"])],
)
def test_an_article_and_a_topic_show_their_own_statements(name, options):
    for word in options:
        shown = result(**{name: word})
        assert set(cells(shown, name)) == {word}
        assert shown.figures[0].value == len(shown.table.rows)


@pytest.mark.parametrize("verdict", ["supported", "off", "wrong", "not-checkable"])
def test_a_verdict_filters_the_rows_and_leaves_the_counts(verdict):
    shown, word = result(verdict=verdict), verdict.replace("-", " ")
    assert set(cells(shown, "verdict")) == {WORDS[word].lower()}
    assert (shown.headline, shown.figures) == (result().headline, result().figures)
    assert {card.tone for card in every_card(verdict=verdict)} == {TONES[word]}
    assert len(shown.table.rows) == len(every_card(verdict=verdict))


def test_factors_are_written_one_way_and_found_in_either():
    """5x a year stood beside 5.0× a year."""
    for exhibit in result().exhibits:
        shown = [str(cell) for row in exhibit.table.rows for cell in row]
        assert not [cell for cell in shown if re.search(r"[0-9] ?x\b", cell) and not cell.startswith("http")]
    either = [cells(result(find=find), "claim_id") for find in ("5x a year", "5× a year")]
    assert "S0-01" in either[0] and either[0] == either[1]
    assert claimed()["S0-01"] == "5× a year"


def test_words_are_found_in_any_case_and_no_statement_says_what_to_do():
    assert cells(result(find="H100 3.35 tb/s"), "claim_id") == ["S2-18"]
    nothing = result(find="(no such words)")
    assert nothing.table.rows == ()
    assert nothing.headline == "No claim matches these choices"
    assert nothing.subtitle == "No claim contains all of “(no such words)”. Try fewer words."
    assert nothing.cards == ()


def test_the_first_statements_stand_as_cards_and_a_link_leads_to_all():
    cards = result().cards
    assert [card.name for card in cards[:-1]] == cells(result(), "claim_id")[:FIRST_CARDS]
    assert cards[-1].title == f"{90 - FIRST_CARDS} more claims"
    path, _, query = cards[-1].links[0].address.partition("?")
    requested, ignored = read(VIEW, query)
    assert path == "/claims" and not ignored
    assert [card.name for card in answer(VIEW, requested).cards] == cells(result(), "claim_id")


def test_beside_an_own_claim_the_others_wait_until_they_are_asked_for():
    own = {"quantity": "cost", "value": "3x"}
    assert [card.name for card in result(**own).cards] == ["yours", "more"]
    assert result(**own).cards[-1].title == "90 published claims"
    assert len(result(**own, verdict="wrong").cards) == 1 + 6


@pytest.mark.parametrize("text", ["S9-99", "s0-02x", "all"])
def test_a_statement_there_is_none_of_is_ignored_and_the_message_shows_a_number(text):
    requested, [ignored] = read(VIEW, f"statement={text}")
    assert requested == ClaimSettings()
    assert ignored.allowed == "the number of a claim, such as S0-02"


@pytest.mark.parametrize("query", links.corpus(VIEW), ids=str)
def test_whatever_is_chosen_the_page_is_short_and_its_pills_count_what_they_show(query):
    requested = read(VIEW, query)[0]
    outcome = answer(VIEW, requested)
    assert outcome.notes
    assert len(outcome.settings_line) < 260  # every choice is named in it
    setting = definitions(ClaimSettings)["verdict"]
    assert isinstance(setting, Choice)
    for word, name in setting.pills.items():
        if requested.applies("verdict"):
            shown = len(answer(VIEW, replace(requested, verdict=word)).table.rows)
            own = bool(outcome.cards and outcome.cards[0].name == "yours")
            assert outcome.figure(name).value == shown - own


@pytest.mark.parametrize("find", ["", "S2-18", "no such words", "memory"])
def test_counts_stand_on_an_axis_of_whole_numbers(find):
    for exhibit in result(find=find).exhibits:
        if exhibit.chart.x.title != "Claims":
            continue
        labels = [tick.label for tick in exhibit.chart.x.ticks]
        assert len(labels) == len(set(labels)) >= 2
        assert all(label.isdigit() for label in labels)


def test_no_claimed_number_lacks_its_unit():
    assert not [text for text in claimed().values() if str(text).isdigit()]
    assert claimed()["S4-10"] == "to the power of 2"
