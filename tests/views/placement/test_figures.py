"""The key figures are those of the place that the page is about, and the cards say the same."""

import pytest

from tests.views.placement.placed import ANSWERING, result, rows
from tests.views.placement.test_answer import answered
from views.placement.amounts import usd
from views.placement.figures import figures
from views.placement.options import CLASSES

SPANNED = {
    "cost_usd_per_1000_requests": "cost_usd",
    "time_to_first_token_s": "first_s",
    "time_per_output_token_s": "token_s",
    "energy_j_per_request": "energy_j",
}
FACTS = ["Purchase price", "Cost a month", "Per 1,000 requests", "First token", "Speed", "Meets all targets"]


@pytest.mark.parametrize("changes", [*({"work": work} for work in ANSWERING), {"budget": 0.01}], ids=str)
def test_the_figures_are_the_medians_and_intervals_of_the_place_that_wins_or_comes_nearest(changes):
    answer = answered(**changes)
    outcomes, i = answer.outcomes, answer.at
    named = {figure.name: figure for figure in figures(answer)}
    assert i == (outcomes.nearest if outcomes.cheapest is None else outcomes.cheapest)
    for name, spans in SPANNED.items():
        of, figure = getattr(outcomes, spans), named[name]
        assert (figure.low, figure.value, figure.high) == (of.low[i], of.median[i], of.high[i])
        assert answer.inputs.names[i] in figure.method and figure.level == 0.9
    assert named["probability_meets_requirement"].value == outcomes.probability[i]
    assert named["places_that_meet"].text == f"{outcomes.meets.sum()} of {len(outcomes.meets)}"


def test_what_does_not_fit_has_no_figures():
    answer = answered(stay="device", model="kimi-k2")
    assert not answer.outcomes.fits[answer.at]
    for figure in figures(answer):
        if figure.name in SPANNED:
            assert (figure.value, figure.low, figure.high, figure.level) == (None, None, None, None)
            assert (figure.text, figure.interval_text) == ("–", "")


@pytest.mark.parametrize("work", ANSWERING)
def test_the_verdict_says_what_to_get_what_it_costs_and_how_well_it_does(work):
    shown = result(work=work)
    verdict, others = shown.cards
    assert [fact.label for fact in verdict.facts] == FACTS
    assert (verdict.verdict, verdict.tone) == ("Meets every target", "good")
    facts = {fact.label: fact for fact in verdict.facts}
    for name, label in (("cost_usd_per_month", "Cost a month"), ("time_to_first_token_s", "First token")):
        assert facts[label].text == shown.figure(name).text
        assert facts[label].note == f"90 %: {shown.figure(name).interval_text}"
    assert facts["Cost a month"].text in shown.headline
    speed = 1 / shown.figure("time_per_output_token_s").value
    assert float(facts["Speed"].text.partition(" ")[0]) == pytest.approx(speed, rel=0.05)
    assert {fact.label for fact in others.facts} < {label for label, _ in CLASSES.values()}
    assert len(others.facts) == len(CLASSES) - 1 and all(fact.note for fact in others.facts)
    costs = sorted(
        row["cost_usd_per_1000_requests"]
        for row in rows(shown).values()
        if row["probability_meets_requirement"] >= 0.8 and row["cost_usd_per_1000_requests"] is not None
    )
    month = shown.figure("cost_usd_per_month").value / shown.figure("cost_usd_per_1000_requests").value
    assert verdict.text.count("Runner-up: ") == 1 and f"at {usd(costs[1] * month)} a month" in verdict.text


def test_where_nothing_will_do_the_card_says_what_is_lacking():
    verdict, others = result(work="frontier", stay="device").cards
    assert (verdict.verdict, verdict.tone) == ("Memory too small", "bad")
    assert [(fact.label, fact.text) for fact in verdict.facts] == [("Memory", "103 GB, 714 GB needed")]
    assert verdict.text == "No other option meets every target."
    assert {fact.text for fact in others.facts} == {"Ruled out", "Memory too small"}


def test_a_class_asked_about_is_the_one_the_card_is_about():
    verdict, others = result(work="support-chat", only="laptop").cards
    assert "laptop" in verdict.title and verdict.tone == "bad"
    assert verdict.text.endswith("first token after 320 ms.") and "Instead: the cloud (B200)" in verdict.text
    assert "Laptop" not in {fact.label for fact in others.facts}
