"""Chips shipped by quarter, and what the part of a release offers: shared by questions about all chips."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.fleet import (
    DrawnSeries,
    FleetGrowth,
    Shipments,
    counted_by,
    drawn_units,
    growth,
    in_use,
    last_year,
    widest,
)
from data import standing
from data.by_release import kept_by_release
from data.releases import Release
from views.kept import kept

GROWTH_SINCE = 2023
"""From when growth is measured where nothing else is chosen: few chips of 2022 are counted, none from before."""

COLUMNS: dict[str, tuple[str, ...]] = {
    "bandwidth": ("memory_bandwidth_byte_per_s",),
    "fp16": ("peak_fp16_dense_flop_per_s",),
    "fp8": ("peak_fp8_dense_flop_per_s", "peak_fp16_dense_flop_per_s"),
    "memory": ("memory_capacity_byte",),
    "power": ("power_w",),
    "units": (),
}
"""Which column of a release a chip offers; the next one where it is empty."""


@dataclass(frozen=True, kw_only=True)
class ShipmentEstimates:
    """Shipments whose parts state what is counted, with their drawn units, shape (draws, n), and chips that do not.

    All chips of a maker are off together in ``units``, each chip by itself in ``units_by_chip``.
    """

    shipments: Shipments
    units: FloatArray
    units_by_chip: FloatArray
    without: tuple[str, ...]

    @property
    def medians(self) -> "ShipmentEstimates":
        """Return the same shipments with their median units alone."""
        return replace(self, units=self.units[:1], units_by_chip=self.units_by_chip[:1])

    @property
    def by_chip(self) -> "ShipmentEstimates":
        """Return the same shipments with each chip off by itself."""
        return replace(self, units=self.units_by_chip)

    def at(self, rows: BoolArray) -> "ShipmentEstimates":
        """Return some of the shipments, ``rows`` of shape (n,)."""
        return replace(
            self,
            shipments=self.shipments.at(rows),
            units=self.units[:, rows],
            units_by_chip=self.units_by_chip[:, rows],
        )

    def all_along(self, *, since: float, stock: bool) -> "ShipmentEstimates":
        """Return the shipments of makers that are counted all along since a year: before it where a stock grows."""
        return self.at(counted_by(self.shipments, since if stock else since + 0.25))

    def offering(self, offered: FloatArray) -> "ShipmentEstimates":
        """Return the same shipments offering something else, shape (n,)."""
        return replace(self, shipments=replace(self.shipments, offered=offered))


def published_growth() -> float:
    """Return what Epoch AI publishes for the bandwidth of all chips, 2022 to 2025: ``sources.HBM_SHIPPED``. [x/year]"""
    return float(standing.rows("published", "row_id")["p031"]["value"])


@kept_by_release(1)
def _rows() -> tuple[tuple[dict[str, Any], ...], Shipments, FloatArray, FloatArray]:
    frame: Any = standing.table("chips_shipped")
    frame = frame.loc[frame["complete"]]
    day = frame["quarter_end"]
    shipments = Shipments(
        maker=tuple(frame["vendor"]),
        kind=tuple(frame["chip"]),
        end_year=np.asarray(day.dt.year + day.dt.month / 12, dtype=float),
        units_low=np.asarray(frame["units_low"], dtype=float),
        units=np.asarray(frame["units"], dtype=float),
        units_high=np.asarray(frame["units_high"], dtype=float),
        offered=np.ones(len(frame)),
    )
    by_chip = replace(
        shipments,
        maker=tuple(f"{maker} {kind}" for maker, kind in zip(shipments.maker, shipments.kind, strict=True)),
    )
    return tuple(frame.to_dict("records")), shipments, drawn_units(shipments), drawn_units(by_chip)


@kept
def counted(release: Release, offers: str) -> ShipmentEstimates:
    """Return all whole quarters of chips whose part in the release states what is counted."""
    rows, shipments, units, by_chip = _rows()
    accelerators: Any = release.accelerators
    parts = {row["name"]: row for row in accelerators.to_dict("records")}

    def offered(row: dict[str, Any]) -> float:
        if not COLUMNS[offers]:
            return 1.0
        part = parts.get(row["accelerator"], {})
        found = (float(part.get(column, np.nan)) for column in COLUMNS[offers])
        return next((value for value in found if not np.isnan(value)), np.nan)

    each = np.array([offered(row) for row in rows])
    known = ~np.isnan(each)
    without = tuple(dict.fromkeys(row["chip"] for row, there in zip(rows, known, strict=True) if not there))
    whole = ShipmentEstimates(
        shipments=replace(shipments, offered=each), units=units, units_by_chip=by_chip, without=without
    )
    return whole if known.all() else whole.at(known)


def growth_all_along(
    found: ShipmentEstimates, total: Callable[[ShipmentEstimates], DrawnSeries], *, since: float, level: float
) -> FleetGrowth:
    """Return the growth a year of a total since a year, with the wider interval of the two ways that units are off.

    Raises
    ------
    ValueError
        Fewer than three quarters with something in them.
    """
    together, apart = (total(one) for one in (found, found.by_chip))
    until = float(together.end_year[-1])
    return widest(*(growth(one, since=since, until=until, level=level) for one in (together, apart)))


@dataclass(frozen=True, kw_only=True)
class BandwidthShipped:
    """How fast bandwidth in use grows: a year since 2023 of makers counted all along, and of all in the last one."""

    growth: FleetGrowth
    makers: tuple[str, ...]
    last_year: FleetGrowth | None


@kept
def bandwidth_growth(release: Release, *, level: float) -> BandwidthShipped | None:
    """Return how fast the memory bandwidth of chips in use grows; None where too few parts state it."""
    found = counted(release, "bandwidth")

    def total(one: ShipmentEstimates) -> DrawnSeries:
        return in_use(one.shipments, one.units)

    try:
        alike = found.all_along(since=GROWTH_SINCE, stock=True)
        rate = growth_all_along(alike, total, since=GROWTH_SINCE, level=level)
    except (IndexError, ValueError):
        return None
    makers = tuple(dict.fromkeys(alike.shipments.maker))
    return BandwidthShipped(growth=rate, makers=makers, last_year=last_year(total(found), level=level))
