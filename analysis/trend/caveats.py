"""Weaknesses of a growth rate and its interval, as codes, each with an optional number."""

from dataclasses import dataclass
from typing import Literal

from analysis.trend.selection import Rule
from analysis.trend.trend import Trend

FEW_POINTS = 10
MANY_DROPPED = 0.05
FEW_POINTS_BEYOND = 5
SETTLED_SHARE = 0.1
"""Largest share of draws whose disagreement about a break is ignored. [1]"""

Code = Literal[
    "few points",
    "no growth included",
    "selection taken as given",
    "draws left out",
    "no break kept",
    "break from the same data",
    "break taken as known",
    "break unsettled",
    "few points beyond the line",
    "line of a quantile",
    "few clusters",
]


@dataclass(frozen=True, kw_only=True)
class Caveat:
    """One weakness. The meaning of ``number`` depends on the code. It is 0 if the code needs none.

    It is a count of points ("few points", "few points beyond the line") or of clusters ("few clusters"), a share of
    draws ("draws left out", "break unsettled") or of points ("line of a quantile"), or a decimal year ("break from the
    same data").
    """

    code: Code
    number: float = 0.0


def caveats(
    *,
    trend: Trend,
    rule: Rule,
    interval: str,
    dropped: float,
    flat: bool,
    bent_share: float | None,
    few_clusters: int | None = None,
) -> tuple[Caveat, ...]:
    """Return the weaknesses, most important first. Empty if there are none.

    ``dropped`` is the share of bootstrap draws left out, ``bent_share`` that of draws with a break, None without draws;
    ``flat`` means that the interval includes no growth; ``few_clusters`` is the number of clusters if too few to
    resample, otherwise None.
    """
    weak = []
    if trend.n < FEW_POINTS:
        weak.append(Caveat(code="few points", number=trend.n))
    if flat:
        weak.append(Caveat(code="no growth included"))
    if interval == "classical" and rule.kind != "all":
        weak.append(Caveat(code="selection taken as given"))
    if few_clusters is not None:
        weak.append(Caveat(code="few clusters", number=few_clusters))
    if dropped > MANY_DROPPED:
        weak.append(Caveat(code="draws left out", number=dropped))
    if trend.estimator == "kinked":
        weak.extend(_of_a_kink(trend, interval=interval, bent_share=bent_share))
    if trend.estimator == "quantile":
        beyond = trend.n * min(trend.quantile, 1 - trend.quantile)
        if beyond < FEW_POINTS_BEYOND:
            weak.append(Caveat(code="few points beyond the line", number=beyond))
        weak.append(Caveat(code="line of a quantile", number=trend.quantile))
    return tuple(weak)


def _of_a_kink(trend: Trend, *, interval: str, bent_share: float | None) -> list[Caveat]:
    if trend.break_year is None:
        weak = [Caveat(code="no break kept")]
    else:
        weak = [Caveat(code="break from the same data", number=trend.break_year)]
        if interval == "classical":
            weak.append(Caveat(code="break taken as known"))
    if bent_share is not None and SETTLED_SHARE < bent_share < 1 - SETTLED_SHARE:
        weak.append(Caveat(code="break unsettled", number=bent_share))
    return weak
