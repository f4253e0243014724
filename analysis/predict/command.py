"""The ``predict cases.csv --output out.csv`` command, with the same options and exit codes in every package."""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from analysis.predict.columns import CaseColumn, CaseError, Dialect
from analysis.predict.table import GIVEN, completed, read_table, slip_lines
from data.publish import write_file
from data.releases import latest, names, reading
from data.spreadsheet_text import csv_text

MOST_PROBLEMS = 10
LEVEL = 0.9
DIALECT = (
    "The file is CSV in UTF-8, separated by commas, semicolons or tabs. Headings can be in any case; blank rows are "
    "skipped. An empty cell is a value that is not set. Common spellings of names are recognized, and numbers override "
    "the values of the named device or model. Other columns are copied; one named as a predicted column becomes "
    f"{GIVEN}... . A row that cannot be predicted stays in the output, with the reason in the column problem. "
    "Exit status: 0 if all rows are predicted; 1 if a row has a problem or a column name looks misspelt; "
    "2 if the command or the file is invalid and nothing was written."
)
"""Description of the file format in the help of every predict command."""

Answer = Mapping[str, str] | CaseError
Case = TypeVar("Case")


class Predict(Protocol):
    """A predictor of cases. It returns the added cells of each case, or an error."""

    def __call__(
        self, cases: Sequence[Mapping[str, str]], /, *, release: str, level: float
    ) -> Sequence[Answer]:
        """Return an answer for each case, with intervals at ``level``. ``release`` is ``""`` for the newest."""
        ...


@dataclass(frozen=True, kw_only=True)
class Command:
    """A predict command: its module, purpose, columns and predictor, and whether it accepts any level."""

    module: str
    does: str
    words: str
    dialect: Dialect
    predict: Predict
    any_level: bool = True


def described(columns: Iterable[CaseColumn]) -> str:
    """Return the column names for the help text, with alternative names in brackets."""
    return ", ".join(
        column.name + (f" (or {', '.join(column.others)})" if column.others else "") for column in columns
    )


def answered(
    rows: Sequence[Mapping[str, str]],
    *,
    read: Callable[[Mapping[str, str]], Case],
    predict: Callable[[Sequence[Case]], Iterable[Mapping[str, str]]],
) -> list[Answer]:
    """Return the predicted cells of each row, or the row's error. Readable rows are predicted in one batch."""

    def read_one(row: Mapping[str, str]) -> Case | CaseError:
        try:
            return read(row)
        except CaseError as error:
            return error

    cases = [read_one(row) for row in rows]
    cells = iter(predict([case for case in cases if not isinstance(case, CaseError)]))
    return [case if isinstance(case, CaseError) else next(cells) for case in cases]


def run(command: Command, arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. Errors are written to stderr."""
    options = _parser(command).parse_args(arguments)
    try:
        table = read_table(options.cases, dialect=command.dialect)
        slips = slip_lines(table.misspelt, file=table.file)
        if options.strict and slips:
            raise CaseError("\n".join(slips))
        with reading(options.release or latest()):
            answers = command.predict(
                table.cases(), release=options.release or "", level=getattr(options, "level", LEVEL)
            )
        problems = _problems(table.file, rows=[at for at, _ in table.rows], answers=answers)
        if options.strict and problems:
            raise CaseError("\n".join(problems))
        text = csv_text(completed(table, answers=answers, dialect=command.dialect), end="\n")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    kept = ", ".join(f"{name} as {GIVEN}{name}" for name in table.kept)
    notices = [f"{table.file} has columns with the names of predicted ones; copied: {kept}."] if kept else []
    for line in (*notices, *slips, *problems):
        print(line, file=sys.stderr)
    if options.output is None:
        sys.stdout.write(text)
        return 1 if slips or problems else 0
    try:
        write_file(options.output, text=text)
    except OSError as error:
        print(f"{options.output} cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    return 1 if slips or problems else 0


def _problems(file: str, *, rows: Sequence[int], answers: Sequence[Answer]) -> list[str]:
    wrong = [
        f"{file}, row {at}: {answer}"
        for at, answer in zip(rows, answers, strict=True)
        if isinstance(answer, CaseError)
    ]
    more = [f"and {len(wrong) - MOST_PROBLEMS:,} more rows."] if len(wrong) > MOST_PROBLEMS else []
    return [*wrong[:MOST_PROBLEMS], *more]


def _parser(command: Command) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {command.module}")
    actions = parser.add_subparsers(dest="action", required=True)
    action = actions.add_parser(
        "predict",
        help=command.does,
        description=f"{command.does[0].upper()}{command.does[1:]}. {DIALECT}",
        epilog=f"Columns. {command.words}",
    )
    action.add_argument("cases", type=Path, help="CSV file with one case per row")
    action.add_argument("--output", type=Path, help="file to write (default: standard output)")
    action.add_argument("--release", choices=names(), help="data release (default: the newest)")
    action.add_argument(
        "--strict",
        action="store_true",
        help="write nothing if a row has a problem or a column name looks misspelt",
    )
    if command.any_level:
        action.add_argument(
            "--level", type=float, default=LEVEL, help=f"level of the intervals (default: {LEVEL})"
        )
    return parser
