"""List prices of accelerators at release, over what they offer."""

import math
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.rent_rates import AS_LAST_YEAR, RentRate, generation_rate, scenario
from analysis.rents import Listed, Offers, rent_now
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth, Series, Window, growth
from analysis.trend.selection import Rule
from charts.chart import Bar, Line, Mark, Points
from data.releases import Release
from views import wording, written
from views.axes import log_axis, year_axis
from views.chips import rents
from views.cost_of_bandwidth.answer import QUANTITIES, CostAnswer, Quantity, against, dollars, span
from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.exhibits import ValueAxis, bar_exhibit, xy_exhibit
from views.kept import kept
from views.result import Exhibit
from views.table import along, column, stated_columns, table
from views.trend.marks import landmarks_among

OFFERS = {"bandwidth": "memory_bandwidth_byte_per_s", "memory": "memory_capacity_byte"}


def offers_column(settings: CostOfBandwidthSettings, per: str) -> str:
    """Return the column of a release that a price is divided by."""
    return OFFERS.get(per, f"peak_{settings.precision}_dense_flop_per_s")


def data_centre_chips(release: Release) -> pd.DataFrame:
    """Return the rows of a release's data-centre chips."""
    chips: Any = release.accelerators
    return chips.loc[chips["segment"] == "data-centre"]


@dataclass(frozen=True, kw_only=True)
class ListPrices:
    """Accelerators with a list price by date, price per unit of a quantity, and its trend."""

    names: tuple[str, ...]
    vendors: tuple[str, ...]
    year: tuple[float, ...]
    price_usd: tuple[float, ...]
    quantity: Quantity
    usd: tuple[float, ...]
    rate: Growth


@kept
def list_prices(release: Release, settings: CostOfBandwidthSettings) -> tuple[ListPrices, ListPrices] | None:
    """Return list prices per unit and per unit of the other side, of the same chips; None of fewer than four."""
    chips: Any = data_centre_chips(release)
    pers = (settings.per, against(settings.per))
    columns = [offers_column(settings, per) for per in pers]
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
    """Return list prices per unit by date of release, with the trend of both sides; intervals in percent."""
    own, other = prices
    unit, beside = own.quantity.unit, other.quantity.unit
    rates = own.rate.trend.yearly_growth, other.rate.trend.yearly_growth
    spans = " and ".join(
        f"{wording.factors(one.rate.growth_low, one.rate.growth_high)} per {one.quantity.unit}"
        for one in prices
    )
    return xy_exhibit(
        [*_marks(other), *_marks(own, marked=landmarks_among(own.names, kind="accelerators"))],
        title=f"The list price per {unit} {wording.grows(rates[0])} a year, per {beside} it {wording.grows(rates[1])}",
        subtitle=f"Points are list prices of {len(own.names)} data-centre accelerators at release. The {level}% "
        f"intervals a year are {spans}. Few vendors publish prices.",
        source=source,
        x=year_axis(own.year[0], own.year[-1]),
        y=log_axis(
            f"Dollars per {unit} and per {beside}",
            [*own.usd, *other.usd],
            word=lambda value: f"${value:,.0f}",
        ),
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
    """Yield the chips as points, and their trend."""
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


FEWEST_PROVIDERS = 3
"""A chip that fewer providers list has no median."""


@dataclass(frozen=True, kw_only=True)
class RentedChip:
    """A chip with what a unit of it and of the other side rents for today: median, least and most. [USD/h]

    ``units`` is how many units of the quantity it has; ``label`` is its product, or its name where two share that.
    """

    name: str
    label: str
    released: float
    listed: Listed
    other_usd: float
    units: float


def units_of(answer: CostAnswer, per: str) -> dict[str, float]:
    """Return how many units of a quantity each data-centre chip has that states it."""
    column_name, chips = offers_column(answer.settings, per), data_centre_chips(answer.release)
    stated = chips.loc[chips[column_name].notna()]
    return dict(zip(stated["name"], (stated[column_name] / QUANTITIES[per].size).tolist(), strict=True))


def offers_of(answer: CostAnswer) -> list[Offers]:
    """Return the offers per unit and per unit of the other side."""
    every = rents.offers(answer.release.stands_on)
    return [every.per_unit(units_of(answer, per)) for per in answer.pers]


def rented_chips(answer: CostAnswer, *, own: Offers, other: Offers) -> list[RentedChip]:
    """Return the chips that enough providers list today, by date of release."""
    units, names = units_of(answer, answer.settings.per), data_centre_chips(answer.release)
    products = dict(zip(names["name"], names["product"], strict=True))
    listed = [
        (year, name, now, beside)
        for name, year in dict(zip(own.accelerator, own.released.tolist(), strict=True)).items()
        if (now := rent_now(own, name)) and (beside := rent_now(other, name))
        if now.providers >= FEWEST_PROVIDERS and math.isfinite(year)
    ]
    alike = Counter(products[name] for _, name, *_ in listed)
    return [
        RentedChip(
            name=name,
            label=products[name] if alike[products[name]] == 1 else name,
            released=year,
            listed=now,
            other_usd=beside.middle,
            units=units[name],
        )
        for year, name, now, beside in sorted(listed, key=lambda one: one[:2])
    ]


def by_release(answer: CostAnswer) -> list[RentRate]:
    """Return how a year of release changes the rent of a unit and of the other side, on one list of a day; or none."""
    with suppress(ValueError):
        return [generation_rate(offers, level=answer.level) for offers in offers_of(answer)]
    return []


def rents_exhibit(answer: CostAnswer, *, source: str) -> Exhibit | None:
    """Return what an hour of a unit rents for by chip, and how that changes with a year of release."""
    own, other = offers_of(answer)
    chips = rented_chips(answer, own=own, other=other)
    if not chips:
        return None
    unit, beside = answer.quantity.unit, answer.beside.unit
    cheapest = min(chips, key=lambda chip: chip.listed.middle)
    newer = by_release(answer)
    title = f"A {unit} rents from {dollars(cheapest.listed.middle)} an hour, on {cheapest.label}"
    if newer:
        first, second = (wording.times(rate.value) for rate in newer)
        title = f"A chip one year newer rents for {first} as much per {unit}, {second} per {beside}"
    subtitle = (
        "Dots are the median on-demand price an hour, lines the lowest and highest of the providers. "
        f"{_moved(own, newer, level=answer.level)}"
    )
    return bar_exhibit(
        chips,
        lambda chip: Bar(
            label=chip.label,
            value=chip.listed.middle,
            low=chip.listed.low,
            high=chip.listed.high,
            text=f"{dollars(chip.listed.middle)}, n = {chip.listed.providers}",
            role=answer.quantity.role,
            emphasised=chip is cheapest,
            detail=(f"{dollars(chip.other_usd)} per {beside}",),
        ),
        title=title,
        subtitle=subtitle,
        alt=f"{title}. {subtitle}",
        source=source,
        axis=ValueAxis(title=f"Dollars an hour per {unit}", word=lambda value: f"${value:.3g}", log=True),
        dots=True,
        columns=stated_columns(
            written.toml(__file__, name="columns.toml")["rents"],
            {"unit": unit, "beside": beside},
            chip_hour=lambda chip: chip.listed.middle * chip.units,
        ),
    )


def _moved(own: Offers, newer: list[RentRate], *, level: float) -> str:
    """Return the intervals of rates by release, and how prices of the same offers moved, as far as they are known."""
    parts = []
    if newer:
        first, second = map(span, newer)
        parts.append(
            f"{wording.percent(level)} intervals on price lists of the same day: {first} and {second}."
        )
    with suppress(ValueError):
        moved = scenario(own, AS_LAST_YEAR, level=level)
        parts.append(
            f"Prices of the same offers moved {wording.times(moved.value)} a year in the last year ({span(moved)})."
        )
    return " ".join(parts)
