"""Forecasts that would have been made at past dates, computed for all dates at once.

Nothing after an origin enters its forecast. A row is a leader based on what was released by its own day; fits and draws
use only rows released before the origin, and kinks are searched on a fixed calendar grid.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import BoolArray, FloatArray, product
from analysis.trend.bootstrap import expanded_tail
from analysis.trend.estimators import Recipe, enough, refit
from analysis.trend.growth import Series, Window
from analysis.trend.lines import Lines
from analysis.trend.selection import Contest, Rule, select

FEWEST_KNOWN = 10
SHORTEST_KNOWN_YEARS = 2.0
KINK_STEP_YEARS = 0.25
SLOW_DRAWS = 80


@dataclass(frozen=True, kw_only=True, eq=False)
class Origin:
    """One past forecast: the fitted line, its uncertainty, and what was known at its date.

    ``line`` is the fitted line, ``draws`` its bootstrap, ``residuals`` those of the ``n`` points known then, inflated
    for a new point [log10]. ``pace`` is the number of points a year in the two years before. ``record_log10`` is the
    largest value by then.
    """

    year: float
    line: Lines
    draws: Lines
    residuals: FloatArray
    n: int
    pace: float
    record_log10: float

    def at_log10(self, year: ArrayLike) -> FloatArray:
        """Return the forecast for each year, shape (m,). [log10]"""
        return self.line.at(np.atleast_1d(np.asarray(year, dtype=np.float64)))[0]

    def new_points_log10(self, year: ArrayLike) -> FloatArray:
        """Return draws of a new point in each year, shape (draws, m). [log10]"""
        heights = self.draws.at(np.atleast_1d(np.asarray(year, dtype=np.float64)))
        pick = np.random.default_rng(self.n).integers(0, len(self.residuals), len(heights))
        return heights + self.residuals[pick][:, None]

    def prediction_log10(self, year: ArrayLike, *, level: float) -> tuple[FloatArray, FloatArray]:
        """Return the prediction interval for a new point in each year: low and high, each of shape (m,). [log10]"""
        tail = expanded_tail(level=level, degrees_of_freedom=self.n - 2)
        low, high = np.quantile(self.new_points_log10(year), [tail, 1 - tail], axis=0)
        return low, high


@dataclass(frozen=True, kw_only=True, eq=False)
class History:
    """Rows of a series in order of release, and those that the rule and the window select.

    ``order`` is the position of each row in the series, shape (n,); ``chosen`` are the indices of selected rows in the
    new order, shape (m,).
    """

    order: NDArray[np.int64]
    year: FloatArray
    log10: FloatArray
    inside: BoolArray
    chosen: NDArray[np.int64]
    rule: Rule

    @classmethod
    def of(cls, series: Series, *, rule: Rule, window: Window) -> "History":
        """Return the history of a series for a rule and a window."""
        order = np.lexsort((series.name.astype(str), series.value, series.year))
        year, value = series.year[order], series.value[order]
        inside = window.holds(year)
        chosen = np.flatnonzero(select(year, value, rule=rule) & inside)
        return cls(order=order, year=year, log10=np.log10(value), inside=inside, chosen=chosen, rule=rule)

    def lines(self, when: FloatArray, *, recipe: Recipe) -> Lines:
        """Return each origin's line, as it would have been fitted to the points known at its date."""
        x, y = self.year[self.chosen], self.log10[self.chosen]
        known = (x[None, :] < when[:, None]).astype(float)
        return refit(x, y, weights=known, recipe=recipe, kink_years=_kink_grid(x, when))


def forecasts(
    history: History, *, when: FloatArray, recipe: Recipe, draws: int, seed: int
) -> tuple[Origin, ...]:
    """Return the forecast that would have been made at each date in ``when``, shape (k,).

    At least three points of the history, on at least two dates, must precede each date.

    Notes
    -----
    The bootstrap weights each row by an independent Poisson(1) count, which for many rows approximates the multinomial
    bootstrap. The draws of an early origin are then the early part of the draws of a late one, so leaders are
    determined once per copy and all origins are refitted by one matrix product.
    """
    fits = history.lines(when, recipe=recipe)
    if recipe.estimator != "least-squares":
        draws = min(draws, SLOW_DRAWS)
    grid = _kink_grid(history.year[history.chosen], when)
    drawn = _drawn(history, origins=when, recipe=recipe, grid=grid, draws=draws, seed=seed)
    return tuple(
        _origin(history, float(moment), line=one_of(fits, i), draws=drawn[i]) for i, moment in enumerate(when)
    )


def _kink_grid(x: FloatArray, when: FloatArray) -> FloatArray:
    return np.arange(np.ceil(x[0] / KINK_STEP_YEARS) * KINK_STEP_YEARS, when[-1], KINK_STEP_YEARS)


def one_of(lines: Lines, draw: int) -> Lines:
    """Return the line of one draw, as a set with one line."""
    names = ("anchor", "level", "before", "slope", "bent")
    return Lines(**{name: getattr(lines, name)[draw : draw + 1] for name in names})


def _origin(history: History, when: float, *, line: Lines, draws: Lines) -> Origin:
    known = history.chosen[history.year[history.chosen] < when]
    x, y, n = history.year[known], history.log10[known], len(known)
    return Origin(
        year=when,
        line=line,
        draws=draws,
        residuals=(y - line.at(x)[0]) * np.sqrt(n / (n - 2)),
        n=n,
        pace=float((x >= when - 2).sum()) / 2,
        record_log10=float(history.log10[history.year < when].max()),
    )


def _drawn(
    history: History, *, origins: FloatArray, recipe: Recipe, grid: FloatArray, draws: int, seed: int
) -> list[Lines]:
    """Return the bootstrap lines of every origin. Draws with too few points for a line are omitted."""
    counts = np.random.default_rng(seed).poisson(1.0, (len(history.year), draws)).T
    if history.rule.depth is None:
        kept = np.flatnonzero(history.inside)
        copies = counts[:, kept].astype(np.float64)
    else:
        contest = Contest.between(history.year, history.log10, top=history.rule.depth, inside=history.inside)
        kept = contest.contenders
        copies = contest.copies(counts).astype(np.float64)
    x, y = history.year[kept], history.log10[kept]
    if recipe.estimator == "least-squares":
        return _least_squares(x, y, copies=copies, origins=origins)
    lines = []
    for moment in origins:
        then = x < moment
        weights = copies[:, then]
        weights = weights[enough(x[then], weights)]
        lines.append(refit(x[then], y[then], weights=weights, recipe=recipe, kink_years=grid))
    return lines


def _least_squares(x: FloatArray, y: FloatArray, *, copies: FloatArray, origins: FloatArray) -> list[Lines]:
    """Return the least-squares lines of all draws at all origins."""
    start, base = x.min(), float(y[np.argmin(x)])
    u, v = x - start, y - base
    then = (x[:, None] < origins[None, :]).astype(np.float64)
    moments = np.stack([np.ones_like(u), u, v, u * u, u * v])
    sums = product(copies, (moments[:, :, None] * then[None]).transpose(1, 0, 2).reshape(len(x), -1))
    n, sx, sy, sxx, sxy = np.moveaxis(sums.reshape(len(copies), len(moments), len(origins)), 1, 0)
    distinct = product((copies > 0).astype(np.float64), then)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = sxx - sx * sx / n
        holds = (distinct >= 3) & (spread > 1e-6)
        slope = (sxy - sx * sy / n) / spread
        level = base + (sy - slope * sx) / n
    return [
        Lines.straight(level=level[holds[:, i], i], slope=slope[holds[:, i], i]).moved(float(start))
        for i in range(len(origins))
    ]
