"""How far predictions lie from what was measured, and how often their intervals hold, over rows that set nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.intervals import independent_rows, wilson

LEVEL = 0.9
"""The level of the intervals that are checked, and of the interval about the share of rows they hold."""

Verdict = Literal["too narrow", "as stated", "too wide"]


@dataclass(frozen=True, kw_only=True)
class Errors:
    """How far off predictions are: ``rows`` of them from ``groups`` that were left out one by one.

    Errors are predicted over measured, less one: ``size`` is the median of their size, ``bias`` of the error itself,
    nine in ten lie between ``low`` and ``high``. ``inside`` is the share of rows in their 90 % interval, ``inside_low``
    and ``inside_high`` what chance may make of it. [1]
    """

    rows: int
    groups: int
    size: float
    bias: float
    low: float
    high: float
    inside: float
    inside_low: float
    inside_high: float

    @property
    def verdict(self) -> Verdict:
        """Return whether the intervals hold clearly less than their level, clearly more, or as much as can be told."""
        if self.inside_high < LEVEL:
            return "too narrow"
        return "too wide" if self.inside_low > LEVEL else "as stated"


def errors_of(ratio: FloatArray, *, inside: BoolArray, groups: Sequence[str]) -> Errors:
    """Return how far off predictions are, from predicted over measured of each row, shape (n,). [1]

    ``groups`` names what each row was predicted without, such as its chip.

    Raises
    ------
    ValueError
        No row at all, or not one group for each row.
    """
    if not len(ratio) or not len(ratio) == len(inside) == len(groups):
        raise ValueError(
            f"errors are those of one row or more, each with its group; got {len(ratio)} ratios, {len(inside)} "
            f"marks and {len(groups)} groups. Pass the rows of one selection."
        )
    error = np.asarray(ratio, dtype=float) - 1.0
    low, high = np.quantile(error, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    share = float(np.mean(inside))
    inside_low, inside_high = wilson(share, n=independent_rows(inside, groups=groups), level=LEVEL)
    return Errors(
        rows=len(error),
        groups=len(set(groups)),
        size=float(np.median(np.abs(error))),
        bias=float(np.median(error)),
        low=float(low),
        high=float(high),
        inside=share,
        inside_low=inside_low,
        inside_high=inside_high,
    )
