"""Tables as text: the same bytes for the same numbers, and the same numbers again."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import releases, table_text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_as_it_was(value):
    assert float(table_text.number(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (math.nan, ""),
        (0.0, "0"),
        (-0.5, "-0.5"),
        (3.35e12, "3350000000000"),
        (999_999_999_999_999.0, "999999999999999"),
        (1e15, "1000000000000000.0"),
        (6e24, "6e+24"),
    ],
)
def test_whole_numbers_are_written_in_digits_up_to_a_thousand_billions(value, text):
    assert table_text.number(value) == text


@pytest.mark.parametrize("table", ["training_runs", "accelerators"])
def test_a_release_written_and_read_again_is_the_same(table):
    frame = getattr(releases.load(releases.latest()), table)
    written = table_text.text(frame, table=table)
    assert written.endswith("\n") and "\r" not in written
    again = table_text.typed(frame, table=table)
    pd.testing.assert_frame_equal(again, frame[again.columns], check_dtype=False)
    assert table_text.text(again, table=table) == written


def test_a_table_has_its_header_and_what_is_missing_is_empty():
    frame = releases.load(releases.latest()).accelerators.head(3).assign(power_w=[700.0, math.nan, 0.5])
    header, *rows = table_text.rows(frame, table="accelerators")
    at = header.index("power_w")
    assert [row[at] for row in rows] == ["700", "", "0.5"]
    flags = {row[header.index("flagship")] for row in rows}
    assert flags <= {"true", "false"}
    date = rows[0][header.index("released_on")]
    assert date == "" or len(date) == 10


def test_text_with_a_comma_is_quoted_and_reads_back():
    frame = releases.load(releases.latest()).accelerators.head(1).assign(product='A "B", C')
    assert '"A ""B"", C"' in table_text.text(frame, table="accelerators")
    assert table_text.typed(frame, table="accelerators")["product"].tolist() == ['A "B", C']
