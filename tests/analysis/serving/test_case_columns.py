import math

import pytest

from analysis.predict.columns import CaseError, CaseRow
from analysis.serving.case_columns import COLUMNS, number_of


def number(cells, name):
    return number_of(CaseRow(cells=cells, columns=COLUMNS), name)


def test_an_empty_cell_is_no_number():
    assert math.isnan(number({"isl": ""}, "prompt_tokens"))
    assert math.isnan(number({"tp": "nan"}, "tensor_parallel"))
    assert number({"isl": "1024"}, "prompt_tokens") == 1024


@pytest.mark.parametrize(
    ("cell", "column", "words"),
    [
        (
            "fast",
            "prompt_tokens",
            "column prompt_tokens: a finite number is needed; got 'fast'. Write it like 1024",
        ),
        ("inf", "concurrency", "column concurrency: a finite number is needed; got 'inf'"),
        ("0", "output_tokens", "column output_tokens: a number at least 1 is needed; got 0. Correct it"),
        ("-1", "cached_tokens", "column cached_tokens: a number at least 0 is needed; got -1"),
        ("1e9", "prompt_tokens", "column prompt_tokens: at most 10,000,000; got 1e9. Check its unit."),
        (
            "1.5",
            "tensor_parallel",
            "column tensor_parallel: a whole number is needed; got 1.5. It counts chips or groups",
        ),
    ],
)
def test_a_number_that_is_none_is_refused(*, cell, column, words):
    with pytest.raises(CaseError) as error:
        number({column: cell}, column)
    assert str(error.value).startswith(words)
