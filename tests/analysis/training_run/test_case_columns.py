"""Cells of a training run are numbers, words, yes or no, and say so where they are none."""

import pytest

from analysis.case_table import CaseError
from analysis.training_run import case_columns as columns
from analysis.training_run.case_columns import DIALECT, WORDS, flag_of, number_of, whole_of, word_of


def test_an_empty_cell_and_an_absent_column_leave_it_open():
    for row in ({}, {"micro_batch": ""}, {"micro_batch": "  "}):
        assert whole_of(row, columns.MICRO_BATCH) is None
        assert word_of(row, columns.RECOMPUTE) is None
        assert flag_of(row, columns.GATED) is None


def test_cells_are_read_by_any_name_of_their_column():
    for column in DIALECT.columns:
        if column in columns.WHOLE:
            assert {whole_of({name: " 4 "}, column) for name in column.names} == {4}
    assert number_of({"tokens": "15.6e12"}, columns.TOKENS) == 15.6e12
    assert word_of({"recompute": " Full "}, columns.RECOMPUTE) == "full"


@pytest.mark.parametrize(
    ("text", "flag"), [("1", True), ("Yes", True), ("TRUE", True), ("0", False), ("no", False)]
)
def test_yes_and_no_have_many_words(text, flag):
    assert flag_of({"gated": text}, columns.GATED) is flag


@pytest.mark.parametrize(
    ("read", "column", "text", "words"),
    [
        (number_of, columns.TOKENS, "many", "tokens is a number; got 'many'."),
        (number_of, columns.TOKENS, "0", "tokens is 1 or more; got '0'."),
        (number_of, columns.OVERLAP, "-1", "overlap is 0 or more; got '-1'."),
        (number_of, columns.NETWORK, "inf", "network_bandwidth_byte_per_s is 1 or more; got 'inf'."),
        (whole_of, columns.ZERO_STAGE, "1.5", "zero_stage is a whole number; got '1.5'."),
        (whole_of, columns.GLOBAL_BATCH, "", "global_batch is needed; it is empty. Give it for every case."),
        (flag_of, columns.GATED, "maybe", "gated is true or false, or empty; got 'maybe'."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_column(*, read, column, text, words):
    with pytest.raises(CaseError) as refusal:
        read({column.name: text}, column)
    assert str(refusal.value) == words


def test_every_column_of_words_is_one_that_is_read():
    assert set(WORDS) <= set(DIALECT.known)
