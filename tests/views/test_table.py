"""Tables made from columns that carry their cells."""

import re
from functools import cache
from typing import TypeGuard

import pytest

from views.registry import VIEWS
from views.result import Cell, Column, Table
from views.table import Getter, column, table
from views.view import answer, read

Pair = tuple[str, int]

COLUMNS: tuple[Getter[Pair], ...] = (
    column("name", lambda pair: pair[0], label="Name", kind="text"),
    column("double", lambda pair: 2 * pair[1], label="Twice", unit="byte"),
)


def test_each_column_reads_its_own_cell_off_every_item():
    name = Column(name="name", label="Name", kind="text")
    double = Column(name="double", label="Twice", unit="byte")
    made = table(COLUMNS, [("a", 1), ("b", 2)])
    assert made == Table(columns=(name, double), rows=(("a", 2), ("b", 4)))


def is_number(cell: Cell) -> TypeGuard[float]:
    """Return whether a cell holds a number; yes and no are none."""
    return isinstance(cell, int | float) and not isinstance(cell, bool)


@cache
def numbers_of(path: str) -> list[tuple[Column, list[float]]]:
    """Return every column of numbers on a page, with those that are known."""
    return [
        (of, known)
        for exhibit in answer(VIEWS[path], read(VIEWS[path], "")[0]).exhibits
        for place, of in enumerate(exhibit.table.columns)
        if (known := [float(cell) for row in exhibit.table.rows if is_number(cell := row[place])])
    ]


@pytest.mark.parametrize("path", VIEWS)
def test_neither_counts_nor_ratios_are_called_shares_which_read_as_percentages(path):
    for of, known in numbers_of(path):
        if of.unit == "1":
            assert not all(number == int(number) for number in known) or max(known) <= 1, of
            assert not re.search(r"(?i)ratio|speed-up|off by|misses|\bover\b", of.label), of


@pytest.mark.parametrize("path", VIEWS)
def test_calendar_years_are_called_years_which_read_without_a_comma(path):
    for of, known in numbers_of(path):
        result = of.unit == "year" or re.search(r"(?i)\byear|released|\bdate\b", of.label)
        if result and all(1990 < number < 2100 for number in known):
            assert of.kind == "year", of


def test_no_cell_is_made_before_a_row_is_read():
    made = []
    rows = table((column("name", lambda name: made.append(name) or name, label="Name"),), ["a", "b"]).rows
    assert made == []
    assert rows[0] == ("a",)
    assert made == ["a"]
