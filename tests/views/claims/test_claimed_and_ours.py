import re

import pytest

from charts.chart import BarChart
from data.releases import latest, load
from tests.browser.reader import result_of
from views import written
from views.claims.cards import WORDS, claims_address, statement_cards
from views.claims.exhibits import claimed_and_ours, statement_table
from views.claims.statements import judged
from views.claims.view import VIEW
from views.claims.words import headline, of_one, subtitle, under_one
from views.exhibits import bar_reach
from views.result import CardLink, Fact
from views.view import read, split
from views.wording import MOST_WORDS

TABLES = written.toml(__file__, name="statements.toml")
RELEASE = load(latest())
STATEMENTS = {item.claim_id: item for item in judged(RELEASE)}
NUMBERS = statement_table(())
EVERY_STATEMENT = judged(RELEASE)
CARDS = {
    card.name: card for card in statement_cards(EVERY_STATEMENT, release=RELEASE, most=len(EVERY_STATEMENT))
}


def drawn(claim_id):
    exhibit = claimed_and_ours(STATEMENTS[claim_id], title="T", source="S", numbers=NUMBERS)
    assert exhibit is not None and isinstance(exhibit.chart, BarChart)
    return exhibit.chart


def test_the_claimed_number_stands_beside_ours_with_its_interval():
    claimed, ours = drawn("S0-02").bars
    part = STATEMENTS["S0-02"].parts[0].measured
    assert part is not None
    assert (claimed.label, claimed.value, claimed.low, claimed.high) == ("Claimed", 1.28, None, None)
    assert (ours.label, ours.value, ours.low, ours.high) == ("Our number", part.value, part.low, part.high)
    claimed_range = drawn("S0-03").bars[0]
    assert (claimed_range.low, claimed_range.high, claimed_range.text) == (15, 20, "15–20×")


def test_a_statement_without_a_number_is_held_against_the_mark_that_decides():
    labels = [bar.label for bar in drawn("S0-07").bars]
    assert labels == ["Tested against", "Our number (1)", "Our number (2)"]
    assert "(1) reachable share" in drawn("S0-07").subtitle.replace("Reachable", "reachable")


def test_a_card_says_verdict_statement_claim_and_ours_with_interval():
    card = CARDS["S0-02"]
    assert (card.verdict, card.tone) == ("Supported", "good")
    assert card.title == "GPU memory bandwidth improved only 28% a year"
    claimed, ours = card.facts
    assert claimed == Fact(label="Claimed", text="1.28× a year")
    assert ours.label == "Our number: memory bandwidth per chip since 2008"
    assert (ours.text, ours.note) == ("1.26× a year", "90%: 1.22–1.54×")
    assert card.text.startswith("This is the rate of one chip. ")
    (alone,) = result_of("/claims?statement=S0-02").cards
    assert alone.facts == (*card.facts, Fact(label="Tested by", text="Our data"))
    assert alone.text == f"The claim is inside our interval. {card.text}"


def test_several_tests_are_numbered_as_in_the_reason():
    (card,) = result_of("/claims?statement=S2-10").cards
    labels = [fact.label.partition(":")[0] for fact in card.facts]
    assert labels == ["Claimed", "Our number (1)", "Our number (2)", "Tested by"]
    assert "(1) our interval is not above 50%; (2) our whole interval is above 50%" in card.text


def test_every_card_leads_to_its_test_its_source_its_own_page_and_its_slide():
    for item in EVERY_STATEMENT:
        *tests, source, link, slide = CARDS[item.claim_id].links
        assert bool(tests) == bool(item.parts)
        assert source == CardLink(address=item.url, text="Source")
        assert link.address == claims_address(statement=item.claim_id, release=RELEASE)
        path, query = split(link.address)
        settings, ignored = read(VIEW, query)
        assert path == VIEW.path and not ignored
        assert settings.described()["statement"] == item.claim_id
        assert slide.address == link.address.replace("/claims?", "/claims.pptx?")
        names = [one.text for one in CARDS[item.claim_id].links]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(("numbers", "said"), TABLES["headlines"])
def test_the_headline_counts_what_holds_of_what_can_be_tested(numbers, said):
    assert headline([STATEMENTS[number] for number in numbers.split()]) == said
    assert len(said.split()) <= MOST_WORDS


def test_the_subtitle_says_the_rest_and_which_statements_were_counted():
    some = [STATEMENTS["S0-01"], STATEMENTS["S0-03"]]
    both = subtitle(some, article="all", topic="growth", find="rate")
    assert both == "Of 2 claims on growth with “rate” from 1 source, 1 is wrong."
    assert subtitle([], article="all", topic="edge", find="") == "Choose all sources and topics."
    one = subtitle(some[:1], article="all", topic="all", find="S0-01")
    assert one == "Of 1 claim with “S0-01” from 1 source, all hold."


@pytest.mark.parametrize(("number", "said"), TABLES["alone"])
def test_one_statement_has_its_verdict_the_claim_and_ours(*, number, said):
    assert re.fullmatch(said, of_one(STATEMENTS[number])), of_one(STATEMENTS[number])


def test_every_statement_has_a_page_of_its_own_with_a_short_headline_card_and_chart():
    for item in STATEMENTS.values():
        page = result_of(f"/claims?statement={item.claim_id}")
        headline = page.headline
        assert headline.startswith(f"{WORDS[item.verdict]}: "), headline
        assert len(headline.split()) <= MOST_WORDS, headline
        assert any(letter.isdigit() for letter in headline) or item.verdict == "not checkable", headline
        assert item.statement in page.subtitle
        (card,) = page.cards
        short = CARDS[item.claim_id].facts
        assert (card.name, card.facts[: len(short)]) == (item.claim_id, short)
        chart = page.exhibits[0].chart
        assert isinstance(chart, BarChart)
        labels = [tick.label for tick in chart.x.ticks]
        assert len(set(labels)) == len(labels) >= 2
        shown = bar_reach(chart.bars)
        assert chart.x.low <= min(shown) <= max(shown) <= chart.x.high
        assert chart.dots == bool(item.parts)


def test_a_statement_is_told_with_what_we_find_its_range_with_a_dash():
    assert "”. We find 3.6× (90%: 3–4.1×) and 1.47× a year" in under_one(STATEMENTS["S0-03"])
    assert under_one(STATEMENTS["S0-05"]).endswith("” cannot be tested by a page or a published figure here.")
    assert "10–15%" in STATEMENTS["S2-28"].statement
