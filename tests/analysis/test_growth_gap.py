from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.growth_gap import arithmetic, drift, gap, gap_of_ratio
from analysis.trend.growth import Series, Window, growth
from analysis.trend.selection import Rule
from tests.analysis.refusals import refusals

YEARS = np.linspace(2012, 2026, 30)
NAMES = np.array([f"row {number}" for number in range(30)], dtype=object)


def grown(*, by, noise=0.1, seed=0, unit=1.0, **how):
    wobble = np.random.default_rng(seed).normal(0, noise, len(YEARS))
    value = unit * by ** (YEARS - 2012) * 10**wobble
    series = Series(year=YEARS, value=value, cluster=NAMES, name=NAMES)
    return growth(series, rule=Rule(kind="all", top=10), window=Window(since=2012, until=None), **how)


@given(fast=st.floats(1.5, 10), slow=st.floats(0.8, 1.5))
def test_the_gap_of_two_exponentials_is_the_ratio_of_their_rates(fast, slow):
    result = gap(grown(by=fast, noise=1e-9), grown(by=slow, noise=1e-9), since=2012, year=2022)
    assert result.value == pytest.approx(fast / slow, rel=1e-6)
    assert result.path(2022)[0][0] == pytest.approx((fast / slow) ** 10, rel=1e-5)


def shared(*, steps=0.0, level=0.9, **how):
    """Return two histories of the same rows and their ratio, as of one table of chips."""
    wobble = np.random.default_rng(3).normal(0, 0.2, (2, len(YEARS)))
    top = 3.0 ** (YEARS - 2012) * 10 ** wobble[0]
    below = 1.4 ** (YEARS - 2012) * 10 ** (steps * wobble[1])
    ask: Any = {"rule": Rule(kind="all"), "window": Window(), "level": level, **how}
    values = (top, below, top / below)
    result = [growth(Series(year=YEARS, value=one, cluster=NAMES, name=NAMES), **ask) for one in values]
    return result[0], result[1], result[2]


@given(since=st.floats(1990, 2025), later=st.floats(0.5, 30))
def test_the_index_year_cancels_out_of_the_growth_of_the_gap(since, later):
    fast, slow, _ = shared(steps=1, draws=200)
    here, there = gap(fast, slow, since=2012, year=2026), gap(fast, slow, since=since, year=since + later)
    assert (there.value, there.low, there.high) == (here.value, here.low, here.high)
    assert there.path(since + later)[0][0] == pytest.approx(here.value**later)


def test_a_ratio_of_the_same_rows_grows_by_exactly_the_difference_of_both_slopes():
    fast, slow, ratio = shared(steps=1)
    apart = fast.trend.slope_per_year - slow.trend.slope_per_year
    assert ratio.trend.slope_per_year == pytest.approx(apart, abs=1e-12)
    paired, rowwise = (gap(fast, slow, since=2012, year=2026), gap_of_ratio(ratio, since=2012, year=2026))
    assert rowwise.value == pytest.approx(paired.value)
    assert rowwise.path(2026)[0] == pytest.approx(paired.path(2026)[0])


@pytest.mark.parametrize("interval", ["bootstrap", "clustered"])
def test_the_gap_of_a_ratio_has_the_interval_of_the_ratio(interval):
    *_, ratio = shared(steps=1, interval=interval)
    result = gap_of_ratio(ratio, since=2012, year=2026)
    assert (result.low, result.high) == pytest.approx((ratio.growth_low, ratio.growth_high))
    assert result.n == ratio.n


def test_equally_long_histories_are_not_resampled_alike():
    fast, slow = grown(by=4.7, noise=0.3), grown(by=1.3, noise=0.3, seed=1)
    assert abs(np.corrcoef(fast.draw_slope, slow.draw_slope)[0, 1]) > 0.1  # one seed draws the same rows
    result = gap(fast, slow, since=2012, year=2026)
    own = [np.log(side.growth_high / side.growth_low) for side in (fast, slow)]
    assert np.log(result.high / result.low) == pytest.approx(np.hypot(*own), rel=0.05)


def test_a_side_of_few_points_widens_the_gap_no_more_than_its_share():
    many = grown(by=4.7, noise=0.5)
    few = Series(year=YEARS[::6], value=1.3 ** YEARS[::6], cluster=NAMES[::6], name=NAMES[::6])
    short = growth(few, rule=Rule(kind="all"), window=Window())
    result = gap(many, short, since=2012, year=2026)
    assert result.n == 5
    ends = (many.growth_low, many.growth_high)
    assert (result.low * 1.3, result.high * 1.3) == pytest.approx(ends, rel=0.003)


def test_nine_in_ten_gaps_lie_in_their_ninety_per_cent_interval():
    held = 0
    for seed in range(150):
        fast = grown(by=4.7, noise=0.4, seed=1000 + seed, draws=300)
        slow = grown(by=1.3, noise=0.4, seed=2000 + seed, draws=300)
        result = gap(fast, slow, since=2012, year=2026)
        held += result.low <= 4.7 / 1.3 <= result.high
    assert 0.84 <= held / 150 <= 0.96  # two standard errors of 150 cases


def test_the_path_is_one_at_the_index_and_grows_at_the_rate():
    fast, slow, _ = shared(steps=1)
    result = gap(fast, slow, since=2014, year=2025)
    ratio, low, high = result.path([2014, 2020, 2025])
    assert (ratio[0], low[0], high[0]) == (1, 1, 1)
    assert ratio[2] == pytest.approx(result.value**11)
    assert low[1] < ratio[1] < high[1]


def test_a_value_carried_along_a_trend_starts_sure_and_grows_unsure():
    result = grown(by=1.5)
    line, low, high = drift(result, since=2020, year=[2020, 2021, 2026])
    assert (line[0], low[0], high[0]) == (1, 1, 1)
    assert line[1] == pytest.approx(result.trend.yearly_growth)
    assert (low[1], high[1]) == pytest.approx((result.growth_low, result.growth_high))
    assert np.all(np.diff(high / low) > 0)


def test_a_classical_interval_is_carried_as_its_yearly_rate():
    result = grown(by=1.5, interval="classical")
    line, low, high = drift(result, since=2020, year=[2018, 2020, 2026])
    assert (low[2], high[2]) == pytest.approx((result.growth_low**6, result.growth_high**6))
    assert (low[1], line[1], high[1]) == (1, 1, 1)
    assert low[0] < line[0] < high[0]


def quoted(compute_growth: float):
    return arithmetic(compute_growth=compute_growth, bandwidth_growth=1.28)


@pytest.mark.parametrize(
    ("reading", "published", "tolerance"),
    [
        (lambda: quoted(5).ratio_of_multipliers, 3.906, 0.0005),  # 5 / 1.28
        (lambda: quoted(5).ratio_of_percentages, 14.29, 0.005),  # 400 % / 28 %
        (lambda: quoted(5).ratio_of_logs, 6.52, 0.005),  # ln 5 / ln 1.28
        (lambda: quoted(5).compute_doubling_months, 5.17, 0.005),
        (lambda: quoted(5).bandwidth_doubling_months, 33.69, 0.01),
        (lambda: quoted(5).gap_after(1), 3.91, 0.004),
        (lambda: quoted(5).gap_after(2), 15.26, 0.015),
        (lambda: quoted(5).gap_after(5), 909, 0.9),
        (lambda: quoted(5).years_until(15), 1.99, 0.005),
        (lambda: quoted(5).years_until(20), 2.2, 0.005),
        (lambda: quoted(5.2).ratio_of_percentages, 15, 1e-6),
        (lambda: quoted(6.6).ratio_of_percentages, 20, 1e-6),
        (lambda: quoted(1.28).years_until(15), np.inf, 0),  # rates that do not part
        (lambda: quoted(1.2).years_until(15), np.inf, 0),
    ],
)
def test_the_readings_of_five_and_one_point_two_eight_are_those_by_hand(*, reading, published, tolerance):
    assert reading() == pytest.approx(published, abs=tolerance)


@given(fast=st.floats(1.5, 50), slow=st.floats(1.01, 1.49), years=st.floats(0.1, 30))
def test_the_gap_after_the_years_until_it_is_that_gap(*, fast, slow, years):
    said = arithmetic(compute_growth=fast, bandwidth_growth=slow)
    assert said.years_until(said.gap_after(years)) == pytest.approx(years)


def a_gap(*, year: float = 2026, slow=None):
    return gap(grown(by=4), slow or grown(by=2), since=2012, year=year)


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "a gap needs bootstrap draws on both sides; got a classical interval. Use bootstrap or clustered.":
            lambda: a_gap(slow=grown(by=2, interval="classical")),
        "a gap has one level; got 0.9 and 0.8. Use the same level for both sides.":
            lambda: a_gap(slow=grown(by=2, level=0.8)),
        "a gap is measured after it is indexed; got since 2012 and year 2012.": lambda: a_gap(year=2012),
        "a gap is measured after it is indexed; got since 2012 and year 2011.5.": lambda: a_gap(year=2011.5),
    }
)  # fmt: skip


@pytest.mark.parametrize("value", [1, 0.28, -2, np.inf, np.nan])
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda value: quoted(value),
         "compute_growth is a growth factor a year, above 1 and finite; got {}. For 28% a year pass 1.28."),
        (lambda value: arithmetic(compute_growth=5, bandwidth_growth=value),
         "bandwidth_growth is a growth factor a year, above 1 and finite; got {}. For 28% a year pass 1.28."),
        (lambda value: quoted(5).years_until(value),
         "gap is a factor above 1 and finite; got {}. For fifteen times pass 15."),
    ],
)  # fmt: skip
def test_a_factor_that_is_no_multiple_is_refused(*, call, words, value):
    with pytest.raises(ValueError) as refused:
        call(value)
    assert str(refused.value) == words.format(f"{value:g}")
