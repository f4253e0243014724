"""The rent of the best accelerator as providers listed it over time, and three ways on from today."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from analysis.rent_rates import AS_LAST_YEAR, NEXT_GENERATION
from charts.chart import Band, Line, Points
from views import wording
from views.axes import year_axis
from views.chips import rents
from views.cost_of_tokens.answer import PriceAnswer
from views.cost_of_tokens.inputs import Place
from views.cost_of_tokens.settings import ALL
from views.cost_of_tokens.words import usd
from views.cost_of_tokens.years import SCENARIO_ROLES, scenario_line
from views.exhibits import ValueAxis, xy_exhibit
from views.result import Exhibit
from views.table import Getter, column, table

AHEAD = 3.0
FEWEST = 8
"""An accelerator with fewer dated prices gives way to the one with most, where all are chosen. [1]"""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A dated price of a provider. [USD/h]"""

    provider: str
    year: float
    usd: float


COLUMNS: tuple[Getter[Offer], ...] = (
    column("provider", lambda offer: offer.provider, label="Provider", kind="text"),
    column("listed", lambda offer: rents.month(offer.year), label="Listed", kind="text"),
    column("year", lambda offer: offer.year, label="Date", unit="year", kind="year"),
    column("usd_per_hour", lambda offer: offer.usd, label="Rent of an hour", unit="USD/h"),
)


def _shown(answer: PriceAnswer) -> tuple[Place, list[Offer]]:
    """Return the best accelerator, or the one with most dated prices where it has few, and its dated prices."""
    known = rents.offers(answer.release)
    dated = known.at(known.exact > 0)
    counts = Counter(dated.accelerator)
    name = answer.best.accelerator if answer.best is not None else ""
    if counts[name] < FEWEST and answer.settings.accelerator == ALL:
        name = max(answer.inputs.places, key=lambda one: counts[one])
    rows = zip(dated.accelerator, dated.provider, dated.year, dated.usd_per_hour, strict=True)
    offers = [
        Offer(provider=provider, year=float(year), usd=float(price))
        for accelerator, provider, year, price in rows
        if accelerator == name
    ]
    return answer.inputs.places[name], offers


def rents_exhibit(answer: PriceAnswer, *, source: str) -> Exhibit | None:
    """Return every dated price of the best accelerator, or of the most listed, and its rent under each scenario."""
    place, offers = _shown(answer)
    if not offers:
        return None
    now, chosen = place.listed, answer.settings.rents
    best = answer.leader.short
    few = f"The {best} has few dated prices, so the accelerator with the most is shown. "
    rates = {word: rents.rate(answer.release, word) for word in rents.RENTS}
    ahead = np.linspace(now.year, now.year + AHEAD, 7)
    x = tuple(ahead.tolist())

    def moved(factor: float) -> tuple[float, ...]:
        return tuple((now.middle * factor ** (ahead - now.year)).tolist())

    band = Band(
        series="90 % interval",
        role=SCENARIO_ROLES[chosen],
        strength="prediction",
        x=x,
        low=moved(rates[chosen].low),
        high=moved(rates[chosen].high),
    )
    return xy_exhibit(
        (
            *((band,) if rates[chosen].high > rates[chosen].low else ()),
            *_followed(offers),
            *(scenario_line(word, x=x, y=moved(rate.value), chosen=chosen) for word, rate in rates.items()),
            Points(
                series="Listed on demand",
                role="context",
                x=tuple(offer.year for offer in offers),
                y=tuple(offer.usd for offer in offers),
                names=tuple(offer.provider for offer in offers),
                details=tuple((f"{usd(offer.usd)} an hour, {rents.month(offer.year)}",) for offer in offers),
            ),
        ),
        title=_title(place),
        subtitle=f"{few if place.short != best else ''}On-demand prices by date; lines join those of one provider. As "
        f"last year: {rents.rate_words(rates[AS_LAST_YEAR])}: rise or fall is not settled. Falling with the next "
        f"generation: {rents.rate_words(rates[NEXT_GENERATION])}.",
        source=source,
        x=year_axis(min(2025.0, *(offer.year for offer in offers)), now.year + AHEAD),
        y=ValueAxis(title=f"Rent of the {place.short} [$ per hour]", word=usd, log=True),
        numbers=table(COLUMNS, offers),
    )


def _title(place: Place) -> str:
    now = place.listed
    if now.providers == 1:
        return f"One provider rents out the {place.short}, for {usd(now.middle)} an hour"
    return (
        f"{wording.counted(now.providers, 'provider')} ask {usd(now.low)} to {usd(now.high)} an hour for the "
        f"{place.short}; median {usd(now.middle)}"
    )


def _followed(offers: list[Offer]) -> list[Line]:
    """Return a line for each provider with several dates."""
    by_provider: dict[str, list[Offer]] = {}
    for offer in sorted(offers, key=lambda offer: offer.year):
        by_provider.setdefault(offer.provider, []).append(offer)
    return [
        Line(
            series="The same provider",
            role="context",
            x=tuple(one.year for one in own),
            y=tuple(one.usd for one in own),
            faded=True,
        )
        for own in by_provider.values()
        if len(own) > 1
    ]
