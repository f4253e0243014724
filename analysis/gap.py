"""How fast two trends drift apart, with a joint interval; and what articles make of two quoted rates."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.growth import Growth
from analysis.resampling import expanded_tail
from analysis.trends import power_of_ten

FloatArray = NDArray[np.floating]


@dataclass(frozen=True, kw_only=True, eq=False)
class Gap:
    """The ratio of two trends: its growth a year, and its size at ``year`` where it was 1 at ``since``.

    ``low`` and ``high`` hold the yearly growth, ``total_low`` and ``total_high`` the size, each with
    probability ``level``; ``n`` is the smaller number of points.
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
    n: int
    _faster: Growth = field(repr=False)
    _slower: Growth | None = field(repr=False)

    def path(self, year: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the ratio in each year and the ends of its interval, each of shape (m,); 1 at ``since``."""
        years = np.atleast_1d(np.asarray(year, dtype=np.float64))
        line, drawn = _ratio(self._faster, self._slower, years=years, since=self.since)
        low, high = np.quantile(drawn, _ends(self._faster, self._slower), axis=0)
        return power_of_ten(line), power_of_ten(low), power_of_ten(high)

    def years_to_multiply(self, factor: float) -> tuple[float, float, float]:
        """Return how long the ratio takes to grow by ``factor``, and its interval; inf where it need not
        grow.

        Raises
        ------
        ValueError
            If the factor is not above 1.
        """
        if not factor > 1:
            raise ValueError(f"factor is what the ratio multiplies by, above 1; got {factor:g}.")
        found = (
            math.log(factor) / math.log(rate) if rate > 1 else math.inf
            for rate in (self.yearly_growth, self.high, self.low)
        )
        value, low, high = found
        return value, low, high


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
    if faster.level != slower.level:
        raise ValueError(
            f"a gap has one level; got {faster.level:g} and {slower.level:g}. Use the same level for both "
            f"sides."
        )
    return _gap(faster, slower, since=since, year=year)


def gap_of_ratio(ratio: Growth, *, since: float, year: float) -> Gap:
    """Return the gap of a ratio measured row by row, such as FLOP/s per byte/s of the same chips.

    Raises
    ------
    ValueError
        If the growth has no bootstrap draws, or if ``year`` is not after ``since``.
    """
    return _gap(ratio, None, since=since, year=year)


def _gap(faster: Growth, slower: Growth | None, *, since: float, year: float) -> Gap:
    if not len(faster.draw_slope) or (slower is not None and not len(slower.draw_slope)):
        raise ValueError(
            "a gap needs bootstrap draws on both sides; got a classical interval. Use bootstrap or clustered."
        )
    if year <= since:
        raise ValueError(f"a gap is measured after it is indexed; got since {since:g} and year {year:g}.")
    line, drawn = _ratio(faster, slower, years=np.array([year]), since=since)
    draws, slope = faster.draw_slope, faster.trend.slope_per_year
    if slower is not None:
        size = min(len(draws), len(slower.draw_slope))
        draws, slope = draws[:size] - slower.draw_slope[:size], slope - slower.trend.slope_per_year
    ends = _ends(faster, slower)
    low, high = np.quantile(draws, ends)
    total_low, total_high = np.quantile(drawn[:, 0], ends)
    return Gap(
        yearly_growth=float(power_of_ten(slope)),
        low=float(power_of_ten(low)),
        high=float(power_of_ten(high)),
        since=since,
        year=year,
        total=float(power_of_ten(line[0])),
        total_low=float(power_of_ten(total_low)),
        total_high=float(power_of_ten(total_high)),
        level=faster.level,
        n=_fewest(faster, slower),
        _faster=faster,
        _slower=slower,
    )


def _fewest(faster: Growth, slower: Growth | None) -> int:
    return faster.n if slower is None else min(faster.n, slower.n)


def _ends(faster: Growth, slower: Growth | None) -> list[float]:
    tail = expanded_tail(level=faster.level, degrees_of_freedom=_fewest(faster, slower) - 2)
    return [tail, 1 - tail]


def _ratio(
    faster: Growth, slower: Growth | None, *, years: FloatArray, since: float
) -> tuple[FloatArray, FloatArray]:
    """Return the log10 ratio, zero at ``since``: of the trends, shape (m,), and of each draw, (draws, m)."""
    when = np.append(years, since)
    line, drawn = faster.trend.at_log10(when), faster.draw_at(when)
    if slower is not None:
        other = slower.draw_at(when)
        size = min(len(drawn), len(other))
        line, drawn = line - slower.trend.at_log10(when), drawn[:size] - other[:size]
    return line[:-1] - line[-1], drawn[:, :-1] - drawn[:, -1:]


@dataclass(frozen=True, kw_only=True)
class Arithmetic:
    """What two quoted growth factors amount to, in the readings that articles mix up.

    ``ratio_of_multipliers`` is how fast the gap grows a year; ``ratio_of_percentages`` and ``ratio_of_logs``
    compare the two rates and are not the growth of anything.
    """

    compute_growth: float
    bandwidth_growth: float
    ratio_of_multipliers: float
    ratio_of_percentages: float
    ratio_of_logs: float
    compute_doubling_months: float
    bandwidth_doubling_months: float

    def gap_after(self, years: float) -> float:
        """Return the gap after so many years, 1 at the start."""
        return self.ratio_of_multipliers**years

    def years_until(self, gap: float) -> float:
        """Return the years until the gap is ``gap``; inf if it does not widen. [year]"""
        rate = self.ratio_of_multipliers
        return math.log(gap) / math.log(rate) if rate > 1 else math.inf


def arithmetic(*, compute_growth: float, bandwidth_growth: float) -> Arithmetic:
    """Return the readings of two growth factors, such as 5 and 1.28 a year.

    Raises
    ------
    ValueError
        If a factor is not above 1: nothing then grows, and its percentage and doubling time mean nothing.
    """
    for name, value in (("compute_growth", compute_growth), ("bandwidth_growth", bandwidth_growth)):
        if not value > 1:
            raise ValueError(
                f"{name} is a growth factor a year, above 1; got {value:g}. For 28 % a year pass 1.28."
            )
    return Arithmetic(
        compute_growth=compute_growth,
        bandwidth_growth=bandwidth_growth,
        ratio_of_multipliers=compute_growth / bandwidth_growth,
        ratio_of_percentages=(compute_growth - 1) / (bandwidth_growth - 1),
        ratio_of_logs=math.log(compute_growth) / math.log(bandwidth_growth),
        compute_doubling_months=12 * math.log(2) / math.log(compute_growth),
        bandwidth_doubling_months=12 * math.log(2) / math.log(bandwidth_growth),
    )
