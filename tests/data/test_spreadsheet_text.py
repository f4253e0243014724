import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.spreadsheet_text import csv_text, harmless


@pytest.mark.parametrize(
    "text", ["=1+1", "+SUM(1)", "-A1", "@x", "\t=1", "\r=1", "\n=1", "\uff1d1", "--1", "=", "-"]
)
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "H100", "-1", "+1.5", "-1e-9", "1E+30", "a=b", "'=1", "2026-07-01"])
def test_numbers_and_plain_text_stay(text):
    assert harmless(text) == text


@given(st.lists(st.lists(st.text(), min_size=1, max_size=4), max_size=5))
def test_rows_read_back_as_they_were_but_for_apostrophes_and_each_ends_in_crlf(rows):
    rows = [row for row in rows if row != [""]]
    text = csv_text(rows)
    assert text == "" or text.endswith("\r\n")
    got = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert got == [[harmless(cell) for cell in row] for row in rows]
