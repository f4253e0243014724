"""Groups hold every row once, the furthest off first, small ones together and never hidden."""

from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.model_errors.rows import row
from views.model_errors.groups import FEWEST, KEYS, MOST, chip_of, grouped, key_of, shown, worst

ROWS = [
    *(row(row_id=f"a{i}", accelerator="near", predicted=101.0) for i in range(6)),
    *(row(row_id=f"b{i}", accelerator="far", predicted=150.0, high=200.0) for i in range(5)),
    *(row(row_id=f"c{i}", accelerator=f"rare {i}") for i in range(4)),
]


def test_the_furthest_off_comes_first_and_small_groups_together_last():
    groups = grouped(ROWS, "chip")
    assert [(group.name, len(group.rows), group.pooled) for group in groups] == [
        ("far", 5, False),
        ("near", 6, False),
        ("Fewer than 5 rows: 4 groups", 4, True),
    ]
    assert [group.name for group in worst(groups, count=1)] == ["far"]


def test_dates_stand_in_their_order():
    dated = [
        row(row_id=f"{year}{i}", software_date=year, predicted=250.0 - 20 * (year - 2023))
        for year in (2024.7, 2023.2, 2024.1)
        for i in range(5)
    ]
    undated = [row(row_id=f"u{i}", software_date=float("nan")) for i in range(5)]
    assert [group.name for group in grouped(dated + undated, "software-date")] == [
        "2023, first half",
        "2024, first half",
        "2024, second half",
        "Date not stated",
    ]


def test_what_a_row_does_not_state_is_said():
    bare = row(accelerator="", architecture="", engine="", software_date=float("nan"))
    assert {KEYS[by](bare) for by in ("chip", "architecture", "engine", "software-date")} == {
        "Chip not stated",
        "Not in the table of architectures",
        "Engine not stated",
        "Date not stated",
    }
    assert key_of("class", of_a_model=True)(bare) == "Decode: desktop with a GPU"
    assert key_of("chip", of_a_model=True)(bare) == "Decode: Chip not stated"
    assert key_of("chip")(bare) == "Chip not stated"


def test_a_chip_has_one_name_whatever_its_table_calls_it():
    assert (
        chip_of(row(accelerator="NVIDIA H100 SXM5 80GB"))
        == chip_of(row(accelerator="H100 SXM"))
        == "H100 SXM"
    )
    assert chip_of(row(accelerator="Snapdragon X Elite")) == "Snapdragon X Elite"


def test_a_chart_shows_the_furthest_off_and_the_rest_together():
    many = [
        row(row_id=f"{g}-{i}", accelerator=f"chip {g:02d}", predicted=100.0 + g)
        for g in range(30)
        for i in range(FEWEST)
    ]
    groups = shown(grouped(many, "chip"))
    assert len(groups) == MOST
    assert groups[0].name == "chip 29"
    assert (groups[-1].name, groups[-1].pooled) == (f"Nearer: {31 - MOST} groups", True)


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
