import numpy as np
import pytest

from analysis.track_record.backtest import backtest
from analysis.track_record.past_forecasts import History, forecasts
from analysis.trend.estimators import ESTIMATORS, Recipe
from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule
from tests.analysis.trend.histories import changed_after, rows_of, scattered

TOP, ALL, RECORDS = Rule(kind="frontier", top=10), Rule(kind="all"), Rule(kind="records")

SINCE = Window(since=2011)


@pytest.mark.parametrize("rule", [TOP, ALL, RECORDS], ids=lambda rule: rule.kind)
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_nothing_from_after_an_origin_changes_its_forecast(rule, estimator):
    history = scattered(140, growth=8)
    other = changed_after(history, 2019.0)
    recipe = Recipe(estimator=estimator)
    when = np.array([2016.5, 2018.0, 2019.0])
    histories = (History.of(rows, rule=rule, window=SINCE) for rows in (history, other))
    pairs = zip(histories, (when, np.append(when, 2023.0)), strict=True)
    before, after = (forecasts(rows, when=at, recipe=recipe, draws=60, seed=4) for rows, at in pairs)
    years = np.array([2019.0, 2021.0, 2023.0])
    for mine, theirs in zip(before, after[:3], strict=True):
        np.testing.assert_allclose(mine.at_log10(years), theirs.at_log10(years), atol=1e-6)
        assert (mine.n, mine.pace, mine.record_log10) == (theirs.n, theirs.pace, theirs.record_log10)
        bands = (one.prediction_log10(years, level=0.9) for one in (mine, theirs))
        for ends in zip(*bands, strict=True):
            np.testing.assert_allclose(*ends, atol=1e-6)


def test_each_forecast_is_the_line_of_the_rows_out_by_then():
    history = scattered(140, growth=6)
    tested = backtest(history, rule=TOP, window=SINCE)
    for origin in tested.origins[::4]:
        out = history.year < origin.year
        result = growth(rows_of(history, out), rule=TOP, window=SINCE, draws=2000)
        assert origin.n == result.n
        assert origin.at_log10([2024.0])[0] == pytest.approx(np.log10(result.trend.at(2024.0)), abs=1e-6)
        mine = origin.prediction_log10([origin.year + 1], level=0.9)
        page = result.project([origin.year + 1])
        width = np.log10(page.prediction_high[0] / page.prediction_low[0])
        assert mine[1][0] - mine[0][0] == pytest.approx(width, rel=0.2)
