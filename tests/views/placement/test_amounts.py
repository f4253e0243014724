"""Amounts and shortfalls in words."""

import math

import pytest

from analysis.placement.answers import BINDINGS
from analysis.placement.shortfall import Lack, Shortfall
from views.placement.amounts import (
    LACK_WORDS,
    LIMITS,
    chance,
    count,
    distinct,
    gigabytes,
    hours,
    lack_detail,
    limit_words,
    seconds,
    usd,
)


@pytest.mark.parametrize(
    ("words", "value", "said"),
    [
        (usd, math.nan, "unknown"),
        (usd, math.inf, "unknown"),
        (usd, 12_345.0, "$12,000"),
        (usd, 99.6, "$100"),
        (usd, 12.4, "$12"),
        (usd, 1.234, "$1.23"),
        (usd, 0.1, "$0.10"),
        (usd, 0.0123, "$0.012"),
        (seconds, math.inf, "no end"),
        (seconds, 0.0123, "12 ms"),
        (seconds, 1.0, "1.0 s"),
        (seconds, 599.0, "600 s"),
        (seconds, 1200.0, "20 min"),
        (hours, 0.001, "3.6 s"),
        (hours, 0.5, "30 min"),
        (hours, 1.0, "1.0 h"),
        (hours, 71.0, "71 h"),
        (hours, 72.0, "3.0 days"),
        (gigabytes, 34.2e9, "34 GB"),
        (gigabytes, 141.5e9, "142 GB"),
        (chance, 1.0, "over 99 %"),
        (chance, 0.995, "over 99 %"),
        (chance, 0.994, "99 %"),
        (chance, 0.006, "1 %"),
        (chance, 0.005, "under 1 %"),
        (chance, 0.0, "under 1 %"),
        (count, 200.0, "200"),
        (count, 22.5, "22"),
        (count, 262_144.0, "262,144"),
        (count, 4_455_260.0, "4.46 million"),
        (count, 8.05e9, "8.05 billion"),
        (count, 1e12, "1 trillion"),
    ],
)
def test_amounts_have_their_own_unit_and_as_many_digits_as_matter(*, words, value, said):
    assert words(value) == said


def test_what_limits_is_said_for_every_code_word():
    assert set(LIMITS) == set(BINDINGS) and set(LACK_WORDS) == set(Lack)
    assert [limit_words(word) for word in ("rule", "compute", "network")] == [
        "ruled out",
        "limited by compute",
        "limited by the network",
    ]


@pytest.mark.parametrize(
    ("lack", "detail"),
    [
        (Shortfall(lack=Lack.RULE, rule="premises"), "data must stay on premises"),
        (Shortfall(lack=Lack.MEMORY, reached=6.4e9, required=20e9), "6.4 GB, 20 GB needed"),
        (Shortfall(lack=Lack.MEMORY), "memory is too small"),
        (Shortfall(lack=Lack.FIRST_TOKEN, reached=0.17, required=0.01), "170 ms, 10 ms allowed"),
        (Shortfall(lack=Lack.SPEED, reached=7.2, required=20), "7.2 tokens/s, 20 needed"),
        (Shortfall(lack=Lack.SPEED, reached=19.96, required=20), "19.96 tokens/s, 20 needed"),
        (Shortfall(lack=Lack.COST, reached=0.32, required=0.1), "$0.32 per 1,000, $0.10 allowed"),
        (Shortfall(lack=Lack.COST, reached=0.1004, required=0.1), "$0.1004 per 1,000, $0.1 allowed"),
        (Shortfall(lack=Lack.PRICE, required=0.1), "budget $0.10 per 1,000"),
        (Shortfall(lack=Lack.TIME, reached=30.0, required=24.0), "30 h, 24 h allowed"),
        (Shortfall(lack=Lack.CHANCE, reached=0.65, required=0.8), "65 % likely, 80 % required"),
    ],
    ids=str,
)
def test_a_shortfall_says_what_is_reached_and_what_is_required(lack, detail):
    assert lack_detail(lack) == detail


def test_costs_of_a_fine_tuning_are_of_all_of_it():
    cost = Shortfall(lack=Lack.COST, reached=3.0, required=1.0)
    assert lack_detail(cost, per="") == "$3.00, $1.00 allowed"
    assert lack_detail(Shortfall(lack=Lack.PRICE, required=1.0), per="") == "price unknown, $1.00 allowed"


def test_numbers_that_would_read_alike_get_more_digits():
    assert distinct("20", "20", exact=("19.96", "20")) == ("19.96", "20")
    assert distinct("19", "20", exact=("19.0", "20")) == ("19", "20")
