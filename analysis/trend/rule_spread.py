"""The growth rate under many sensible rules at once, so that a reader sees what the choice of rule does."""

from collections.abc import Iterable
from dataclasses import dataclass

from analysis.arrays import FloatArray
from analysis.trend.estimators import Estimator
from analysis.trend.growth import FewClusters, Interval, Series, Window, growth
from analysis.trend.selection import Rule


@dataclass(frozen=True, kw_only=True)
class RuleCase:
    """One way to ask for the rate, and what the reader calls it; ``half_width`` as :func:`growth` takes it."""

    label: str
    series: Series
    rule: Rule
    window: Window
    estimator: Estimator = "least-squares"
    quantile: float = 0.5
    half_width: FloatArray | None = None


@dataclass(frozen=True, kw_only=True)
class SpreadRow:
    """The yearly growth of one case with its interval; nan, and why in ``problem``, where there is no fit."""

    label: str
    yearly_growth: float
    low: float
    high: float
    n: int
    problem: str = ""


def spread(
    cases: Iterable[RuleCase],
    *,
    interval: Interval = "bootstrap",
    few_clusters: FewClusters = "rows",
    level: float = 0.9,
    draws: int = 500,
    seed: int = 20260723,
) -> tuple[SpreadRow, ...]:
    """Return the rate of every case, in the order given.

    A case without enough points becomes a row that says so; the other cases are not affected.
    """
    rows = []
    for case in cases:
        try:
            rate = growth(
                case.series,
                rule=case.rule,
                window=case.window,
                estimator=case.estimator,
                quantile=case.quantile,
                interval=interval,
                few_clusters=few_clusters,
                half_width=case.half_width,
                level=level,
                draws=draws,
                seed=seed,
            )
        except ValueError as problem:
            nan = float("nan")
            rows.append(
                SpreadRow(label=case.label, yearly_growth=nan, low=nan, high=nan, n=0, problem=str(problem))
            )
        else:
            rows.append(
                SpreadRow(
                    label=case.label,
                    yearly_growth=rate.trend.yearly_growth,
                    low=rate.growth_low,
                    high=rate.growth_high,
                    n=rate.n,
                )
            )
    return tuple(rows)
