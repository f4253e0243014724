"""The places side by side: every number of every place, and amounts in words."""

import math

import pytest

from analysis.placement.answers import BINDINGS
from tests.views.placement.placed import ANSWERING, result, rows
from views.placement.table import chance, gigabytes, seconds, usd

FIGURES = {
    "time_to_first_token_s",
    "time_per_output_token_s",
    "cost_usd_per_1000_requests",
    "probability_meets_requirement",
    "binding",
}


@pytest.mark.parametrize("work", ANSWERING)
def test_each_place_has_time_speed_cost_chance_and_what_binds(work):
    shown = result(work=work)
    assert {column.name for column in shown.table.columns} >= FIGURES
    for row in rows(shown).values():
        assert 0 <= row["probability_meets_requirement"] <= 1
        assert row["time_per_output_token_s_low"] <= row["time_per_output_token_s"]
        assert row["time_per_output_token_s"] <= row["time_per_output_token_s_high"]
        if row["fits"] == "no":
            assert row["probability_meets_requirement"] == 0
            assert row["binding"] in ("capacity", "rule")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (math.nan, "unknown"),
        (math.inf, "unknown"),
        (12_345.0, "$12,000"),
        (99.6, "$100"),
        (12.4, "$12"),
        (1.234, "$1.23"),
        (0.1, "$0.10"),
        (0.0123, "$0.012"),
    ],
)
def test_money_has_as_many_digits_as_matter(value, words):
    assert usd(value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (math.inf, "no end"),
        (0.0123, "12 ms"),
        (1.0, "1.0 s"),
        (59.0, "59 s"),
        (599.0, "600 s"),
        (1200.0, "20 min"),
    ],
)
def test_times_are_told_in_their_own_unit(value, words):
    assert seconds(value) == words


def test_memory_has_two_digits_and_three_from_a_hundred_gigabytes_on():
    assert (gigabytes(34.2e9), gigabytes(141.5e9)) == ("34 GB", "142 GB")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.0, "over 99 %"),
        (0.995, "over 99 %"),
        (0.994, "99 %"),
        (0.5, "50 %"),
        (0.006, "1 %"),
        (0.0, "under 1 %"),
    ],
)
def test_a_thousand_draws_claim_no_certainty(value, words):
    assert chance(value) == words


def test_a_chance_of_some_draws_in_a_thousand_is_never_written_as_none():
    assert [chance(draws / 1000) for draws in (1, 4, 5, 6, 10)] == [*["under 1 %"] * 3, "1 %", "1 %"]


@pytest.mark.parametrize("work", ANSWERING)
def test_what_limits_an_option_is_said_in_words_for_readers_and_by_its_code_word_in_files(work):
    shown = result(work=work)
    (limits,) = (column for column in shown.table.columns if column.name == "binding")
    assert set(limits.words) == set(BINDINGS)
    assert {row["binding"] for row in rows(shown).values()} <= set(BINDINGS)
    assert not set(limits.words.values()) & {"rule", "capacity", "bandwidth", "overhead", "links"}
