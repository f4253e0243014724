"""Every comparison on record, so that the page need not fit anything: one file for each provider.

``python -m scripts.records model-errors`` writes them anew from what the models say today.
"""

from functools import cache
from pathlib import Path

from analysis.model_errors.comparison import Comparison, from_text
from data import records

FOLDER = records.FOLDER / "model_errors"
MONTH = FOLDER / "month.txt"


def read(folder: Path = FOLDER) -> tuple[Comparison, ...]:
    """Return every row on record."""
    return tuple(
        row for path in sorted(folder.glob("*.csv")) for row in from_text(path.read_text(encoding="utf-8"))
    )


@cache
def rows() -> tuple[Comparison, ...]:
    """Return every row on record; read once, then cached."""
    return read()


@cache
def month() -> str:
    """Return the month in which the record was last made anew: 2026-11."""
    return MONTH.read_text(encoding="utf-8").strip()
