"""Cells of a training run are numbers, words, yes or no, and say so where they are none."""

import pytest

from analysis.predict.columns import CaseError, CaseRow
from analysis.training_run.case_columns import COLUMNS, choice_of, flag_of, number_of, whole_of


def row_of(cells):
    return CaseRow(cells=cells, columns=COLUMNS)


def test_an_empty_cell_and_an_absent_column_leave_it_open():
    for row in map(row_of, ({}, {"micro_batch": ""}, {"micro_batch": "  "})):
        opened = whole_of(row, "micro_batch"), choice_of(row, "recompute"), flag_of(row, "gated")
        assert opened == (None, None, None)


def test_cells_are_read_by_any_name_of_their_column():
    for name, column in COLUMNS.items():
        if column.whole:
            assert {whole_of(row_of({called: " 4 "}), name) for called in column.names} == {4}
    assert number_of(row_of({"tokens": "15.6e12"}), "tokens") == 15.6e12
    assert choice_of(row_of({"recompute": " Full "}), "recompute") == "full"
    flags = [flag_of(row_of({"gated": word}), "gated") for word in ("1", "Yes", "TRUE", "0", "no")]
    assert flags == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("read", "column", "text", "words"),
    [
        (number_of, "tokens", "many", "tokens is a number; got 'many'."),
        (number_of, "tokens", "0", "tokens is 1 or more; got '0'."),
        (number_of, "overlap", "-1", "overlap is 0 or more; got '-1'."),
        (number_of, "network_bandwidth_byte_per_s", "inf", "network_bandwidth_byte_per_s is 1 or more; got 'inf'."),
        (whole_of, "zero_stage", "1.5", "zero_stage is a whole number; got '1.5'."),
        (whole_of, "global_batch", "", "global_batch is needed; it is empty. Give it for every case."),
        (flag_of, "gated", "maybe", "gated is true or false, or empty; got 'maybe'."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_column(*, read, column, text, words):
    with pytest.raises(CaseError) as refusal:
        read(row_of({column: text}), column)
    assert str(refusal.value) == words
