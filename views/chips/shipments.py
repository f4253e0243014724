"""Quarterly shipments of a release's chips, and the chips' capacities, for questions about all chips."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray
from analysis.fleet import DrawnSeries, Shipments, drawn_units, last_year
from analysis.fleet.estimates import ShipmentEstimates, growth_of_total
from analysis.intervals import Estimate
from charts.chart import Role
from data import standing
from data.by_release import kept_by_release
from data.releases import Release
from views.kept import kept

GROWTH_SINCE = 2023
"""Default start year of growth. Few chips of 2022 are counted, and none of earlier years."""

COLUMNS: dict[str, tuple[str, ...]] = {
    "bandwidth": ("memory_bandwidth_byte_per_s",),
    "fp16": ("peak_fp16_dense_flop_per_s",),
    "fp8": ("peak_fp8_dense_flop_per_s", "peak_fp16_dense_flop_per_s"),
    "memory": ("memory_capacity_byte",),
    "power": ("power_w",),
    "units": (),
}
"""A release's columns with a chip's capacity, keyed by quantity. If one is empty, the next is used."""
MAKER_ROLES: dict[str, Role] = {"NVIDIA": "compute", "Google": "links", "Amazon": "context", "AMD": "edge"}
"""Colour role of each vendor with known shipments, in the order of the table."""


def maker_role(maker: str) -> Role:
    """Return a vendor's colour role. It is "context" if its shipments are unknown."""
    return MAKER_ROLES.get(maker, "context")


def published_growth() -> float:
    """Return the published growth of all chips' bandwidth from 2022 to 2025 (``sources.HBM_SHIPPED``). [x/year]"""
    return float(standing.rows("published", "row_id")["p031"]["value"])


@kept_by_release(1)
def _rows() -> tuple[pd.DataFrame, Shipments, FloatArray, FloatArray]:
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
    return frame.reset_index(drop=True), shipments, drawn_units(shipments), drawn_units(by_chip)


@kept
def shipment_estimates(release: Release, offers: str) -> ShipmentEstimates:
    """Return shipments in all complete quarters, for chips whose quantity ``offers`` is known."""
    rows, shipments, units, by_chip = _rows()
    each = np.ones(len(rows))
    if columns := COLUMNS[offers]:
        parts = release.accelerators.drop_duplicates("name", keep="last").set_index("name")
        stated = parts.reindex(rows["accelerator"])[[*columns]].astype(float)
        each = stated.bfill(axis="columns").iloc[:, 0].to_numpy()
    known = ~np.isnan(each)
    without = tuple(dict.fromkeys(rows.loc[~known, "chip"]))
    whole = ShipmentEstimates(
        shipments=replace(shipments, offered=each), units=units, units_by_chip=by_chip, without=without
    )
    return whole if known.all() else whole.at(known)


@dataclass(frozen=True, kw_only=True)
class BandwidthShipped:
    """Growth of bandwidth in use, since 2023 and in the last year."""

    growth: Estimate
    vendors: tuple[str, ...]
    last_year: Estimate | None


@kept
def bandwidth_growth(release: Release, *, level: float) -> BandwidthShipped | None:
    """Return the growth of the memory bandwidth in use. None if it is known for too few chips."""
    estimates = shipment_estimates(release, "bandwidth")

    def total(part: ShipmentEstimates) -> DrawnSeries:
        return part.total(stock=True)

    try:
        constant = estimates.of_constant_vendors(since=GROWTH_SINCE, stock=True)
        rate = growth_of_total(constant, total, since=GROWTH_SINCE, level=level)
    except (IndexError, ValueError):
        return None
    return BandwidthShipped(
        growth=rate, vendors=constant.vendors, last_year=last_year(total(estimates), level=level)
    )
