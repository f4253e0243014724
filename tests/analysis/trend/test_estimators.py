import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.trend.estimators import ESTIMATORS, Recipe, enough, refit
from analysis.trend.kinks import candidate_years
from tests.analysis.trend.histories import drawn, scattered

HISTORY = scattered(60, seed=3, scatter=0.8)
YEAR, LOG10 = HISTORY.year, np.log10(HISTORY.value)


@pytest.mark.parametrize("estimator", ["least-squares", "theil-sen", "kinked"])
@given(seed=st.integers(0, 1000), n=st.integers(6, 60))
@settings(max_examples=30)
def test_a_weighted_fit_is_the_fit_of_repeated_rows(*, estimator, seed, n):
    weights = drawn(n, draws=1, seed=seed)
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


def test_every_draw_of_a_batch_is_fitted_as_it_would_be_alone():
    weights = drawn(60, draws=20, seed=7)
    for estimator in ESTIMATORS:
        recipe, grid = Recipe(estimator=estimator, quantile=0.7), candidate_years(YEAR)
        together = refit(YEAR, LOG10, weights=weights, recipe=recipe, kink_years=grid)
        each = (refit(YEAR, LOG10, weights=w[None], recipe=recipe, kink_years=grid) for w in weights)
        assert together.slope == pytest.approx([alone.slope[0] for alone in each], abs=1e-9)


def test_a_draw_of_two_rows_or_of_one_moment_holds_no_line():
    year = np.array([2020.0, 2020.0, 2020.0, 2021.0])
    assert enough(year, np.array([[1, 1, 1, 0], [2, 0, 0, 2], [1, 1, 0, 1]])).tolist() == [False, False, True]
