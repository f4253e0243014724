"""Each lever moves one thing to its two ends and leaves all else as chosen."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from data.releases import load
from views.placement.inputs import inputs_of
from views.placement.levers import levers_of
from views.placement.settings import PlacementSettings

RELEASE = load("2026-07")


def made(**changed: Any):
    settings = PlacementSettings(**changed)
    question = inputs_of(settings, RELEASE).question
    return question, {lever.label: lever for lever in levers_of(settings, question)}


def same(one: Any, other: Any) -> bool:
    """Return whether two records hold the same numbers."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))
    return bool(one == other)


def moved(one: Any, other: Any) -> set[str]:
    """Return the fields in which two records differ."""
    return {
        field.name for field in fields(one) if not same(getattr(one, field.name), getattr(other, field.name))
    }


def test_a_lever_of_the_surroundings_moves_that_one_number():
    question, levers = made(work="support-chat")
    names = {
        "Rent": "price_times",
        "Utilization": "utilization",
        "Years kept": "years",
        "Price charged": "share",
        "Electricity": "usd_per_kwh",
        "Bandwidth of all chips": "bandwidth_times",
        "Network round trip": "round_trip_times",
    }
    for label, name in names.items():
        lever = levers[label]
        assert moved(lever.low.conditions, lever.high.conditions) == {name}
        assert getattr(lever.low.conditions, name) < getattr(lever.high.conditions, name)
        assert lever.low.work is lever.high.work is question.work


def test_requests_go_to_half_and_twice():
    question, levers = made(work="support-chat")
    lever = levers["Requests a day"]
    assert lever.ends == ("500,000", "2,000,000")
    assert lever.low.work.requests_per_day * 2 == lever.high.work.requests_per_day / 2 == 1_000_000
    assert moved(question.work, lever.high.work) == {"requests_per_day"}


@pytest.mark.parametrize(
    ("label", "name"), [("Length of a prompt", "prompt"), ("Length of an answer", "output")]
)
def test_other_lengths_are_those_of_a_fresh_question(label, name):
    _, levers = made(work="laptop-coding")
    now = PlacementSettings(work="laptop-coding").number(name)
    for end, times in ((levers[label].low, 0.5), (levers[label].high, 2)):
        fresh, _ = made(work="laptop-coding", **{name: round(now * times)})
        assert moved(fresh.work, end.work) == set()
    assert levers[label].ends == (f"{round(now / 2):,} tokens", f"{round(now * 2):,} tokens")


def test_phones_under_load_are_a_lever_only_where_a_phone_may_be_used():
    _, anywhere = made(work="phone-assistant")
    lever = anywhere["Phones under load"]
    assert (lever.low.sustained_rule, lever.high.sustained_rule) == (True, False)
    settings = PlacementSettings(work="phone-assistant")
    question = inputs_of(settings, RELEASE).question
    inside = question.at(~question.phones)
    assert "Phones under load" not in {lever.label for lever in levers_of(settings, inside)}


def test_a_length_of_one_token_stays_at_least_one_and_is_written_in_the_singular():
    _, levers = made(work="laptop-coding", output=1)
    lever = levers["Length of an answer"]
    assert lever.ends == ("1 token", "2 tokens") and lever.low.work.output_tokens == 1
