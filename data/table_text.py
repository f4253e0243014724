"""Tables as reproducible CSV text."""

import csv
import io
import math
from collections.abc import Iterable
from typing import Any

import pandas as pd

from data import contract


def number(value: float) -> str:
    """Return the shortest text that is read back as ``value``. Empty for NaN."""
    if math.isnan(value):
        return ""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def rows(frame: pd.DataFrame, *, table: str) -> list[list[str]]:
    """Return a table as cells of text, header first, in its schema's order and format."""
    columns: list[list[str]] = []
    for field in contract.schema(table)["fields"]:
        values = frame[field["name"]]
        if field["type"] == "number":
            columns.append([number(float(value)) for value in values])
        elif field["type"] == "boolean":
            columns.append(["true" if value else "false" for value in values])
        elif field["type"] == "date" and pd.api.types.is_datetime64_any_dtype(values):
            columns.append(["" if pd.isna(value) else value.date().isoformat() for value in values])
        else:
            columns.append([str(value) for value in values])
    return [list(contract.columns(table)), *(list(row) for row in zip(*columns, strict=True))]


def csv_of(lines: Iterable[Iterable[Any]], *, end: str = "\n") -> str:
    """Return rows of cells as CSV. ``end`` ends each row, and quotes are used only where needed."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator=end).writerows(lines)
    return buffer.getvalue()


def text(frame: pd.DataFrame, *, table: str) -> str:
    """Return a table as CSV."""
    return csv_of(rows(frame, table=table))


def typed(frame: pd.DataFrame, *, table: str) -> pd.DataFrame:
    """Return a table with the types of its schema, as if read back from its file."""
    return contract.read_table(io.StringIO(text(frame, table=table)), table=table)
