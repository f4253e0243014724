"""The workbook of a native chart, with the numbers from the chart's description under readable headers.

Text is stored as text, never as a formula, and stays text when a reader edits the cell.
"""

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import xlsxwriter
from xlsxwriter.utility import xl_col_to_name

from charts.powerpoint.drawingml import number, plain

Cell = str | float | None

FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The earliest date that a zip allows. It makes entries reproducible."""

_FORMULA_STARTS = ("=", "+", "-", "@")


class _Exact(float):
    """A number that is written with all its digits. XlsxWriter would round it to 16 digits."""

    def __format__(self, _spec: str) -> str:
        return number(self)


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A range within one column, as a reference in the chart, and its values."""

    formula: str
    values: Sequence[Cell]


class Sheet:
    """A worksheet with blocks of columns side by side, each with a title, headers and values."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.columns: list[tuple[str, str, Sequence[Cell]]] = []

    def __bool__(self) -> bool:
        return bool(self.columns)

    def add(self, title: str, columns: Sequence[tuple[str, Sequence[Cell]]]) -> tuple[Reference, ...]:
        """Write a block of columns. Return references to its title and to each column."""
        first = len(self.columns)
        for k, (header, values) in enumerate(columns):
            self.columns.append((title if k == 0 else "", header, values))
        self.columns.append(("", "", ()))
        references = [Reference(formula=f"'{self.name}'!${xl_col_to_name(first)}$1", values=(title,))]
        for k, (_, values) in enumerate(columns):
            letters = xl_col_to_name(first + k)
            formula = f"'{self.name}'!${letters}$3:${letters}${max(len(values), 1) + 2}"
            references.append(Reference(formula=formula, values=values))
        return tuple(references)


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """Return the .xlsx file with these sheets. Equal sheets give equal bytes."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"created": datetime(*FIRST_DAY)})
        head = book.add_format({"bold": True, "quote_prefix": True})
        guarded = book.add_format({"quote_prefix": True})
        for sheet in sheets:
            page = book.add_worksheet(sheet.name)
            page.freeze_panes(2, 0)
            for k, (title, header, values) in enumerate(sheet.columns):
                page.set_column(k, k, _width(header, values))
                for row, text in enumerate((title, header)):
                    if text:
                        page.write_string(row, k, plain(text), head)
                for row, value in enumerate(values, start=2):
                    if isinstance(value, str) and value:
                        starts = value.lstrip().startswith(_FORMULA_STARTS)
                        page.write_string(row, k, plain(value), guarded if starts else None)
                    elif isinstance(value, float | int) and math.isfinite(value):
                        page.write_number(row, k, _Exact(value))
    return file.getvalue()


def _width(header: str, values: Sequence[Cell]) -> int:
    texts = [value for value in values[:200] if isinstance(value, str)]
    return min(48, max(10, *(len(text) for text in (header, *texts))) + 2) if header or texts else 3
