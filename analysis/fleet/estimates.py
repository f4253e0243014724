"""Fleet estimates from shipments of known chips: error models, filters, totals and growth."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.fleet import DrawnSeries, Shipments, counted_by, growth, total
from analysis.intervals import Estimate

FIRST_QUARTER = 0.25


@dataclass(frozen=True, kw_only=True)
class ShipmentEstimates:
    """Shipments of chips for which the quantity to total is known, and draws of their units, shape (draws, n).

    In ``units`` the chips of a vendor share one error; in ``units_by_chip`` errors are independent by chip.
    """

    shipments: Shipments
    units: FloatArray
    units_by_chip: FloatArray
    without: tuple[str, ...]

    @property
    def vendors(self) -> tuple[str, ...]:
        """Return the vendors, in the order of the rows."""
        return tuple(dict.fromkeys(self.shipments.maker))

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of chip."""
        return frozenset(self.shipments.kind)

    @property
    def maker_of(self) -> dict[str, str]:
        """Return the vendor of each kind of chip."""
        return dict(zip(self.shipments.kind, self.shipments.maker, strict=True))

    @property
    def medians(self) -> "ShipmentEstimates":
        """Return the same shipments with only the medians of their units."""
        return replace(self, units=self.units[:1], units_by_chip=self.units_by_chip[:1])

    @property
    def by_chip(self) -> "ShipmentEstimates":
        """Return the same shipments with errors that are independent across chips."""
        return replace(self, units=self.units_by_chip)

    def at(self, rows: BoolArray) -> "ShipmentEstimates":
        """Return the shipments in the mask ``rows``, shape (n,)."""
        return replace(
            self,
            shipments=self.shipments.at(rows),
            units=self.units[:, rows],
            units_by_chip=self.units_by_chip[:, rows],
        )

    def of_kinds(self, kinds: Collection[str]) -> "ShipmentEstimates":
        """Return the shipments of the given kinds of chip."""
        return self.at(np.isin(self.shipments.kind, list(kinds)))

    def of_constant_vendors(self, *, since: float, stock: bool) -> "ShipmentEstimates":
        """Return the shipments of vendors counted by ``since`` or, without ``stock``, a quarter later."""
        return self.at(counted_by(self.shipments, since if stock else since + FIRST_QUARTER))

    def offering_from(self, kind: str, *, after: float, offered: float | FloatArray) -> "ShipmentEstimates":
        """Return the same shipments with capacity ``offered`` for ``kind`` in quarters that end after ``after``."""
        late = np.isin(self.shipments.kind, [kind]) & (self.shipments.end_year > after)
        offers = np.where(late, offered, self.shipments.offered)
        return replace(self, shipments=replace(self.shipments, offered=offers))

    def total(
        self,
        *,
        stock: bool,
        retired_after_years: float | None = None,
        vendors: Collection[str] | None = None,
        kinds: Collection[str] | None = None,
    ) -> DrawnSeries:
        """Return the capacity of chips in use or, without ``stock``, of chips shipped, in each quarter.

        The quarters are always those of all shipments.
        """
        keep = None
        if vendors is not None:
            keep = np.isin(self.shipments.maker, list(vendors))
        elif kinds is not None:
            keep = np.isin(self.shipments.kind, list(kinds))
        return total(
            self.shipments, self.units, stock=stock, retired_after_years=retired_after_years, keep=keep
        )


def growth_either_way(together: DrawnSeries, by_chip: DrawnSeries, *, since: float, level: float) -> Estimate:
    """Return a total's yearly growth since a year, with an interval that covers those of two error models.

    In ``together`` the chips of a vendor share one error; in ``by_chip`` errors are independent across chips.

    Raises ValueError if fewer than three quarters have a positive total.
    """
    one, other = (
        growth(series, since=since, until=float(series.end_year[-1]), level=level)
        for series in (together, by_chip)
    )
    return Estimate(value=one.value, low=min(one.low, other.low), high=max(one.high, other.high))


def growth_of_total(
    estimates: ShipmentEstimates,
    total: Callable[[ShipmentEstimates], DrawnSeries],
    *,
    since: float,
    level: float,
) -> Estimate:
    """Return the yearly growth of a total since a year, with the interval of ``growth_either_way``."""
    return growth_either_way(total(estimates), total(estimates.by_chip), since=since, level=level)
