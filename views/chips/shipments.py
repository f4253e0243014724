"""Chips shipped by quarter, and what the part of a release offers: shared by questions about all chips."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from analysis.arrays import FloatArray
from analysis.fleet import FleetGrowth, Shipments, drawn_units, growth, in_use
from data import standing
from data.releases import Release
from views.kept import kept

PUBLISHED_GROWTH = float(standing.rows("published", "row_id")["p031"]["value"])
"""What Epoch AI published for the memory bandwidth of all chips, 2022 to 2025: ``sources.HBM_SHIPPED``. [x/year]"""
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
class Counted:
    """Shipments whose parts state what is counted, with their drawn units, shape (draws, n), and chips that do not."""

    shipments: Shipments
    units: FloatArray
    without: tuple[str, ...]

    @property
    def medians(self) -> "Counted":
        """Return the same shipments with their median units alone."""
        return replace(self, units=self.units[:1])

    def offering(self, offered: FloatArray) -> "Counted":
        """Return the same shipments offering something else, shape (n,)."""
        return replace(self, shipments=replace(self.shipments, offered=offered))


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[dict[str, Any], ...], Shipments, FloatArray]:
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
    return tuple(frame.to_dict("records")), shipments, drawn_units(shipments)


@kept
def counted(release: Release, offers: str) -> Counted:
    """Return all whole quarters of chips whose part in the release states what is counted."""
    rows, shipments, units = _rows()
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
    if known.all():
        return Counted(shipments=replace(shipments, offered=each), units=units, without=without)
    return Counted(
        shipments=replace(shipments, offered=each).at(known), units=units[:, known], without=without
    )


@kept
def bandwidth_growth(release: Release, *, level: float) -> FleetGrowth | None:
    """Return how fast the memory bandwidth of all chips in use grows since 2023; None where too few parts state it."""
    found = counted(release, "bandwidth")
    try:
        total = in_use(found.shipments, found.units)
        return growth(total, since=GROWTH_SINCE, until=float(total.end_year[-1]), level=level)
    except (IndexError, ValueError):
        return None
