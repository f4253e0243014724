from itertools import pairwise
from typing import Any

import pytest

from views.registry import VIEWS
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


def test_a_clustered_interval_of_one_vendor_draws_its_chips_and_says_so():
    found, rows = (
        result("/accelerators", f"vendor=nvidia&interval={how}") for how in ("clustered", "bootstrap")
    )
    assert found.figure("yearly_growth").interval_text == rows.figure("yearly_growth").interval_text
    assert any(text.startswith("The fitted points are of 1 organization, too few") for text in found.sure)
    assert "90 % bootstrap interval" in found.settings_line
    assert not any("too few to resample" in text for text in rows.sure)


def test_a_projection_past_its_reach_says_so_and_one_within_does_not():
    far = result("/accelerators", "since=2020&to=2050")
    assert any("beyond" in note and "arithmetic, not as a forecast" in note for note in far.notes)
    assert any(getattr(mark, "faded", False) for mark in far.exhibits[0].chart.marks)
    near = result("/accelerators", "since=2010&to=2028")
    assert not any("arithmetic" in note for note in near.notes)
    assert not any(getattr(mark, "faded", False) for mark in near.exhibits[0].chart.marks)
