"""Many weighted fits at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.trend import ranks
from analysis.trend.estimators import ESTIMATORS, Recipe, enough, refit
from analysis.trend.kinks import candidate_years
from tests.analysis.trend.histories import scattered
from tests.analysis.trend.test_trend import check_loss

HISTORY = scattered(60, seed=3, scatter=0.8)
YEAR, LOG10 = HISTORY.year, np.log10(HISTORY.value)


def drawn(n, draws, *, seed):
    """Return how often each of ``n`` rows is drawn, shape (draws, n)."""
    return np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=draws).astype(float)


@pytest.mark.parametrize("estimator", ["least-squares", "theil-sen", "kinked"])
@given(seed=st.integers(0, 1000), n=st.integers(6, 60))
@settings(max_examples=30)
def test_a_weighted_fit_is_the_fit_of_repeated_rows(*, estimator, seed, n):
    weights = drawn(n, 1, seed=seed)
    if not enough(YEAR[:n], weights)[0]:
        return
    times = weights[0].astype(int)
    year, log10 = np.repeat(YEAR[:n], times), np.repeat(LOG10[:n], times)
    recipe, grid = Recipe(estimator=estimator), candidate_years(year)
    weighted = refit(YEAR[:n], LOG10[:n], weights=weights, recipe=recipe, kink_years=grid)
    repeated = refit(year, log10, weights=np.ones((1, len(year))), recipe=recipe, kink_years=grid)
    ahead = np.array([2012.0, 2020.0, 2030.0])
    assert weighted.at(ahead)[0] == pytest.approx(repeated.at(ahead)[0], abs=1e-7)
    assert weighted.bent[0] == repeated.bent[0]


@given(seed=st.integers(0, 1000), n=st.integers(6, 60), quantile=st.sampled_from([0.1, 0.5, 0.8]))
@settings(max_examples=40)
def test_a_weighted_quantile_line_is_as_good_as_that_of_repeated_rows(*, seed, n, quantile):
    weights = drawn(n, 1, seed=seed)
    if not enough(YEAR[:n], weights)[0]:
        return
    times = weights[0].astype(int)
    year, log10 = np.repeat(YEAR[:n], times), np.repeat(LOG10[:n], times)
    recipe = Recipe(estimator="quantile", quantile=quantile)
    weighted = refit(YEAR[:n], LOG10[:n], weights=weights, recipe=recipe)
    repeated = refit(year, log10, weights=np.ones((1, len(year))), recipe=recipe)
    losses = [check_loss(log10 - lines.at(year)[0], quantile) for lines in (weighted, repeated)]
    assert losses[0] == pytest.approx(losses[1], abs=1e-6)


def test_theil_sen_is_the_same_with_and_without_the_shortcut(monkeypatch):
    weights = drawn(60, 300, seed=5)
    everything = refit(YEAR, LOG10, weights=weights, recipe=Recipe(estimator="theil-sen"))
    monkeypatch.setattr(ranks, "FEW_PAIRS", 10)
    shortcut = refit(YEAR, LOG10, weights=weights, recipe=Recipe(estimator="theil-sen"))
    assert (shortcut.slope == everything.slope).all()


def test_theil_sen_starts_over_when_a_median_lies_outside_the_pilot(monkeypatch):
    weights = drawn(60, 200, seed=6)
    everything = refit(YEAR, LOG10, weights=weights, recipe=Recipe(estimator="theil-sen"))
    monkeypatch.setattr(ranks, "FEW_PAIRS", 10)
    monkeypatch.setattr(ranks, "PILOT_DRAWS", 1)
    shortcut = refit(YEAR, LOG10, weights=weights, recipe=Recipe(estimator="theil-sen"))
    assert (shortcut.slope == everything.slope).all()


def test_every_draw_of_a_batch_is_fitted_as_it_would_be_alone():
    weights = drawn(60, 20, seed=7)
    for estimator in ESTIMATORS:
        recipe, grid = Recipe(estimator=estimator, quantile=0.7), candidate_years(YEAR)
        together = refit(YEAR, LOG10, weights=weights, recipe=recipe, kink_years=grid)
        alone = [
            refit(YEAR, LOG10, weights=w[None], recipe=recipe, kink_years=grid).slope[0] for w in weights
        ]
        assert together.slope == pytest.approx(np.array(alone), abs=1e-9)


def test_a_draw_of_two_rows_or_of_one_moment_holds_no_line():
    year = np.array([2020.0, 2020.0, 2020.0, 2021.0])
    assert enough(year, np.array([[1, 1, 1, 0], [2, 0, 0, 2], [1, 1, 0, 1]])).tolist() == [False, False, True]


def test_break_years_lie_on_the_calendar_with_five_points_either_side():
    year = 2010 + np.arange(40) / 4
    grid = candidate_years(year)
    assert (grid.min(), grid.max()) == (2011.0, 2018.75)
    assert candidate_years(year[:9]).size == 0
    assert (candidate_years(1950 + np.arange(80.0)) % 1 == 0).all()


@pytest.mark.parametrize(
    ("estimator", "name"), [("theil-sen", "Theil-Sen"), ("quantile", "The quantile line")]
)
def test_too_many_points_to_compare_in_pairs_are_refused(estimator, name):
    year = np.linspace(2000, 2020, 3001)
    with pytest.raises(
        ValueError, match=rf"{name} compares every pair .* at most 3,000 points; got 3,001\. Use least"
    ):
        refit(year, year, weights=np.ones((1, 3001)), recipe=Recipe(estimator=estimator))
