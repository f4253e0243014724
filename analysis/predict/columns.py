"""Columns that a ``predict`` command reads, declared in a ``columns.toml`` file, and the cells of a row."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

SAME = 1e-6

Fault = Literal["none", "infinite", "low", "high", "small", "part"]
"""The fault of a number: missing, infinite, too low, too high, so small that another unit was meant, or not whole."""


class CaseError(ValueError):
    """Error for a case that cannot be predicted, or for a file without cases. It states the problem and the remedy."""


@dataclass(frozen=True, kw_only=True)
class CaseColumn:
    """A column that a command reads: its names, and the values that its cells may have.

    ``others`` are alternative names, each with its factor to the unit of ``name``. A number ranges from ``least``, or
    ``above`` it, to ``most``, and is ``whole`` for counts. ``choices`` are the allowed texts, any if empty. ``base`` is
    the unit of ``name``; ``larger``, ``factor`` times as large, is that of the alternative names. A number above
    ``slip`` was probably given in the former, one below ``fewest`` in the latter. ``what`` describes what reaches
    ``most``.
    """

    name: str
    others: Mapping[str, float] = field(default_factory=dict)
    least: float = 0.0
    above: bool = False
    most: float = math.inf
    whole: bool = False
    choices: tuple[str, ...] = ()
    base: str = ""
    larger: str = ""
    factor: float = 1.0
    fewest: float = 0.0
    slip: float = math.inf
    what: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Return all names of the column, the primary name first."""
        return self.name, *self.others

    def fault(self, value: float) -> Fault | None:
        """Return what is wrong with a number in our unit, or None if the number is valid."""
        checks: tuple[tuple[Fault, bool], ...] = (
            ("infinite", not math.isfinite(value)),
            ("low", value < self.least or (self.above and value == self.least)),
            ("high", value > self.most),
            ("small", value < self.fewest),
            ("part", self.whole and value % 1 != 0),
        )
        return next((fault for fault, wrong in checks if wrong), None)


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell: its stripped text, its column's name in the file, and the factor for conversion to our unit."""

    text: str
    called: str
    factor: float
    column: CaseColumn

    @property
    def unit(self) -> str:
        """Return the unit of the cell's number."""
        return self.column.base if self.factor == 1 else self.column.larger

    def number(self) -> float:
        """Return the cell's number in our unit. NaN if the cell is empty or not a number."""
        try:
            return self.factor * float(self.text)
        except ValueError:
            return math.nan


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """The columns that a command reads and adds, and its messages for invalid numbers.

    The heading must include at least one column of each of ``needs``. ``slips`` are common misnomers of a column that
    spelling alone does not reveal. ``joined`` are added columns whose text is appended to the reader's own. ``passed``
    are the reader's columns that resemble ours but are not slips. ``blanks`` are texts that mean no number.
    """

    columns: tuple[CaseColumn, ...]
    added: tuple[str, ...]
    needs: tuple[tuple[str, ...], ...]
    refusal: Callable[[Cell, Fault], str] = lambda cell, fault: f"{cell.called}: {fault}"
    slips: Mapping[str, str] = field(default_factory=dict)
    joined: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    blanks: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str, CaseColumn]:
        """Return the input columns, keyed by primary name."""
        return {column.name: column for column in self.columns}

    @cached_property
    def known(self) -> Mapping[str, CaseColumn]:
        """Return the input columns, keyed by each of their names."""
        return {name: column for column in self.columns for name in column.names}


@dataclass(frozen=True, kw_only=True)
class CaseRow:
    """A row in a table of cases. ``cells`` are keyed by any name of their column."""

    cells: Mapping[str, str]
    dialect: Dialect

    def __getitem__(self, name: str) -> Cell:
        """Return the cell of a column, found by any of the column's names. The first filled cell counts.

        Raises CaseError if two names of a column have different numbers.
        """
        column = self.dialect.by_name[name]
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
        """Return the text of a column's cell. Empty if there is no cell."""
        return self[name].text

    def number(self, name: str) -> float:
        """Return the number in a column's cell, in our unit. NaN if the cell is empty.

        Raises CaseError if it is not a number, or not one that the column allows; the command words the message.
        """
        cell = self[name]
        if not cell.text or cell.text.lower() in self.dialect.blanks:
            return math.nan
        try:
            value = cell.factor * float(cell.text)
        except ValueError:
            raise CaseError(self.dialect.refusal(cell, "none")) from None
        fault = cell.column.fault(value)
        if fault and not (fault == "small" and cell.factor != 1):
            raise CaseError(self.dialect.refusal(cell, fault))
        return value

    def _cell(self, column: CaseColumn, *, called: str) -> Cell:
        text = (self.cells.get(called) or "").strip()
        return Cell(text=text, called=called, factor=column.others.get(called, 1.0), column=column)


def declared(columns: Mapping[str, Mapping[str, Any]]) -> tuple[CaseColumn, ...]:
    """Return the columns declared in a TOML table. A column's other names form a list if they share its unit."""

    def of(name: str, *, others: Any = (), choices: Sequence[str] = (), **bounds: Any) -> CaseColumn:
        factors = others if isinstance(others, dict) else dict.fromkeys(others, 1.0)
        return CaseColumn(name=name, others=factors, choices=tuple(choices), **bounds)

    return tuple(of(name, **stated) for name, stated in columns.items())


def value_or(value: float, default: float) -> float:
    """Return the number, or the default if it is NaN."""
    return default if math.isnan(value) else value
