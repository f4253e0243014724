"""Growth of a series with its uncertainty: selected points, a fitted line and its interval."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.intervals import SEED, Estimate, Resamples, check_level
from analysis.trend.bootstrap import cluster_numbers, expanded_tail, refits
from analysis.trend.caveats import Caveat, caveats
from analysis.trend.classical import Classical, classical
from analysis.trend.estimators import Estimator, Recipe
from analysis.trend.kinks import candidate_years
from analysis.trend.lines import Lines
from analysis.trend.projection import Projection, project
from analysis.trend.selection import Rule, select
from analysis.trend.trend import Trend, doubling_time_years, fit, power_of_ten

Interval = Literal["bootstrap", "classical", "clustered"]
INTERVALS: tuple[Interval, ...] = ("bootstrap", "classical", "clustered")
FewClusters = Literal["refuse", "rows"]
"""Rule for a clustered interval with fewer than five clusters: raise an error, or resample rows."""
FEWEST_CLUSTERS = 5


@dataclass(frozen=True, kw_only=True, eq=False)
class Series:
    """A history with one row per model or chip. Each field has shape (n,).

    ``year`` is decimal [year], ``value`` positive in any one unit, ``cluster`` the organisation or vendor ("" if
    unknown), ``name`` the label of the row.
    """

    year: FloatArray
    value: FloatArray
    cluster: NDArray[np.object_]
    name: NDArray[np.object_]

    def __post_init__(self) -> None:
        """Raise an error if fields have unequal lengths or a value has no logarithm."""
        for name, kind in (
            ("year", np.float64),
            ("value", np.float64),
            ("cluster", object),
            ("name", object),
        ):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=kind))
        lengths = {name: len(getattr(self, name)) for name in ("year", "value", "cluster", "name")}
        if len(set(lengths.values())) > 1:
            counts = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise ValueError(
                f"the fields of a series have equal length; got {counts}. Pass one entry per row."
            )
        for name in ("year", "value"):
            wrong = np.flatnonzero(~np.isfinite(getattr(self, name)))
            if len(wrong):
                row = int(wrong[0])
                raise ValueError(
                    f"{name} is a finite number in every row; got {getattr(self, name)[row]} in row {row} "
                    f"({self.name[row]}). Leave that row out."
                )
        wrong = np.flatnonzero(self.value <= 0)
        if len(wrong):
            row = int(wrong[0])
            raise ValueError(
                f"value is positive, since growth is fitted on its logarithm; got {self.value[row]:g} in row "
                f"{row} ({self.name[row]}). Leave that row out."
            )


@dataclass(frozen=True, kw_only=True)
class Window:
    """Years used in the fit: ``since`` <= year < ``until``. A bound of None leaves that end open. [year]"""

    since: float | None = None
    until: float | None = None

    def __post_init__(self) -> None:
        """Raise an error if the window ends before it begins."""
        if self.since is not None and self.until is not None and self.since >= self.until:
            raise ValueError(
                f"a window begins before it ends; got since {self.since:g} and until {self.until:g}. "
                "Swap them."
            )

    def holds(self, year: FloatArray) -> BoolArray:
        """Return a mask, shape (n,), of the years inside the window."""
        since = -np.inf if self.since is None else self.since
        until = np.inf if self.until is None else self.until
        return (year >= since) & (year < until)


@dataclass(frozen=True, kw_only=True, eq=False)
class Growth:
    """A growth rate with its interval.

    ``selected`` is the mask of fitted rows, shape (rows,), and ``n`` their number. ``growth_low`` to ``growth_high`` is
    the interval of yearly growth at ``level``, ``doubling_low`` to ``doubling_high`` that of the doubling time, inf if
    the interval includes no growth [year]. ``rule`` and ``draws`` are the inputs. ``clusters`` is the number of fitted
    clusters if these are resampled, otherwise 0; ``caveats`` are the weaknesses. ``tail`` is the share of draws left
    out at each end, smaller with fewer points; (1 - level) / 2 if classical.
    """

    trend: Trend
    selected: BoolArray
    n: int
    growth_low: float
    growth_high: float
    doubling_low: float
    doubling_high: float
    level: float
    interval: Interval
    rule: Rule
    draws: int
    clusters: int
    caveats: tuple[Caveat, ...]
    tail: float
    _lines: Lines | None = field(repr=False)
    _sample: bytes = field(repr=False)
    _classical: Classical | None = field(repr=False)
    _residuals: FloatArray = field(repr=False)
    _seed: int = field(repr=False)

    @property
    def yearly(self) -> Estimate:
        """Return the yearly growth with its interval."""
        return Estimate(value=self.trend.yearly_growth, low=self.growth_low, high=self.growth_high)

    @property
    def resamples(self) -> Resamples | None:
        """Return the yearly growth in each bootstrap draw. None if the interval is classical."""
        if self._lines is None:
            return None
        return Resamples(sample=self._sample, value=power_of_ten(self._lines.slope), tail=self.tail)

    @property
    def draw_slope(self) -> FloatArray:
        """Return the slope of each bootstrap draw, shape (draws,). Empty if there are none. [log10 per year]"""
        return np.empty(0) if self._lines is None else self._lines.slope

    def draw_at(self, year: ArrayLike) -> FloatArray:
        """Return each draw's line in each year, shape (draws, len(year)). A classical fit has no draws. [log10]"""
        years = np.atleast_1d(np.asarray(year, dtype=np.float64))
        return np.empty((0, len(years))) if self._lines is None else self._lines.at(years)

    def project(self, year: ArrayLike) -> Projection:
        """Return the trend in each year, shape (m,), with intervals for the trend and for a new point."""
        return project(
            self.trend,
            year=year,
            level=self.level,
            lines=self._lines,
            classical=self._classical,
            residuals=self._residuals,
            tail=self.tail,
            seed=self._seed,
        )


def growth(
    series: Series,
    *,
    rule: Rule,
    window: Window,
    estimator: Estimator = "least-squares",
    interval: Interval = "bootstrap",
    few_clusters: FewClusters = "refuse",
    level: float = 0.9,
    quantile: float = 0.5,
    draws: int = 2000,
    seed: int = SEED,
) -> Growth:
    """Return the growth rate of rows within ``window`` that ``rule`` selects from the whole series.

    Filter the series first: the rule selects from its whole history, and the window restricts only the fit.
    ``bootstrap`` resamples rows, selects again and refits; ``clustered`` does so with whole clusters; ``classical``
    treats the selected points as fixed. With ``few_clusters`` "rows", fewer than five clusters among the fitted rows
    make it ``bootstrap``, with a caveat. The same arguments give the same result, whatever the order of the rows.

    Raises ValueError if there are too few points or fewer than two draws, the level is outside (0, 1), the interval is
    unknown, or a clustered interval has fewer than five clusters among the fitted rows, unless ``few_clusters`` is
    "rows".

    Notes
    -----
    Organisations stay above or below the trend for years, so runs of one organisation are not independent. Simulations
    used 400 histories each with the dates and organisations of release 2026-07 (528 runs, top 10 since 2012, 300
    draws), effects of organisations of 1.03 and a scatter of 1.32 orders of magnitude (as estimated from it). A 90%
    interval covered the slope in 85% of cases by rows and 93% by organisations; with organisations resampled too, in
    82% and 89%; without effects of organisations, in 92% and 95%. tests/analysis/trend/test_coverage.py repeats it with
    60 organisations active for two years each: 69% by rows, 89% by organisations.
    """
    _check(level=level, interval=interval, draws=draws)
    recipe = Recipe(estimator=estimator, quantile=quantile)
    selected = select(series.year, series.value, rule=rule) & window.holds(series.year)
    trend = fit(series.year[selected], series.value[selected], estimator=estimator, quantile=quantile)

    order = np.lexsort((series.name.astype(str), series.value, series.year))
    year, log10, inside = series.year[order], np.log10(series.value[order]), window.holds(series.year[order])
    chosen = selected[order]
    cluster, groups, too_few = None, 0, None
    if interval == "clustered":
        cluster = cluster_numbers(series.cluster[order])
        groups = len(np.unique(cluster[chosen]))
        if groups < FEWEST_CLUSTERS and few_clusters == "rows":
            cluster, interval, too_few, groups = None, "bootstrap", groups, 0
        elif groups < FEWEST_CLUSTERS:
            raise ValueError(
                f"a clustered interval needs at least {FEWEST_CLUSTERS} organizations or vendors among the "
                f"fitted points; got {groups}. Use the bootstrap interval, or widen the window or the filter."
            )

    lines, textbook, dropped, sample, tail = None, None, 0, b"", (1 - level) / 2
    if interval == "classical":
        textbook = classical(trend, year=year[chosen], log10=log10[chosen], level=level)
        slope_low, slope_high = textbook.slope_low, textbook.slope_high
    else:
        drawn = refits(
            year,
            log10,
            rule=rule,
            inside=inside,
            recipe=recipe,
            kink_years=candidate_years(year[chosen]),
            draws=draws,
            seed=seed,
            cluster=cluster,
        )
        lines, dropped, sample = drawn.lines, drawn.dropped, drawn.sample
        tail = expanded_tail(
            level=level, degrees_of_freedom=groups - 1 if cluster is not None else trend.n - 2
        )
        slope_low, slope_high = (float(q) for q in np.quantile(lines.slope, [tail, 1 - tail]))

    doubling_low, doubling_high = doubling_interval(slope_low, slope_high)
    return Growth(
        trend=trend,
        selected=selected,
        n=trend.n,
        growth_low=float(power_of_ten(slope_low)),
        growth_high=float(power_of_ten(slope_high)),
        doubling_low=doubling_low,
        doubling_high=doubling_high,
        level=level,
        interval=interval,
        rule=rule,
        draws=draws,
        clusters=groups,
        caveats=caveats(
            trend=trend,
            rule=rule,
            interval=interval,
            dropped=dropped / draws,
            flat=slope_low <= 0 <= slope_high,
            bent_share=None if lines is None else float(lines.bent.mean()),
            few_clusters=too_few,
        ),
        tail=tail,
        _lines=lines,
        _sample=sample,
        _classical=textbook,
        _residuals=log10[chosen] - trend.at_log10(year[chosen]),
        _seed=seed,
    )


def doubling_interval(slope_low: float, slope_high: float) -> tuple[float, float]:
    """Return the doubling times at the bounds of a slope's interval, shortest first. [year]

    The upper bound is inf if the interval includes no growth. An interval entirely of decline gives minus the halving
    times.
    """
    if slope_low <= 0 < slope_high:
        return doubling_time_years(slope_high), float("inf")
    if slope_high == 0:
        return float("inf"), float("inf")
    return doubling_time_years(slope_high), doubling_time_years(slope_low)


def _check(*, level: float, interval: str, draws: int) -> None:
    check_level(level)
    if interval not in INTERVALS:
        raise ValueError(f"interval is one of {', '.join(INTERVALS)}; got {interval!r}. Choose one of these.")
    if draws < 2:
        raise ValueError(f"draws is how often the bootstrap refits, at least 2; got {draws}. Pass 2000.")
