"""Exports as nobody should write them, and somebody will: hostile and broken ones, and valid ones with odd rows."""

import random
from collections.abc import Callable
from functools import cache

from benchmarks.exports import exported_rows, written
from data.curation_tables import HARDWARE, MODELS, Column
from data.releases import latest, load

Row = dict[str, str]
Change = Callable[[list[Row], tuple[Column, ...], random.Random], None]
FEW = 60
CONTROLS = "".join(
    map(chr, (*range(1, 9), *range(11, 13), *range(14, 32), 127, 0x85, 0x202E, 0xFEFF, 0xFFFE))
)
"""Control characters but for NUL and ends of lines; one that turns the text around, one that is none."""


@cache
def _tables() -> list[tuple[tuple[Column, ...], list[Row]]]:
    release = load(latest())
    return [
        (MODELS, exported_rows(release.training_runs, MODELS, table="training_runs")),
        (HARDWARE, exported_rows(release.exported_accelerators, HARDWARE, table="accelerators")),
    ]


def _set(kind: str, *values: str, rows: int = 1) -> Change:
    """Return what writes one of the values into a column of a kind, of some rows."""

    def change(table: list[Row], columns: tuple[Column, ...], draw: random.Random) -> None:  # noqa: PLR0917
        name = draw.choice([column.name for column in columns if column.kind == kind] or ["type"])
        for row in draw.sample(table, min(rows, len(table))):
            row[name] = draw.choice(values)

    return change


def _one_row(table: list[Row], _columns: tuple[Column, ...], draw: random.Random) -> None:
    table[:] = [draw.choice(table)]


def _alike(table: list[Row], columns: tuple[Column, ...], draw: random.Random) -> None:  # noqa: PLR0917
    """Give all rows the values of one of them, but for their names."""
    first = draw.choice(table)
    table[:] = [{**first, "name": row["name"]} for row in table]


def _empty_columns(table: list[Row], columns: tuple[Column, ...], draw: random.Random) -> None:  # noqa: PLR0917
    names = {column.name for column in draw.sample(columns, len(columns) // 2)} - {"name"}
    for row in table:
        row.update(dict.fromkeys(names, ""))


def _same_names(table: list[Row], _columns: tuple[Column, ...], draw: random.Random) -> None:
    for row in draw.sample(table, len(table) // 2):
        row["name"] = table[0]["name"]


ROWS: dict[str, Change] = {
    "numbers without bounds": _set("number", "1e309", "-1e309", "NaN", "inf", "1e999999"),
    "numbers at the end of doubles": _set("number", "1e308", "1e-308", "5e-324", "1.7e308", rows=FEW),
    "negative numbers": _set("number", "-1", "-0", "-1e30"),
    "numbers in words": _set("number", "a few", "1.2.3", "٣", "0x10", "1 000", "=1+1"),
    "days that do not exist": _set("date", "2026-02-30", "2025-13-01", "0000-00-00", "1.2.2024", "soon"),
    "days out of time": _set("date", "1939-12-31", "2041-01-01", "9999-12-31", "0001-01-01"),
    "days of one year": _set("date", "2026-07-01", rows=FEW),
    "no days": _set("date", "", rows=FEW),
    "markup": _set(
        "text", "<script>alert(1)</script>", "{{7*7}}", "=HYPERLINK(1)", "](javascript:1)", rows=9
    ),
    "control characters": _set("text", CONTROLS, f"a{CONTROLS}b", "\x1b]0;owned\x07", rows=9),
    "huge fields": _set("text", "a" * 900_000, "漢" * 300_000, '"' * 400_000),
    "odd lists": _set("list", ";;;", ",", "a," * 5000, "\n\n", rows=9),
    "one row": _one_row,
    "rows alike": _alike,
    "empty columns": _empty_columns,
    "names twice": _same_names,
}
TEXTS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "a column too few": lambda text, draw: b"\n".join(line.partition(b",")[2] for line in text.split(b"\n")),
    "a column twice": lambda text, draw: text.replace(b",", b",Model,Hardware name,", 1),
    "other columns": lambda text, draw: b"a,b\n1,2\n",
    "only a header": lambda text, draw: text.partition(b"\n")[0],
    "nothing": lambda text, draw: b"",
    "NUL bytes": lambda text, draw: text.replace(b"a", b"\0", 3),
    "UTF-16": lambda text, draw: text.decode().encode("utf-16"),
    "Latin-1": lambda text, draw: text.replace(b"e", b"\xe9", 9),
    "an open quote": lambda text, draw: text.replace(b"\n", b'\n"', 1),
    "cut off": lambda text, draw: text[: draw.randrange(len(text))],
    "semicolons": lambda text, draw: text.replace(b",", b";"),
    "a mark in front and other ends of lines": lambda text, draw: (
        b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")
    ),
    "old ends of lines": lambda text, draw: text.replace(b"\n", b"\r"),
    "a picture": lambda text, draw: b"\x89PNG\r\n\x1a\n" + draw.randbytes(5000),
}
ODD = {*ROWS, *TEXTS}


def odd_export(kind: str, draw: random.Random) -> tuple[int, bytes]:
    """Return which of the two files an odd export is, 0 for models and 1 for hardware, and its bytes."""
    place = draw.randrange(2)
    columns, rows = _tables()[place]
    few = [dict(row) for row in draw.sample(rows, FEW)]
    if kind in ROWS:
        ROWS[kind](few, columns, draw)
        return place, written(few, columns)
    return place, TEXTS[kind](written(few, columns), draw)
