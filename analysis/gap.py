"""How fast two trends drift apart, with a joint interval."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.growth import Growth
from analysis.resampling import expanded_tail
from analysis.trends import power_of_ten

FloatArray = NDArray[np.floating]


@dataclass(frozen=True, kw_only=True)
class Gap:
    """The ratio of two trends: its growth a year, and its size at ``year`` where it was 1 at ``since``.

    ``low`` and ``high`` hold the yearly growth, ``total_low`` and ``total_high`` the size, each with
    probability ``level``.
    """

    yearly_growth: float
    low: float
    high: float
    since: float
    year: float
    total: float
    total_low: float
    total_high: float
    level: float


def gap(faster: Growth, slower: Growth, *, since: float, year: float) -> Gap:
    """Return how the ratio of two trends grows, indexed to 1 at ``since``, measured at ``year``. [year]

    Raises
    ------
    ValueError
        If either growth has no bootstrap draws, if their levels differ, or if ``year`` is not after
        ``since``.

    Notes
    -----
    The two histories are resampled independently, so draw i of one is paired with draw i of the other; the
    tails are widened for few points as for a single rate, by the smaller of the two samples.
    """
    if not len(faster.draw_slope) or not len(slower.draw_slope):
        raise ValueError(
            "a gap needs bootstrap draws on both sides; got a classical interval. Use bootstrap or clustered."
        )
    if faster.level != slower.level:
        raise ValueError(
            f"a gap has one level; got {faster.level:g} and {slower.level:g}. Use the same level for both "
            "sides."
        )
    if year <= since:
        raise ValueError(f"a gap is measured after it is indexed; got since {since:g} and year {year:g}.")
    ends = [since, year]
    draws = min(len(faster.draw_slope), len(slower.draw_slope))
    slopes = faster.draw_slope[:draws] - slower.draw_slope[:draws]
    lines = faster.draw_at(ends)[:draws] - slower.draw_at(ends)[:draws]
    totals = lines[:, 1] - lines[:, 0]
    tail = expanded_tail(level=faster.level, degrees_of_freedom=min(faster.n, slower.n) - 2)
    low, high = np.quantile(slopes, [tail, 1 - tail])
    total_low, total_high = np.quantile(totals, [tail, 1 - tail])
    line = faster.trend.at_log10(ends) - slower.trend.at_log10(ends)
    return Gap(
        yearly_growth=float(power_of_ten(faster.trend.slope_per_year - slower.trend.slope_per_year)),
        low=float(power_of_ten(low)),
        high=float(power_of_ten(high)),
        since=since,
        year=year,
        total=float(power_of_ten(line[1] - line[0])),
        total_low=float(power_of_ten(total_low)),
        total_high=float(power_of_ten(total_high)),
        level=faster.level,
    )
