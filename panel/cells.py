"""How a cell of a table reads: numbers as print has them, a dash for what is not known."""

import math
from urllib.parse import urlsplit

from views.result import Cell, Column

NOTHING = "–"
LARGE, SMALL = 1e9, 1e-3
DIGITS = 4

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def cell_text(cell: Cell, column: Column) -> str:
    """Return what a reader sees in a cell: 9,216 · 3.845 × 10²⁶ · yes · – for nothing."""
    if cell is None or cell == "":
        return NOTHING
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return site_of(cell) if column.kind == "link" else cell
    if not math.isfinite(cell):
        return NOTHING
    if column.kind == "year":
        return f"{cell:.0f}"
    return number_text(cell)


def number_text(value: float) -> str:
    """Return a number as print has it: whole ones in full below a milliard, others in four digits."""
    size = abs(value)
    if size and not SMALL <= size < LARGE:
        mantissa, exponent = f"{value:.{DIGITS - 1}e}".split("e")
        if "." in mantissa:
            mantissa = mantissa.rstrip("0").rstrip(".")
        return f"{mantissa.replace('-', '−')} × 10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    if value == int(value):
        return f"{int(value):,}".replace("-", "−")
    decimals = max(0, DIGITS - 1 - math.floor(math.log10(size)))
    text = f"{value:,.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if decimals else text).replace("-", "−")


def site_of(address: str) -> str:
    """Return the name of the site a web address leads to, which stands for it in a table."""
    return urlsplit(address).netloc.removeprefix("www.") or address


def heading(column: Column) -> str:
    """Return the heading of a column with its unit, where it has one."""
    return f"{column.label} [{column.unit}]" if column.unit not in ("", "1") else column.label
