"""Error and coverage by group, every row a point, the furthest off first in the table and by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charts.chart import BarChart, Points, XYChart
from data.records import blind_tests
from tests.analysis.model_errors.rows import row
from tests.cases import cases
from tests.views.model_errors.answers import about
from tests.views.reading import rows as lines
from views.model_errors import words
from views.model_errors.answer import KEYS, chip_of, grouped, key_of, shown, worst
from views.model_errors.exhibits import FURTHEST, MOST, error_exhibit, rows_exhibit
from views.model_errors.settings import named

TABLES = cases(__file__)
FAR = [
    row(row_id=f"b{i}", source_id=f"far {i // 4}", kind="Far", predicted=150.0, low=140.0, high=200.0)
    for i in range(40)
]
NEAR = [row(row_id=f"a{i}", source_id=f"near {i}", predicted=95.0) for i in range(30)]
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
    exhibit = error_exhibit(about([*FAR, *NEAR], model="decode"), title="Title", source="Source")
    chart = exhibit.chart
    assert isinstance(chart, BarChart)
    assert (chart.base, chart.x.scale, chart.dots) == (0.0, "linear", False)
    drawn = [(bar.label, round(bar.value, 3), bar.text) for bar in chart.bars]
    assert drawn == [("Far", 50.0, "50%, 10 sources"), ("Desktop with a GPU", 5.0, "5.0%, 30 sources")]
    counts = [(line["rows"], line["left_out"]) for line in lines(exhibit)]
    assert counts == [(40, 10), (30, 30)]
    named = [(line[0], line[-1]) for line in exhibit.table.rows]
    assert named == [("Far", "too narrow"), ("Desktop with a GPU", "too wide")]


def test_every_row_is_a_point_and_the_furthest_off_are_named():
    exhibit = rows_exhibit(about(ROWS))
    assert sum(len(series.x) for series in points(ROWS)) == len(ROWS) == len(exhibit.table.rows)
    assert {label for series in points(ROWS) for _, label in series.marked} == {"slow", "fast"}
    assert exhibit.chart.title == "2 of 10 predictions are off by more than a factor of two"
    counts = {series.series: len(series.x) for series in points(ROWS)}
    assert counts == {"Within a factor of two": 8, "Beyond a factor of two": 2}
    first = lines(exhibit)[0]
    assert (first["row_id"], first["error"], first["inside"]) == ("half", -0.6, "no")
    assert first["locator"] == "https://example.org/table"


def test_very_many_rows_are_thinned_but_for_the_furthest_off_and_the_table_has_all():
    many = [row(row_id=f"{i:05d}", predicted=100 * 1.0005**i, low=0.0, high=1e9) for i in range(2000)]
    exhibit = rows_exhibit(about(many))
    drawn = [y for series in points(many) for y in series.y]
    assert len(drawn) == len(set(drawn)) == MOST
    assert sorted(drawn)[-FURTHEST:] == [each.predicted for each in many[-FURTHEST:]]
    assert min(drawn) < 101
    thinned = "The chart shows 700 points; the table lists all."
    assert thinned in exhibit.chart.subtitle and len(exhibit.table.rows) == 2000


GROUPED_ROWS = [
    *(row(row_id=f"a{i}", accelerator="near", predicted=101.0) for i in range(6)),
    *(row(row_id=f"b{i}", accelerator="far", predicted=150.0, high=200.0) for i in range(5)),
    *(row(row_id=f"c{i}", accelerator=f"rare {i}") for i in range(4)),
]


def test_the_furthest_off_comes_first_and_small_groups_together_last():
    groups = grouped(GROUPED_ROWS, "chip")
    told = [(group.name, len(group.rows), group.pooled) for group in groups]
    assert told == [("far", 5, False), ("near", 6, False), ("Fewer than 5 rows: 4 groups", 4, True)]
    assert [group.name for group in worst(groups, count=1)] == ["far"]


def test_what_a_row_does_not_state_is_said():
    bare = row(accelerator="", architecture="", engine="", software_date=float("nan"))
    said = [
        KEYS[by](bare).removesuffix(" not stated")
        for by in ("chip", "architecture", "engine", "software-date")
    ]
    assert said == ["Chip", "Unknown language model", "Engine", "Date"]
    assert key_of("class", of_a_model=True)(bare) == "Decode: desktop with a GPU"
    assert key_of("chip", of_a_model=True)(bare) == "Decode: Chip not stated"
    assert key_of("chip")(bare) == "Chip not stated"


def test_a_chip_has_one_name_whatever_its_table_calls_it():
    for name in ("NVIDIA H100 SXM5 80GB", "H100 SXM"):
        assert chip_of(row(accelerator=name)) == "H100 SXM"
    assert chip_of(row(accelerator="Snapdragon X Elite")) == "Snapdragon X Elite"


@given(
    by=st.sampled_from(sorted(KEYS)),
    of_a_model=st.booleans(),
    rows=st.lists(
        st.builds(
            row,
            row_id=st.text("0123456789", min_size=1, max_size=4),
            accelerator=st.sampled_from("abcdefghijklmnopqrstuvw"),
            kind=st.sampled_from("xyz"),
            predicted=st.floats(10, 1000),
        ),
        min_size=1,
        max_size=60,
    ),
)
def test_every_row_is_in_one_group_of_the_chart(*, by, of_a_model, rows):
    groups = shown(grouped(rows, by, of_a_model=of_a_model))
    assert sum(len(group.rows) for group in groups) == len(rows)
    assert sum(group.errors.rows for group in groups) == len(rows)


@pytest.mark.parametrize(("error", "size", "with_sign"), TABLES["errors"])
def test_the_size_of_an_error_and_its_sign(*, error, size, with_sign):
    assert (words.percent(error), words.signed(error)) == (size, with_sign)


@pytest.mark.parametrize(("count", "model", "headline"), TABLES["headlines"])
def test_a_headline_says_how_far_off_the_middle_of_the_sources_is(*, count, model, headline):
    number = 3 if model != "decode" else 1
    rows = [row(row_id=str(i), model=model, source_id=str(i % count)) for i in range(number)]
    assert words.headline(about(rows)) == headline


@pytest.mark.parametrize(("near", "far", "names"), TABLES["ranges"])
def test_models_are_not_thrown_together(*, near, far, names):
    rows = [row(model=near), row(model=far, predicted=130.0), row(model=far, row_id="d2", predicted=70.0)]
    assert words.headline(about(rows)) == f"Median errors range from {names}"
    assert len(words.headline(about(rows)).split()) <= 12


@pytest.mark.parametrize(("outside", "sentence"), TABLES["outside"])
def test_rows_outside_their_interval_are_counted(*, outside, sentence):
    rows = [row(row_id=str(i), measured=100.0 if i >= outside else 80.0) for i in range(3)]
    assert list(words.sure(about(rows)))[2].startswith(sentence)


def test_blind_tests_are_told_of_the_models_that_had_one():
    tests = {"decode": "decode", "prompts": "prefill", "training": "training"}
    errors = {name: blind_tests(test)["all"]["median_error_percent"] for name, test in tests.items()}
    decode, prompts, training = (f"{error:.0f}% ({named(name)})" for name, error in errors.items())
    start = "In blind tests, on measurements that no fit had used, the median error was "
    assert words.blind({"decode", "prompts", "training"}) == f"{start}{decode}, {prompts} and {training}."
    assert words.blind(["fine-tuning"]) == ""


def test_a_source_with_nearly_all_rows_of_a_model_is_pointed_out():
    rows = [row(row_id=str(i), source_id="one" if i < 19 else "two", predicted=90.0 + i) for i in range(20)]
    assert words.rows_range(about(rows).errors) == "90% of rows from −9.0% to +8.1%; 95% are of one source"
    (note,) = words.notes(about([*rows, row(model="fine-tuning"), row(model="fine-tuning", source_id="two")]))
    assert (
        note.startswith("In blind tests, ") and " One source provides 95% of the rows for decode, so " in note
    )
    assert "95% are of one source" in str(
        bars(error_exhibit(about(rows), title="Title", source="Source"))[0].detail
    )
