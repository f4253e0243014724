"""Numbers as text; tests/data/test_drafts.py holds that whole tables are the same bytes again."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import table_text


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
