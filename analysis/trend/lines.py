"""Fitted lines, one per draw, straight or with one kink."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from analysis.arrays import BoolArray, FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Lines:
    """Lines of log10(value) over decimal year. Every field has shape (draws,).

    ``anchor`` is the kink, or any year of a straight line [year]; ``level`` the height there [log10]; ``before`` and
    ``slope`` the slopes on either side, equal if straight [log10 per year].
    """

    anchor: FloatArray
    level: FloatArray
    before: FloatArray
    slope: FloatArray
    bent: BoolArray

    @classmethod
    def straight(cls, *, level: FloatArray, slope: FloatArray) -> Self:
        """Return lines without a kink, anchored at zero."""
        bent = np.zeros(len(slope), dtype=bool)
        return cls(anchor=np.zeros_like(slope), level=level, before=slope, slope=slope, bent=bent)

    @classmethod
    def joined(cls, parts: list[Self]) -> Self:
        """Return the lines of all parts, in the order given."""
        names = ("anchor", "level", "before", "slope", "bent")
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})

    def moved(self, years: float) -> Self:
        """Return the same lines, shifted by ``years``."""
        return replace(self, anchor=self.anchor + years)

    def at(self, year: FloatArray) -> FloatArray:
        """Return the height of each line in each year, shape (draws, len(year)). [log10]"""
        gone = np.asarray(year, dtype=np.float64)[None, :] - self.anchor[:, None]
        return self.level[:, None] + gone * np.where(gone >= 0, self.slope[:, None], self.before[:, None])
