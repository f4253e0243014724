"""List prices of accelerators at release, per unit of bandwidth, memory or compute."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth, Series, Window, growth
from analysis.trend.selection import Rule
from charts.chart import Line, Mark, Points
from data.releases import Release
from views import wording
from views.axes import log_axis, year_axis
from views.cost_of_bandwidth.answer import QUANTITIES, Quantity, against, dollars
from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.exhibits import xy_exhibit
from views.kept import kept
from views.result import Exhibit
from views.table import along, column, table
from views.trend.marks import landmarks_among

OFFERS = {"bandwidth": "memory_bandwidth_byte_per_s", "memory": "memory_capacity_byte"}


def data_centre_chips(release: Release) -> pd.DataFrame:
    """Return the rows of a release's data-centre chips."""
    chips: Any = release.accelerators
    return chips.loc[chips["segment"] == "data-centre"]


@dataclass(frozen=True, kw_only=True)
class ListPrices:
    """Accelerators with a list price: names, dates, prices, and prices per unit with their trend."""

    names: tuple[str, ...]
    vendors: tuple[str, ...]
    year: tuple[float, ...]
    price_usd: tuple[float, ...]
    quantity: Quantity
    usd: tuple[float, ...]
    rate: Growth


@kept
def list_prices(release: Release, settings: CostOfBandwidthSettings) -> tuple[ListPrices, ListPrices] | None:
    """Return list prices per unit, and per unit of the counterpart. None for fewer than four chips."""
    chips: Any = data_centre_chips(release)
    pers = (settings.per, against(settings.per))
    columns = [OFFERS.get(per, f"peak_{settings.precision}_dense_flop_per_s") for per in pers]
    keep = chips["representative"] & (chips["status"] == "shipped") & (chips["excluded"] == "")
    keep &= chips[["price_usd", "released_on", *columns]].notna().all(axis=1)
    chips = chips.loc[keep].sort_values("released_on")
    if len(chips) < 4:
        return None
    years = decimal_year(chips["released_on"])

    def over(per: str, column_name: str) -> ListPrices:
        quantity = QUANTITIES[per]
        usd = quantity.size * chips["price_usd"] / chips[column_name]
        rate = growth(
            Series(
                year=years,
                value=usd.to_numpy(float),
                cluster=chips["vendor"].to_numpy(object),
                name=chips["name"].to_numpy(object),
            ),
            rule=Rule(kind="all"),
            window=Window(),
            interval="clustered",
            few_clusters="rows",
            level=int(settings.level) / 100,
        )
        return ListPrices(
            names=tuple(chips["product"]),
            vendors=tuple(chips["vendor"]),
            year=tuple(years.tolist()),
            price_usd=tuple(chips["price_usd"].tolist()),
            quantity=quantity,
            usd=tuple(usd.tolist()),
            rate=rate,
        )

    own, other = map(over, pers, columns)
    return own, other


def prices_exhibit(prices: tuple[ListPrices, ListPrices], *, level: str, source: str) -> Exhibit:
    """Return an exhibit of list prices per unit by release date, with trends."""
    own, other = prices
    unit, beside = own.quantity.unit, other.quantity.unit
    rates = [wording.grows(one.rate.trend.yearly_growth) for one in prices]
    first, second = (wording.factors(one.rate.growth_low, one.rate.growth_high) for one in prices)
    axis = f"Dollars per {unit} and per {beside}"
    return xy_exhibit(
        [*_marks(other), *_marks(own, marked=landmarks_among(own.names, kind="accelerators"))],
        title=f"The list price per {unit} {rates[0]} a year; that per {beside} {rates[1]}",
        subtitle=f"Points are the list prices of {len(own.names)} data-centre accelerators at release. The price per "
        f"{unit} changes by {first} a year and the price per {beside} by {second} ({level}% intervals). Few vendors "
        "publish prices.",
        source=source,
        x=year_axis(own.year[0], own.year[-1]),
        y=log_axis(axis, [*own.usd, *other.usd], word=lambda value: f"${value:,.0f}"),
        numbers=table(
            (
                column("chip", lambda at: own.names[at], label="Chip", kind="text"),
                column("released", along(own.year), label="Released", unit="year", kind="year"),
                column("price", along(own.price_usd), label="List price", unit="USD"),
                column("per_unit", along(own.usd), label=f"Per {unit}", unit=f"USD per {unit}"),
                column("per_other", along(other.usd), label=f"Per {beside}", unit=f"USD per {beside}"),
            ),
            range(len(own.names)),
        ),
    )


def _marks(prices: ListPrices, *, marked: tuple[tuple[int, str], ...] = ()) -> Iterator[Mark]:
    """Yield the chips as points, and the trend of their prices."""
    unit = prices.quantity.unit
    yield Points(
        series=f"Per {unit}",
        role=prices.quantity.role,
        x=prices.year,
        y=prices.usd,
        names=prices.names,
        rows="accelerators",
        details=tuple(
            (f"List price {wording.quantity(price, 'USD')}", f"{dollars(usd)} per {unit}")
            for price, usd in zip(prices.price_usd, prices.usd, strict=True)
        ),
        marked=marked,
    )
    ends, trend = (prices.year[0], prices.year[-1]), prices.rate.trend
    yield Line(
        series=f"Trend per {unit}",
        role=prices.quantity.role,
        x=ends,
        y=tuple(trend.at(np.array(ends)).tolist()),
        end_label=(f"Per {unit}", f"{wording.times(trend.yearly_growth)} a year"),
    )
