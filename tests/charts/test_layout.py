import dataclasses
from typing import Any

import pytest

from charts.chart import Axis, Line, Points, Span, XYChart
from charts.layout import Plot, end_labels, names, pixels, words

PLOT = Plot(width=900, height=400)
ROOMS = ({}, {"above": 50.0}, {"beside": 50.0}, {"above": 50.0, "beside": 50.0})


def test_a_value_that_a_log_axis_cannot_show_has_no_place(xy_chart: XYChart) -> None:
    assert len(pixels(xy_chart, x=[2015, 2016, 2017], y=[0.0, -1.0, 1e20], plot=PLOT)) == 1


def test_names_take_turns_between_series_and_leave_out_what_is_off_the_paper(xy_chart: XYChart) -> None:
    assert [name.text for name in names(xy_chart)] == ["PaLM", "B200", "Grok", "GPT-1"]
    narrowed = dataclasses.replace(xy_chart, x=Axis(title="", low=2011, high=2024, ticks=()))
    assert [name.text for name in names(narrowed)] == ["PaLM", "GPT-1"]


def test_names_without_room_in_the_narrow_plot_are_extra(xy_chart: XYChart) -> None:
    placed = words(xy_chart, plots=(PLOT,), narrow=(Plot(width=40, height=400),))
    assert {name.text for name, _ in placed.extra} > {"PaLM"}
    assert len(placed.names) + len(placed.extra) == 4


def test_a_measure_without_any_clear_place_still_gets_its_label() -> None:
    axis = Axis(title="", low=0, high=10, ticks=())
    dense = tuple(Line(series=str(i), role="context", x=(0, 10), y=(i / 8, i / 8)) for i in range(81))
    gap = Span(x=5, low=2, high=8, label=("gap",))
    chart = XYChart(title="", subtitle="", alt="", source="", x=axis, y=axis, marks=(*dense, gap))
    (measure,) = words(chart, plots=(PLOT,)).measures
    assert measure.y == pytest.approx(5)


def test_labels_take_more_room_in_a_wider_font_and_names_may_use_what_is_above_and_beside(
    xy_chart: XYChart,
) -> None:
    wide = dataclasses.replace(PLOT, wider=1.5)
    assert wide.room("abc") == 1.5 * PLOT.room("abc")
    for one, other in zip(end_labels(xy_chart, plot=PLOT), end_labels(xy_chart, plot=wide), strict=True):
        assert other.width == pytest.approx(1.5 * one.width)
    one: Any = {"x": (10.0,), "y": (10.0,), "names": ("n",), "details": ((),), "marked": ((0, "n"),)}
    corner = Points(series="s", role="memory", **one)
    axis = Axis(title="", low=0, high=10, ticks=())
    chart = dataclasses.replace(xy_chart, x=axis, y=axis, marks=(corner,))
    placed = [words(chart, plots=(dataclasses.replace(PLOT, **room),)).names[0][1] for room in ROOMS]
    assert placed == ["bottom left", "top left", "bottom center", "top center"]


def test_the_name_of_a_point_on_a_row_of_its_own_stands_on_that_row(xy_chart: XYChart) -> None:
    names = ("one", "two", "three")
    of_points: Any = {"names": names, "details": ((),) * 3, "marked": tuple(enumerate(names))}
    cloud = Points(series="s", role="memory", x=(2.0, 2.2, 2.4), y=(0.0, 1.0, 2.0), **of_points)
    axis = Axis(title="", low=-0.6, high=2.6, ticks=())
    six = Axis(title="x", low=0.0, high=6.0, ticks=())
    chart = dataclasses.replace(xy_chart, y=axis, x=six, marks=(cloud,))
    beside = words(dataclasses.replace(chart, rows=True), plots=(PLOT,))
    assert [where for _, where in beside.names] == ["middle right"] * 3
    anywhere = words(chart, plots=(PLOT,))
    assert "middle right" not in [where for _, where in anywhere.names]


def test_a_measure_off_the_paper_has_no_label_and_one_from_nowhere_is_held_to_it(xy_chart: XYChart) -> None:
    gone = Span(x=2040, low=1e2, high=1e8, label=("gap",))
    deep = Span(x=2020, low=0, high=1e99, label=("gap",))
    (measure,) = words(dataclasses.replace(xy_chart, marks=(gone, deep)), plots=(PLOT,)).measures
    assert measure.span == deep and 0.2 <= measure.y <= 1e11


def crossing(*, second_end: float) -> XYChart:
    """Return two lines: one ends early, the other passes the place behind its end, or far below."""
    axis = Axis(title="", low=0, high=10, ticks=())
    lines = (
        Line(series="short", role="compute", x=(0.0, 5.0), y=(5.0, 5.0), end_label=("Short",)),
        Line(series="long", role="memory", x=(0.0, 9.0), y=(0.0, second_end), end_label=("Long",)),
    )
    return XYChart(title="", subtitle="", alt="", source="", x=axis, y=axis, marks=lines)


def test_the_column_stands_beside_lines_without_words_too_but_not_where_one_leaves_the_plot() -> None:
    chart = crossing(second_end=8.5)
    for end, beside in ((9.8, 9.8), (14.0, 9.0)):
        bare = Line(series="bare", role="context", x=(0.0, end), y=(2.0, 2.0))
        labels = end_labels(dataclasses.replace(chart, marks=(*chart.marks, bare)), plot=PLOT)
        assert {label.line_end for label in labels} == {beside}


def test_a_name_gives_way_to_a_measure_that_has_no_place_off_a_line() -> None:
    at_rim = {"x": (9.7,), "y": (5.0,), "names": ("Run",), "details": ((),), "marked": ((0, "Run"),)}
    run = Points(series="runs", role="compute", **at_rim)
    level = Line(series="level", role="context", x=(0.0, 10.0), y=(5.0, 5.0))
    marks = (level, run, Span(x=10, low=5, high=5, label=("Sender’s mark", "ours")))
    placed = words(dataclasses.replace(crossing(second_end=8.5), marks=marks), plots=(PLOT,))
    assert placed.measures[0].position == "middle left" and not placed.names
    alone = words(dataclasses.replace(crossing(second_end=8.5), marks=marks[:2]), plots=(PLOT,))
    assert [name.text for name, _ in alone.names] == ["Run"]
