"""How much of a history is known: the share of its rows that have a value, by year, and the last record known."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray


@dataclass(frozen=True, kw_only=True)
class YearShare:
    """How many rows of a calendar year are listed, and how many of them have a value."""

    year: int
    listed: int
    known: int

    @property
    def share(self) -> float:
        """Return the share of the rows that have a value. [1]"""
        return self.known / self.listed


def shares(year: FloatArray, known: BoolArray) -> tuple[YearShare, ...]:
    """Return for each calendar year that has rows how many have a value, earliest first.

    ``year`` is decimal [year] and ``known`` whether a row has a value, both of shape (n,).
    """
    calendar = np.floor(np.asarray(year, dtype=np.float64)).astype(int)
    has_value = np.asarray(known, dtype=bool)
    if calendar.shape != has_value.shape:
        raise ValueError(
            f"year and known are of equal length; got {len(calendar)} and {len(has_value)}. Pass one of each per row."
        )
    return tuple(
        YearShare(year=int(one), listed=int(inside.sum()), known=int((inside & has_value).sum()))
        for one in np.unique(calendar)
        for inside in (calendar == one,)
    )


def known_until(year: FloatArray, value: FloatArray) -> float:
    """Return when the largest known value was released: until then the frontier is known. [year]

    ``value`` is positive where it is known and nan elsewhere. What came later and is known is smaller: where a
    frontier grows several times a year, that says that its leaders have no value, not that they stand still.

    Raises
    ------
    ValueError
        If no row has a value.
    """
    values = np.asarray(value, dtype=np.float64)
    if not np.isfinite(values).any():
        raise ValueError("no row has a value, so no frontier is known. Widen the filter.")
    return float(np.min(np.asarray(year, dtype=np.float64)[values == np.nanmax(values)]))
