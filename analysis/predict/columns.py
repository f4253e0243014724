"""A column that a predict command reads, declared once, and the cells of a row by its names."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

SAME = 1e-6


class CaseError(ValueError):
    """A case that cannot be predicted, or a file without cases; the text says what came and what to do."""


@dataclass(frozen=True, kw_only=True)
class CaseColumn:
    """A column that a command reads: its names, and what its cells may hold.

    ``others`` are its other names, each with the factor to the unit of ``name``. A number is from ``least`` to
    ``most``, ``whole`` where it counts things. ``choices`` are all that a cell may say, anything if there are none.
    """

    name: str
    others: Mapping[str, float] = field(default_factory=dict)
    least: float = 0.0
    most: float = math.inf
    whole: bool = False
    choices: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return all names, the column's own first."""
        return self.name, *self.others


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell without blanks around it: its text, what its column is called, and the factor to our unit."""

    text: str
    called: str
    factor: float

    def number(self) -> float:
        """Return the cell's number in our unit, NaN where there is none or the text is no number."""
        try:
            return self.factor * float(self.text)
        except ValueError:
            return math.nan


@dataclass(frozen=True, kw_only=True)
class CaseRow:
    """A row of a table of cases: its ``cells`` by any name, and the ``columns`` by their own names."""

    cells: Mapping[str, str]
    columns: Mapping[str, CaseColumn]

    def __getitem__(self, name: str) -> Cell:
        """Return the cell of a column, whatever that is called here; the first name that is filled counts.

        Raises
        ------
        CaseError
            Two names of a column hold different numbers.
        """
        column = self.columns[name]
        there = [called for called in column.names if called in self.cells]
        filled = [called for called in there if (self.cells[called] or "").strip()]
        first, *rest = [self._cell(column, called=called) for called in filled or there[:1] or [name]]
        for other in rest:
            one, two = first.number(), other.number()
            if abs(one - two) > SAME * abs(one):
                raise CaseError(
                    f"column {first.called}: {first.text} is not what {other.called} says, which is {other.text}. "
                    "Leave one of them empty."
                )
        return first

    def text(self, name: str) -> str:
        """Return the text of a column's cell, empty where there is none."""
        return self[name].text

    def _cell(self, column: CaseColumn, *, called: str) -> Cell:
        text = (self.cells.get(called) or "").strip()
        return Cell(text=text, called=called, factor=column.others.get(called, 1.0))


def column(*names: str, least: float = 0.0, most: float = math.inf, whole: bool = False) -> CaseColumn:
    """Return a column whose names, its own first, all are in one unit."""
    others = dict.fromkeys(names[1:], 1.0)
    return CaseColumn(name=names[0], others=others, least=least, most=most, whole=whole)


Kind = TypeVar("Kind", bound=CaseColumn)


def declared(columns: Mapping[str, Mapping[str, Any]], *, kind: type[Kind] = CaseColumn) -> tuple[Kind, ...]:
    """Return columns as a TOML table declares them by name; ``others`` in the same unit may be a list."""

    def of(name: str, *, others: Any = (), choices: Sequence[str] = (), **bounds: Any) -> Kind:
        factors = others if isinstance(others, dict) else dict.fromkeys(others, 1.0)
        return kind(name=name, others=factors, choices=tuple(choices), **bounds)

    return tuple(of(name, **stated) for name, stated in columns.items())


def by_name(*columns: CaseColumn) -> dict[str, CaseColumn]:
    """Return columns by their own names, in this order."""
    return {column.name: column for column in columns}


def value_or(value: float, default: float) -> float:
    """Return a number, or what stands for it where it is NaN."""
    return default if math.isnan(value) else value
