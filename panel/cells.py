"""Text of table cells, as formatted numbers or a dash, and tables as CSV with full precision."""

import math
from urllib.parse import urlsplit

from data.spreadsheet_text import csv_text
from data.table_text import number
from views.result import Cell, Column, Table
from views.wording import PREFIXED_UNITS, quantity

NOTHING = "–"
LARGE, SMALL = 1e9, 1e-3
DIGITS = 4
PERCENT_DIGITS = 3
SHARE, TIMES, YEARLY = "1", "x", "x/year"
"""Units of shares (shown as percentages), factors and yearly factors."""

_UNITS = {YEARLY: "× a year", "log10": "log₁₀"}

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def cell_text(cell: Cell, column: Column) -> str:
    """Return the text of a cell, such as 9,216, 3.845 × 10²⁶, 42% or yes. An empty cell is shown as –."""
    if cell is None or cell == "":
        return NOTHING
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return site_of(cell) if column.kind == "link" else column.words.get(cell, cell)
    if not math.isfinite(cell):
        return NOTHING
    if column.kind == "year":
        return f"{cell:.0f}" if cell == int(cell) else f"{cell:.6g}"
    if column.unit == SHARE:
        return share_text(cell)
    if column.kind == "scientific" and column.unit in PREFIXED_UNITS:
        return quantity(cell, column.unit)
    text = number_text(cell)
    return _filled(text) if column.unit == YEARLY else f"{text}×" if column.unit == TIMES else text


def share_text(share: float) -> str:
    """Return a share as a percentage, such as 42%, 3.7% or 0%. A share slightly below one is shown as > 99.9%."""
    if 0.9995 <= share < 1:
        return "> 99.9%"
    return f"{number_text(100 * share, digits=PERCENT_DIGITS)}%"


def _filled(text: str) -> str:
    """Return a growth factor with appended zeros, to align its column: 4.52 becomes 4.520."""
    whole, _, decimals = text.partition(".")
    missing = DIGITS - len(whole) - len(decimals)
    return f"{whole}.{decimals}{'0' * missing}" if whole.isdigit() and missing > 0 else text


def number_text(value: float, *, digits: int = DIGITS) -> str:
    """Return a number as text. Whole numbers below a billion are written in full, others with four digits."""
    size = abs(value)
    if size and not SMALL <= size < LARGE:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        if "." in mantissa:
            mantissa = mantissa.rstrip("0").rstrip(".")
        return f"{mantissa.replace('-', '−')} × 10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    if value == int(value):
        return f"{int(value):,}".replace("-", "−")
    decimals = max(0, digits - 1 - math.floor(math.log10(size)))
    text = f"{value:,.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if decimals else text).replace("-", "−")


def site_of(address: str) -> str:
    """Return the site in a web address, for display in a table."""
    return urlsplit(address).netloc.removeprefix("www.") or address


def heading(column: Column) -> str:
    """Return a column's heading, with the unit unless the cells include it."""
    plain = column.unit in ("", SHARE, TIMES) or column.unit.startswith("1/") or column.kind == "year"
    if plain or (column.kind == "scientific" and column.unit in PREFIXED_UNITS):
        return column.label
    return f"{column.label} [{_UNITS.get(column.unit, column.unit)}]"


def table_csv(table: Table) -> str:
    """Return a table as CSV, with units in the header and nothing that a spreadsheet would execute."""
    units = [f" [{column.unit}]" if column.unit not in ("", "1") else "" for column in table.columns]
    header = [f"{column.name}{unit}" for column, unit in zip(table.columns, units, strict=True)]
    return csv_text([header, *([_csv_cell(cell) for cell in row] for row in table.rows)])


def _csv_cell(cell: Cell) -> str:
    """Return a cell for CSV, with the fewest digits that give the same number. Empty if unknown."""
    match cell:
        case bool():
            return "true" if cell else "false"
        case float():
            return number(cell) if math.isfinite(cell) else ""
        case _:
            return "" if cell is None else str(cell)
