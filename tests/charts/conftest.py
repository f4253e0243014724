"""Small charts of every kind, made up for the tests."""

import dataclasses

import pytest

from charts.chart import Axis, BarChart, Line, MapChart, Points, Span, Tick, XYChart
from tests.charts import map_examples
from tests.charts.powerpoint_examples import growth_chart, ranking

HOSTILE = "<b>x</b> & <script>alert('1')</script> $\\frac{1}{0}$ %{x} \x00\x07 模型 🚀"


@pytest.fixture
def xy_chart() -> XYChart:
    """Growth with more ticks and names than a narrow chart has room for, under a headline of two lines."""
    years = tuple(Tick(value=year, label=str(year)) for year in range(2012, 2032, 2))
    marked = {"Runs": ((2, "PaLM"), (3, "Grok"), (1, "GPT-1")), "Announced chips": ((3, "B200"),)}
    chart = growth_chart(
        title="A frontier run needs 4.7 times more compute each year; a chip gets 30% more bandwidth",
        x=Axis(title="", low=2011.5, high=2033, ticks=years),
    )
    marks = (
        dataclasses.replace(mark, marked=marked[mark.series]) if isinstance(mark, Points) else mark
        for mark in chart.marks
    )
    return dataclasses.replace(chart, marks=tuple(marks))


@pytest.fixture
def bar_chart() -> BarChart:
    return ranking()


@pytest.fixture
def hostile_chart(xy_chart: XYChart) -> XYChart:
    names = {"names": (HOSTILE, "plain"), "details": ((HOSTILE,), ()), "marked": ((0, HOSTILE),)}
    points = Points(series=HOSTILE, role="edge", x=(2020.0, 2022.0), y=(1e20, 1e22), **names)
    line = Line(series=HOSTILE, role="links", x=(2015, 2025), y=(1e18, 1e25), end_label=(HOSTILE, HOSTILE))
    axis = Axis(title=HOSTILE, scale="log", low=1e16, high=1e30, ticks=(Tick(value=1e20, label=HOSTILE),))
    span = Span(x=2018, low=1e18, high=1e24, label=(HOSTILE, HOSTILE))
    words = dict.fromkeys(("title", "subtitle", "alt", "source"), HOSTILE)
    return XYChart(**words, x=xy_chart.x, y=axis, marks=(points, line, span))


@pytest.fixture
def map_chart() -> MapChart:
    return map_examples.places()


@pytest.fixture
def tornado() -> BarChart:
    return map_examples.tornado()


@pytest.fixture
def log_tornado() -> BarChart:
    return map_examples.tornado(scale="log")


@pytest.fixture
def dots() -> BarChart:
    return map_examples.dots()


@pytest.fixture
def hostile_map() -> MapChart:
    return map_examples.hostile_places(HOSTILE)
