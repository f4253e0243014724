import numpy as np
import pytest
from scipy import stats

from analysis.trend.estimators import Estimator
from analysis.trend.growth import Growth, Window, growth
from analysis.trend.selection import Rule
from tests.analysis.trend.histories import scattered, series

HISTORY = scattered(50, seed=4)


def classical(history, *, estimator: Estimator, level=0.9, quantile=0.5) -> Growth:
    """Return the classical rate of all rows."""
    return growth(
        history,
        rule=Rule(kind="all"),
        window=Window(),
        estimator=estimator,
        interval="classical",
        level=level,
        quantile=quantile,
    )


def test_the_least_squares_interval_is_that_of_scipy():
    slope, *_, error = np.array(stats.linregress(HISTORY.year, np.log10(HISTORY.value)))
    half = stats.t.ppf(0.95, 48) * error
    rate = classical(HISTORY, estimator="least-squares")
    low, high = np.log10([rate.growth_low, rate.growth_high])
    assert (low, high) == pytest.approx((slope - half, slope + half), rel=1e-9)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_the_theil_sen_interval_is_that_of_scipy(level):
    rounded = series(np.round(HISTORY.year), HISTORY.value)
    *_, low, high = np.array(stats.theilslopes(np.log10(rounded.value), rounded.year, alpha=level))
    rate = classical(rounded, estimator="theil-sen", level=level)
    assert np.log10([rate.growth_low, rate.growth_high]) == pytest.approx([low, high])


@pytest.mark.parametrize("quantile", [0.3, 0.5, 0.7])
def test_the_quantile_interval_holds_the_true_rate_about_as_often_as_it_says(quantile):
    hits = 0
    for seed in range(200):
        rate = classical(scattered(120, seed=seed), estimator="quantile", quantile=quantile)
        hits += rate.growth_low <= 4 <= rate.growth_high
    assert 0.84 < hits / 200 < 0.97


def test_the_interval_after_a_break_is_that_of_the_last_segment():
    year = np.linspace(2010, 2026, 200)
    log10 = 0.5 * (year - 2018) - 0.3 * np.maximum(year - 2018, 0) + 0.2 * np.sin(np.arange(200.0) * 2)
    rate = classical(series(year, 10**log10), estimator="kinked")
    break_year = rate.trend.break_year
    assert break_year is not None
    design = np.c_[np.ones(200), np.minimum(year - break_year, 0), np.maximum(year - break_year, 0)]
    coefficients, squares, *_ = np.linalg.lstsq(design, log10, rcond=None)
    error = np.sqrt(squares[0] / 197 * np.linalg.inv(design.T @ design)[2, 2])
    assert rate.trend.slope_per_year == pytest.approx(coefficients[2])
    assert np.log10(rate.growth_high) == pytest.approx(coefficients[2] + stats.t.ppf(0.95, 197) * error)
