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


def test_text_with_a_comma_is_quoted_and_reads_back():
    frame = releases.load(releases.latest()).accelerators.head(1).assign(product='A "B", C')
    assert '"A ""B"", C"' in table_text.text(frame, table="accelerators")
    assert table_text.typed(frame, table="accelerators")["product"].tolist() == ['A "B", C']
