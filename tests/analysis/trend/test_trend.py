import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.trend.estimators import ESTIMATORS
from analysis.trend.trend import doubling_time_years, fit
from tests.analysis.refusals import refusals
from tests.analysis.trend.histories import scattered

estimators = st.sampled_from(ESTIMATORS)
HISTORY = scattered(80)


@given(
    estimator=estimators,
    growth=st.floats(0.2, 20),
    start=st.floats(1e-12, 1e28),
    n=st.integers(3, 40),
    seed=st.integers(0, 1000),
    quantile=st.floats(0.05, 0.95),
)
def test_a_noiseless_exponential_is_recovered_in_any_unit(*, estimator, growth, start, n, seed, quantile):
    year = np.sort(2010 + 15 * np.random.default_rng(seed).random(n + 2))
    trend = fit(year, start * growth ** (year - 2010), estimator=estimator, quantile=quantile)
    assert trend.yearly_growth == pytest.approx(growth, rel=1e-5)
    assert trend.at(2010.0) == pytest.approx(start, rel=1e-5)
    assert trend.break_year is None


def test_least_squares_agrees_with_scipy():
    slope, intercept, *_ = np.array(stats.linregress(HISTORY.year, np.log10(HISTORY.value)))
    trend = fit(HISTORY.year, HISTORY.value, estimator="least-squares")
    assert trend.slope_per_year == pytest.approx(slope, rel=1e-10)
    assert trend.at_log10(0.0) == pytest.approx(intercept, rel=1e-8)


@given(
    kink=st.integers(8060, 8090).map(lambda quarter: quarter / 4),
    before=st.floats(0.3, 1.2),
    change=st.floats(0.3, 1.2).map(lambda change: -change),
    seed=st.integers(0, 50),
)
def test_a_known_break_is_found(*, kink, before, change, seed):
    generator = np.random.default_rng(seed)
    year = 2010 + 16 * generator.random(150)
    gone = year - kink
    log10 = 20 + before * gone + change * np.maximum(gone, 0)
    trend = fit(year, 10**log10, estimator="kinked")
    assert trend.break_year == pytest.approx(kink)
    assert trend.slope_before_per_year == pytest.approx(before, abs=1e-6)
    assert trend.slope_per_year == pytest.approx(before + change, abs=1e-6)
    year = np.array([2011.0, 2025.0])
    line = 20 + before * (year - kink) + change * np.maximum(year - kink, 0)
    assert trend.at_log10(year) == pytest.approx(line, abs=1e-5)


def test_a_break_that_bic_does_not_prefer_is_not_kept():
    trend = fit(HISTORY.year, HISTORY.value, estimator="kinked")
    straight = fit(HISTORY.year, HISTORY.value, estimator="least-squares")
    assert trend.estimator == "kinked"
    assert trend.break_year is None
    assert trend.slope_before_per_year is None
    assert trend.bic == pytest.approx(straight.bic)
    assert trend.slope_per_year == pytest.approx(straight.slope_per_year, rel=1e-9)


def test_a_kink_costs_two_parameters_in_scatter_and_criterion():
    bent = HISTORY.value * 10 ** (-0.6 * np.maximum(HISTORY.year - 2018, 0))
    trend = fit(HISTORY.year, bent, estimator="kinked")
    squares = float(np.square(np.log10(bent) - trend.at_log10(HISTORY.year)).sum())
    assert trend.break_year is not None
    assert trend.residual_sd_log10 == pytest.approx(np.sqrt(squares / 76))
    assert trend.bic == pytest.approx(80 * np.log(squares / 80) + 4 * np.log(80))


def test_a_fit_knows_its_points():
    trend = fit([2010, 2011, 2013], [1, 10, 1000], estimator="least-squares")
    assert (trend.n, trend.first_year, trend.last_year) == (3, 2010, 2013)
    assert trend.residual_sd_log10 == pytest.approx(0, abs=1e-12)
    assert trend.doubling_time_years == pytest.approx(np.log10(2))


def test_a_flat_trend_never_doubles_a_shrinking_one_halves_and_one_far_ahead_is_infinite():
    assert doubling_time_years(0.0) == float("inf")
    assert doubling_time_years(-np.log10(2)) == pytest.approx(-1)
    steep = fit([2010, 2011, 2012], [1e100, 1e200, 1e300], estimator="least-squares")
    assert steep.at(2020.0) == float("inf")


def fitted(year, value, *, estimator: Any = "least-squares", **options):
    return lambda: fit(year, value, estimator=estimator, **options)


THREE = [1, 2, 3]

test_what_cannot_be_fitted_is_refused_with_the_next_step = refusals(
    {
        "two lists of equal length; got shapes (2,) and (3,). Pass one value": fitted([2020, 2021], THREE),
        "finite numbers; got 1 that are not. Leave those rows out.": fitted([2020, 2021, np.nan], THREE),
        "finite numbers; got 1 that are not": fitted([2020, 2021, 2022], [1, np.inf, 3]),
        re.compile(r"value is positive, .* got 0\. Leave that row out\."): fitted([2020, 2021, 2022], [1, 0, 3]),
        "a trend needs at least 3 distinct points; got 0.": fitted([], []),
        "at least 3 distinct points; got 2. Widen the window of years": fitted([2020, 2021, 2021], [1, 2, 2]),
        "a kinked trend needs at least 5 distinct points; got 4":
            fitted([1, 2, 3, 4], [1, 2, 3, 4], estimator="kinked"),
        "at least 0.25 years; got 3 points over 0 years. Widen": fitted([2020, 2020, 2020], THREE),
        "strictly between 0 and 1; got 95. For the 95th percentile pass 0.95.":
            fitted(THREE, THREE, estimator="quantile", quantile=95),
        "strictly between 0 and 1; got 0. Pass 0.5 for the median.":
            fitted(THREE, THREE, estimator="quantile", quantile=0),
        "least-squares, theil-sen, quantile, kinked; got 'ols'": fitted(THREE, THREE, estimator="ols"),
    }
)  # fmt: skip
