"""List prices of accelerators at release, over what they offer."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth, Series, Window, growth
from analysis.trend.selection import Rule
from charts.chart import Line, Points, XYChart
from data.releases import Release
from views import wording
from views.axes import log_axis, year_axis
from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.cost_of_bandwidth.words import ROLES, UNITS, against, dollars
from views.kept import kept
from views.result import Column, Exhibit, Table
from views.trend import landmarks

OFFERS = {"bandwidth": "memory_bandwidth_byte_per_s", "memory": "memory_capacity_byte"}


def offers_column(settings: CostOfBandwidthSettings, per: str) -> str:
    """Return the column of a release that a price is divided by."""
    return OFFERS.get(per, f"peak_{settings.precision}_dense_flop_per_s")


@dataclass(frozen=True, kw_only=True)
class Listed:
    """Accelerators with a list price by date, price per unit of a quantity, and its trend."""

    names: tuple[str, ...]
    vendors: tuple[str, ...]
    year: tuple[float, ...]
    price_usd: tuple[float, ...]
    per: str
    usd: tuple[float, ...]
    rate: Growth


@kept
def listed(release: Release, settings: CostOfBandwidthSettings) -> tuple[Listed, Listed] | None:
    """Return list prices per unit and per unit of the other side, of the same chips; None of fewer than four."""
    chips: Any = release.accelerators
    pers = (settings.per, against(settings.per))
    columns = [offers_column(settings, per) for per in pers]
    keep = chips["representative"] & (chips["status"] == "shipped") & (chips["excluded"] == "")
    keep &= (chips["segment"] == "data-centre") & chips[["price_usd", "released_on", *columns]].notna().all(
        axis=1
    )
    chips = chips.loc[keep].sort_values("released_on")
    if len(chips) < 4:
        return None
    year = np.asarray(decimal_year(chips["released_on"]), dtype=float)

    def one(per: str, column: str) -> Listed:
        usd = np.asarray(UNITS[per][0] * chips["price_usd"] / chips[column], dtype=float)
        series = Series(
            year=year,
            value=usd,
            cluster=np.asarray(chips["vendor"], dtype=object),
            name=np.asarray(chips["name"], dtype=object),
        )
        rate = growth(
            series,
            rule=Rule(kind="all"),
            window=Window(),
            interval="clustered",
            few_clusters="rows",
            level=int(settings.level) / 100,
        )
        return Listed(
            names=tuple(chips["product"]),
            vendors=tuple(chips["vendor"]),
            year=tuple(year.tolist()),
            price_usd=tuple(chips["price_usd"].tolist()),
            per=per,
            usd=tuple(usd.tolist()),
            rate=rate,
        )

    first, other = (one(per, column) for per, column in zip(pers, columns, strict=True))
    return first, other


def prices_exhibit(
    found: tuple[Listed, Listed], settings: CostOfBandwidthSettings, *, source: str
) -> Exhibit:
    """Return list prices per unit by date of release, with the trend of both sides."""
    own, other = found
    unit, beside = UNITS[own.per][1], UNITS[other.per][1]
    rates = own.rate.trend.yearly_growth, other.rate.trend.yearly_growth
    way = " fall" if max(rates) < 1 else " rise" if min(rates) > 1 else ""
    title = f"List prices{way}: {wording.times(rates[0])} a year per {unit}, {wording.times(rates[1])} per {beside}"
    said = "; ".join(
        f"per {UNITS[one.per][1]} "
        f"{wording.interval(wording.times(one.rate.growth_low), wording.times(one.rate.growth_high))}"
        for one in found
    )
    values = [value for one in found for value in one.usd]
    ends = (own.year[0], own.year[-1])
    marks = tuple(
        mark
        for one in reversed(found)
        for mark in (
            Points(
                series=f"Per {UNITS[one.per][1]}",
                role=ROLES[one.per],
                x=one.year,
                y=one.usd,
                names=one.names,
                details=tuple(
                    (
                        f"List price {wording.quantity(price, 'USD')}",
                        f"{dollars(usd)} per {UNITS[one.per][1]}",
                    )
                    for price, usd in zip(one.price_usd, one.usd, strict=True)
                ),
                marked=landmarks.marked(one.names, kind="accelerators") if one is own else (),
            ),
            Line(
                series=f"Trend per {UNITS[one.per][1]}",
                role=ROLES[one.per],
                x=ends,
                y=tuple(one.rate.trend.at(np.array(ends)).tolist()),
                end_label=(
                    f"Per {UNITS[one.per][1]}",
                    f"{wording.times(one.rate.trend.yearly_growth)} a year",
                ),
            ),
        )
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=f"List price of data-centre accelerators at release over their data sheet, n = {len(own.names)}. "
            f"{settings.level} % intervals: {said}. Few makers publish prices.",
            alt=f"{title}.",
            source=source,
            x=year_axis(*ends),
            y=log_axis(f"Dollars per {unit} and per {beside}", values, word=lambda value: f"${value:,.0f}"),
            marks=marks,
        ),
        table=Table(
            columns=(
                Column(name="chip", label="Chip", kind="text"),
                Column(name="released", label="Released", unit="year", kind="year"),
                Column(name="price", label="List price", unit="USD"),
                Column(name="per_unit", label=f"Per {unit}", unit=f"USD per {unit}"),
                Column(name="per_other", label=f"Per {beside}", unit=f"USD per {beside}"),
            ),
            rows=tuple(zip(own.names, own.year, own.price_usd, own.usd, other.usd, strict=True)),
        ),
    )
