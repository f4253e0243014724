"""Conversion of tables of costs and shipments into a unit's cost by quarter."""

from typing import Any

import numpy as np

from analysis.arrays import FloatArray
from analysis.cost_of_bandwidth import Purchases, drawn_costs, per_offered, spent
from analysis.fleet import DrawnSeries, split_lognormal
from data import standing
from data.by_release import kept_by_release
from data.releases import Release
from views.chips.shipments import COLUMNS, shipment_estimates
from views.cost_of_bandwidth.settings import ALL, MAKERS, CostOfBandwidthSettings
from views.kept import kept

PARTS = {"memory": "hbm", "logic": "logic", "packaging": "packaging", "rest": "auxiliary"}
"""Prefix of the table's columns for each component with known costs."""
SUPPLY_SEED = 2
H200, H200_FROM = "NVIDIA H200 SXM", 2024.8
"""The chip that shipments count as an H100, and its release date. [decimal year]"""


def quarter_end(word: str) -> float:
    """Return the end of a quarter given as text such as 2024-Q1. [decimal year]"""
    year, _, number = word.partition("-Q")
    return int(year) + int(number) / 4


@kept_by_release(1)
def purchases() -> tuple[Purchases, FloatArray]:
    """Return vendors' spending on each component by quarter, and draws of the spending, shape (draws, n). [USD]"""
    rows: Any = standing.table("component_costs").to_dict("records")
    lines = [(row, part, column) for row in rows for part, column in PARTS.items()]

    def costs(end: str) -> FloatArray:
        return np.array([row[f"{column}_cost{end}_usd"] for row, _, column in lines])

    bought = Purchases(
        maker=tuple(str(row["designer"]) for row, _, _ in lines),
        part=tuple(part for _, part, _ in lines),
        end_year=np.array([quarter_end(str(row["quarter"])) for row, _, _ in lines]),
        cost_low_usd=costs("_low"),
        cost_usd=costs(""),
        cost_high_usd=costs("_high"),
    )
    return bought, drawn_costs(bought)


@kept_by_release(64)
def cost(parts: frozenset[str], vendors: frozenset[str]) -> DrawnSeries:
    """Return the given vendors' spending on the given components, by quarter. [USD]"""
    bought, draws = purchases()
    pairs = zip(bought.part, bought.maker, strict=True)
    chosen = np.array([part in parts and vendor in vendors for part, vendor in pairs])
    return spent(bought, draws, keep=chosen)


@kept_by_release(1)
def memory_supply() -> DrawnSeries:
    """Return the value of the world's HBM supply in each quarter. [USD]"""
    rows: Any = standing.table("component_supply").to_dict("records")
    low, middle, high = (
        np.array([row[f"hbm_supply{end}_usd"] for row in rows]) for end in ("_low", "", "_high")
    )
    quarters = np.array([quarter_end(str(row["quarter"])) for row in rows])
    group = ["HBM"] * len(rows)
    draws = split_lognormal(
        "supplies in component_supply", low=low, middle=middle, high=high, group=group, seed=SUPPLY_SEED
    )
    return DrawnSeries(end_year=quarters, total=draws)


def offers(settings: CostOfBandwidthSettings, per: str) -> str:
    """Return the chip property that a quantity counts, as an option. For compute, it is the chosen precision."""
    return settings.precision if per == "compute" else per


def parts_of(settings: CostOfBandwidthSettings, per: str) -> frozenset[str]:
    """Return the components whose costs count towards a quantity's cost under the settings."""
    if settings.cost == "whole":
        return frozenset(PARTS)
    if per == "compute":
        return frozenset({"logic"})
    return frozenset({"memory", "packaging"} if settings.cost == "packaged" else {"memory"})


@kept
def vendors_known(release: Release, what: str) -> frozenset[str]:
    """Return the vendors whose chips shipped since the first known costs all have ``what`` in the release.

    Costs include all chips of a vendor, so a chip without a figure would make the vendor's others look expensive.
    """
    bought, _ = purchases()
    estimates = shipment_estimates(release, what)
    frame: Any = standing.table("chips_shipped")
    ends = frame["quarter_end"].dt.year + frame["quarter_end"].dt.month / 12
    late = frame.loc[frame["complete"] & (ends >= bought.end_year.min() - 1e-6)]
    missing = set(late.loc[late["chip"].isin(estimates.without), "vendor"])
    return frozenset(set(bought.maker) - missing)


def vendors_of(settings: CostOfBandwidthSettings) -> frozenset[str]:
    """Return the selected vendors."""
    return frozenset(MAKERS.values() if settings.maker == ALL else {MAKERS[settings.maker]})


@kept
def _offered(release: Release, what: str, *, vendors: frozenset[str], late_h200: bool) -> DrawnSeries:
    estimates = shipment_estimates(release, what)
    chips: Any = release.accelerators
    h200 = chips.loc[chips["name"] == H200]
    if late_h200 and len(h200):
        offered = float(h200.iloc[0][COLUMNS[what][0]])
        estimates = estimates.offering_from("H100", after=H200_FROM, offered=offered)
    return estimates.total(stock=False, vendors=vendors)


def unit_cost(
    release: Release, settings: CostOfBandwidthSettings, *, per: str, late_h200: bool = False
) -> DrawnSeries:
    """Return a unit's cost by quarter of shipment under the settings. [USD per base unit]

    It has no quarters if no vendor has figures for all chips. ``late_h200`` counts every H100 since Q4 2024 as H200.
    """
    what = offers(settings, per)
    vendors = vendors_of(settings) & vendors_known(release, what)
    if not vendors:
        return DrawnSeries(end_year=np.empty(0), total=np.empty((0, 0)))
    return per_offered(
        cost(parts_of(settings, per), vendors),
        _offered(release, what, vendors=vendors, late_h200=late_h200),
        lag_quarters=settings.lag,
    )
