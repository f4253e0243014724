"""Charts, axes and tables made from the same rows agree."""

from typing import Any

import pytest

from analysis.intervals import Estimate
from charts.chart import Band, BarChart, Line, XYChart
from views.axes import year_axis
from views.exhibits import Course, ValueAxis, growth_by_choice, growth_figure, interval_columns, xy_exhibit
from views.table import table

CASES = [
    ("As chosen", Estimate(value=2.5, low=2.1, high=3.2)),
    ("Since 2022", Estimate(value=1.4, low=0.9, high=1.8)),
]
VALUES = {"x": (2024.0, 2024.25), "y": (3.0, 5.0), "low": (2.0, 4.0), "high": (4.0, 9.0)}
COURSE = Course(series="All", role="memory", **VALUES, word=lambda value: f"{value:g} W")


def test_growth_by_choice_shows_each_case_in_chart_and_table():
    exhibit = growth_by_choice(CASES, chosen="As chosen", subtitle="s", source="d", level="90")
    assert isinstance(exhibit.chart, BarChart)
    drawn = [(bar.label, bar.value, bar.low, bar.high) for bar in exhibit.chart.bars]
    assert drawn == list(exhibit.table.rows)
    assert [bar.emphasised for bar in exhibit.chart.bars] == [True, False]
    assert exhibit.chart.title == "With other choices, growth is 1.40× to 2.5× a year"
    assert exhibit.chart.x.low <= 0.9 and exhibit.chart.x.high >= 3.2
    assert [column.label for column in exhibit.table.columns] == ["Choice", "Growth", "90% low", "90% high"]


@pytest.mark.parametrize("log", [False, True])
def test_the_axis_reaches_what_is_drawn_and_what_it_must_span(log):
    axes: Any = {"x": year_axis(2024, 2025), "y": ValueAxis(title="Power [W]", log=log, span=(1.0,))}
    columns = interval_columns(lambda at: COURSE.low[at], lambda at: COURSE.high[at], unit="W")
    drawn = (COURSE.band("80"), COURSE.line(hover="NVIDIA, "))
    words = {"title": "t", "subtitle": "s", "source": "d"}
    exhibit = xy_exhibit(drawn, **words, **axes, numbers=table(columns, range(2)))
    assert isinstance(exhibit.chart, XYChart)
    assert exhibit.chart.y.low <= 1.0 and exhibit.chart.y.high >= 9.0
    assert exhibit.chart.alt == "t."
    band, line = exhibit.chart.marks
    assert isinstance(band, Band) and isinstance(line, Line)
    assert band.series == "80% interval" and band.low == COURSE.low
    assert line.end_label == ("All", "5 W") and line.hover[0] == "NVIDIA, Q4 2023: 3 W"
    assert list(exhibit.table.rows) == [(2.0, 4.0), (4.0, 9.0)]


def test_a_growth_figure_writes_value_and_interval_alike():
    figure = growth_figure("g", Estimate(value=2.5, low=2.1, high=3.2), label="Growth", level=0.9, n=7)
    assert (figure.text, figure.interval_text) == ("2.5× a year", "90%: 2.1–3.2×")
    assert (figure.value, figure.low, figure.high, figure.level, figure.n) == (2.5, 2.1, 3.2, 0.9, 7)
    assert figure.unit == "x/year"
