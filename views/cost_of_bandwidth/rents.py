"""What an hour of a TB/s and of a PFLOP/s rents for, by chip, today and before."""

import math
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from analysis.rent_rates import RentRate, generation_rate, over, same_offer_rate
from analysis.rents import Listed, Offers, history, rent_now
from charts.chart import Bar
from views import wording, written
from views.axes import log_axis
from views.chips import rents
from views.cost_of_bandwidth.answer import CostAnswer
from views.cost_of_bandwidth.prices import data_centre_chips, offers_column
from views.cost_of_bandwidth.words import QUANTITIES, dollars, rate_words, span
from views.exhibits import bars_exhibit
from views.result import Exhibit
from views.table import stated_columns, table

FEWEST_PROVIDERS = 3
"""A chip that fewer providers list has no median."""
TODAY = "newest of each provider"


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


@dataclass(frozen=True, kw_only=True)
class RentRow:
    """What a unit of a chip, and of the other side, rents for on the prices of some time. [USD/h]"""

    chip: RentedChip
    prices_of: str
    listed: Listed
    other_usd: float


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


def rents_note(answer: CostAnswer) -> Iterator[str]:
    """Return how rents per unit change with a year of release; they agree where both intervals are beside no change."""
    newer = by_release(answer)
    if not newer:
        return
    own, other = map(rate_words, newer)
    rates = (
        f"a chip one year newer rents for {own} as much per {answer.quantity.unit}, {other} per "
        f"{answer.beside.unit}"
    )
    gap = answer.gap
    with suppress(ValueError):
        ratio = over(*newer, level=answer.level)
        rates += f"; the first over the second is {rate_words(ratio)}"
        if gap and ((min(gap.low, ratio.low) > 1) or (max(gap.high, ratio.high) < 1)):
            yield f"Rents point the same way: {rates}."
            return
    yield f"{wording.sentence_case(rates)}."


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
    bars = tuple(
        Bar(
            label=chip.label,
            value=chip.listed.middle,
            low=chip.listed.low,
            high=chip.listed.high,
            text=f"{dollars(chip.listed.middle)}, n = {chip.listed.providers}",
            role=answer.quantity.role,
            emphasised=chip is cheapest,
            detail=(f"{dollars(chip.other_usd)} per {beside}",),
        )
        for chip in chips
    )
    axis = log_axis(
        f"Dollars an hour per {unit}",
        [end for chip in chips for end in (chip.listed.low, chip.listed.high)],
        word=lambda value: f"${value:.3g}",
    )
    subtitle = (
        "Dollars an hour on demand: median, lowest and highest of the providers. "
        f"{_moved(own, newer, level=answer.level)}"
    )
    return bars_exhibit(
        bars,
        title=title,
        subtitle=subtitle,
        alt=f"{title}. {subtitle}",
        source=source,
        axis=axis,
        base=axis.low,
        dots=True,
        numbers=table(
            stated_columns(
                written.toml(__file__, name="columns.toml")["rents"],
                {"unit": unit, "beside": beside},
                chip_hour=lambda row: row.listed.middle * row.chip.units,
            ),
            [row for chip in chips for row in _rows(own, chip)],
        ),
    )


def _rows(own: Offers, chip: RentedChip) -> Iterator[RentRow]:
    """Yield today's rent of a chip, then its history."""
    yield RentRow(chip=chip, prices_of=TODAY, listed=chip.listed, other_usd=chip.other_usd)
    for then in history(own, chip.name):
        other = then.middle * (chip.other_usd / chip.listed.middle)
        yield RentRow(chip=chip, prices_of=rents.month(then.year), listed=then, other_usd=other)


def _moved(own: Offers, newer: list[RentRate], *, level: float) -> str:
    """Return the intervals of rates by release, and how prices of the same offers moved, as far as they are known."""
    parts = []
    if newer:
        first, second = map(span, newer)
        parts.append(
            f"{wording.percent(level)} intervals on price lists of the same day: {first} and {second}."
        )
    with suppress(ValueError):
        moved = same_offer_rate(own, level=level)
        parts.append(f"Prices of the same offers moved {wording.times(moved.value)} a year ({span(moved)}).")
    return " ".join(parts)
