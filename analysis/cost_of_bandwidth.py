"""What the parts of chips cost over what the chips shipped offer: dollars per TB/s, per PFLOP/s, per GB, by quarter.

Costs are estimates with a 5th, 50th and 95th percentile, as the numbers of chips are. Those of one part and maker rest
on the same assumed price, so one draw moves all their quarters alike; parts, makers and numbers of chips are
independent of each other. Parts are bought before the chips ship, so costs are set over what ships some quarters later.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray, Rows, product
from analysis.fleet import DrawnSeries, split_lognormal
from analysis.intervals import SEED, Estimate, central_interval, check_level

BLOCK = 3
"""Quarters that are drawn together."""
FEWEST_QUARTERS = 4
"""Fewer quarters than this make no growth: their line would have less than two degrees of freedom."""
SAME_QUARTER = 1e-6
"""Ends of quarters that lie no further apart are one. [year]"""
COST_SEED = 1


@dataclass(frozen=True, kw_only=True)
class Purchases(Rows):
    """What a maker paid for one part of its chips in one quarter, a row each; every array has shape (n,).

    ``end_year`` is the end of the quarter in which the part was used [decimal year]; ``cost_low_usd`` and
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
    """Return draws of each row's costs, shape (draws, n); one vendor's part is off by the same factor in all. [USD]"""
    return split_lognormal(
        "costs in component_costs",
        low=purchases.cost_low_usd,
        middle=purchases.cost_usd,
        high=purchases.cost_high_usd,
        group=[f"{maker}, {part}" for maker, part in zip(purchases.maker, purchases.part, strict=True)],
        seed=COST_SEED,
    )


def spent(purchases: Purchases, costs: FloatArray, *, keep: BoolArray) -> DrawnSeries:
    """Return what the rows that ``keep`` marks, shape (n,), cost together in each quarter, draw by draw. [USD]"""
    quarters = np.unique(purchases.end_year)
    then = (purchases.end_year[:, None] == quarters[None, :]) & keep[:, None]
    return DrawnSeries(end_year=quarters, total=product(costs, then.astype(float)))


def per_offered(cost: DrawnSeries, offered: DrawnSeries, *, lag_quarters: int) -> DrawnSeries:
    """Return cost over what ships ``lag_quarters`` later, at the quarters of shipment. [USD per unit of ``offered``]

    Quarters without either, or in which nothing ships, are left out.
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
    """Return two series at the quarters that both have."""
    both = np.intersect1d(one.end_year, other.end_year)

    def at(of: DrawnSeries) -> DrawnSeries:
        keep = np.isin(of.end_year, both)
        return DrawnSeries(end_year=of.end_year[keep], total=of.total[:, keep])

    return at(one), at(other)


def least_and_most(series: DrawnSeries, others: Sequence[DrawnSeries]) -> tuple[FloatArray, FloatArray]:
    """Return the least and the most of the medians of others at each quarter of a series, each of shape (q,)."""
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
    """Return growth a year over the quarters that end after ``since``, with how sure it is. [1]

    The least-squares slope of log10 against the year. Each draw takes costs and chips as they may have been and picks
    as many quarters in blocks of three neighbours, which resemble each other, at random and with replacement. Two
    series of the same quarters meet the same picks, so their ratio is that of their draws.

    Raises
    ------
    ValueError
        Fewer than four quarters, or a level that is no probability.

    References
    ----------
    Künsch, "The jackknife and the bootstrap for general stationary observations", Ann. Statist. 17(3), 1989: blocks.
    """
    check_level(level)
    slope = _slopes(of, since=since)
    low, high = central_interval(slope[1:][np.isfinite(slope[1:])], level=level)
    return Estimate(value=float(10 ** slope[0]), low=float(10**low), high=float(10**high))


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
    """Return how often each of ``count`` quarters is in a draw made of blocks of neighbours, shape (draws, count)."""
    first = np.random.default_rng(SEED).integers(0, count - BLOCK + 1, (draws, -(-count // BLOCK), 1))
    picked = (first + np.arange(BLOCK)).reshape(draws, -1)[:, :count, None]
    return np.sum(picked == np.arange(count), axis=1, dtype=float)
