"""The columns that a training run may have, and how their cells are read: numbers, words, yes or no."""

import math
import tomllib
from pathlib import Path

from analysis.predict.columns import CaseError, CaseRow, by_name, declared
from analysis.predict.table import Dialect

_STATED = tomllib.loads(Path(__file__).with_name("columns.toml").read_text(encoding="utf-8"))
(MODEL,), SHAPE, NEEDED, CHIP, OPEN, (NOTE,) = (declared(group) for group in _STATED["columns"].values())
COLUMNS = by_name(MODEL, *SHAPE, *NEEDED, *CHIP, *OPEN, NOTE)
DIALECT = Dialect(
    columns=tuple(COLUMNS.values()),
    passed=("notes",),
    added=tuple(_STATED["added"]),
    needs=(
        *((size.name, "model") for size in SHAPE),
        ("sequence_tokens",),
        ("global_batch",),
        ("accelerator", "peak_flop_per_s"),
    ),
)


def number_of(row: CaseRow, name: str) -> float | None:
    """Return a cell's number, None where it is empty.

    Raises
    ------
    CaseError
        No number, too small, or not whole where it should be; or nothing where every run needs one.
    """
    cell, column = row[name], COLUMNS[name]
    if not cell.text:
        if column in NEEDED:
            raise CaseError(f"{cell.called} is needed; it is empty. Give it for every case.")
        return None
    try:
        value = cell.factor * float(cell.text)
    except ValueError:
        raise CaseError(f"{cell.called} is a number; got {cell.text!r}.") from None
    least = min(column.least, 1.0)
    if not math.isfinite(value) or value < least:
        raise CaseError(f"{cell.called} is {least:g} or more; got {cell.text!r}.")
    if column.whole and value != int(value):
        raise CaseError(f"{cell.called} is a whole number; got {cell.text!r}.")
    return value


def whole_of(row: CaseRow, name: str) -> int | None:
    """Return a cell's whole number, None where it is empty."""
    value = number_of(row, name)
    return None if value is None else int(value)


def share_of(row: CaseRow, name: str) -> float | None:
    """Return a cell's share, None where it is empty."""
    share = number_of(row, name)
    if share is not None and share > 1:
        raise CaseError(f"{row[name].called} is a share from 0 to 1; got '{share:g}'.")
    return share


def choice_of(row: CaseRow, name: str) -> str | None:
    """Return a cell's word in lower case, None where it is empty.

    Raises
    ------
    CaseError
        None of the words that the column may hold.
    """
    cell, choices = row[name], COLUMNS[name].choices
    text = cell.text.lower()
    if text and text not in choices:
        raise CaseError(f"{cell.called} is one of {', '.join(choices)}, or empty; got {text!r}.")
    return text or None


def flag_of(row: CaseRow, name: str) -> bool | None:
    """Return whether a cell says yes, None where it is empty.

    Raises
    ------
    CaseError
        Neither yes nor no.
    """
    cell = row[name]
    text = cell.text.lower()
    if text not in ("", "0", "1", "true", "false", "yes", "no"):
        raise CaseError(f"{cell.called} is true or false, or empty; got {text!r}.")
    return text in ("1", "true", "yes") if text else None
