"""Error and coverage by group, and every row a point, the furthest off first in the table and by name."""

import pytest

from charts.chart import BarChart, Points, XYChart
from tests.analysis.model_errors.rows import row
from tests.views.model_errors.answers import about
from views.model_errors.exhibits import (
    FURTHEST,
    LEAST,
    MOST,
    ROLES,
    coverage_exhibit,
    error_exhibit,
    furthest_first,
    rows_exhibit,
)

FAR = [
    row(row_id=f"b{i}", accelerator=f"far {i // 4}", kind="Far", predicted=150.0, low=140.0, high=200.0)
    for i in range(40)
]
NEAR = [row(row_id=f"a{i}", accelerator=f"near {i}", predicted=95.0) for i in range(30)]
CLASSES = about([*FAR, *NEAR], model="decode")
ROWS = [row(row_id=str(i), predicted=100.0 + i) for i in range(8)] + [
    row(row_id="half", predicted=40.0, low=30.0, high=50.0, accelerator="slow"),
    row(row_id="twice", predicted=210.0, low=150.0, high=300.0, accelerator="fast", model="prompts"),
]


def bars(exhibit):
    assert isinstance(exhibit.chart, BarChart)
    return exhibit.chart.bars


def points(rows, **settings):
    chart = rows_exhibit(about(rows, **settings)).chart
    assert isinstance(chart, XYChart)
    return [mark for mark in chart.marks if isinstance(mark, Points)]


def test_an_error_stands_at_its_ratio_about_one_and_the_table_has_a_row_for_each_group():
    exhibit = error_exhibit(CLASSES, title="Title")
    chart = exhibit.chart
    assert isinstance(chart, BarChart)
    assert (chart.base, chart.x.scale) == (1.0, "log")
    assert [(bar.label, round(bar.value, 3), bar.text) for bar in chart.bars] == [
        ("Far", 1.5, "half within 50 %, 40 rows"),
        ("Desktop with a GPU", 0.95, "half within 5.0 %, 30 rows"),
    ]
    assert (
        "right: too fast" in chart.x.title and "right of the line predictions are too fast" in chart.subtitle
    )
    assert {"−20 %", "0 %", "+25 %"} <= {tick.label for tick in chart.x.ticks}
    names = [column.name for column in exhibit.table.columns]
    places = [0, names.index("rows"), names.index("left_out")]
    assert [tuple(line[place] for place in places) for line in exhibit.table.rows] == [
        ("Far", 40, 10),
        ("Desktop with a GPU", 30, 30),
    ]


@pytest.mark.parametrize("ratio", [0.001, 0.3, 1.0, 30.0, 5000.0])
def test_any_error_has_its_place_and_three_ticks(ratio):
    rows = [row(row_id=str(i), predicted=100 * ratio, low=0.0, high=1e9) for i in range(9)]
    chart = error_exhibit(about(rows), title="").chart
    assert isinstance(chart, BarChart)
    (bar,) = chart.bars
    assert chart.x.low <= bar.value <= chart.x.high
    assert bar.value == pytest.approx(max(ratio, LEAST))
    assert len(chart.x.ticks) >= 3


def test_intervals_that_hold_too_little_are_told_apart():
    exhibit = coverage_exhibit(CLASSES)
    assert exhibit.chart.title == "90 % intervals are too narrow in 1 of 2 groups"
    far, near = bars(exhibit)
    assert (far.value, far.text, far.role) == (0.0, "0 %, too narrow", "edge")
    assert (near.value, near.text, near.role) == (100.0, "100 %, too wide", "compute")
    assert [line[-1] for line in exhibit.table.rows] == ["too narrow", "too wide"]
    title = coverage_exhibit(about(NEAR)).chart.title
    assert title == "In no group do 90 % intervals hold clearly less than they state"


def test_half_is_further_off_than_twice():
    assert [each.row_id for each in furthest_first(ROWS)][:3] == ["half", "twice", "7"]


def test_every_row_is_a_point_and_the_furthest_off_are_named():
    exhibit = rows_exhibit(about(ROWS))
    assert sum(len(series.x) for series in points(ROWS)) == len(ROWS) == len(exhibit.table.rows)
    assert {label for series in points(ROWS) for _, label in series.marked} == {"slow", "fast", "RTX 3070"}
    assert exhibit.chart.title == "2 of 10 predictions are off by more than a factor of two"
    assert "Decode (blue); Prompts (orange)." in exhibit.chart.subtitle
    first = dict(zip([column.name for column in exhibit.table.columns], exhibit.table.rows[0], strict=True))
    assert (first["row_id"], first["error"], first["inside"]) == ("half", -0.6, "no")
    assert first["locator"] == "https://example.org/table"


def test_a_chip_is_named_once():
    far = row(row_id="b", predicted=400.0, low=300.0, high=500.0)
    labels = [
        label
        for series in points([far, row(row_id="c", accelerator="near"), *ROWS[:4]])
        for _, label in series.marked
    ]
    assert sorted(labels) == ["RTX 3070", "near"]


@pytest.mark.parametrize(("groups", "names"), [("abcde", [*"abcde"]), ("abcdefg", [*"abcd", "Others"])])
def test_groups_beyond_the_colours_share_grey_and_one_alone_has_it_under_its_own_name(*, groups, names):
    rows = [row(row_id=f"{name}{i}", accelerator=name) for name in groups for i in range(2)]
    series = points(rows, group="chip")
    assert [item.series for item in series] == names
    assert [item.role for item in series] == [*ROLES, "context"]
    assert f"d (green); {names[-1]} (grey)." in rows_exhibit(about(rows, group="chip")).chart.subtitle


def test_rows_of_several_units_say_so_and_one_that_is_far_off_is_one():
    chart = rows_exhibit(about([row(), row(unit="s")])).chart
    assert isinstance(chart, XYChart)
    assert chart.y.title == "Predicted, each in its own unit, log scale"
    assert chart.title == "No prediction is off by more than a factor of two"
    title = rows_exhibit(about([row(), row(predicted=210.0, high=300.0)])).chart.title
    assert title == "1 of 2 predictions is off by more than a factor of two"


def test_very_many_rows_are_thinned_but_for_the_furthest_off_and_the_table_has_all():
    many = [row(row_id=f"{i:05d}", predicted=100 * 1.0005**i, low=0.0, high=1e9) for i in range(2000)]
    exhibit = rows_exhibit(about(many))
    (series,) = points(many)
    assert len(series.x) == len(set(series.y)) == MOST
    assert sorted(series.y)[-FURTHEST:] == [each.predicted for each in many[-FURTHEST:]]
    assert min(series.y) < 101
    thinned = "Drawn: 700 of 2,000 rows, the 300 furthest off among them; the table has all."
    assert thinned in exhibit.chart.subtitle and len(exhibit.table.rows) == 2000
