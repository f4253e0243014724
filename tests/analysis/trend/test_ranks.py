import numpy as np
import pytest
from scipy import stats
from scipy.optimize import linprog

from analysis.trend import ranks
from analysis.trend.estimators import Recipe, refit
from analysis.trend.trend import fit
from tests.analysis.trend.histories import drawn, scattered

MANY = scattered(80)
HISTORY = scattered(60, seed=3, scatter=0.8)
YEAR, LOG10 = HISTORY.year, np.log10(HISTORY.value)


def check_loss(residual, quantile):
    """Return the loss that quantile regression minimizes."""
    return float(np.where(residual > 0, quantile * residual, (quantile - 1) * residual).sum())


@pytest.mark.parametrize("n", [5, 30, 80])
def test_theil_sen_agrees_with_scipy_also_where_years_are_shared(n):
    year, log10 = np.round(MANY.year[:n], 0), np.log10(MANY.value[:n])
    slope, intercept, *_ = np.array(stats.theilslopes(log10, year, method="joint"))
    trend = fit(year, MANY.value[:n], estimator="theil-sen")
    assert trend.slope_per_year == pytest.approx(slope, rel=1e-10)
    assert trend.at_log10(0.0) == pytest.approx(intercept, rel=1e-8)


@pytest.mark.parametrize("quantile", [0.05, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("n", [7, 40, 80])
def test_the_quantile_line_is_as_good_as_the_linear_programme(quantile, n):
    year, log10 = MANY.year[:n] - 2018, np.log10(MANY.value[:n])
    cost = np.r_[0, 0, 0, 0, np.full(n, quantile), np.full(n, 1 - quantile)]
    equal = np.c_[np.ones(n), -np.ones(n), year, -year, np.eye(n), -np.eye(n)]
    best = linprog(cost, A_eq=equal, b_eq=log10).fun
    trend = fit(year, MANY.value[:n], estimator="quantile", quantile=quantile)
    assert check_loss(log10 - trend.at_log10(year), quantile) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("pilot", [ranks.PILOT_DRAWS, 1])
def test_theil_sen_is_the_same_with_the_shortcut_also_where_a_median_lies_outside_the_pilot(
    *, monkeypatch, pilot
):
    weights = drawn(60, draws=200, seed=6)
    everything = refit(YEAR, LOG10, weights=weights, recipe=Recipe(estimator="theil-sen"))
    monkeypatch.setattr(ranks, "FEW_PAIRS", 10)
    monkeypatch.setattr(ranks, "PILOT_DRAWS", pilot)
    shortcut = refit(YEAR, LOG10, weights=weights, recipe=Recipe(estimator="theil-sen"))
    assert (shortcut.slope == everything.slope).all()


@pytest.mark.parametrize(
    ("estimator", "name"), [("theil-sen", "Theil-Sen"), ("quantile", "The quantile line")]
)
def test_too_many_points_to_compare_in_pairs_are_refused(estimator, name):
    year = np.linspace(2000, 2020, 3001)
    words = rf"{name} compares every pair .* at most 3,000 points; got 3,001\. Use least"
    with pytest.raises(ValueError, match=words):
        refit(year, year, weights=np.ones((1, 3001)), recipe=Recipe(estimator=estimator))
