import math

import pytest

from analysis.case_table import CaseError
from analysis.serving import case_columns as columns
from analysis.serving.case_columns import ADDED, DIALECT, number_of, text_of


def test_an_empty_cell_is_no_number():
    assert math.isnan(number_of({"isl": ""}, columns.PROMPT))
    assert math.isnan(number_of({"tp": "nan"}, columns.TENSOR))
    assert number_of({"isl": "1024"}, columns.PROMPT) == 1024
    assert text_of({"gpu": " H100 "}, columns.ACCELERATOR) == "H100"


@pytest.mark.parametrize(
    ("cell", "column", "words"),
    [
        (
            "fast",
            columns.PROMPT,
            "column prompt_tokens: a finite number is needed; got 'fast'. Write it like 1024",
        ),
        ("inf", columns.CONCURRENCY, "column concurrency: a finite number is needed; got 'inf'"),
        ("0", columns.OUTPUT, "column output_tokens: a number at least 1 is needed; got 0. Correct it"),
        ("-1", columns.CACHED, "column cached_tokens: a number at least 0 is needed; got -1"),
        ("1e9", columns.PROMPT, "column prompt_tokens: at most 10,000,000; got 1e9. Check its unit."),
        (
            "1.5",
            columns.TENSOR,
            "column tensor_parallel: a whole number is needed; got 1.5. It counts chips or groups",
        ),
    ],
)
def test_a_number_that_is_none_is_refused(*, cell, column, words):
    with pytest.raises(CaseError) as error:
        number_of({column.name: cell}, column)
    assert str(error.value).startswith(words)


def test_added_columns_are_not_read():
    assert not set(ADDED) & set(DIALECT.known)
