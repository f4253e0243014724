from dataclasses import replace

import pytest

from data.releases import latest, load
from views.claims.statements import judged
from views.claims.words import MOST_WORDS, headline, of_one, subtitle, under_one

STATEMENTS = {item.claim_id: item for item in judged(load(latest()))}


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([], "No statement fits these choices"),
        (["S0-05"], "None of these published statements can be tested"),
        (["S0-01"], "The one testable published statement holds"),
        (["S0-03", "S0-05"], "The one testable published statement does not hold in full"),
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
        "Of 2 statements on growth with “rate” in five articles, 0 are off, 1 is wrong and 0 cannot be checked."
    )
    assert subtitle([], article="all", topic="edge", find="") == "Choose all articles and topics."


def test_one_statement_is_told_with_claim_and_ours():
    assert of_one(STATEMENTS["S0-03"]) == "Wrong: This is a 15-to-20× differential in growth rates"
    assert under_one(STATEMENTS["S0-03"]).startswith("Claimed: 15–20×; ours: 3.6× (90 %")
    assert under_one(STATEMENTS["S0-07"]) == "Ours: 21 % and 2.7 %."
    assert under_one(STATEMENTS["S0-05"]).endswith("; no view or published figure here tests it.")


def test_a_long_statement_is_cut_at_twelve_words():
    item = replace(STATEMENTS["S0-03"], statement=" ".join(["word"] * 20))
    assert of_one(item) == f"Wrong: {' '.join(['word'] * 10)} …"
