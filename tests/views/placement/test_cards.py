"""The verdict as cards."""

import pytest

from tests.views.placement.placed import ANSWERING, result, rows
from views.placement.options import CLASS_LABELS
from views.placement.table import usd

FACTS = ["Purchase price", "Cost a month", "Per 1,000 requests", "First token", "Speed", "Meets all targets"]


@pytest.mark.parametrize("work", ANSWERING)
def test_the_verdict_says_what_to_get_what_it_costs_and_how_well_it_does(work):
    shown = result(work=work)
    verdict, others = shown.cards
    assert [fact.label for fact in verdict.facts] == FACTS
    assert (verdict.verdict, verdict.tone) == ("Meets every target", "good")
    said = {fact.label: fact for fact in verdict.facts}
    for name, label in (("cost_usd_per_month", "Cost a month"), ("time_to_first_token_s", "First token")):
        assert said[label].text == shown.figure(name).text
        assert said[label].note == f"90 %: {shown.figure(name).interval_text}"
    assert said["Cost a month"].text in shown.headline
    assert verdict.text.count("Runner-up: ") == 1
    assert {fact.label for fact in others.facts} < set(CLASS_LABELS.values())
    assert len(others.facts) == len(CLASS_LABELS) - 1
    assert all(fact.note for fact in others.facts)


def test_the_runner_up_is_the_second_cheapest_that_meets_the_targets():
    shown = result(work="support-chat")
    costs = sorted(
        row["cost_usd_per_1000_requests"]
        for row in rows(shown).values()
        if row["probability_meets_requirement"] >= 0.8
    )
    month = shown.figure("cost_usd_per_month").value / costs[0]
    assert f"at {usd(costs[1] * month)} a month" in shown.cards[0].text


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
