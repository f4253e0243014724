"""The gap drawn: indexed sides and levels, dotted where nothing is known."""

from typing import Any

import pytest

from charts.chart import Line, Points, Span, XYChart
from tests.views.growth_gap.answers import ask, found_levels
from views.growth_gap.charts import indexed_exhibit, levels_exhibit


def drawn(result):
    chart = result.exhibits[0].chart
    assert isinstance(chart, XYChart)
    return chart.marks


def test_a_line_is_dotted_where_its_rows_have_not_begun():
    result = ask()
    lines = [mark for mark in drawn(result) if isinstance(mark, Line)]
    early = [line for line in lines if line.series == "Chip against chip" and line.x[0] == 2012]
    assert [line.dash for line in early] == ["dotted"]
    assert all(line.x[0] == 2012 and line.y[0] == 1 for line in early)
    note = next(text for text in result.sure if text.startswith("Chip against chip: "))
    assert note.endswith("The rows begin in 2017; before that, the line is the trend drawn back to 2012.")
    labels = [line.end_label[0] for line in lines if line.end_label]
    assert sorted(labels) == sorted(
        ["Run against chip", "Chip against chip", "Run against its chips", "As quoted"]
    )


def test_the_table_holds_every_gap_from_one_on():
    rows = ask(since=2015, to=2028).table.rows
    assert rows[0] == (2015, *[1.0] * 10)
    assert [row[0] for row in rows] == list(range(2015, 2029))


def test_both_sides_stand_at_one_in_the_index_year_and_the_span_holds_their_gap():
    level = found_levels(compare="chip-chip", since=2016)["chip-chip"]
    exhibit: Any = indexed_exhibit(level, title="t", subtitle="s", to=2030, source="d")
    (span,) = (mark for mark in exhibit.chart.marks if isinstance(mark, Span))
    assert span.high / span.low == pytest.approx(level.gap.total)
    assert span.x == level.gap.year
    first = dict(zip((column.name for column in exhibit.table.columns), exhibit.table.rows[0], strict=True))
    assert (first["year"], first["compute_index"], first["bandwidth_index"], first["gap_index"]) == (
        2016,
        1,
        1,
        1,
    )
    for row in exhibit.table.rows:
        assert row[1] / row[2] == pytest.approx(row[3])
    points = [mark for mark in exhibit.chart.marks if isinstance(mark, Points)]
    assert [len(mark.x) for mark in points] == [level.gap.n] * 2


def test_the_quoted_gap_is_a_straight_line_beside_the_levels():
    levels = [*found_levels(since=2015).values()]
    exhibit: Any = levels_exhibit(levels, title="t", subtitle="s", quoted=3.0, to=2020, source="d")
    quoted = exhibit.chart.marks[-1]
    assert (quoted.series, quoted.y) == ("As quoted", (1.0, 3.0**5))
    assert [row[-1] for row in exhibit.table.rows] == pytest.approx([3.0**years for years in range(6)])
    assert all(level.title in exhibit.chart.alt for level in levels)
