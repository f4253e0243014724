"""Predicted against measured: every row a point, the furthest off first in the table and by name."""

from charts.chart import Points, XYChart
from tests.views.model_errors.rows import row
from views.model_errors.scatter import FURTHEST, MOST, ROLES, furthest_first, rows_exhibit

ROWS = [row(row_id=str(i), predicted=100.0 + i) for i in range(8)] + [
    row(row_id="half", predicted=40.0, low=30.0, high=50.0, accelerator="slow"),
    row(row_id="twice", predicted=210.0, low=150.0, high=300.0, accelerator="fast", model="prompts"),
]


def points(exhibit):
    assert isinstance(exhibit.chart, XYChart)
    return [mark for mark in exhibit.chart.marks if isinstance(mark, Points)]


def test_half_is_further_off_than_twice():
    assert [found.row_id for found in furthest_first(ROWS)][:3] == ["half", "twice", "7"]


def test_every_row_is_a_point_and_the_furthest_off_are_named():
    exhibit = rows_exhibit(ROWS, by="model", source="Source.")
    assert sum(len(series.x) for series in points(exhibit)) == len(ROWS) == len(exhibit.table.rows)
    assert {label for series in points(exhibit) for _, label in series.marked} == {"slow", "fast", "RTX 3070"}
    assert exhibit.chart.title == "2 of 10 predictions are off by more than a factor of two"
    assert "Decode (blue); Prompts (orange)." in exhibit.chart.subtitle


def test_a_chip_is_named_once():
    twice = [
        row(row_id="b", predicted=400.0, low=300.0, high=500.0),
        row(row_id="c", accelerator="near"),
        *ROWS[:4],
    ]
    labels = [
        label for series in points(rows_exhibit(twice, by="model", source="")) for _, label in series.marked
    ]
    assert sorted(labels) == ["RTX 3070", "near"]


def test_the_furthest_off_heads_the_table_with_its_source():
    table = rows_exhibit(ROWS, by="model", source="").table
    first = dict(zip([column.name for column in table.columns], table.rows[0], strict=True))
    assert (first["row_id"], first["error"], first["inside"]) == ("half", -0.6, "no")
    assert first["locator"] == "https://example.org/table"


def test_many_groups_share_grey():
    many = [row(row_id=f"{g}{i}", accelerator=g) for g in "abcdefg" for i in range(2)]
    series = points(rows_exhibit(many, by="chip", source=""))
    assert [item.series for item in series][-1] == "Others"
    assert len(series) == len(ROLES) + 1 and {item.role for item in series} == {*ROLES, "context"}


def test_a_fifth_group_alone_has_grey_under_its_own_name():
    five = [row(row_id=f"{g}{i}", accelerator=g) for g in "abcde" for i in range(2)]
    exhibit = rows_exhibit(five, by="chip", source="")
    assert [item.series for item in points(exhibit)] == list("abcde")
    assert "d (green); e (grey)." in exhibit.chart.subtitle


def test_rows_of_several_units_say_so():
    chart = rows_exhibit([row(), row(unit="s")], by="model", source="").chart
    assert isinstance(chart, XYChart)
    assert chart.y.title == "Predicted, each in its own unit, log scale"
    assert chart.title == "No prediction is off by more than a factor of two"


def test_very_many_rows_are_thinned_but_for_the_furthest_off_and_the_table_has_all():
    many = [row(row_id=f"{i:05d}", predicted=100 * 1.0005**i, low=0.0, high=1e9) for i in range(2000)]
    exhibit = rows_exhibit(many, by="model", source="")
    (series,) = points(exhibit)
    assert len(series.x) == len(set(series.y)) == MOST
    assert sorted(series.y)[-FURTHEST:] == [found.predicted for found in many[-FURTHEST:]]
    assert min(series.y) < 101
    assert (
        "Drawn: 700 of 2,000 rows, the 300 furthest off among them; the table has all."
        in exhibit.chart.subtitle
    )
    assert len(exhibit.table.rows) == 2000
