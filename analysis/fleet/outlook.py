"""Throughput of all chips in later years, if shipments follow their trend or are limited by memory or power."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray, product
from analysis.fleet import DrawnSeries
from analysis.intervals import Estimate

QUARTERS = 4


@dataclass(frozen=True, kw_only=True)
class Range:
    """An unknown number between two bounds, drawn from a log-uniform distribution."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not 0 < self.low <= self.high:
            raise ValueError(
                f"a range goes from a low end above nothing to a high end of at least that; got {self.low:g} to "
                f"{self.high:g}."
            )

    @classmethod
    def of(cls, values: Sequence[float]) -> "Range":
        """Return the range from the smallest to the largest of the values."""
        return cls(low=min(values), high=max(values))

    def drawn(self, random: np.random.Generator, *, draws: int) -> FloatArray:
        """Return draws, shape (draws,). The first is the geometric mean of the bounds."""
        share = random.random(draws)
        share[0] = 0.5
        return np.exp(np.log(self.low) + share * (np.log(self.high) - np.log(self.low)))


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """Throughput in use at the end of a year [FLOP/s], and its yearly growth until then."""

    flop_per_s: Estimate
    yearly_growth: Estimate


def outlook(later: DrawnSeries, *, known: int, until: int, level: float) -> Outlook:
    """Return the throughput at the end of the year ``until``, and its yearly growth since ``known``."""
    end = later.total[:, -1]
    now = later.total[:, later.end_year <= known + 1 + 1e-6][:, -1]
    drawn = (end, (end / now) ** (1 / (until - known)))
    in_use, growth = (Estimate.median_of(of[1:], level=level) for of in drawn)
    return Outlook(flop_per_s=in_use, yearly_growth=growth)


def later_quarters(fleet: DrawnSeries, *, until: int) -> FloatArray:
    """Return the ends of the quarters after the last known one, as decimal years."""
    last = float(fleet.end_year[-1])
    return last + (np.arange(round((until + 1 - last) * QUARTERS)) + 1) / QUARTERS


def by_trend(
    shipped: DrawnSeries,
    *,
    fitted: Mapping[int, DrawnSeries],
    until: int,
    retired_after_years: float | None = None,
) -> DrawnSeries:
    """Return the capacity in use up to a year, if shipments keep growing from the level of the last four quarters.

    ``fitted`` has, for each start year, the shipments of vendors counted from then on. Each draw uses the least-squares
    slope of the logarithm since one of the years, picked at random: the window matters more than the unit estimates.
    The first draw is the median of all.

    Raises ValueError if a window has fewer than three quarters.
    """
    ahead = later_quarters(shipped, until=until)
    random = np.random.default_rng(0)
    draws = len(shipped.total)
    picked = random.integers(0, len(fitted), draws)
    later = np.zeros((draws, len(ahead)))
    base = np.log(shipped.total[:, -QUARTERS:]).mean(axis=1)[:, None]
    middle = float(shipped.end_year[-QUARTERS:].mean())
    for place, (year, of_vendors) in enumerate(fitted.items()):
        inside = (of_vendors.end_year > year) & (of_vendors.total[0] > 0)
        if np.count_nonzero(inside) < 3:
            raise ValueError(
                f"a trend of shipments needs three quarters or more; since {year} there are "
                f"{np.count_nonzero(inside)}. Begin earlier."
            )
        off = of_vendors.end_year[inside] - of_vendors.end_year[inside].mean()
        slope = np.log(of_vendors.total[:, inside]) @ off / (off @ off)
        rows = picked == place
        later[rows] = np.exp(base + slope[:, None] * (ahead - middle))[rows]
    return _summed(shipped, later=later, ahead=ahead, retired_after_years=retired_after_years)


def by_supply(
    shipped: DrawnSeries,
    *,
    supply_growth: Range,
    offered_growth: Range,
    until: int,
    retired_after_years: float | None = None,
) -> DrawnSeries:
    """Return the capacity in use if spending on a component limits shipments.

    Shipments of the last four quarters grow by ``supply_growth`` times ``offered_growth`` a year from then on.
    """
    ahead = later_quarters(shipped, until=until)
    random = np.random.default_rng(0)
    draws = len(shipped.total)
    factor = supply_growth.drawn(random, draws=draws) * offered_growth.drawn(random, draws=draws)
    base = shipped.total[:, -QUARTERS:].mean(axis=1)
    middle = float(shipped.end_year[-QUARTERS:].mean())
    later = base[:, None] * factor[:, None] ** (ahead - middle)
    return _summed(shipped, later=later, ahead=ahead, retired_after_years=retired_after_years)


def by_power(
    fleet: DrawnSeries, *, power: Range, efficiency_growth: Range, until: int, years: float
) -> DrawnSeries:
    """Return the capacity in use if power limits it. Power grows by the factor ``power`` over ``years`` years.

    ``efficiency_growth`` is the yearly growth of capacity per watt of all chips; retired chips free power for new ones.
    """
    ahead = later_quarters(fleet, until=until)
    random = np.random.default_rng(0)
    draws = len(fleet.total)
    more = power.drawn(random, draws=draws) ** (1 / years) * efficiency_growth.drawn(random, draws=draws)
    later = fleet.total[:, -1:] * more[:, None] ** (ahead - fleet.end_year[-1])
    return _middled(
        DrawnSeries(end_year=np.concatenate([fleet.end_year, ahead]), total=np.hstack([fleet.total, later]))
    )


def _summed(
    shipped: DrawnSeries, *, later: FloatArray, ahead: FloatArray, retired_after_years: float | None
) -> DrawnSeries:
    ends = np.concatenate([shipped.end_year, ahead])
    age = ends[None, :] - ends[:, None]
    there = age >= -1e-9
    if retired_after_years is not None:
        there &= age < retired_after_years - 1e-6
    return _middled(
        DrawnSeries(end_year=ends, total=product(np.hstack([shipped.total, later]), there.astype(float)))
    )


def _middled(fleet: DrawnSeries) -> DrawnSeries:
    """Return the fleet with the median of all draws as its first draw, because a single draw depends on one window."""
    total = fleet.total.copy()
    total[0] = np.median(fleet.total[1:], axis=0)
    return DrawnSeries(end_year=fleet.end_year, total=total)
