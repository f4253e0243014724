"""Tables whose columns define their own cells. A column has a heading and a function that gets a cell.

COLUMNS: tuple[Getter[Run], ...] = (
    column("name", lambda run: run.name, label="Run", kind="text"),
    column("days", lambda run: run.days, label="Days", unit="d"),
)
table(COLUMNS, runs)
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from analysis.arrays import FloatArray
from views.lazy_sequence import LazySequence
from views.result import Cell, Column, Table

Item = TypeVar("Item")


@dataclass(frozen=True, kw_only=True)
class Getter(Generic[Item]):
    """One column of a table, and the function that gets its cell from an item."""

    column: Column
    cell: Callable[[Item], Cell]


def column(
    name: str,
    cell: Callable[[Item], Cell],
    *,
    label: str,
    unit: str = "",
    kind: str = "number",
    wide: int = 0,
    words: Mapping[str, str] | None = None,
    rows: str = "",
) -> Getter[Item]:
    """Return a column with the function that gets its cell from an item."""
    described = Column(name=name, label=label, unit=unit, kind=kind, wide=wide, words=words or {}, rows=rows)
    return Getter(column=described, cell=cell)


def stated_columns(
    stated: Mapping[str, Mapping[str, Any]],
    words: Mapping[str, object] = MappingProxyType({}),
    /,
    **cells: Callable[[Any], Cell],
) -> tuple[Getter[Any], ...]:
    """Return the columns in a TOML table, in order, with ``words`` inserted into their labels and units.

    The cell of a column comes from its function in ``cells`` or, without one, from the item's attribute ``of`` or that
    with the column's name. An attribute ``placed.name`` is the name of the item's ``placed``. The cell is empty if
    ``placed`` is None or a number is not finite. Dates are written year first.
    """

    def stated_column(name: str, *, of: str = "", label: str, unit: str = "", **others: Any) -> Getter[Any]:
        cell = cells.get(name) or _attribute(of or name)
        return column(name, cell, label=label.format_map(words), unit=unit.format_map(words), **others)

    return tuple(stated_column(name, **others) for name, others in stated.items())


def _attribute(path: str) -> Callable[[Any], Any]:
    def cell(item: Any) -> Any:
        value = reduce(
            lambda part, name: None if part is None else getattr(part, name), path.split("."), item
        )
        if isinstance(value, date):
            return f"{value:%Y-%m-%d}"
        return finite(value) if isinstance(value, float) else value

    return cell


def table(columns: Sequence[Getter[Item]], items: Sequence[Item]) -> Table:
    """Return a table with one row per item, in order. It is built on first access."""
    return Table(
        columns=tuple(getter.column for getter in columns),
        rows=LazySequence(lambda: (tuple(getter.cell(item) for getter in columns) for item in items)),
    )


def along(values: Sequence[float] | FloatArray) -> Callable[[int], float | None]:
    """Return a function from an index to the number at that index. It returns None if the number is not finite."""
    return lambda place: finite(values[place])


def finite(value: float | None) -> float | None:
    """Return a number as a table cell. None if the number is unknown or not finite."""
    return None if value is None or not math.isfinite(value) else float(value)
