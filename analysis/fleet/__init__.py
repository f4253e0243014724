"""Combined capacity of all AI chips shipped, with its uncertainty.

Units are estimates with 5th, 50th and 95th percentiles. Estimates for one vendor depend on the same revenue and assumed
prices, so their errors are correlated: each draw scales all quarters of a vendor by one factor, and vendors are
independent. (The source adds the 5th percentiles of a chip's quarters to the 5th percentile of their sum, which implies
the same.) Errors shared by all quarters cancel in growth, so growth also allows chips of a vendor to have independent
errors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from analysis.arrays import BoolArray, FloatArray, Rows, product
from analysis.intervals import Estimate, central_interval

TAIL = NormalDist().inv_cdf(0.95)
DRAWS = 2000


@dataclass(frozen=True, kw_only=True)
class Shipments(Rows):
    """Shipments of chips, one row for each kind and quarter. Every array has shape (n,).

    ``end_year`` is the end of the quarter [decimal year]; ``units_low`` and ``units_high`` are 5th and 95th percentiles
    of ``units`` [1]; ``offered`` is the capacity of one chip, in any unit; ``kind`` names the chip.
    """

    maker: tuple[str, ...]
    kind: tuple[str, ...]
    end_year: FloatArray
    units_low: FloatArray
    units: FloatArray
    units_high: FloatArray
    offered: FloatArray

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.kind)


def drawn_units(shipments: Shipments, *, draws: int = DRAWS) -> FloatArray:
    """Return draws of each row's units, shape (draws, n). In a draw, a vendor's rows take the same percentile. [1]"""
    return split_lognormal(
        "units in chips_shipped",
        low=shipments.units_low,
        middle=shipments.units,
        high=shipments.units_high,
        group=shipments.maker,
        draws=draws,
    )


def split_lognormal(
    what: str,
    *,
    low: FloatArray,
    middle: FloatArray,
    high: FloatArray,
    group: Sequence[str],
    draws: int = DRAWS,
    seed: int = 0,
) -> FloatArray:
    """Return draws, shape (draws, n), of estimates with these percentiles. The first draw holds the medians.

    Each row is lognormal on either side of its median. All rows of a ``group`` take the same percentile in a draw, and
    groups are independent. Percentiles are spaced evenly instead of sampled, so that medians equal those of the source.
    ``what`` names the estimates and their table in messages.

    Raises ValueError if percentiles are not positive and in order.
    """
    if not np.all((low > 0) & (low <= middle) & (middle <= high)):
        raise ValueError(
            f"{what} need a 5th percentile above zero, at most the median, and a 95th of at least the median. "
            "Correct the rows that do not."
        )
    groups = sorted(set(group))
    even = (np.arange(draws - 1) + 0.5) / (draws - 1)
    random = np.random.default_rng(seed)
    deviate = np.array([NormalDist().inv_cdf(share) for share in even.tolist()])
    by_group = np.zeros((draws, len(groups)))
    for place in range(len(groups)):
        by_group[1:, place] = random.permutation(deviate)
    at = by_group[:, [groups.index(name) for name in group]]
    down, up = np.log(middle / low) / TAIL, np.log(high / middle) / TAIL
    return middle * np.exp(np.where(at < 0, down, up) * at)


@dataclass(frozen=True, kw_only=True)
class DrawnSeries:
    """Total capacity at the end of each quarter. ``end_year`` has shape (q,), ``total`` (draws, q)."""

    end_year: FloatArray
    total: FloatArray

    def middle(self) -> FloatArray:
        """Return the total for the median units in each quarter, shape (q,)."""
        return self.total[0]

    def interval(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Return the totals' central interval at a level such as 0.9. Each bound has shape (q,)."""
        return central_interval(self.total[1:], level=level)

    def at(self, place: int, *, level: float) -> Estimate:
        """Return the total of one quarter with its central interval. A ``place`` of -1 is the last quarter."""
        low, high = self.interval(level)
        return Estimate(value=float(self.middle()[place]), low=float(low[place]), high=float(high[place]))

    def quarters_after(self, year: float) -> int:
        """Return the number of quarters that end after a decimal year."""
        return int(np.count_nonzero(self.end_year > year + 1e-6))

    def of_year(self, year: int) -> float:
        """Return the sum of a calendar year's median quarterly totals."""
        inside = (self.end_year > year + 1e-6) & (self.end_year <= year + 1 + 1e-6)
        return float(self.middle()[inside].sum())


def total(
    shipments: Shipments,
    units: FloatArray,
    *,
    stock: bool,
    retired_after_years: float | None = None,
    keep: BoolArray | None = None,
) -> DrawnSeries:
    """Return the combined capacity of chips by quarter, in the unit of ``offered``. ``units`` has shape (draws, n).

    A ``stock`` counts the chips in use at the end of each quarter, which retire ``retired_after_years`` after the
    quarter of shipment (None for never); otherwise only chips shipped in the quarter count. ``keep``, shape (n,),
    restricts the rows but not the quarters.
    """
    quarters = np.unique(shipments.end_year)
    age = quarters[None, :] - shipments.end_year[:, None]
    counts = age >= 0 if stock else age == 0
    if stock and retired_after_years is not None:
        counts &= age < retired_after_years - 1e-6
    rows = slice(None) if keep is None else keep
    offered = shipments.offered[rows, None] * counts[rows]
    return DrawnSeries(end_year=quarters, total=product(units[:, rows], offered))


def counted_by(shipments: Shipments, year: float) -> BoolArray:
    """Return a mask, shape (n,), of rows of vendors already counted by ``year`` or, if there are none, counted first.

    A vendor that enters within a window would add to growth as if it had shipped nothing before.
    """
    first: dict[str, float] = {}
    for maker, end in zip(shipments.maker, shipments.end_year.tolist(), strict=True):
        first[maker] = min(first.get(maker, end), end)
    last = max(year, min(first.values(), default=year))
    return np.array([first[maker] <= last + 1e-6 for maker in shipments.maker], dtype=bool)


def growth(fleet: DrawnSeries, *, since: float, until: float, level: float = 0.9) -> Estimate:
    """Return the yearly growth of a total between the first and the last quarter of a window. [1]

    It is the least-squares slope of log10 against the year over those quarters, computed for each draw.

    Raises ValueError if fewer than three quarters have a positive total.
    """
    inside = (fleet.end_year > since) & (fleet.end_year <= until + 1e-6) & (fleet.total[0] > 0)
    if np.count_nonzero(inside) < 3:
        raise ValueError(
            f"growth needs three quarters or more; {since:g} to {until:g} has {np.count_nonzero(inside)}. "
            "Widen the window."
        )
    year = fleet.end_year[inside]
    off = year - year.mean()
    factor = 10 ** (np.log10(fleet.total[:, inside]) @ off / (off @ off))
    low, high = central_interval(factor[1:], level=level)
    return Estimate(value=float(factor[0]), low=float(low), high=float(high))


def last_year(fleet: DrawnSeries, *others: DrawnSeries, level: float = 0.9) -> Estimate | None:
    """Return the last total divided by the total a year earlier. None if there is no earlier total. [1]

    ``others`` are the same totals with other draws of the errors; the interval covers those of all.
    """
    before = np.flatnonzero(np.abs(fleet.end_year - (fleet.end_year[-1] - 1)) < 1e-6)
    if not len(before) or not fleet.total[0, before[0]] > 0:
        return None
    factors = [one.total[:, -1] / one.total[:, before[0]] for one in (fleet, *others)]
    lows, highs = zip(*(central_interval(factor[1:], level=level) for factor in factors), strict=True)
    return Estimate(value=float(factors[0][0]), low=float(min(lows)), high=float(max(highs)))


def balance(top: DrawnSeries, bottom: DrawnSeries) -> DrawnSeries:
    """Return, for each draw, the ratio of two totals, such as FLOP per byte of all chips in use."""
    return DrawnSeries(end_year=top.end_year, total=top.total / bottom.total)
