"""Rents of the price table: rates that it supports, each with what it rests on."""

import numpy as np
import pytest

from data.releases import latest, names
from views.chips import rents

H100 = "NVIDIA H100 SXM5 80GB"


@pytest.mark.parametrize("release", names())
@pytest.mark.parametrize("scenario", rents.RENTS)
def test_every_scenario_has_a_rate_with_its_interval(release, scenario):
    found = rents.rate(release, scenario)
    assert found.low <= found.factor <= found.high
    assert (found.n > 50 and found.providers > 10) == (scenario != rents.STEADY)


def test_the_table_does_not_say_whether_the_same_offers_rose_or_fell():
    found = rents.rate(latest(), rents.AS_LAST_YEAR)
    assert found.low < 1 < found.high


def test_a_newer_accelerator_costs_more_and_an_ageing_one_slides_down_the_list():
    newer, falls = rents.newer(latest()), rents.rate(latest(), rents.NEXT_GENERATION)
    assert newer.low > 1.1
    assert falls.factor == pytest.approx(1 / newer.factor)


def test_rates_in_words():
    assert rents.rate_words(rents.rate(latest(), rents.STEADY)) == "unchanged, an assumption"
    words = rents.rate_words(rents.rate(latest(), rents.AS_LAST_YEAR))
    assert words.startswith("1.08× a year (0.8")
    assert "55 prices of 6 accelerators at 13 providers" in words
    assert words.endswith("providers, Mar 2025 to Oct 2026)")
    assert rents.scenario_label(rents.STEADY) == "Steady"


def test_the_rent_of_an_h100_is_the_median_of_many_providers():
    found = rents.rent(latest(), H100)
    assert found is not None
    assert found.providers >= 15
    assert found.low < found.middle < found.high
    assert rents.rent(latest(), "no such accelerator") is None


def test_later_rents_grow_from_one():
    found = rents.later(latest(), rents.STEADY, years_ahead=np.array([0.0, 2.0]))
    assert found.middle[0] == 1.0
    assert found.low[1] < found.middle[1] < found.high[1]
