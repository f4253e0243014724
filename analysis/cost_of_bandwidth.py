"""Cost of chip components per unit of bandwidth, throughput or memory shipped, by quarter.

Costs and units are estimates with 5th, 50th and 95th percentiles. Costs of one component and vendor share an assumed
price, so each draw scales all their quarters by one factor; components, vendors and units are independent. Components
are bought before chips ship, so costs are divided by what ships some quarters later.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray, Rows, product
from analysis.fleet import DrawnSeries, split_lognormal
from analysis.intervals import SEED, Estimate, central_interval, check_level

BLOCK = 3
"""Length of a bootstrap block. [quarters]"""
FEWEST_QUARTERS = 4
"""Minimum number of quarters for a growth estimate. Fewer leave less than two degrees of freedom."""
SAME_QUARTER = 1e-6
"""Maximum difference between two quarter ends that are the same. [year]"""
COST_SEED = 1


@dataclass(frozen=True, kw_only=True)
class Purchases(Rows):
    """Quarterly spending by vendors on chip components. Every array has shape (n,).

    ``end_year`` is the end of the quarter in which the component was used [decimal year]; ``cost_low_usd`` and
    ``cost_high_usd`` are 5th and 95th percentiles of ``cost_usd`` [USD].
    """

    maker: tuple[str, ...]
    part: tuple[str, ...]
    end_year: FloatArray
    cost_low_usd: FloatArray
    cost_usd: FloatArray
    cost_high_usd: FloatArray

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.part)


def drawn_costs(purchases: Purchases) -> FloatArray:
    """Return draws of each row's cost, shape (draws, n). A vendor's rows of one component share a percentile. [USD]"""
    return split_lognormal(
        "costs in component_costs",
        low=purchases.cost_low_usd,
        middle=purchases.cost_usd,
        high=purchases.cost_high_usd,
        group=[f"{maker}, {part}" for maker, part in zip(purchases.maker, purchases.part, strict=True)],
        seed=COST_SEED,
    )


def spent(purchases: Purchases, costs: FloatArray, *, keep: BoolArray) -> DrawnSeries:
    """Return the total cost, in each quarter and draw, of the rows in the mask ``keep``, shape (n,). [USD]"""
    quarters = np.unique(purchases.end_year)
    then = (purchases.end_year[:, None] == quarters[None, :]) & keep[:, None]
    return DrawnSeries(end_year=quarters, total=product(costs, then.astype(float)))


def per_offered(cost: DrawnSeries, offered: DrawnSeries, *, lag_quarters: int) -> DrawnSeries:
    """Return the cost per unit shipped ``lag_quarters`` after the purchase, dated by shipment. [USD per unit]

    Quarters missing from either series, or without shipments, are dropped.
    """
    bought, shipped = (np.round(4 * each.end_year).astype(int) for each in (cost, offered))
    some = set(shipped[offered.total[0] > 0].tolist())
    pairs = [
        (place, int(np.flatnonzero(shipped == when + lag_quarters)[0]))
        for place, when in enumerate(bought.tolist())
        if when + lag_quarters in some
    ]
    at_cost, at_shipped = [one for one, _ in pairs], [other for _, other in pairs]
    return DrawnSeries(
        end_year=offered.end_year[at_shipped], total=cost.total[:, at_cost] / offered.total[:, at_shipped]
    )


def at_both(one: DrawnSeries, other: DrawnSeries) -> tuple[DrawnSeries, DrawnSeries]:
    """Return two series, both restricted to the quarters that they share."""
    both = np.intersect1d(one.end_year, other.end_year)

    def at(of: DrawnSeries) -> DrawnSeries:
        keep = np.isin(of.end_year, both)
        return DrawnSeries(end_year=of.end_year[keep], total=of.total[:, keep])

    return at(one), at(other)


def least_and_most(series: DrawnSeries, others: Sequence[DrawnSeries]) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest median of ``others`` in each quarter of ``series``, each of shape (q,)."""
    medians = [
        [
            float(of.middle()[place])
            for of in others
            for place in np.flatnonzero(np.abs(of.end_year - when) < SAME_QUARTER)
        ]
        for when in series.end_year
    ]
    return np.array([min(each) for each in medians]), np.array([max(each) for each in medians])


def growth(of: DrawnSeries, *, level: float = 0.9, since: float = -np.inf) -> Estimate:
    """Return the yearly growth of a series over the quarters that end after ``since``, with its interval. [1]

    The rate is the least-squares slope of log10 against the year. Each draw samples costs and units, and resamples
    quarters in blocks of three consecutive quarters, since neighbours are correlated. Two series over the same quarters
    use the same resamples, so the ratio of their draws is the draw of their ratio.

    Raises ValueError if there are fewer than four quarters, or the level is not a probability.

    References
    ----------
    Künsch, "The jackknife and the bootstrap for general stationary observations", Ann. Statist. 17(3), 1989: blocks.
    """
    check_level(level)
    slope = _slopes(of, since=since)
    low, high = central_interval(slope[1:][np.isfinite(slope[1:])], level=level)
    return Estimate(value=float(10 ** slope[0]), low=float(10**low), high=float(10**high))


def trend_values(year: Sequence[float], value: Sequence[float], *, yearly_growth: float) -> FloatArray:
    """Return a trend with a known growth, fitted to positive values by least squares of logarithms, shape (n,)."""
    return np.exp(np.mean(np.log(value)) + np.log(yearly_growth) * (np.array(year) - np.mean(year)))


def _slopes(of: DrawnSeries, *, since: float) -> FloatArray:
    inside = of.end_year > since + 1e-6
    count = int(np.count_nonzero(inside))
    if count < FEWEST_QUARTERS:
        raise ValueError(
            f"growth needs {FEWEST_QUARTERS} quarters or more; there are {count}. Choose a shorter lag."
        )
    year, log10 = of.end_year[inside], np.log10(of.total[:, inside])
    draws = len(log10)
    weight = np.ones((draws, count))
    weight[1:] = _block_counts(count, draws=draws - 1)
    mean = (weight @ year)[:, None] / count
    off = weight * (year - mean)
    spread = np.sum(off * (year - mean), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sum(off * log10, axis=1) / spread


def _block_counts(count: int, *, draws: int) -> FloatArray:
    """Return how often each quarter occurs in each draw of the block bootstrap, shape (draws, count)."""
    first = np.random.default_rng(SEED).integers(0, count - BLOCK + 1, (draws, -(-count // BLOCK), 1))
    picked = (first + np.arange(BLOCK)).reshape(draws, -1)[:, :count, None]
    return np.sum(picked == np.arange(count), axis=1, dtype=float)
