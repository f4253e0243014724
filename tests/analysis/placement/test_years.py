from typing import Any

import numpy as np
import pytest

from analysis.placement.question import Question
from analysis.placement.setup import set_up
from analysis.placement.verdict import probabilities
from analysis.placement.work import Requirements
from analysis.placement.years import (
    HELD,
    Slope,
    Slopes,
    drawn_growth,
    first_year,
    groups,
    middle_growth,
    placement_years,
    within_groups,
)
from analysis.trend.growth import Series
from tests.analysis.placement.questions import LAPTOP, PERSONAL, PHONE, a_question, a_work

YEARS = np.arange(2026.0, 2041.0)
STEADY = Slope(middle=0.1, draws=(0.1,), n=20)
UNSURE = Slope(middle=0.1, draws=(0.02, 0.06, 0.1, 0.14, 0.18), n=20)


def question(**limits: Any) -> Question:
    return a_question(a_work(n_parameters=8e9), PERSONAL, requirements=Requirements(**limits))


def moved(slope: Slope) -> Slopes:
    """Return the trends of devices whose bandwidth, FLOP/s and memory all follow one slope."""
    return {name: {"bandwidth": slope, "flop": slope, "capacity": slope} for name in ("phone", "laptop")}


def years_of(wanted: Question, years=YEARS, *, slopes: Slopes):
    return placement_years(wanted, years, slopes=slopes, groups=groups(wanted.places))


def test_growth_is_ten_to_the_slope_for_each_year_ahead_and_what_has_no_trend_is_held():
    growing = middle_growth(moved(STEADY), ("phone", "toaster"), ahead=np.array([0.0, 10.0]))
    assert np.asarray(growing.bandwidth) == pytest.approx(np.array([[1.0, 1.0], [10.0, 1.0]]))
    assert np.all(np.asarray(growing.price) == 1)
    assert HELD.middle == 0


def test_places_of_one_group_share_their_draws_and_quantities_do_not():
    drawn = drawn_growth(moved(UNSURE), ("phone", "phone", "laptop"), ahead=5.0, draws=300)
    bandwidth, flop = np.asarray(drawn.bandwidth), np.asarray(drawn.flop)
    assert bandwidth.shape == (3, 300)
    assert np.array_equal(bandwidth[0], bandwidth[1])
    assert not np.array_equal(bandwidth[0], bandwidth[2]) and not np.array_equal(bandwidth[0], flop[0])
    assert np.median(bandwidth) == pytest.approx(1.0)


def test_a_group_that_joins_late_with_larger_values_does_not_count_as_growth():
    year = np.array([2016.0, 2018.0, 2020.0, 2022.0, 2024.0, 2026.0])
    line = np.array(["old"] * 3 + ["new"] * 3, dtype=object)
    value = np.where(line == "new", 1000.0, 1.0) * 1.2**year
    within = within_groups(Series(year=year, value=value, cluster=line, name=line), line.tolist())
    slope = np.polyfit(within.year, np.log10(within.value), 1)[0]
    assert 10**slope == pytest.approx(1.2)
    assert within.year.mean() == pytest.approx(year.mean())


def test_the_first_year_is_the_first_of_at_least_that_chance_and_later_than_all_where_there_is_none():
    chance = np.array([[0.1, 0.9, 0.0], [0.8, 0.1, 0.0], [0.9, 1.0, 0.5]])
    years = np.array([2026.0, 2027.0, 2028.0])
    assert first_year(chance, years=years, required_probability=0.8).tolist() == [2027, 2026, np.inf]


def test_a_place_that_grows_meets_the_requirements_in_a_year_within_its_interval_and_a_held_one_never():
    wanted = question(output_tokens_per_s=40.0)
    grown = years_of(wanted, slopes=moved(STEADY))
    held = years_of(wanted, slopes={})
    laptop = [LAPTOP - PHONE]
    assert 2026 < grown.first[laptop[0]] < 2040
    assert np.isinf(held.first).all()
    assert np.all(held.chance == held.chance[0])
    assert np.all(np.diff(grown.chance, axis=0) >= 0)
    today = years_of(wanted, YEARS[:2], slopes=moved(UNSURE))
    unsure = years_of(wanted, slopes=moved(UNSURE))
    assert unsure.chance[0] == pytest.approx(today.chance[0])
    assert today.chance[0] == pytest.approx(probabilities(set_up(wanted), wanted)[0], abs=0.01)
    assert np.all((unsure.low <= unsure.first) & (unsure.first <= unsure.high))
    laptop = LAPTOP - PHONE
    assert unsure.low[laptop] < unsure.high[laptop]


def test_what_could_do_it_in_one_year_still_can_in_the_next_even_where_later_ones_are_slower():
    wanted = question(output_tokens_per_s=20.0)
    slower = years_of(wanted, slopes=moved(Slope(middle=-0.2, draws=(-0.2,))))
    assert np.all(slower.chance == slower.chance[0]) and slower.chance[0].max() > 0.5
