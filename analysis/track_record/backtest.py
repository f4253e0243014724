"""Backtest of forecasts made at past dates, compared with points observed later."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from analysis.arrays import BoolArray, FloatArray, IntArray
from analysis.intervals import SEED, independent_rows, wilson
from analysis.track_record import past_forecasts
from analysis.trend.bootstrap import expanded_tail
from analysis.trend.estimators import Recipe
from analysis.trend.growth import Series, Window
from analysis.trend.selection import Rule

LEVELS = (0.5, 0.8, 0.9, 0.95)
HORIZONS_YEARS = (1, 2, 3, 4)
EVERY_YEARS = 0.5
FEWEST_ORIGINS = 3
MOST_DRAWS, FEWEST_DRAWS = 400, 100
MOST_CELLS = 600_000

Rival = Literal["no growth", "last year's growth", "published rate", "other shape"]


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """The share of later points inside their prediction intervals, and a confidence interval for that share.

    ``n`` counts pairs of origin and point, ``n_points`` distinct points, and ``n_effective`` the equivalent number of
    independent points.
    """

    level: float
    share: float
    low: float
    high: float
    n: int
    n_points: int
    n_effective: float

    @property
    def verdict(self) -> Literal["too narrow", "too wide", "as stated"]:
        """Return the verdict on the share: below the level, above it, or consistent with it."""
        if self.high < self.level:
            return "too narrow"
        return "too wide" if self.low > self.level else "as stated"


@dataclass(frozen=True, kw_only=True, eq=False)
class Backtest:
    """Past forecasts and the points observed later, one entry per pair of origin and point, shape (p,).

    ``origin`` and ``row`` are indices of the origin and of the row in the series. ``horizon`` is the year ahead (1 is
    up to one year), ``error_log10`` the observation minus the forecast, ``low_log10`` and ``high_log10`` the prediction
    intervals by level, shape (levels, p). ``rivals`` are the errors of other forecasts of the same points, NaN if a
    rival has none.
    """

    origins: tuple[past_forecasts.Origin, ...]
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
        """Return a mask, shape (p,), of the points inside their intervals at a level in ``LEVELS``."""
        place = _level_place(level)
        return (self.actual_log10 >= self.low_log10[place]) & (self.actual_log10 <= self.high_log10[place])

    def coverage(self, *, level: float, horizon: int, reach: FloatArray | None = None) -> Coverage | None:
        """Return the coverage at a level in the ``horizon``-th year ahead. None if there are no points.

        ``reach`` scales each pair's interval around its forecast, shape (p,).

        Notes
        -----
        Points of one calendar year are correlated, and one point is forecast from several origins. The interval is
        Wilson's with the effective sample size of a cluster sample (Korn and Graubard, Survey Methodology 24(2), 1998):
        by calendar year, and never more than the number of distinct points.
        """
        at = self.horizon == horizon
        if not at.any():
            return None
        score = self.score(level)
        held = (score <= (1.0 if reach is None else reach))[at]
        n, points = int(at.sum()), len(np.unique(self.row[at]))
        share = float(held.mean())
        effective = independent_rows(held, groups=np.floor(self.year[at]), most=points)
        low, high = wilson(share, n=effective, level=0.9)
        return Coverage(
            level=level, share=share, low=low, high=high, n=n, n_points=points, n_effective=effective
        )

    def coverages(self, *, level: float) -> dict[int, Coverage]:
        """Return the coverage at a level, keyed by year ahead."""
        by_year = {horizon: self.coverage(level=level, horizon=horizon) for horizon in HORIZONS_YEARS}
        return {horizon: covered for horizon, covered in by_year.items() if covered}

    def score(self, level: float) -> FloatArray:
        """Return each error over the interval's width on the error's side, shape (p,). Points above 1 are outside."""
        place = _level_place(level)
        middle = self.actual_log10 - self.error_log10
        above = np.maximum(self.high_log10[place] - middle, 1e-9)
        below = np.maximum(middle - self.low_log10[place], 1e-9)
        return np.where(self.error_log10 >= 0, self.error_log10 / above, -self.error_log10 / below)

    def median_error_log10(self, *, horizon: int, rival: Rival | None = None) -> float:
        """Return the median absolute error of our forecasts, or of a rival's. NaN if there are no forecasts. [log10]"""
        error = self.error_log10 if rival is None else self.rivals[rival]
        there = error[(self.horizon == horizon) & np.isfinite(error)]
        return float(np.median(np.abs(there))) if len(there) else float("nan")

    def closest_first(
        self, rivals: Sequence[Rival], *, horizon: int
    ) -> tuple[tuple[Rival | None, float], ...]:
        """Return the known median errors of our forecast (keyed None) and its rivals, smallest first.

        The forecast precedes a rival with an equal error. [log10]
        """
        errors: dict[Rival | None, float] = {None: self.median_error_log10(horizon=horizon)}
        errors |= {rival: self.median_error_log10(horizon=horizon, rival=rival) for rival in rivals}
        known: list[Rival | None] = [rival for rival, error in errors.items() if np.isfinite(error)]
        return tuple((rival, errors[rival]) for rival in sorted(known, key=errors.__getitem__))

    @property
    def yearly(self) -> tuple[past_forecasts.Origin, ...]:
        """Return one origin a year: the last origin, and those a whole number of years before it."""
        return tuple(one for one in self.origins if abs((self.origins[-1].year - one.year) % 1) <= 1e-6)

    def skill(self, rival: Rival, *, horizon: int) -> float:
        """Return the share of a rival's median error that our forecast avoids.

        It is 0 if no better, 1 if perfect, below 0 if worse, and NaN if the rival has no forecast.
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
    seed: int = SEED,
) -> Backtest:
    """Return the backtest of forecasts made from past origins.

    Origins are ``every_years`` apart [year], from the first that knew ten selected points over two years. Each
    forecasts the points selected by the rule in the four years after it. ``published_rate`` is a growth factor a year;
    the rival "published rate" extrapolates with it from the trend at the origin.

    Raises ValueError if fewer than three origins have points after them.
    """
    recipe = recipe or Recipe()
    history = past_forecasts.History.of(series, rule=rule, window=window)
    x, y = history.year[history.chosen], history.log10[history.chosen]
    when = _origin_years(x, every_years=every_years)
    if len(when) < FEWEST_ORIGINS:
        raise ValueError(
            f"a backtest needs at least {FEWEST_ORIGINS} past origins that knew {past_forecasts.FEWEST_KNOWN} points "
            f"over {past_forecasts.SHORTEST_KNOWN_YEARS:g} years; got {len(when)}. Widen the window of years or take "
            "more rows (a larger top, or all)."
        )
    ahead = (x[None, :] >= when[:, None]) & (x[None, :] < when[:, None] + HORIZONS_YEARS[-1])
    origin, place = np.nonzero(ahead)
    draws = int(np.clip(MOST_CELLS / max(len(origin), 1), FEWEST_DRAWS, MOST_DRAWS))
    origins = past_forecasts.forecasts(history, when=when, recipe=recipe, draws=draws, seed=seed)
    target, actual = x[place], y[place]
    middle = np.concatenate([o.at_log10(x[ahead[i]]) for i, o in enumerate(origins)])
    bounds = np.concatenate([_ends(o, x[ahead[i]]) for i, o in enumerate(origins)], axis=2)
    selected = np.zeros(len(series.year), dtype=bool)
    selected[history.order[history.chosen]] = True
    other = Recipe(estimator="least-squares" if recipe.estimator == "kinked" else "kinked")
    shapes = history.lines(when, recipe=other)
    return Backtest(
        origins=origins,
        selected=selected,
        origin=origin,
        row=history.order[history.chosen][place],
        year=target,
        horizon=np.floor(target - when[origin]).astype(np.int64) + 1,
        actual_log10=actual,
        error_log10=actual - middle,
        low_log10=bounds[0],
        high_log10=bounds[1],
        rivals={
            **_rival_errors(
                x,
                y,
                when=when,
                origins=origins,
                origin=origin,
                target=target,
                actual=actual,
                published_rate=published_rate,
            ),
            "other shape": actual
            - np.concatenate([past_forecasts.one_of(shapes, i).at(x[ahead[i]])[0] for i in range(len(when))]),
        },
    )


def _level_place(level: float) -> int:
    for place, known in enumerate(LEVELS):
        if abs(known - level) < 1e-9:
            return place
    raise ValueError(
        f"level is one of {', '.join(f'{known:g}' for known in LEVELS)} in a backtest; got {level:g}. "
        "Choose one of these."
    )


def _origin_years(x: FloatArray, *, every_years: float) -> FloatArray:
    """Return the dates, shape (k,), with enough points known before them and a point after them."""
    if len(x) <= past_forecasts.FEWEST_KNOWN:
        return np.empty(0)
    first = max(float(x[past_forecasts.FEWEST_KNOWN - 1]), float(x[0]) + past_forecasts.SHORTEST_KNOWN_YEARS)
    steps = np.arange(np.floor(first / every_years) + 1, np.floor(float(x[-1]) / every_years) + 1)
    return steps * every_years


def _ends(origin: past_forecasts.Origin, target: FloatArray) -> FloatArray:
    """Return the interval bounds at each level for each target, shape (2, levels, m). [log10]"""
    if not len(target):
        return np.empty((2, len(LEVELS), 0))
    tails = [expanded_tail(level=level, degrees_of_freedom=origin.n - 2) for level in LEVELS]
    cuts = np.quantile(origin.new_points_log10(target), [*tails, *(1 - tail for tail in tails)], axis=0)
    return cuts.reshape(2, len(LEVELS), len(target))


def _rival_errors(
    x: FloatArray,
    y: FloatArray,
    *,
    when: FloatArray,
    origins: tuple[past_forecasts.Origin, ...],
    origin: IntArray,
    target: FloatArray,
    actual: FloatArray,
    published_rate: float | None,
) -> dict[Rival, FloatArray]:
    """Return the observation minus each rival's forecast, shape (p,). NaN if the rival has none. [log10]"""
    base = np.array([o.at_log10(o.year)[0] for o in origins])
    gone = target - when[origin]
    slope, middle, height = np.full((3, len(when)), np.nan)
    for i, moment in enumerate(when):
        last = (x >= moment - 1) & (x < moment)
        before = (x >= moment - 2) & (x < moment - 1)
        if last.sum() >= 2 and before.sum() >= 2:
            middle[i], height[i] = x[last].mean(), y[last].mean()
            slope[i] = (height[i] - y[before].mean()) / (middle[i] - x[before].mean())
    rate = np.nan if published_rate is None else np.log10(published_rate)
    return {
        "no growth": actual - base[origin],
        "last year's growth": actual - height[origin] - slope[origin] * (target - middle[origin]),
        "published rate": actual - base[origin] - rate * gone,
    }
