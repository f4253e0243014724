"""Every compared row on record, so that the page need not fit anything: one file for each provider.

``python -m scripts.record_model_errors`` writes them anew from what the models say today.
"""

import csv
import io
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from data import records
from views.model_errors.compared import Compared

FOLDER = records.FOLDER / "model_errors"
MONTH = FOLDER / "month.txt"
DIGITS = 4
"""Significant digits on record: far finer than any error, and alike on every machine."""

NUMBERS = ("software_date", "measured", "predicted", "low", "high")


def _cell(value: str | float) -> str:
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return ""
    return f"{value:.6g}" if value > 1e6 else f"{value:.{DIGITS}g}"


def _text(row: Compared, name: str) -> str:
    value = getattr(row, name)
    return f"{value:.2f}" if name == "software_date" and not math.isnan(value) else _cell(value)


def as_text(rows: Sequence[Compared]) -> str:
    """Return rows as the file that keeps them, in the order of their model and row."""
    names = [field.name for field in fields(Compared)]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(names)
    for row in sorted(rows, key=lambda row: (row.model, row.row_id, row.case)):
        writer.writerow([_text(row, name) for name in names])
    return buffer.getvalue()


def from_text(text: str) -> tuple[Compared, ...]:
    """Return the rows that a file keeps.

    Raises
    ------
    ValueError
        A heading that is not that of such a file.
    """
    reader = csv.DictReader(io.StringIO(text))
    names = [field.name for field in fields(Compared)]
    if reader.fieldnames != names:
        raise ValueError(
            f"recorded rows have the columns {', '.join(names)}; got {', '.join(reader.fieldnames or ())}. "
            "Run python -m scripts.record_model_errors."
        )
    return tuple(_row(line) for line in reader)


def _row(line: Mapping[str, str]) -> Compared:
    values: dict[str, Any] = {
        name: float(cell or "nan") if name in NUMBERS else sys.intern(cell) for name, cell in line.items()
    }
    return Compared(**values)


def read(folder: Path = FOLDER) -> tuple[Compared, ...]:
    """Return every row on record."""
    return tuple(
        row for path in sorted(folder.glob("*.csv")) for row in from_text(path.read_text(encoding="utf-8"))
    )


@cache
def rows() -> tuple[Compared, ...]:
    """Return every row on record; read once, then kept."""
    return read()


@cache
def month() -> str:
    """Return the month in which the record was last made anew: 2026-11."""
    return MONTH.read_text(encoding="utf-8").strip()
