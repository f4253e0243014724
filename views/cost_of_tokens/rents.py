"""The rent of the best accelerator as providers listed it over time, and three ways on from today."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from charts.chart import Band, Line, Points, XYChart
from views import wording
from views.axes import log_axis, year_axis
from views.chips import rents
from views.cost_of_tokens.found import Found
from views.cost_of_tokens.settings import ALL
from views.cost_of_tokens.words import usd
from views.cost_of_tokens.years import SCENARIO_ROLES
from views.result import Exhibit
from views.table import Getter, column, table

AHEAD = 3.0
FEWEST = 8
"""An accelerator with fewer dated prices gives way to the one with most, where all are asked for. [1]"""


@dataclass(frozen=True, kw_only=True)
class _Offer:
    provider: str
    year: float
    usd: float


COLUMNS: tuple[Getter[_Offer], ...] = (
    column("provider", lambda offer: offer.provider, label="Provider", kind="text"),
    column("listed", lambda offer: rents.month(offer.year), label="Listed", kind="text"),
    column("year", lambda offer: offer.year, label="Date", unit="year", kind="year"),
    column("usd_per_hour", lambda offer: offer.usd, label="Rent of an hour", unit="USD/h"),
)


def rents_exhibit(found: Found, *, source: str) -> Exhibit | None:
    """Return every dated price of the best accelerator, or of the most listed, and its rent under each scenario."""
    if found.best is None:
        return None
    known = rents.offers(found.inputs.release)
    counts = Counter(name for name, exact in zip(known.accelerator, known.exact, strict=True) if exact)
    name = found.best.accelerator
    if counts[name] < FEWEST and found.settings.accelerator == ALL:
        name = max(found.inputs.places, key=lambda one: counts[one])
    place = found.inputs.places[name]
    few = f"The {found.place(found.best).short} has few dated prices, so the accelerator with the most is shown. "
    other = few if name != found.best.accelerator else ""
    own = known.at(np.array([chip == name for chip in known.accelerator], dtype=bool) & (known.exact > 0))
    if not len(own):
        return None
    offers = [
        _Offer(provider=provider, year=float(year), usd=float(price))
        for provider, year, price in zip(own.provider, own.year, own.usd_per_hour, strict=True)
    ]
    now = place.listed
    ahead = np.linspace(now.year, now.year + AHEAD, 7)
    rates = {word: rents.rate(found.inputs.release, word) for word in rents.RENTS}
    ends = [offer.usd for offer in offers]
    chosen = rates[found.settings.rents]
    at = ahead - now.year
    low, high = now.middle * chosen.low**at, now.middle * chosen.high**at
    ends += [*low.tolist(), *high.tolist(), *(now.middle * rate.factor**AHEAD for rate in rates.values())]
    title = (
        f"{wording.counted(now.providers, 'provider')} ask {usd(now.low)} to {usd(now.high)} an hour for the "
        f"{place.short}; median {usd(now.middle)}"
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=f"{other}On-demand prices by date; lines join those of one provider. {_said(found)}",
            alt=f"{title}.",
            source=source,
            x=year_axis(min(2025.0, float(own.year.min())), now.year + AHEAD),
            y=log_axis(f"Rent of the {place.short} [$ per hour]", ends, word=usd),
            marks=(
                *(
                    (
                        Band(
                            series="90 % interval",
                            role=SCENARIO_ROLES[found.settings.rents],
                            strength="prediction",
                            x=tuple(ahead.tolist()),
                            low=tuple(low.tolist()),
                            high=tuple(high.tolist()),
                        ),
                    )
                    if chosen.high > chosen.low
                    else ()
                ),
                *_followed(offers),
                *(
                    Line(
                        series=f"Rents: {wording.small_initial(rents.scenario_label(word))}",
                        role=SCENARIO_ROLES[word],
                        x=tuple(ahead.tolist()),
                        y=tuple((now.middle * rate.factor**at).tolist()),
                        dash="solid" if word == found.settings.rents else "dotted",
                        end_label=(_brief(word),),
                    )
                    for word, rate in rates.items()
                ),
                Points(
                    series="Listed on demand",
                    role="context",
                    x=tuple(offer.year for offer in offers),
                    y=tuple(offer.usd for offer in offers),
                    names=tuple(offer.provider for offer in offers),
                    details=tuple(
                        (f"{usd(offer.usd)} an hour, {rents.month(offer.year)}",) for offer in offers
                    ),
                ),
            ),
        ),
        table=table(COLUMNS, offers),
    )


def _followed(offers: list[_Offer]) -> list[Line]:
    """Return a line for each provider with several dates."""
    by_name: dict[str, list[_Offer]] = {}
    for offer in sorted(offers, key=lambda one: one.year):
        by_name.setdefault(offer.provider, []).append(offer)
    return [
        Line(
            series="The same provider",
            role="context",
            x=tuple(one.year for one in own),
            y=tuple(one.usd for one in own),
            faded=True,
        )
        for own in by_name.values()
        if len(own) > 1
    ]


def _said(found: Found) -> str:
    """Return the rates of the scenarios that are measured, each with what it rests on."""
    last = rents.rate(found.inputs.release, rents.AS_LAST_YEAR)
    falls = rents.rate(found.inputs.release, rents.NEXT_GENERATION)
    return (
        f"As last year: {rents.rate_words(last)}: rise or fall is not settled. Falling with the next generation: "
        f"{rents.rate_words(falls)}."
    )


def _brief(word: str) -> str:
    return {rents.AS_LAST_YEAR: "As last year", rents.STEADY: "Steady"}.get(word, "Falling")
