from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from analysis.trend.growth import Series, Window, growth
from analysis.trend.selection import Rule
from views.registry import VIEWS
from views.trend.figures import figures, grows
from views.view import answer, read

TRENDS = pytest.mark.parametrize("path", ["/training-compute", "/accelerators"])


def result(path, query="") -> Any:
    chosen, ignored = read(VIEWS[path], query)
    assert not ignored
    return answer(VIEWS[path], chosen)


@TRENDS
@pytest.mark.parametrize("estimator", ["least-squares", "theil-sen", "quantile", "kinked"])
@pytest.mark.parametrize("interval", ["bootstrap", "classical", "clustered"])
def test_a_trend_view_carries_growth_doubling_time_points_and_a_value_with_both_intervals(
    *, path, estimator, interval
):
    found = result(path, f"estimator={estimator}&interval={interval}&to=2030")
    growth, doubling, value, points = (
        found.figure(name) for name in ("yearly_growth", "doubling_time_years", "value", "n_points")
    )
    assert growth.low < growth.value < growth.high
    assert doubling.low < doubling.value < doubling.high
    assert value.low < value.value < value.high
    assert value.prediction_low < value.low and value.high < value.prediction_high
    assert points.value == growth.n == len(found.table.rows)
    assert {figure.level for figure in (growth, doubling, value)} == {0.9}
    assert value.label == "Trend on 1 Jan 2030"
    assert 2 ** (1 / doubling.value) == pytest.approx(growth.value)


@TRENDS
def test_a_wider_level_contains_a_narrower_one(path):
    ends = [result(path, f"level={level}").figure("yearly_growth") for level in (50, 80, 90, 95)]
    for narrow, wide in pairwise(ends):
        assert wide.low < narrow.low < narrow.high < wide.high
        assert wide.value == narrow.value


@TRENDS
def test_too_few_points_are_told_with_what_to_widen(path):
    found = result(path, "since=2029&until=2030")
    assert found.headline.endswith("no trend can be fitted")
    assert (
        "Widen the window of years, take more rows (a larger top, or all), or drop a filter."
        in found.notes[0]
    )
    assert [figure.name for figure in found.figures] == ["n_points"]
    assert found.figure("n_points").text == "0"
    assert found.table.rows == ()


def test_what_is_left_of_too_few_points_is_still_drawn():
    found = result("/accelerators", "vendor=google&memory=gddr")
    assert found.headline == "These choices leave 0 chips: no trend can be fitted"
    one = result("/training-compute", "since=1957&until=1957")
    assert one.headline == "These choices leave 1 run: no trend can be fitted"
    assert len(one.exhibits[0].chart.marks) == 1
    assert len(one.table.rows) == 1


def test_a_clustered_interval_of_one_vendor_says_what_to_choose_instead():
    found = result("/accelerators", "vendor=nvidia&interval=clustered")
    assert "Use the bootstrap interval" in found.notes[0]


def test_a_projection_past_its_reach_says_so_and_one_within_does_not():
    far = result("/accelerators", "since=2020&to=2050")
    assert any("beyond" in note and "arithmetic, not as a forecast" in note for note in far.notes)
    assert any(getattr(mark, "faded", False) for mark in far.exhibits[0].chart.marks)
    near = result("/accelerators", "since=2010&to=2028")
    assert not any("arithmetic" in note for note in near.notes)
    assert not any(getattr(mark, "faded", False) for mark in near.exhibits[0].chart.marks)


def test_an_interval_around_no_growth_is_no_trend():
    found = result("/accelerators", "metric=fp4&interval=classical")
    assert "shows no clear trend" in found.headline
    assert found.figure("yearly_growth").low < 1 < found.figure("yearly_growth").high
    assert found.figure("doubling_time_years").interval_text == "90 %: no clear growth"


def test_a_clear_shrinking_is_called_so_and_halves():
    year = np.arange(2010.0, 2026.0)
    names = np.array([f"chip {number}" for number in range(16)], dtype=object)
    shrinking = Series(
        year=year, value=0.8 ** (year - 2010) * (1 + 0.01 * (year % 2)), cluster=names, name=names
    )
    found = growth(
        shrinking, rule=Rule(kind="all", top=10), window=Window(since=2010, until=None), interval="classical"
    )
    assert grows(found) == "shrinks to 0.80× a year"
    rate, doubling, *_ = figures(found, to=2030, unit="W")
    assert (rate.text, doubling.label, doubling.text) == ("0.80× a year", "Halving time", "3.1 years")
    assert doubling.interval_text == "90 %: 3.1–3.1 years"


def test_the_years_of_a_fit_are_those_of_its_points():
    found = result("/training-compute", "rule=notable")
    newest = found.table.rows[0][2]
    oldest = found.table.rows[-1][2]
    assert found.figure("n_points").interval_text == f"{oldest[:4]}–{newest[:4]}"


def test_a_kink_that_bic_prefers_is_drawn_and_told():
    straight, kinked = (
        result("/training-compute", f"rule=notable&since=1950&estimator={estimator}")
        for estimator in ("least-squares", "kinked")
    )
    for found, other in ((straight, "Kinked trend"), (kinked, "Straight trend")):
        series = [getattr(mark, "series", "") for mark in found.exhibits[0].chart.marks]
        assert other in series
        assert any("A trend with one break in" in note for note in found.notes)
