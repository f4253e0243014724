"""Exhibits of the price of a million tokens and of the accelerator's rent, by year and scenario."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.cost_of_tokens.later import LaterCost
from analysis.rent_rates import AS_LAST_YEAR, NEXT_GENERATION, STEADY
from analysis.rents import Listed, Offers
from charts.chart import Band, Line, Points, Role
from views import wording, written
from views.axes import log_axis, year_axis
from views.chips import rents
from views.cost_of_tokens.answer import PriceAnswer, between, usd
from views.cost_of_tokens.inputs import Place
from views.cost_of_tokens.settings import ALL, LAST_YEAR, TODAY, accelerators
from views.exhibits import ValueAxis, xy_exhibit
from views.result import Exhibit
from views.table import along, stated_columns, table

SCENARIO_ROLES: dict[str, Role] = {AS_LAST_YEAR: "edge", STEADY: "memory", NEXT_GENERATION: "compute"}
AHEAD = 3.0
"""Number of years ahead for which rents are drawn. [year]"""
FEWEST = 8
"""Minimum number of dated prices for the best accelerator to be shown instead of another."""
COLUMNS = written.toml(__file__, name="columns.toml")
TEXTS = written.toml(__file__, name="words.toml")["years"]


@dataclass(frozen=True, kw_only=True)
class YearPrice:
    """A year's price with its interval, and the chance of reaching the target price by then. [USD, 1]"""

    scenario: str
    year: float
    usd: float
    low: float
    high: float
    chance: float


def _scenario_line(scenario: str, *, x: tuple[float, ...], y: tuple[float, ...], chosen: str) -> Line:
    """Return a rent scenario's line: solid if chosen, otherwise dotted."""
    return Line(
        series=f"Rents: {wording.small_initial(rents.scenario_label(scenario))}",
        role=SCENARIO_ROLES[scenario],
        x=x,
        y=y,
        dash="solid" if scenario == chosen else "dotted",
        end_label=(rents.brief(scenario),),
    )


def years_exhibit(answer: PriceAnswer, *, source: str) -> Exhibit:
    """Return an exhibit of the price by year under three rent scenarios."""
    settings, chosen = answer.settings, answer.settings.rents
    rows = {name: list(_year_prices(answer, name, cost=cost)) for name, cost in answer.later.items()}
    sure = [row for row in rows[chosen] if row.high < float("inf")]
    band = Band(
        series=f"{settings.level}% interval",
        role=SCENARIO_ROLES[chosen],
        strength="confidence",
        x=tuple(row.year for row in sure),
        low=tuple(row.low for row in sure),
        high=tuple(row.high for row in sure),
    )

    def line(name: str) -> Line:
        possible = [row for row in rows[name] if row.usd < float("inf")]
        x, y = tuple(row.year for row in possible), tuple(row.usd for row in possible)
        return _scenario_line(name, x=x, y=y, chosen=chosen)

    last = [own[-1].usd for own in rows.values()]
    every = [row for own in rows.values() for row in own]
    reach = [*(row.usd for row in every), *(end for row in rows[chosen] for end in (row.low, row.high))]
    return xy_exhibit(
        (*((band,) if len(sure) > 1 else ()), *map(line, rows)),
        title=f"Central estimates for {LAST_YEAR}: {between(min(last), max(last))} a million output tokens on the "
        f"{answer.leader.place.short} or a successor, depending on rents",
        subtitle=f"Lines show the price at {settings.speed} tokens/s per user; the band is the {settings.level}% "
        "interval in the chosen rent scenario. Each year, the cheapest accelerator generation released by then serves "
        "the same model with the same software.",
        source=source,
        x=year_axis(TODAY, LAST_YEAR),
        y=log_axis("Cost of a million output tokens [$]", reach, word=usd),
        numbers=table(stated_columns(COLUMNS["years"]), every),
    )


def _year_prices(answer: PriceAnswer, scenario: str, *, cost: LaterCost) -> Iterator[YearPrice]:
    columns = (cost.year, cost.middle, *answer.later_ends[scenario], cost.chance(answer.wanted_usd))
    label = rents.scenario_label(scenario)
    for year, middle, low, high, chance in zip(*(column.tolist() for column in columns), strict=True):
        yield YearPrice(scenario=label, year=year, usd=middle, low=low, high=high, chance=chance)


def rents_exhibit(answer: PriceAnswer, *, source: str) -> Exhibit | None:
    """Return an exhibit of dated prices and projected rents of an accelerator."""
    place, offers = _dated_offers(answer)
    now, chosen = rents.rent(answer.release, place.rented.chip.name), answer.settings.rents
    if now is None or not offers.provider:
        return None
    rates = {word: rents.rate(answer.release, word) for word in rents.RENTS}
    last_year, older = rates[AS_LAST_YEAR], rates[NEXT_GENERATION]
    prices = offers.usd_per_hour.tolist()
    months, last = ([rents.month(year) for year in ends.tolist()] for ends in (offers.year, offers.until))
    columns = stated_columns(
        COLUMNS["rents"],
        provider=offers.provider.__getitem__,
        listed=months.__getitem__,
        seen_until=last.__getitem__,
        year=along(offers.year),
        usd_per_hour=along(offers.usd_per_hour),
    )
    x = tuple(now.year + AHEAD * step / 6 for step in range(7))

    def moved(factor: float, lasts: float) -> tuple[float, ...]:
        return tuple(now.middle * factor ** min(year - now.year, lasts) for year in x)

    best, verb = answer.leader.place.short, "rose" if last_year.value >= 1 else "fell"
    short = {name: each for each, name in accelerators().values()}
    subtitle = TEXTS["rents"].format(
        few="" if place.short == best else TEXTS["few_prices"].format(best=best, other=place.short),
        since=rents.month(last_year.since),
        until=rents.month(last_year.until),
        rate=last_year,
        verb=f"{verb} at a rate of {(wording.times if verb == 'rose' else wording.decline)(last_year.value)}",
        ends=wording.factors(last_year.low, last_year.high),
        names=wording.listed([short.get(name, name) for name in last_year.accelerators]),
        months=round(12 * (last_year.until - last_year.since)),
        older=wording.times(older.value),
        ends_older=wording.factors(older.low, older.high),
    )
    band = Band(
        series="90% interval",
        role=SCENARIO_ROLES[chosen],
        strength="prediction",
        x=x,
        low=moved(rates[chosen].low, rates[chosen].lasts),
        high=moved(rates[chosen].high, rates[chosen].lasts),
    )
    return xy_exhibit(
        (
            *((band,) if rates[chosen].high > rates[chosen].low else ()),
            *_followed(offers),
            *(
                _scenario_line(word, x=x, y=moved(rate.value, rate.lasts), chosen=chosen)
                for word, rate in rates.items()
            ),
            Points(
                series="Listed on demand",
                role="context",
                x=tuple(offers.year.tolist()),
                y=tuple(prices),
                names=offers.provider,
                details=tuple(
                    (f"{usd(price)} an hour, {wording.interval(first, end) if end != first else first}",)
                    for price, first, end in zip(prices, months, last, strict=True)
                ),
            ),
        ),
        title=_rents_title(place, now),
        subtitle=subtitle,
        source=source,
        x=year_axis(min(2025.0, float(offers.year.min())), now.year + AHEAD),
        y=ValueAxis(title=f"Rent of the {place.short} [$ per hour]", word=usd, log=True),
        numbers=table(columns, range(len(offers))),
    )


def _dated_offers(answer: PriceAnswer) -> tuple[Place, Offers]:
    """Return an accelerator and its dated prices: the best one or, if that has too few, the one with the most."""
    known, name = rents.offers(answer.release), answer.leading.accelerator
    dated = known.at(known.exact > 0)
    counts = Counter(dated.accelerator)
    if counts[name] < FEWEST and answer.settings.accelerator == ALL:
        name = max(answer.inputs.places, key=lambda one: counts[one])
    return answer.inputs.places[name], dated.only("accelerator", name)


def _rents_title(place: Place, now: Listed) -> str:
    if now.providers == 1:
        return f"One provider rents out the {place.short}, for {usd(now.middle)} an hour"
    return (
        f"{wording.counted(now.providers, 'provider')} ask {usd(now.low)} to {usd(now.high)} an hour for the "
        f"{place.short}; the median is {usd(now.middle)}"
    )


def _followed(offers: Offers) -> Iterator[Line]:
    """Yield a line for each provider with prices on several dates."""
    for provider, count in Counter(offers.provider).items():
        if count > 1:
            own = offers.only("provider", provider)
            x, y = zip(*sorted(zip(own.year.tolist(), own.usd_per_hour.tolist(), strict=True)), strict=True)
            yield Line(series="The same provider", role="context", x=x, y=y, faded=True)
