"""Growth of the ratio of two trends, with a joint interval, and arithmetic on quoted growth rates."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from analysis.arrays import FloatArray
from analysis.intervals import Estimate
from analysis.trend.growth import Growth
from analysis.trend.trend import power_of_ten

SHUFFLE_SEED = 20260724
CURVE_POINTS = 25
"""Number of points in the curve of a section."""


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """A section of a ratio's path, with bounds, each of shape (n,). ``extended`` marks one beyond the data."""

    year: tuple[float, ...]
    ratio: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    extended: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Gap(Estimate):
    """The ratio of two trends, indexed to 1 at ``since``, and its yearly growth.

    ``low`` to ``high`` is the interval of yearly growth at ``level``; ``n`` is the smaller number of points.
    """

    since: float
    year: float
    level: float
    n: int
    _faster: Growth = field(repr=False)
    _slower: Growth | None = field(repr=False)

    @property
    def ratio(self) -> Growth | None:
        """Return the trend of a ratio measured in each row. None if the gap divides one trend by another."""
        return self._faster if self._slower is None else None

    def path(self, year: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the ratio in each year and its interval's bounds, each of shape (m,). The ratio is 1 at ``since``."""
        years = np.atleast_1d(np.asarray(year, dtype=np.float64))
        line, drawn = _ratio(self._faster, self._slower, years=years, since=self.since)
        low, high = np.quantile(drawn, _ends(self._faster, self._slower), axis=0)
        return power_of_ten(line), power_of_ten(low), power_of_ten(high)

    def stretches(self, *, first: float, to: float) -> tuple["Stretch", ...]:
        """Return the ratio from ``since`` to ``to``, split at the ``first`` and last points of the data."""
        begin, last = max(self.since, first), min(self.year, to)
        cuts = ((self.since, begin, True), (begin, last, False), (last, to, True))
        return tuple(
            self._stretch(left, right, extended=beyond) for left, right, beyond in cuts if right > left
        )

    def _stretch(self, left: float, right: float, *, extended: bool) -> "Stretch":
        years = np.linspace(left, right, CURVE_POINTS)
        year, ratio, low, high = (tuple(values.tolist()) for values in (years, *self.path(years)))
        return Stretch(year=year, ratio=ratio, low=low, high=high, extended=extended)


def gap(faster: Growth, slower: Growth, *, since: float, year: float) -> Gap:
    """Return the growth of two trends' ratio, which is indexed to 1 at ``since``.

    Raises ValueError if either growth has no bootstrap draws, if levels differ, or if ``year`` is not after ``since``.

    Notes
    -----
    The two histories are resampled independently: the draws of the slower are shuffled before they are paired,
    because both bootstraps use the same seed and would resample histories of equal length identically. The interval is
    wider than the level implies, as for a single rate with few points: the widening is the mean of both sides, weighted
    by their share of the variance of the gap's growth.
    """
    if faster.level != slower.level:
        raise ValueError(
            f"a gap has one level; got {faster.level:g} and {slower.level:g}. Use the same level for both "
            f"sides."
        )
    return _gap(faster, slower, since=since, year=year)


def gap_of_ratio(ratio: Growth, *, since: float, year: float) -> Gap:
    """Return the gap of a ratio, such as a chip's FLOP/s per byte/s, that is measured in each row.

    Raises ValueError if the growth has no bootstrap draws, or if ``year`` is not after ``since``.

    Notes
    -----
    Its interval is that of the ratio's own growth. Least-squares slopes of both sides on the same rows differ by
    exactly its slope.
    """
    return _gap(ratio, None, since=since, year=year)


def _gap(faster: Growth, slower: Growth | None, *, since: float, year: float) -> Gap:
    if not len(faster.draw_slope) or (slower is not None and not len(slower.draw_slope)):
        raise ValueError(
            "a gap needs bootstrap draws on both sides; got a classical interval. Use bootstrap or clustered."
        )
    if year <= since:
        raise ValueError(f"a gap is measured after it is indexed; got since {since:g} and year {year:g}.")
    slope = faster.trend.slope_per_year - (0.0 if slower is None else slower.trend.slope_per_year)
    low, high = np.quantile(_slopes(faster, slower), _ends(faster, slower))
    return Gap(
        value=float(power_of_ten(slope)),
        low=float(power_of_ten(low)),
        high=float(power_of_ten(high)),
        since=since,
        year=year,
        level=faster.level,
        n=faster.n if slower is None else min(faster.n, slower.n),
        _faster=faster,
        _slower=slower,
    )


def drift(ratio: Growth, *, since: float, year: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the factor by which a trend moves from ``since`` to each year, and its bounds, each of shape (m,).

    All are 1 at ``since``: a value known in that year is carried along the trend, and only the trend's growth is
    uncertain. A classical interval is that of the yearly growth, raised to the number of years.
    """
    years = np.atleast_1d(np.asarray(year, dtype=np.float64))
    line, drawn = _ratio(ratio, None, years=years, since=since)
    if len(drawn):
        low, high = np.quantile(drawn, _ends(ratio, None), axis=0)
    else:
        rates = np.log10([ratio.growth_low, ratio.growth_high]) - ratio.trend.slope_per_year
        low, high = np.sort(line + rates[:, None] * (years - since), axis=0)
    return power_of_ten(line), power_of_ten(low), power_of_ten(high)


def _paired(faster: Growth, slower: Growth) -> tuple[slice, NDArray[np.int64]]:
    """Return which draws of the two trends are paired. Those of the slower trend are shuffled."""
    size = min(len(faster.draw_slope), len(slower.draw_slope))
    order = np.random.default_rng(SHUFFLE_SEED).permutation(len(slower.draw_slope))
    return slice(size), order[:size]


def _slopes(faster: Growth, slower: Growth | None) -> FloatArray:
    if slower is None:
        return faster.draw_slope
    mine, theirs = _paired(faster, slower)
    return faster.draw_slope[mine] - slower.draw_slope[theirs]


def _ends(faster: Growth, slower: Growth | None) -> list[float]:
    """Return the cumulative probabilities of the interval's bounds, widened like both trends' intervals."""
    plain = float(ndtri((1 - faster.level) / 2))
    sides = [faster] if slower is None else [faster, slower]
    # The interval of two rates is widened like their own intervals, weighted by their share of the variance.
    own = np.array([ndtri(side.tail) / plain if side.tail > 0 else np.inf for side in sides])
    variance = np.array([side.draw_slope.var() for side in sides])
    if len(sides) == 1 or not np.isfinite(own).all() or variance.sum() == 0:
        tail = min(side.tail for side in sides)
    else:
        tail = float(ndtr(plain * np.sqrt((own**2 * variance).sum() / variance.sum())))
    return [tail, 1 - tail]


def _ratio(
    faster: Growth, slower: Growth | None, *, years: FloatArray, since: float
) -> tuple[FloatArray, FloatArray]:
    """Return the trends' log10 ratio, shape (m,), and that of each draw, shape (draws, m). Both are 0 at ``since``."""
    when = np.append(years, since)
    line, drawn = faster.trend.at_log10(when), faster.draw_at(when)
    if slower is not None:
        mine, theirs = _paired(faster, slower)
        line, drawn = line - slower.trend.at_log10(when), drawn[mine] - slower.draw_at(when)[theirs]
    return line[:-1] - line[-1], drawn[:, :-1] - drawn[:, -1:]


@dataclass(frozen=True, kw_only=True)
class Arithmetic:
    """Ways, often confused in articles, to compare two quoted growth factors.

    ``ratio_of_multipliers`` is the yearly growth of the gap; ``ratio_of_percentages`` and ``ratio_of_logs`` compare the
    two rates and are not the growth of anything.
    """

    compute_growth: float
    bandwidth_growth: float
    ratio_of_multipliers: float
    ratio_of_percentages: float
    ratio_of_logs: float
    compute_doubling_months: float
    bandwidth_doubling_months: float

    def gap_after(self, years: float) -> float:
        """Return the gap after ``years`` years if it starts from 1."""
        return self.ratio_of_multipliers**years

    def years_until(self, gap: float) -> float:
        """Return the number of years until the ratio reaches ``gap``. Infinite if the gap does not widen. [year]

        Raises ValueError if the gap is not above 1, its value at the start.
        """
        if not 1 < gap < math.inf:
            raise ValueError(f"gap is a factor above 1 and finite; got {gap:g}. For fifteen times pass 15.")
        rate = self.ratio_of_multipliers
        return math.log(gap) / math.log(rate) if rate > 1 else math.inf


def arithmetic(*, compute_growth: float, bandwidth_growth: float) -> Arithmetic:
    """Return what two growth factors, such as 5 and 1.28 a year, may mean.

    Raises ValueError if a factor is not above 1 or not finite: its percentage and doubling time are then undefined.
    """
    for name, value in (("compute_growth", compute_growth), ("bandwidth_growth", bandwidth_growth)):
        if not 1 < value < math.inf:
            raise ValueError(
                f"{name} is a growth factor a year, above 1 and finite; got {value:g}. For 28% a year pass 1.28."
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
