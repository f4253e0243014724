"""Errors of held-out predictions, and how often their intervals cover the measurement."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.intervals import wilson

LEVEL = 0.9
"""Level of the tested intervals, and of the interval around their coverage."""

FEWEST_SOURCES = 7
"""Minimum number of sources for a verdict of consistency. Fewer cannot show that a coverage of 70% is too low. [1]"""
Verdict = Literal["too narrow", "as stated", "too wide", "too few sources"]


@dataclass(frozen=True, kw_only=True)
class Errors:
    """Error statistics of ``rows`` rows from ``sources`` sources, each row predicted without its own source.

    Errors are predicted over measured, minus one. Every source has equal weight: ``size`` is the median over sources of
    the median absolute error, ``bias`` that of the signed error, ``inside`` the mean over sources of the share of rows
    in their 90% interval. ``inside_low`` and ``inside_high`` are its sampling interval. Nine in ten rows are between
    ``low`` and ``high``; ``largest`` is the share of rows from the source with most rows. [1]
    """

    rows: int
    sources: int
    size: float
    bias: float
    low: float
    high: float
    inside: float
    inside_low: float
    inside_high: float
    largest: float

    @property
    def verdict(self) -> Verdict:
        """Return the verdict on coverage: clearly below the nominal level, clearly above it, or not shown to differ."""
        if self.inside_high < LEVEL:
            return "too narrow"
        if self.inside_low > LEVEL:
            return "too wide"
        return "as stated" if self.sources >= FEWEST_SOURCES else "too few sources"


def errors_of(ratio: FloatArray, *, inside: BoolArray, sources: Sequence[str]) -> Errors:
    """Return the error statistics of rows, given the ratios of predicted to measured values, shape (n,).

    ``sources`` names the source of each row, shape (n,).

    Raises ValueError if there is no row, or not one source for each row.
    """
    if not len(ratio) or not len(ratio) == len(inside) == len(sources):
        raise ValueError(
            f"errors are those of one row or more, each with its source; got {len(ratio)} ratios, {len(inside)} "
            f"marks and {len(sources)} sources. Pass the rows of one selection."
        )
    error = np.asarray(ratio, dtype=float) - 1.0
    low, high = np.quantile(error, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    at = [np.flatnonzero(np.asarray(sources) == name) for name in dict.fromkeys(sources)]
    share = float(np.mean([np.mean(inside[rows]) for rows in at]))
    inside_low, inside_high = wilson(share, n=len(at), level=LEVEL)
    return Errors(
        rows=len(error),
        sources=len(at),
        size=float(np.median([np.median(np.abs(error[rows])) for rows in at])),
        bias=float(np.median([np.median(error[rows]) for rows in at])),
        low=float(low),
        high=float(high),
        inside=share,
        inside_low=inside_low,
        inside_high=inside_high,
        largest=max(map(len, at)) / len(error),
    )
