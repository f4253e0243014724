"""How good past forecasts were: select and fit at each past origin with what was out then, compare with what came.

Nothing from after an origin enters its forecast: a row leads or not by what was out on its own day, fits and
draws use rows released before the origin only, and a kink is looked for on a fixed calendar grid.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.growth import Series, Window
from analysis.lines import Lines
from analysis.refits import Recipe, enough, refit
from analysis.resampling import expanded_tail
from analysis.selection import Contest, Rule, select
from analysis.slabs import product

FloatArray = NDArray[np.floating]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.integer]

LEVELS = (0.5, 0.8, 0.9, 0.95)
HORIZONS_YEARS = (1, 2, 3, 4)
EVERY_YEARS = 0.5
FEWEST_KNOWN = 10
SHORTEST_KNOWN_YEARS = 2.0
FEWEST_ORIGINS = 3
KINK_STEP_YEARS = 0.25
MOST_DRAWS, FEWEST_DRAWS = 400, 100
MOST_CELLS = 600_000
SLOW_DRAWS = 80

Rival = Literal["no growth", "last year's growth", "published rate", "other shape"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Origin:
    """One past forecast: what was known then, the line through it, and how sure it was.

    ``line`` is the fitted line, ``draws`` its bootstrap, ``residuals`` those of the ``n`` points known then,
    inflated for a new point [log10]. ``pace`` is how many points a year came in the two years before.
    ``record_log10`` is the largest value out by then.
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
        """Return where a new point should have fallen in each year, low and high, shape (m,). [log10]"""
        tail = expanded_tail(level=level, degrees_of_freedom=self.n - 2)
        low, high = np.quantile(self.new_points_log10(year), [tail, 1 - tail], axis=0)
        return low, high


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """The share of later points inside their intervals; ``low`` to ``high`` is its own uncertainty.

    ``n`` counts pairs of origin and point, ``n_points`` different points.
    """

    level: float
    share: float
    low: float
    high: float
    n: int
    n_points: int

    @property
    def verdict(self) -> Literal["too narrow", "too wide", "as stated"]:
        """Return whether the share misses its level by more than chance would explain."""
        if self.high < self.level:
            return "too narrow"
        return "too wide" if self.low > self.level else "as stated"


@dataclass(frozen=True, kw_only=True, eq=False)
class Backtest:
    """Past forecasts against the points that came, one entry per pair of origin and point, shape (p,).

    ``origin`` and ``row`` number the origin and the row of the series; ``horizon`` is the year ahead (1 is up
    to one year), ``error_log10`` what came minus the forecast, ``low_log10`` and ``high_log10`` the prediction
    intervals by level, shape (levels, p). ``rivals`` are the errors of other forecasts of the same points, nan
    where a rival has none.
    """

    origins: tuple[Origin, ...]
    selected: BoolArray
    origin: IntArray
    row: IntArray
    year: FloatArray
    horizon: IntArray
    actual_log10: FloatArray
    error_log10: FloatArray
    low_log10: FloatArray
    high_log10: FloatArray
    rivals: Mapping[Rival, FloatArray] = field(repr=False)

    def inside(self, level: float) -> BoolArray:
        """Return which points fell inside their interval of a level in ``LEVELS``, shape (p,)."""
        place = _level_place(level)
        return (self.actual_log10 >= self.low_log10[place]) & (self.actual_log10 <= self.high_log10[place])

    def coverage(self, *, level: float, horizon: int, reach: FloatArray | None = None) -> Coverage | None:
        """Return the coverage at a level in the ``horizon``-th year ahead; None where no point came.

        ``reach`` stretches each pair's interval about its forecast, shape (p,).

        Notes
        -----
        Points of one calendar year share their fate, and one point is met from several origins. The interval
        is Wilson's with the effective sample size of a cluster sample (Korn and Graubard, Survey Methodology
        24(2), 1998): by calendar year, and never more than the number of different points.
        """
        at = self.horizon == horizon
        if not at.any():
            return None
        score = self.score(level)
        held = (score <= (1.0 if reach is None else reach))[at]
        n, points = int(at.sum()), len(np.unique(self.row[at]))
        share = float(held.mean())
        years = np.unique(np.floor(self.year[at]), return_inverse=True)[1]
        totals = np.bincount(years).astype(float)
        apart = np.bincount(years, weights=held - share)
        effective = float(points)
        if len(totals) > 1 and 0 < share < 1:
            variance = len(totals) / (len(totals) - 1) * float(np.square(apart).sum()) / n**2
            effective = min(effective, max(share * (1 - share) / max(variance, 1e-12), 1.0))
        low, high = _wilson(share, n=effective, level=0.9)
        return Coverage(level=level, share=share, low=low, high=high, n=n, n_points=points)

    def score(self, level: float) -> FloatArray:
        """Return each error over the reach of its interval on that side, shape (p,): above 1 is outside."""
        place = _level_place(level)
        middle = self.actual_log10 - self.error_log10
        above = np.maximum(self.high_log10[place] - middle, 1e-9)
        below = np.maximum(middle - self.low_log10[place], 1e-9)
        return np.where(self.error_log10 >= 0, self.error_log10 / above, -self.error_log10 / below)

    def median_error_log10(self, *, horizon: int, rival: Rival | None = None) -> float:
        """Return the median distance of the forecasts, or a rival's, from what came; nan without any. [log10]"""
        error = self.error_log10 if rival is None else self.rivals[rival]
        there = error[(self.horizon == horizon) & np.isfinite(error)]
        return float(np.median(np.abs(there))) if len(there) else float("nan")

    def skill(self, rival: Rival, *, horizon: int) -> float:
        """Return the share of the rival's median error that the forecast avoids, on the points both forecast.

        0 is no better, 1 perfect, below 0 worse; nan where the rival forecast nothing.
        """
        theirs = self.rivals[rival]
        both = (self.horizon == horizon) & np.isfinite(theirs)
        if not both.any():
            return float("nan")
        ours = float(np.median(np.abs(self.error_log10[both])))
        other = float(np.median(np.abs(theirs[both])))
        return 1 - ours / other if other else float("nan")


def backtest(
    series: Series,
    *,
    rule: Rule,
    window: Window,
    recipe: Recipe | None = None,
    published_rate: float | None = None,
    every_years: float = EVERY_YEARS,
    seed: int = 20260723,
) -> Backtest:
    """Return what forecasts from past origins were worth.

    Origins lie every ``every_years`` [year], from the first that knew ten selected points over two years. Each
    forecasts the points that the rule took in the four years after it. ``published_rate`` is a growth factor a
    year that the rival "published rate" carries forward from the trend at the origin.

    Raises
    ------
    ValueError
        For fewer than three origins with points after them.

    Notes
    -----
    The bootstrap counts each row Poisson(1) times, independently (Hanley and MacGibbon, 2006; for large n the
    multinomial bootstrap), so the draws of an early origin are the early part of the draws of a late one:
    which copies lead is found once, and all origins are refitted by one product of matrices.
    """
    recipe = recipe or Recipe()
    order = np.lexsort((series.name.astype(str), series.value, series.year))
    year, log10 = series.year[order], np.log10(series.value[order])
    inside = window.holds(year)
    chosen = np.flatnonzero(select(year, series.value[order], rule=rule) & inside)
    x, y = year[chosen], log10[chosen]
    when = _origin_years(x, every_years=every_years)
    if len(when) < FEWEST_ORIGINS:
        raise ValueError(
            f"a backtest needs at least {FEWEST_ORIGINS} past origins that knew {FEWEST_KNOWN} points over "
            f"{SHORTEST_KNOWN_YEARS:g} years; got {len(when)}. Widen the window of years or take more rows (a "
            "larger top, or all)."
        )
    known = x[None, :] < when[:, None]
    grid = np.arange(np.ceil(x[0] / KINK_STEP_YEARS) * KINK_STEP_YEARS, when[-1], KINK_STEP_YEARS)
    fits = refit(x, y, weights=known.astype(float), recipe=recipe, kink_years=grid)

    ahead = (x[None, :] >= when[:, None]) & (x[None, :] < when[:, None] + HORIZONS_YEARS[-1])
    origin, place = np.nonzero(ahead)
    draws = int(np.clip(MOST_CELLS / max(len(origin), 1), FEWEST_DRAWS, MOST_DRAWS))
    if recipe.estimator != "least-squares":
        draws = min(draws, SLOW_DRAWS)
    drawn = _drawn(
        year,
        log10,
        rule=rule,
        inside=inside,
        origins=when,
        recipe=recipe,
        grid=grid,
        draws=draws,
        seed=seed,
    )
    origins = tuple(
        _origin(
            float(when[i]),
            line=_one(fits, i),
            draws=drawn[i],
            x=x[known[i]],
            y=y[known[i]],
            year=year,
            log10=log10,
        )
        for i in range(len(when))
    )
    target, actual = x[place], y[place]
    middle = np.concatenate([o.at_log10(x[ahead[i]]) for i, o in enumerate(origins)])
    ends = [_ends(o, x[ahead[i]]) for i, o in enumerate(origins)]
    bounds = np.concatenate(ends, axis=2)
    back = np.zeros(len(series.year), dtype=bool)
    back[order[chosen]] = True
    return Backtest(
        origins=origins,
        selected=back,
        origin=origin,
        row=order[chosen][place],
        year=target,
        horizon=np.floor(target - when[origin]).astype(np.int64) + 1,
        actual_log10=actual,
        error_log10=actual - middle,
        low_log10=bounds[0],
        high_log10=bounds[1],
        rivals=_rival_errors(
            x,
            y,
            known=known,
            when=when,
            origins=origins,
            origin=origin,
            target=target,
            actual=actual,
            published_rate=published_rate,
            recipe=recipe,
            grid=grid,
        ),
    )


def _level_place(level: float) -> int:
    for place, known in enumerate(LEVELS):
        if abs(known - level) < 1e-9:
            return place
    raise ValueError(
        f"level is one of {', '.join(f'{known:g}' for known in LEVELS)} in a backtest; got {level:g}. "
        "Choose one of these."
    )


def _wilson(share: float, *, n: float, level: float) -> tuple[float, float]:
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * float(np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _origin_years(x: FloatArray, *, every_years: float) -> FloatArray:
    """Return the calendar moments from which enough was known and after which a point came, shape (k,)."""
    if len(x) <= FEWEST_KNOWN:
        return np.empty(0)
    first = max(float(x[FEWEST_KNOWN - 1]), float(x[0]) + SHORTEST_KNOWN_YEARS)
    steps = np.arange(np.floor(first / every_years) + 1, np.floor(float(x[-1]) / every_years) + 1)
    return steps * every_years


def _one(lines: Lines, draw: int) -> Lines:
    names = ("anchor", "level", "before", "slope", "bent")
    return Lines(**{name: getattr(lines, name)[draw : draw + 1] for name in names})


def _origin(
    when: float,
    *,
    line: Lines,
    draws: Lines,
    x: FloatArray,
    y: FloatArray,
    year: FloatArray,
    log10: FloatArray,
) -> Origin:
    n = len(x)
    residuals = (y - line.at(x)[0]) * np.sqrt(n / (n - 2))
    return Origin(
        year=when,
        line=line,
        draws=draws,
        residuals=residuals,
        n=n,
        pace=float((x >= when - 2).sum()) / 2,
        record_log10=float(log10[year < when].max()),
    )


def _ends(origin: Origin, target: FloatArray) -> FloatArray:
    """Return low and high of each level for each target, shape (2, levels, m). [log10]"""
    if not len(target):
        return np.empty((2, len(LEVELS), 0))
    tails = [expanded_tail(level=level, degrees_of_freedom=origin.n - 2) for level in LEVELS]
    cuts = np.quantile(origin.new_points_log10(target), [*tails, *(1 - tail for tail in tails)], axis=0)
    return cuts.reshape(2, len(LEVELS), len(target))


def _drawn(
    year: FloatArray,
    log10: FloatArray,
    *,
    rule: Rule,
    inside: BoolArray,
    origins: FloatArray,
    recipe: Recipe,
    grid: FloatArray,
    draws: int,
    seed: int,
) -> list[Lines]:
    """Return the bootstrap lines of every origin; draws too poor for a line are left out."""
    counts = np.random.default_rng(seed).poisson(1.0, (len(year), draws)).T
    if rule.depth is None:
        kept = np.flatnonzero(inside)
        copies = counts[:, kept].astype(np.float64)
    else:
        contest = Contest.between(year, log10, top=rule.depth, inside=inside, alone=True)
        kept = contest.contenders
        copies = contest.copies(counts).astype(np.float64)
    x, y = year[kept], log10[kept]
    if recipe.estimator == "least-squares":
        return _least_squares(x, y, copies=copies, origins=origins)
    found = []
    for moment in origins:
        then = x < moment
        weights = copies[:, then]
        weights = weights[enough(x[then], weights)]
        found.append(refit(x[then], y[then], weights=weights, recipe=recipe, kink_years=grid))
    return found


def _least_squares(x: FloatArray, y: FloatArray, *, copies: FloatArray, origins: FloatArray) -> list[Lines]:
    """Return the least-squares lines of all draws at all origins, from one product of sums."""
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


def _rival_errors(
    x: FloatArray,
    y: FloatArray,
    *,
    known: BoolArray,
    when: FloatArray,
    origins: tuple[Origin, ...],
    origin: IntArray,
    target: FloatArray,
    actual: FloatArray,
    published_rate: float | None,
    recipe: Recipe,
    grid: FloatArray,
) -> dict[Rival, FloatArray]:
    """Return what came minus each rival's forecast, shape (p,), nan where a rival has no forecast. [log10]"""
    base = np.array([o.at_log10(o.year)[0] for o in origins])
    gone = target - when[origin]
    slope, middle, height = np.full((3, len(when)), np.nan)
    for i, moment in enumerate(when):
        last = (x >= moment - 1) & (x < moment)
        before = (x >= moment - 2) & (x < moment - 1)
        if last.sum() >= 2 and before.sum() >= 2:
            middle[i], height[i] = x[last].mean(), y[last].mean()
            slope[i] = (height[i] - y[before].mean()) / (middle[i] - x[before].mean())
    other = Recipe(estimator="least-squares" if recipe.estimator == "kinked" else "kinked")
    shape = refit(x, y, weights=known.astype(float), recipe=other, kink_years=grid)
    kinked = np.concatenate([_one(shape, i).at(target[origin == i])[0] for i in range(len(when))])
    rate = np.nan if published_rate is None else np.log10(published_rate)
    return {
        "no growth": actual - base[origin],
        "last year's growth": actual - height[origin] - slope[origin] * (target - middle[origin]),
        "published rate": actual - base[origin] - rate * gone,
        "other shape": actual - kinked,
    }
