"""Growth rates under many plausible rules, to show how much the choice of rule matters."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.intervals import Estimate
from analysis.trend.estimators import Estimator
from analysis.trend.growth import Growth, Interval, Series, Window, growth
from analysis.trend.selection import Rule


@dataclass(frozen=True, kw_only=True)
class RuleCase:
    """One set of choices for computing the rate, with its label."""

    series: Series
    rule: Rule
    window: Window
    estimator: Estimator = "least-squares"
    quantile: float = 0.5
    label: str = ""

    @property
    def span_years(self) -> float:
        """Return the span of the points inside the window. Zero if there are none. [year]"""
        years = self.series.year[self.window.holds(self.series.year)]
        return float(np.ptp(years)) if len(years) else 0.0

    def growth(self, **how: Any) -> Growth:
        """Return the rate in this case. ``how`` are arguments of :func:`growth` for the interval.

        Raises ValueError if the window has too few points for the estimator or the interval.
        """
        return growth(
            self.series,
            rule=self.rule,
            window=self.window,
            estimator=self.estimator,
            quantile=self.quantile,
            **how,
        )


@dataclass(frozen=True, kw_only=True)
class SpreadRow(Estimate):
    """The yearly growth of one case with its interval. If no line can be fitted, all are NaN and ``problem`` is set."""

    label: str
    value: float = math.nan
    n: int = 0
    problem: str = ""

    @classmethod
    def of(cls, rate: Estimate, *, label: str, n: int) -> "SpreadRow":
        """Return the row for a yearly growth that is based on ``n`` points."""
        return cls(label=label, value=rate.value, low=rate.low, high=rate.high, n=n)


def spread(
    cases: Iterable[RuleCase], *, interval: Interval = "bootstrap", level: float = 0.9, draws: int = 500
) -> tuple[SpreadRow, ...]:
    """Return the rates of all cases, in the order given.

    A case without enough points becomes a row with the reason; other cases are not affected.
    """
    rows = []
    for case in cases:
        try:
            rate = case.growth(interval=interval, few_clusters="rows", level=level, draws=draws)
            rows.append(SpreadRow.of(rate.yearly, label=case.label, n=rate.n))
        except ValueError as problem:
            rows.append(SpreadRow(label=case.label, problem=str(problem)))
    return tuple(rows)
