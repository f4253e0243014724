"""Interval regression: its laws, its likelihood, and what it recovers where the largest are not disclosed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import norm, truncnorm

from analysis.trend.censored import interval_lines, moments_within
from analysis.trend.estimators import least_squares
from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule, select
from analysis.trend.trend import fit
from tests.analysis.trend.histories import drawn, scattered, series

ALL, TOP, EVER = Rule(kind="all"), Rule(kind="frontier", top=10), Window()


def points(seed, *, n=40, hidden=12):
    """Return years, values and half widths of intervals, known or of up to a factor of thirty."""
    generator = np.random.default_rng(seed)
    year = 2012 + 12 * generator.random(n)
    log10 = 20 + 0.5 * (year - 2012) + 0.6 * generator.normal(size=n)
    half = np.zeros(n)
    half[:hidden] = 0.1 + 1.4 * generator.random(hidden)
    return year, log10 + half * (2 * generator.random(n) - 1), half


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20)
def test_without_intervals_it_is_least_squares(seed):
    year, log10, _ = points(seed)
    weights = drawn(len(year), draws=5, seed=seed)
    lines, scatter = interval_lines(year, log10, half_width=np.zeros(len(year)), weights=weights)
    plain = least_squares(year, log10, weights=weights)
    at = np.array([2012.0, 2024.0])
    np.testing.assert_allclose(lines.at(at), plain.at(at), rtol=1e-9)
    residual = log10 - plain.at(year)
    np.testing.assert_allclose(
        scatter, np.sqrt((weights * residual**2).sum(axis=1) / weights.sum(axis=1)), rtol=1e-6
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_line_is_that_of_greatest_likelihood(seed):
    year, log10, half = points(seed)
    x = year - 2018

    def cost(parameters):
        level, slope, log_scatter = parameters
        scatter, line = np.exp(log_scatter), level + slope * x
        known = half == 0
        stated = norm.logpdf(log10[known], line[known], scatter).sum()
        left, right = ((log10 + side * half - line) / scatter for side in (-1, 1))
        held = np.log(np.maximum(norm.cdf(right[~known]) - norm.cdf(left[~known]), 1e-300)).sum()
        return -(stated + held)

    best = minimize(
        cost,
        [23.0, 0.5, -0.5],
        method="Nelder-Mead",
        options={"maxiter": 5000, "xatol": 1e-9, "fatol": 1e-11},
    )
    lines, scatter = interval_lines(year, log10, half_width=half, weights=np.ones((1, len(year))))
    assert lines.slope[0] == pytest.approx(best.x[1], abs=2e-5)
    assert lines.at(np.array([2018.0]))[0, 0] == pytest.approx(best.x[0], abs=1e-4)
    assert scatter[0] == pytest.approx(np.exp(best.x[2]), abs=1e-4)


def test_a_weight_of_two_is_a_row_twice():
    year, log10, half = points(3)
    weights = np.ones((1, len(year)))
    weights[0, :5] = 2
    again = np.concatenate([np.arange(len(year)), np.arange(5)])
    both = (
        interval_lines(year, log10, half_width=half, weights=weights),
        interval_lines(year[again], log10[again], half_width=half[again], weights=np.ones((1, len(again)))),
    )
    assert both[0][0].slope[0] == pytest.approx(both[1][0].slope[0], abs=1e-7)
    assert both[0][1][0] == pytest.approx(both[1][1][0], abs=1e-7)


@pytest.mark.parametrize(("low", "high"), [(-1.0, 2.0), (1.0, 1.5), (-9.0, -7.5), (6.0, 9.0), (-40.0, 40.0)])
def test_a_number_known_by_its_interval_has_the_moments_of_a_truncated_normal(low, high):
    mean, variance = moments_within(
        np.array([0.3]), np.array([1.2]), low=np.array([low]), high=np.array([high])
    )
    right = truncnorm((low - 0.3) / 1.2, (high - 0.3) / 1.2, loc=0.3, scale=1.2)
    assert mean[0] == pytest.approx(right.mean(), rel=1e-6)
    assert variance[0] == pytest.approx(right.var(), rel=1e-3, abs=1e-6)
    far = moments_within(np.zeros(2), np.ones(2), low=np.array([60.0, -70.0]), high=np.array([70.0, -60.0]))
    np.testing.assert_allclose(far, [[60.0, -60.0], [0.0, 0.0]])


def hidden_history(generator):
    """Return runs that grow 4.5x a year, of which most large ones since 2023 tell no value, and what they tell."""
    year = 2012 + 14 * generator.random(260) ** 0.7
    log10 = 0.65 * (year - 2012) + 0.9 * generator.normal(size=260)
    silent = (year > 2023) & (log10 > 0.65 * (year - 2012) + 0.3) & (generator.random(260) < 0.8)
    half = np.where(silent, 0.65, 0.0)
    return year, log10, silent, half, np.where(silent, log10 + half * (2 * generator.random(260) - 1), log10)


def test_a_planted_rate_comes_back_where_the_largest_tell_no_value_and_least_squares_is_biased():
    """Mean over 60 histories; the interval of interval regression holds the rate of full knowledge in nine of ten."""
    generator = np.random.default_rng(31)
    window, slopes, held = Window(since=2016), [], 0
    truth = []
    for _ in range(300):
        year, log10, *_ = hidden_history(generator)
        leads = select(year, log10, rule=TOP) & window.holds(year)
        truth.append(np.polyfit(year[leads], log10[leads], 1)[0])
    planted = float(np.mean(truth))
    for seed in range(60):
        year, log10, silent, half, stated = hidden_history(generator)
        plain = growth(
            series(year[~silent], 10 ** log10[~silent]), rule=TOP, window=window, draws=2, seed=seed
        )
        whole = growth(
            series(year, 10**stated), rule=TOP, window=window, half_width=half, draws=300, seed=seed
        )
        slopes.append((plain.trend.slope_per_year, whole.trend.slope_per_year))
        held += whole.growth_low <= 10**planted <= whole.growth_high
    least_squares_slope, interval_slope = np.mean(slopes, axis=0)
    assert least_squares_slope < planted - 0.03
    assert interval_slope == pytest.approx(planted, abs=0.015)
    assert held >= 50


def test_zero_widths_change_no_rate_and_no_interval():
    history = scattered(80)
    ask = {"rule": TOP, "window": EVER, "draws": 100}
    plain = growth(history, **ask)
    same = growth(history, half_width=np.zeros(80), **ask)
    assert (same.growth_low, same.growth_high) == pytest.approx((plain.growth_low, plain.growth_high))
    assert same.trend.yearly_growth == pytest.approx(plain.trend.yearly_growth)
    ahead = [rate.project([2028.0]) for rate in (plain, same)]
    assert ahead[1].prediction_high == pytest.approx(ahead[0].prediction_high, rel=0.1)


def test_intervals_that_cannot_be_used_are_refused():
    history = scattered(30)
    ask = {"rule": ALL, "window": EVER}
    with pytest.raises(
        ValueError, match=r"have no classical interval of the rate; got classical\. Use bootstrap"
    ):
        growth(history, half_width=np.zeros(30), interval="classical", **ask)
    with pytest.raises(ValueError, match=r"one number for each row of the series; got 3 for 30\. Pass 0"):
        growth(history, half_width=np.zeros(3), **ask)
    with pytest.raises(ValueError, match="need the estimator least-squares; got theil-sen"):
        growth(history, half_width=np.zeros(30), estimator="theil-sen", **ask)
    with pytest.raises(
        ValueError, match=r"one finite number, 0 or more, for each of 30 rows; got 30 with 30 below 0"
    ):
        fit(history.year, history.value, estimator="least-squares", half_width=np.full(30, -1.0))
