"""What each test of a statement measures at each frozen release, on record: no view need be computed for a verdict.

``python -m scripts.records claims`` writes it anew from what views and tables say today.
"""

import csv
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from analysis.claims.verdict import Measured
from data import records

FILE = records.FOLDER / "claim_tests.csv"

Key = tuple[str, str, int]
"""A release, a statement and the number of its test."""


@cache
def on_record() -> Mapping[Key, Measured]:
    """Return every number on record; read once."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return {
            (row["release"], row["claim_id"], int(row["part"])): Measured(
                value=float(row["value"]),
                low=float(row["low"]),
                high=float(row["high"]),
                level=float(row["level"]) if row["level"] else None,
            )
            for row in csv.DictReader(file)
        }


def key_of(release: str, test: Any) -> Key:
    """Return where a test, a row of the table ``claim_tests``, is on record."""
    return release, test.claim_id, int(test.part)


def recorded(release: str, test: Any) -> Measured | None:
    """Return what a test measures at a frozen release; None where it is not on record."""
    return on_record().get(key_of(release, test))


def is_on_record(release: str) -> bool:
    """Return whether the tests of a release are on record; a release that has just arrived has none."""
    return any(recorded == release for recorded, _, _ in on_record())


def as_text(rows: Iterable[tuple[Key, Measured]]) -> str:
    """Return the record as CSV, numbers with every digit."""
    cells = ((*key, *map(repr, (ours.value, ours.low, ours.high)), ours.level or "") for key, ours in rows)
    return records.text_of("recorded_claim_tests", cells)
