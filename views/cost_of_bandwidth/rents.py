"""What an hour of a TB/s and of a PFLOP/s rents for, by chip, today and before."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analysis.fleet import FleetGrowth
from analysis.rent_rates import RentRate, generation_rate, over, same_offer_rate
from analysis.rents import Offers, history, rent_now
from charts.chart import Bar, BarChart
from data.releases import Release
from views import wording
from views.axes import log_axis
from views.chips import rents
from views.cost_of_bandwidth.prices import offers_column
from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.cost_of_bandwidth.words import ROLES, UNITS, against
from views.result import Column, Exhibit, Table

FEWEST_PROVIDERS = 3
"""A chip that fewer providers list has no median."""


@dataclass(frozen=True, kw_only=True)
class Rented:
    """A chip with what a unit of it and of the other side rents for today: median, least and most. [USD/h]"""

    name: str
    released: float
    usd: float
    low: float
    high: float
    other_usd: float
    providers: int


def offers_per(release: Release, column: str, *, size: float) -> tuple[Offers, dict[str, float]]:
    """Return the offers of chips that state a column, priced by so many base units of it, and units by chip."""
    every = rents.offers(release.stands_on)
    chips: Any = release.accelerators
    chips = chips.loc[chips[column].notna() & (chips["segment"] == "data-centre")]
    units = {str(row["name"]): float(row[column]) / size for row in chips.to_dict("records")}
    known = every.at(np.array([name in units for name in every.accelerator], dtype=bool))
    each = np.array([units[name] for name in known.accelerator])
    return replace(known, usd_per_hour=known.usd_per_hour / each), units


def _today(own: Offers, other: Offers) -> list[Rented]:
    released = dict(zip(own.accelerator, own.released.tolist(), strict=True))
    found = []
    for name, year in released.items():
        now, beside = rent_now(own, name), rent_now(other, name)
        if now and beside and now.providers >= FEWEST_PROVIDERS and np.isfinite(year):
            found.append(
                Rented(
                    name=name,
                    released=year,
                    usd=now.middle,
                    low=now.low,
                    high=now.high,
                    other_usd=beside.middle,
                    providers=now.providers,
                )
            )
    return sorted(found, key=lambda chip: (chip.released, chip.name))


def by_release(release: Release, settings: CostOfBandwidthSettings) -> list[RentRate]:
    """Return how a year of release changes the rent of a unit and of the other side, on one list of a day; or none."""
    level, found = int(settings.level) / 100, []
    with suppress(ValueError):
        for per in (settings.per, against(settings.per)):
            offers, _ = offers_per(release, offers_column(settings, per), size=UNITS[per][0])
            found.append(generation_rate(offers, level=level))
    return found if len(found) == 2 else []


def rents_note(
    release: Release, settings: CostOfBandwidthSettings, *, gap: FleetGrowth | None
) -> Iterator[str]:
    """Return how rents per unit change with a year of release; they agree where both intervals are beside no change."""
    newer = by_release(release, settings)
    if not newer:
        return
    unit, beside = UNITS[settings.per][1], UNITS[against(settings.per)][1]
    own, other = (
        f"{wording.times(rate.factor)} ({wording.interval(wording.times(rate.low), wording.times(rate.high))})"
        for rate in newer
    )
    said = f"a chip one year newer rents for {own} as much per {unit}, {other} per {beside}"
    with suppress(ValueError):
        apart = over(*newer, level=int(settings.level) / 100)
        ends = wording.interval(wording.times(apart.low), wording.times(apart.high))
        said += f"; the first over the second is {wording.times(apart.factor)} ({ends})"
        if gap and ((min(gap.low, apart.low) > 1) or (max(gap.high, apart.high) < 1)):
            yield f"Rents point the same way: {said}."
            return
    yield f"{wording.sentence_case(said)}."


def rents_exhibit(release: Release, settings: CostOfBandwidthSettings, *, source: str) -> Exhibit | None:
    """Return what an hour of a unit rents for by chip, and how that changes with a year of release."""
    pers = (settings.per, against(settings.per))
    (own, units), (other, _) = (
        offers_per(release, offers_column(settings, per), size=UNITS[per][0]) for per in pers
    )
    chips = _today(own, other) if len(own) and len(other) else []
    if not chips:
        return None
    unit, beside = (UNITS[per][1] for per in pers)
    level = int(settings.level) / 100
    newer = by_release(release, settings)
    labels = _labels(release, chips)
    title = _title(newer, chips=chips, labels=labels, units=(unit, beside))
    cheapest = min(chips, key=lambda chip: chip.usd)
    bars = tuple(
        Bar(
            label=labels[chip.name],
            value=chip.usd,
            low=chip.low,
            high=chip.high,
            text=f"{_rent(chip.usd)}, n = {chip.providers}",
            role=ROLES[settings.per],
            emphasised=chip is cheapest,
            detail=(f"{_rent(chip.other_usd)} per {beside}",),
        )
        for chip in chips
    )
    x = log_axis(
        f"Dollars an hour per {unit}",
        [end for chip in chips for end in (chip.low, chip.high)],
        word=lambda value: f"${value:.3g}",
    )
    moved = _moved(own, newer, level=level)
    subtitle = f"Dollars an hour on demand: median, lowest and highest of the providers. {moved}"
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}. {subtitle}",
            source=source,
            x=x,
            base=x.low,
            dots=True,
            bars=bars,
        ),
        table=_table(own, chips, units=units, unit=unit, beside=beside),
    )


def _title(
    newer: list[RentRate], *, chips: list[Rented], labels: dict[str, str], units: tuple[str, str]
) -> str:
    if newer:
        rates = [
            f"{wording.times(rate.factor)}{more} per {unit}"
            for rate, unit, more in zip(newer, units, (" as much", ""), strict=True)
        ]
        return f"A chip one year newer rents for {', '.join(rates)}"
    cheapest = min(chips, key=lambda chip: chip.usd)
    return f"A {units[0]} rents from {_rent(cheapest.usd)} an hour, on {labels[cheapest.name]}"


def _moved(own: Offers, newer: list[RentRate], *, level: float) -> str:
    said = ""
    if newer:
        ends = [wording.interval(wording.times(rate.low), wording.times(rate.high)) for rate in newer]
        said = f"{wording.percent(level)} intervals on price lists of the same day: {ends[0]} and {ends[1]}."
    with suppress(ValueError):
        moved = same_offer_rate(own, level=level)
        ends = wording.interval(wording.times(moved.low), wording.times(moved.high))
        said += f" Prices of the same offers moved {wording.times(moved.factor)} a year ({ends})."
    return said.strip()


def _table(own: Offers, chips: list[Rented], *, units: dict[str, float], unit: str, beside: str) -> Table:
    rows = []
    for chip in chips:
        ratio = chip.other_usd / chip.usd
        rows += [
            (
                chip.name,
                chip.released,
                "newest of each provider",
                chip.usd,
                chip.low,
                chip.high,
                chip.other_usd,
                chip.usd * units[chip.name],
                chip.providers,
            ),
            *(
                (
                    chip.name,
                    chip.released,
                    rents.month(then.year),
                    then.middle,
                    then.low,
                    then.high,
                    then.middle * ratio,
                    then.middle * units[chip.name],
                    then.providers,
                )
                for then in history(own, chip.name)
            ),
        ]
    return Table(
        columns=(
            Column(name="chip", label="Chip", kind="text"),
            Column(name="released", label="Released", unit="year", kind="year"),
            Column(name="prices_of", label="Prices of", kind="text"),
            Column(name="rent", label=f"Per {unit}", unit=f"USD/h per {unit}"),
            Column(name="low", label="Lowest", unit=f"USD/h per {unit}"),
            Column(name="high", label="Highest", unit=f"USD/h per {unit}"),
            Column(name="other", label=f"Per {beside}", unit=f"USD/h per {beside}"),
            Column(name="chip_hour", label="Chip, an hour", unit="USD/h"),
            Column(name="providers", label="Providers"),
        ),
        rows=tuple(rows),
    )


def _labels(release: Release, chips: list[Rented]) -> dict[str, str]:
    """Return what each chip is called on the axis: its product, or its name where two chips share that."""
    table: Any = release.accelerators
    products = {str(row["name"]): str(row["product"]) for row in table.to_dict("records")}
    shown = [products[chip.name] for chip in chips]
    return {
        chip.name: product if shown.count(product) == 1 else chip.name
        for chip, product in zip(chips, shown, strict=True)
    }


def _rent(value: float) -> str:
    return f"${wording.significant(value)}"
