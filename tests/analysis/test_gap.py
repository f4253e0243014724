import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.gap import gap
from analysis.growth import Series, Window, growth
from analysis.selection import Rule

YEARS = np.linspace(2012, 2026, 30)
NAMES = np.array([f"row {number}" for number in range(30)], dtype=object)


def grown(*, by, noise=0.1, seed=0, unit=1.0, **how):
    wobble = np.random.default_rng(seed).normal(0, noise, len(YEARS))
    value = unit * by ** (YEARS - 2012) * 10**wobble
    series = Series(year=YEARS, value=value, cluster=NAMES, name=NAMES)
    return growth(series, rule=Rule(kind="all", top=10), window=Window(since=2012, until=None), **how)


@given(fast=st.floats(1.5, 10), slow=st.floats(0.8, 1.5))
def test_the_gap_of_two_exponentials_is_the_ratio_of_their_rates(fast, slow):
    found = gap(grown(by=fast, noise=1e-9), grown(by=slow, noise=1e-9), since=2012, year=2022)
    assert found.yearly_growth == pytest.approx(fast / slow, rel=1e-6)
    assert found.total == pytest.approx((fast / slow) ** 10, rel=1e-5)


def test_the_intervals_hold_the_gap_and_stand_around_one_at_the_index():
    found = gap(grown(by=4.7), grown(by=1.3, seed=1), since=2012, year=2026)
    assert found.low < found.yearly_growth < found.high
    assert found.total_low < found.total < found.total_high
    assert found.low < 4.7 / 1.3 < found.high
    assert found.total == pytest.approx(found.yearly_growth**14)
    assert found.level == 0.9


def test_the_unit_of_either_side_does_not_move_the_gap():
    plain = gap(grown(by=4.7), grown(by=1.3, seed=1), since=2012, year=2026)
    scaled = gap(grown(by=4.7, unit=1e24), grown(by=1.3, seed=1, unit=1e-12), since=2012, year=2026)
    assert scaled.yearly_growth == pytest.approx(plain.yearly_growth)
    assert scaled.low == pytest.approx(plain.low) and scaled.total_high == pytest.approx(plain.total_high)


def test_a_gap_is_wider_at_a_higher_level_and_less_sure_than_either_side():
    narrow, wide = (
        gap(grown(by=4.7, level=level), grown(by=1.3, seed=1, level=level), since=2012, year=2026)
        for level in (0.5, 0.95)
    )
    assert wide.low < narrow.low < narrow.high < wide.high
    fast = grown(by=4.7, level=0.95)
    assert np.log(wide.high / wide.low) > np.log(fast.growth_high / fast.growth_low)


def test_a_gap_without_draws_is_refused():
    with pytest.raises(ValueError) as refused:
        gap(grown(by=4, interval="classical"), grown(by=2), since=2012, year=2026)
    assert str(refused.value) == (
        "a gap needs bootstrap draws on both sides; got a classical interval. Use bootstrap or clustered."
    )


def test_a_gap_of_two_levels_is_refused():
    with pytest.raises(ValueError) as refused:
        gap(grown(by=4, level=0.9), grown(by=2, level=0.8), since=2012, year=2026)
    assert str(refused.value) == ("a gap has one level; got 0.9 and 0.8. Use the same level for both sides.")


@pytest.mark.parametrize("year", [2012, 2011.5])
def test_a_gap_measured_before_its_index_is_refused(year):
    with pytest.raises(ValueError) as refused:
        gap(grown(by=4), grown(by=2), since=2012, year=year)
    assert str(refused.value) == (f"a gap is measured after it is indexed; got since 2012 and year {year:g}.")
