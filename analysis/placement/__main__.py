"""Predicts speeds of a table of cases: ``python -m analysis.placement predict cases.csv --output out.csv``."""

import argparse
import sys
from collections.abc import Mapping, Sequence

from analysis.case_table import CaseError
from analysis.placement.case_columns import DIALECT
from analysis.placement.cases import Known, PlacementCase, read_case
from analysis.placement.predict import predicted_cells
from analysis.placement.tables import known, models
from analysis.predict_command import Answer, Command, described, run
from data.releases import names
from data.spreadsheet_text import csv_text
from data.whole_file import write_whole

WORDS = (
    "Each case names a device or gives memory_bandwidth_byte_per_s, and names a model or gives weights_byte or "
    f"n_parameters. All that is read: {described(DIALECT.columns)}. peak_flop_per_s is the dense peak of the tensor or "
    "matrix units at 16 bits; it tells how fast prompts are read where no device is named. Without format, "
    "weights_byte alone is taken as 16-bit parameters unless it is the size of a file we know. engine is the program "
    "that runs the model, as people write it (llama.cpp, MLX, vLLM, ExecuTorch); without it, llama.cpp. Names in "
    "brackets with gbyte and tflop are in these units. Intervals are in the columns that end in _low and _high."
)


def _read(row: Mapping[str, str], *, tables: Known) -> PlacementCase | CaseError:
    try:
        return read_case(row, known=tables)
    except CaseError as error:
        return error


def answers(rows: Sequence[Mapping[str, str]], /, options: argparse.Namespace) -> list[Answer]:
    """Return the predicted cells of each row, or why there are none."""
    tables = known(options.release or "")
    read = [_read(row, tables=tables) for row in rows]
    cases = [case for case in read if isinstance(case, PlacementCase)]
    cells = iter(predicted_cells(cases, models=models(), level=options.level))
    return [case if isinstance(case, CaseError) else next(cells) for case in read]


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--level", type=float, default=0.9, help="of the intervals, in (0, 1) (default: 0.9)")


COMMAND = Command(
    module="analysis.placement",
    does="predict decode and prefill speeds of cases",
    words=WORDS,
    dialect=DIALECT,
    predict=answers,
    options=_options,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    return run(COMMAND, arguments, releases=names(), csv_text=csv_text, write_whole=write_whole)


if __name__ == "__main__":
    sys.exit(main())
