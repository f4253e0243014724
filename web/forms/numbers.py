"""A view as numbers: the table of an exhibit as CSV, or the whole result as JSON."""

import json
import math

from data.spreadsheet_text import csv_text
from data.table_text import number
from views.result import Cell, Column, Table, as_json
from web.forms.form import ExhibitSettings, Form, Order


def heading(column: Column) -> str:
    """Return the name of a column with its unit in brackets, where it has one."""
    return f"{column.name} [{column.unit}]" if column.unit not in ("", "1") else column.name


def cell_text(cell: Cell) -> str:
    """Return a cell as CSV has it: the shortest digits that read back the same, empty if unknown."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int):
        return str(cell)
    if isinstance(cell, float):
        return number(cell) if math.isfinite(cell) else ""
    return cell


def table_csv(table: Table) -> bytes:
    """Return a table as CSV: UTF-8, units in the header, no comments, nothing a spreadsheet would run."""
    header = [heading(column) for column in table.columns]
    return csv_text([header, *([cell_text(cell) for cell in row] for row in table.rows)]).encode()


def write_csv(order: Order) -> bytes:
    """Return the table of the exhibit asked for."""
    return table_csv(order.exhibit.table)


def write_json(order: Order) -> bytes:
    """Return the result as the command line prints it."""
    return (json.dumps(as_json(order.result), ensure_ascii=False, allow_nan=False) + "\n").encode()


CSV = Form(
    extension="csv",
    media_type="text/csv; charset=utf-8; header=present",
    what="Numbers of the chart as a table",
    write=write_csv,
    options=ExhibitSettings,
    download=True,
)
JSON = Form(
    extension="json",
    media_type="application/json",
    what="Numbers with settings, headline, notes and sources",
    write=write_json,
)
