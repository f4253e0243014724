import re

import pytest

from data.releases import latest, load
from views import wording
from views.claims.statements import judged
from views.claims.words import MOST_WORDS, before_and_after, headline, of_one, subtitle, under_one

STATEMENTS = {item.claim_id: item for item in judged(load(latest()))}


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([], "No statement fits these choices"),
        (["S0-05"], "None of these published statements can be tested"),
        (["S0-01"], "The 1 testable published statement holds"),
        (["S0-03", "S0-05"], "The 1 testable published statement does not hold in full"),
        (["S0-01", "S0-03"], "1 of 2 testable published statements holds"),
        (["S0-01", "S0-02"], "2 of 2 testable published statements hold"),
    ],
)
def test_the_headline_counts_what_holds_of_what_can_be_tested(numbers, said):
    assert headline([STATEMENTS[number] for number in numbers]) == said
    assert len(said.split()) <= MOST_WORDS


def test_the_subtitle_says_the_rest_and_which_statements_were_counted():
    some = [STATEMENTS["S0-01"], STATEMENTS["S0-03"]]
    assert subtitle(some, article="all", topic="growth", find="rate") == (
        "Of 2 statements on growth with “rate” in five articles, 1 is wrong."
    )
    assert subtitle([], article="all", topic="edge", find="") == "Choose all articles and topics."


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("S0-01", r"Supported: claimed 5× a year, ours 4\.7–5\.0× a year"),
        ("S0-02", r"Supported: claimed 1\.28× a year, ours 1\.2\d× a year"),
        ("S0-03", r"Wrong: claimed 15–20×, ours 3\.6×"),
        ("S0-05", r"Not checkable: no view or published figure here tests it"),
    ],
)
def test_one_statement_has_its_verdict_the_claim_and_ours(*, number, said):
    assert re.fullmatch(said, of_one(STATEMENTS[number])), of_one(STATEMENTS[number])


def test_every_statement_has_a_short_headline_with_one_or_two_numbers_and_stands_below():
    for item in STATEMENTS.values():
        told = of_one(item)
        assert len(told.split()) <= MOST_WORDS, told
        assert told.startswith(f"{wording.sentence_case(item.verdict)}: "), told
        assert any(letter.isdigit() for letter in told) or item.verdict == "not checkable", told
        assert item.statement in under_one(item)


def test_a_statement_is_told_with_what_we_find():
    assert "”: ours 3.6× (90 %: 3–4.1×) and 1.47× a year" in under_one(STATEMENTS["S0-03"])
    assert under_one(STATEMENTS["S0-05"]).endswith("”: no view or published figure here tests it.")


def test_a_range_in_a_statement_is_written_with_a_dash():
    assert "10–15 %" in STATEMENTS["S2-28"].statement
    assert "2026-07" in STATEMENTS["S0-01"].evidence


def test_the_page_says_what_the_later_views_made_checkable():
    (said,) = before_and_after(tuple(STATEMENTS.values()))
    before, now = said.split("; with them: ")
    assert before.endswith("measured work: 37 hold, 26 are off, 7 wrong, 19 not checkable")
    holds = sum(item.verdict == "supported" for item in STATEMENTS.values())
    assert now.startswith(f"{holds} hold, ") and holds > 37
    assert before_and_after([STATEMENTS["S0-02"]]) == ()
