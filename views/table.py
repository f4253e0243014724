"""Tables whose columns carry their own cells: heading and getter stand side by side, once.

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
from views.on_demand import OnDemand
from views.result import Cell, Column, Table

Item = TypeVar("Item")


@dataclass(frozen=True, kw_only=True)
class Getter(Generic[Item]):
    """One column of a table, and what of an item stands in it."""

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
    """Return a column with the function that reads its cell off an item; the rest is as in Column."""
    described = Column(name=name, label=label, unit=unit, kind=kind, wide=wide, words=words or {}, rows=rows)
    return Getter(column=described, cell=cell)


def stated_columns(
    stated: Mapping[str, Mapping[str, Any]],
    words: Mapping[str, object] = MappingProxyType({}),
    /,
    **cells: Callable[[Any], Cell],
) -> tuple[Getter[Any], ...]:
    """Return the columns that a TOML table states by name, in its order, its labels and units filled with ``words``.

    A cell is what ``cells`` has under its column's name, else the attribute ``of`` of an item, else that of the
    column's own name. ``placed.name`` is the name of its placed, empty where that is None; so is a number that is
    not finite. The cell of a day is written year first.
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
    """Return the table with one row for each item, in their order, made when it is first read."""
    return Table(
        columns=tuple(getter.column for getter in columns),
        rows=OnDemand(lambda: (tuple(getter.cell(item) for getter in columns) for item in items)),
    )


def along(values: Sequence[float] | FloatArray) -> Callable[[int], float | None]:
    """Return the cell of a table whose items are places: the number at a place, empty where it is not finite."""
    return lambda place: finite(values[place])


def finite(value: float | None) -> float | None:
    """Return the cell of a number: empty where it is unknown or not finite."""
    return None if value is None or not math.isfinite(value) else float(value)
