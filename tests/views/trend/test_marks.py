"""A trend drawn: solid where it was fitted, dotted beyond, faded past its reach."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule
from charts.chart import Band, Line, Points
from tests.analysis.trend.histories import scattered
from views.registry import VIEWS
from views.trend.marks import rival_line, trend_marks, value_axis
from views.view import answer, read

HISTORY = scattered(60)
TREND = growth(HISTORY, rule=Rule(kind="all"), window=Window(), interval="classical")


def marks(to: int, divisor: float = 1.0) -> tuple[list[Band], list[Line]]:
    bands, lines = trend_marks(
        TREND, series="Runs", role="compute", to=to, end_label=("Runs", "4× a year"), divisor=divisor
    )
    return [mark for mark in bands if isinstance(mark, Band)], [
        mark for mark in lines if isinstance(mark, Line)
    ]


def result(path, query="") -> Any:
    chosen, ignored = read(VIEWS[path], query)
    assert not ignored
    return answer(VIEWS[path], chosen)


def test_a_kink_that_bic_prefers_is_drawn_and_told():
    straight, kinked = (
        result("/training-compute", f"rule=notable&since=1950&estimator={estimator}")
        for estimator in ("least-squares", "kinked")
    )
    for found, other in ((straight, "Kinked trend"), (kinked, "Straight trend")):
        series = [getattr(mark, "series", "") for mark in found.exhibits[0].chart.marks]
        assert other in series
        assert any("A trend with one break in" in note for note in found.changes)


@pytest.mark.parametrize(
    ("to", "drawn"),
    [
        (2020, [("solid", False)]),
        (2030, [("solid", False), ("dotted", False)]),
        (2050, [("solid", False), ("dotted", False), ("dotted", True)]),
    ],
)
def test_a_line_is_solid_over_its_points_dotted_beyond_and_faded_past_its_reach(to, drawn):
    bands, lines = marks(to)
    assert [(line.dash, line.faded) for line in lines] == drawn
    assert [line.end_label for line in lines] == [()] * (len(drawn) - 1) + [("Runs", "4× a year")]
    assert [band.strength for band in bands] == ["prediction"] * len(drawn) + ["confidence"] * len(drawn)
    for before, after in pairwise(lines):
        assert (before.x[-1], before.y[-1]) == pytest.approx((after.x[0], after.y[0]))
    assert lines[-1].x[-1] == pytest.approx(max(to, TREND.trend.last_year))


def test_where_new_points_fall_is_wider_than_where_the_line_may_lie():
    bands, _ = marks(2030)
    predicted, confident = bands[:2], bands[2:]
    for wide, narrow in zip(predicted, confident, strict=True):
        assert wide.x == narrow.x
        assert np.all(np.array(wide.low) < narrow.low) and np.all(np.array(wide.high) > narrow.high)


def test_an_index_divides_lines_and_bands_alike():
    (bands, lines), (halved_bands, halved_lines) = marks(2030), marks(2030, divisor=2.0)
    assert [y / 2 for y in lines[0].y] == pytest.approx(halved_lines[0].y)
    assert [y / 2 for y in bands[0].low] == pytest.approx(halved_bands[0].low)


def test_a_history_without_a_kink_has_no_rival():
    straight = scattered(80)
    fit = growth(straight, rule=Rule(kind="all"), window=Window(), interval="classical")
    assert rival_line(straight, fit, to=2030) == ((), ())


def test_the_axis_holds_points_lines_and_bands_but_not_the_faded_ones():
    bands, lines = marks(2050)
    dot = Points(series="p", role="compute", x=(2020.0,), y=(1e3,), names=("p",), details=((),))
    axis = value_axis("Compute [FLOP]", [*bands, *lines, dot], unit="FLOP")
    held = [
        *(y for line in lines for y in line.y),
        *(y for band in bands if not band.faded for y in band.high),
    ]
    assert axis.low < 1e3 and axis.high > max(held)
    assert axis.high < max(y for band in bands if band.faded for y in band.high)
    assert axis.scale == "log" and all(tick.label.startswith("10") for tick in axis.ticks)


def test_a_line_turns_at_its_kink():
    bent = replace(HISTORY, value=HISTORY.value * 10 ** (-0.5 * np.maximum(HISTORY.year - 2018, 0)))
    fit = growth(bent, rule=Rule(kind="all"), window=Window(), estimator="kinked", draws=20)
    assert fit.trend.break_year is not None
    _, (line, *_) = trend_marks(fit, series="Runs", role="compute", to=2020, end_label=())
    assert isinstance(line, Line) and fit.trend.break_year in line.x and len(line.x) == 3


def test_a_rival_with_a_kink_ends_at_its_reach_and_does_not_squeeze_the_chart():
    """FLOP per byte kinks half a year before its last chip: drawn to 2030 it left the points a third of the height."""
    view = VIEWS["/compute-to-memory"]
    chart: Any = answer(view, view.settings()).exhibits[0].chart
    (rival,) = (mark for mark in chart.marks if getattr(mark, "series", "") == "Kinked trend")
    points = next(mark for mark in chart.marks if isinstance(mark, Points))
    kink, end = rival.x[1:]
    assert end == pytest.approx(max(points.x) + (max(points.x) - kink) / 2)
    assert np.log10(chart.y.high / chart.y.low) < 1.5
