"""Error and coverage by group: bars, table, and what is drawn where."""

import pytest

from charts.chart import BarChart
from tests.views.model_errors.rows import row
from views.model_errors.bars import LEAST, coverage_exhibit, error_exhibit
from views.model_errors.groups import grouped

FAR = [
    row(row_id=f"b{i}", accelerator=f"far {i // 4}", kind="Far", predicted=150.0, low=140.0, high=200.0)
    for i in range(40)
]
NEAR = [row(row_id=f"a{i}", accelerator=f"near {i}", predicted=95.0) for i in range(30)]
GROUPS = grouped([*FAR, *NEAR], "class")


def errors(groups=GROUPS):
    return error_exhibit(groups, every=groups, title="Title", directions=("fast", "slow"), source="Source.")


def bars(exhibit):
    assert isinstance(exhibit.chart, BarChart)
    return exhibit.chart.bars


def test_an_error_stands_at_its_ratio_about_one():
    chart = errors().chart
    assert isinstance(chart, BarChart)
    assert (chart.base, chart.x.scale) == (1.0, "log")
    assert [(bar.label, round(bar.value, 3), bar.text) for bar in chart.bars] == [
        ("Far", 1.5, "half within 50 %, 40 rows"),
        ("Desktop with a GPU", 0.95, "half within 5.0 %, 30 rows"),
    ]
    assert "right: too fast" in chart.x.title
    assert {"−20 %", "0 %", "+25 %"} <= {tick.label for tick in chart.x.ticks}


@pytest.mark.parametrize("ratio", [0.001, 0.3, 1.0, 30.0, 5000.0])
def test_any_error_has_its_place_and_three_ticks(ratio):
    groups = grouped(
        [row(row_id=str(i), predicted=100 * ratio, low=0.0, high=1e9) for i in range(9)], "class"
    )
    chart = errors(groups).chart
    (bar,) = bars(errors(groups))
    assert chart.x.low <= bar.value <= chart.x.high
    assert bar.value == pytest.approx(max(ratio, LEAST))
    assert len(chart.x.ticks) >= 3


def test_the_table_has_a_row_for_each_group():
    table = errors().table
    names = [column.name for column in table.columns]
    assert [(line[0], line[names.index("rows")], line[names.index("left_out")]) for line in table.rows] == [
        ("Far", 40, 10),
        ("Desktop with a GPU", 30, 30),
    ]


def test_intervals_that_hold_too_little_are_told_apart():
    exhibit = coverage_exhibit(GROUPS, every=GROUPS, source="Source.")
    assert exhibit.chart.title == "90 % intervals are too narrow in 1 of 2 groups"
    far, near = bars(exhibit)
    assert (far.value, far.text, far.role) == (0.0, "0 %, too narrow", "edge")
    assert (near.value, near.text) == (100.0, "100 %, too wide")
    assert [line[-1] for line in exhibit.table.rows] == ["too narrow", "too wide"]


def test_where_all_hold_the_title_says_so():
    groups = grouped(NEAR, "class")
    title = coverage_exhibit(groups, every=groups, source="").chart.title
    assert title == "In no group do 90 % intervals hold clearly less than they state"
