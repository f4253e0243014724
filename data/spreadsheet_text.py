"""CSV text that no spreadsheet runs as a formula."""

import re
from collections.abc import Iterable, Sequence

from data.table_text import csv_of

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - full width ones run too
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?", flags=re.ASCII)


def harmless(text: str) -> str:
    """Return text as a safe cell, with an apostrophe in front of a formula. Numbers stay as they are.

    Source: OWASP, "CSV Injection".
    """
    return f"'{text}" if text.startswith(_STARTS) and not _NUMBER.fullmatch(text) else text


def csv_text(rows: Iterable[Sequence[str]], *, end: str = "\r\n") -> str:
    """Return rows as CSV (RFC 4180), with cells made safe for spreadsheets. Each row ends with ``end``."""
    return csv_of(([harmless(cell) for cell in row] for row in rows), end=end)
