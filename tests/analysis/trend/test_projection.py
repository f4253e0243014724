from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis.trend.estimators import ESTIMATORS
from analysis.trend.growth import INTERVALS, Window, growth
from analysis.trend.projection import project, reach_year
from analysis.trend.selection import Rule
from tests.analysis.trend.histories import scattered, series

HISTORY = scattered(90, seed=2)
ALL, EVER = Rule(kind="all"), Window()
AHEAD = np.array([2012.0, 2020.0, 2027.0, 2035.0])


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_new_point_is_less_certain_than_the_trend(estimator, interval):
    rate = growth(HISTORY, rule=ALL, window=EVER, estimator=estimator, interval=interval, draws=400)
    seen = rate.project(AHEAD)
    assert (seen.prediction_low < seen.confidence_low).all()
    assert (seen.confidence_low < seen.value).all()
    assert (seen.value < seen.confidence_high).all()
    assert (seen.confidence_high < seen.prediction_high).all()
    width = np.log(seen.confidence_high / seen.confidence_low)
    assert width[3] > width[2] > width[1]


def test_the_classical_bands_are_the_textbook_ones():
    seen = growth(HISTORY, rule=ALL, window=EVER, interval="classical").project([2030.0])
    x, y, n = HISTORY.year, np.log10(HISTORY.value), 90
    slope, intercept, *_ = np.array(stats.linregress(x, y))
    scatter = np.sqrt(np.square(y - intercept - slope * x).sum() / (n - 2))
    lever = 1 / n + (2030 - x.mean()) ** 2 / np.square(x - x.mean()).sum()
    t = stats.t.ppf(0.95, n - 2)
    line = intercept + slope * 2030
    assert np.log10(seen.value[0]) == pytest.approx(line)
    assert np.log10(seen.confidence_high[0]) == pytest.approx(line + t * scatter * np.sqrt(lever))
    assert np.log10(seen.prediction_low[0]) == pytest.approx(line - t * scatter * np.sqrt(1 + lever))


def test_bootstrap_and_classical_bands_agree_where_both_hold():
    rates = (growth(scattered(400), rule=ALL, window=EVER, interval=i) for i in ("bootstrap", "classical"))
    plain, textbook = (rate.project([2028.0]) for rate in rates)
    for name in ("confidence_low", "confidence_high", "prediction_low", "prediction_high"):
        assert np.log10(getattr(plain, name)) == pytest.approx(np.log10(getattr(textbook, name)), abs=0.15)


def test_after_a_break_only_the_last_segment_carries_the_reach():
    year = np.linspace(2010, 2020, 200)
    value = 10 ** (0.8 * np.minimum(year - 2016, 0) + 0.2 * np.maximum(year - 2016, 0))
    rate = growth(series(year, value), rule=ALL, window=EVER, estimator="kinked", interval="classical")
    assert rate.trend.break_year == 2016
    assert reach_year(rate.trend) == pytest.approx(2022)
    assert rate.project([2021.0]).value == pytest.approx(10.0)


def test_a_year_that_is_not_one_is_refused():
    rate = growth(HISTORY, rule=ALL, window=EVER, interval="classical")
    with pytest.raises(
        ValueError, match=r"finite decimal years to project to; got one that is not\. Leave it out\."
    ):
        rate.project([np.nan])


def test_a_projection_without_any_interval_is_refused():
    trend = growth(HISTORY, rule=ALL, window=EVER, interval="classical").trend
    with pytest.raises(ValueError, match=r"got neither refits nor a classical one\. Pass one of them"):
        nothing: Any = {"lines": None, "classical": None, "residuals": np.zeros(3)}
        project(trend, year=2030.0, level=0.9, tail=0.05, seed=1, **nothing)
