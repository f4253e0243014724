"""The columns that a case of a placement may have, and their numbers, within what devices and models have."""

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path

from analysis.predict.columns import CaseColumn, CaseError, CaseRow, by_name, declared
from analysis.predict.table import PROBLEM, Dialect


@dataclass(frozen=True, kw_only=True)
class Quantity(CaseColumn):
    """A column of numbers in a ``base`` unit, and what a number beyond its bounds was likely meant as.

    The fields are as in case_columns.toml.
    """

    base: str
    what: str = ""
    fewest: float = 0.0
    slip: float = math.inf
    factor: float = 1.0
    larger: str = ""
    above: bool = True

    def unit(self, factor: float) -> str:
        """Return the unit of a cell with this factor to the base unit."""
        return self.base if factor == 1 else self.larger


_STATED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_QUANTITIES = {column.name: column for column in declared(_STATED["quantities"], kind=Quantity)}
COLUMNS = {**by_name(*declared(_STATED["names"])), **_QUANTITIES}
SPEEDS = tuple(
    f"predicted_{what}_tokens_per_s{end}" for what in ("decode", "prefill") for end in ("", "_low", "_high")
)
DIALECT = Dialect(
    columns=tuple(COLUMNS.values()),
    added=(*SPEEDS, "error_percent", "note", PROBLEM),
    needs=(("device", "memory_bandwidth_byte_per_s"), ("model", "weights_byte", "n_parameters")),
    slips=_STATED["slips"],
    joined=("note",),
    passed=("measured_prefill_tokens_per_s",),
)


def unit_of(row: CaseRow, name: str) -> str:
    """Return the unit in which the row gives, or would give, a column's number."""
    return _QUANTITIES[name].unit(row[name].factor)


def number_of(row: CaseRow, name: str) -> float:
    """Return a cell's number in our unit, NaN where empty.

    Raises
    ------
    CaseError
        Not a finite number, one that is too small, or one beyond any device.
    """
    cell, quantity = row[name], _QUANTITIES[name]
    if not cell.text:
        return math.nan
    try:
        value = float(cell.text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        point = " with a point for decimals," if "," in cell.text else ""
        raise CaseError(
            f"column {cell.called}: a finite number is needed; got {cell.text!r}. Write it like 1008 or 4.92,{point} "
            "or leave it empty."
        )
    least = quantity.least
    if value < least or (quantity.above and value == least):
        words = "above" if quantity.above else "at least"
        raise CaseError(
            f"column {cell.called}: a number {words} {least:g} is needed; got {cell.text}. "
            "Check its unit and sign, or leave it empty."
        )
    base = cell.factor * value
    unit = quantity.unit(cell.factor)
    if base > quantity.most:
        slip = "Check its unit."
        if base >= quantity.slip and cell.factor != 1:
            slip = f"If these are {quantity.base}, write {value / quantity.factor:g}."
        what = f"; {quantity.what}" if quantity.what else ""
        raise CaseError(
            f"column {cell.called}: at most {quantity.most / cell.factor:g} {unit}{what}; got {cell.text}. {slip}"
        )
    if base < quantity.fewest and cell.factor == 1:
        raise CaseError(
            f"column {cell.called}: at least {quantity.fewest:g} {unit}; got {cell.text}. If these are "
            f"{quantity.larger}, write {value * quantity.factor:g}."
        )
    return base
