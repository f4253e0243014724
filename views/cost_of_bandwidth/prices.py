"""List prices of accelerators and rents, over what they offer."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth, Series, Window, growth
from analysis.trend.selection import Rule
from charts.chart import Bar, BarChart, Line, Points, XYChart
from data import standing
from data.releases import Release
from views import wording
from views.axes import log_axis, year_axis
from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.cost_of_bandwidth.words import ROLES, UNITS, against, dollars
from views.kept import kept
from views.result import Column, Exhibit, Table
from views.trend import landmarks

OFFERS = {"bandwidth": "memory_bandwidth_byte_per_s", "memory": "memory_capacity_byte"}
FEWEST_PROVIDERS = 3


def offers_column(settings: CostOfBandwidthSettings, per: str) -> str:
    """Return the column of a release that a price is divided by."""
    return OFFERS.get(per, f"peak_{settings.precision}_dense_flop_per_s")


@dataclass(frozen=True, kw_only=True)
class Listed:
    """Accelerators with a list price by date, price per unit of a quantity, and its trend."""

    names: tuple[str, ...]
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
            names=tuple(chips["name"]),
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
    title = (
        f"List prices per {unit} change {wording.times(own.rate.trend.yearly_growth)} a year, "
        f"per {beside} {wording.times(other.rate.trend.yearly_growth)}"
    )
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
                Column(name="released", label="Released", unit="year"),
                Column(name="price", label="List price", unit="USD"),
                Column(name="per_unit", label=f"Per {unit}", unit=f"USD per {unit}"),
                Column(name="per_other", label=f"Per {beside}", unit=f"USD per {beside}"),
            ),
            rows=tuple(zip(own.names, own.year, own.price_usd, own.usd, other.usd, strict=True)),
        ),
    )


def _rents(release: Release, settings: CostOfBandwidthSettings) -> pd.DataFrame:
    """Return the median rent of a unit and of the other side, by chip and year of the price, over providers."""
    prices: Any = standing.table("cloud_prices")
    prices = prices.loc[(prices["tier"] == "on-demand") & prices["as_of_on"].notna()]
    chips: Any = release.accelerators
    pers = (settings.per, against(settings.per))
    columns = {offers_column(settings, per): per for per in pers}
    chips = chips.loc[chips["segment"] == "data-centre", ["name", "released_on", *columns]].dropna()
    rows = prices.merge(chips, left_on="accelerator", right_on="name")
    for column, per in columns.items():
        rows[per] = UNITS[per][0] * rows["price_usd_per_hour"] / rows[column]
    rows["year"] = rows["as_of_on"].dt.year
    each = rows.groupby(["accelerator", "released_on", "year", "provider"])[list(pers)].median().reset_index()
    grouped = each.groupby(["accelerator", "released_on", "year"])
    found = grouped[list(pers)].median()
    quantiles = grouped[settings.per].quantile([0.25, 0.75]).unstack()
    found["low"], found["high"] = quantiles[0.25], quantiles[0.75]
    found["providers"] = grouped.size()
    found = found.reset_index()
    return found.loc[found["providers"] >= FEWEST_PROVIDERS].sort_values(
        ["released_on", "accelerator", "year"]
    )


def rents_exhibit(release: Release, settings: CostOfBandwidthSettings, *, source: str) -> Exhibit | None:
    """Return what an hour of a unit rents for by chip, newest prices, and those of earlier years; None without any."""
    found = _rents(release, settings)
    if found.empty:
        return None
    unit, beside = UNITS[settings.per][1], UNITS[against(settings.per)][1]
    newest = int(np.max(found["year"]))
    now = found.loc[found["year"] == newest]
    before = {row["accelerator"]: row for row in found.loc[found["year"] < newest].to_dict("records")}
    lines = now.to_dict("records")
    cheapest = min(lines, key=lambda row: row[settings.per])
    title = (
        f"A {unit} rents from {_rent(cheapest[settings.per])} an hour, on {_short(cheapest['accelerator'])}"
    )
    bars = tuple(
        Bar(
            label=_short(row["accelerator"]),
            value=row[settings.per],
            low=row["low"],
            high=row["high"],
            text=f"{_rent(row[settings.per])}, n = {row['providers']}",
            role=ROLES[settings.per],
            start=before[row["accelerator"]][settings.per] if row["accelerator"] in before else None,
            emphasised=row is cheapest,
            detail=(f"{_rent(row[against(settings.per)])} per {beside}",),
        )
        for row in lines
    )
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high, bar.start) if end is not None]
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"On-demand rent per {unit}, {newest}: median of providers and their middle half; hollow, an "
            "earlier year. Oldest chip first; providers differ between years.",
            alt=f"{title}.",
            source=source,
            x=log_axis(f"Dollars an hour per {unit}", ends, word=lambda value: f"${value:.3g}"),
            base=1.0,
            dots=True,
            bars=bars,
        ),
        table=Table(
            columns=(
                Column(name="chip", label="Chip", kind="text"),
                Column(name="year", label="Price of", unit="year"),
                Column(name="rent", label=f"Per {unit}", unit=f"USD/h per {unit}"),
                Column(name="low", label="First quartile", unit=f"USD/h per {unit}"),
                Column(name="high", label="Third quartile", unit=f"USD/h per {unit}"),
                Column(name="other", label=f"Per {beside}", unit=f"USD/h per {beside}"),
                Column(name="providers", label="Providers", unit="1"),
            ),
            rows=tuple(
                (
                    row["accelerator"],
                    row["year"],
                    row[settings.per],
                    row["low"],
                    row["high"],
                    row[against(settings.per)],
                    row["providers"],
                )
                for row in found.to_dict("records")
            ),
        ),
    )


def _short(name: str) -> str:
    return landmarks.labels("accelerators").get(name, name)


def _rent(value: float) -> str:
    return f"${wording.significant(value)}"
