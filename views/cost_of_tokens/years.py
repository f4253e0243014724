"""The price of a million tokens at the speed by year, on successors of the best accelerator, under each scenario."""

from dataclasses import dataclass

from analysis.cost_of_tokens.later import LaterCost
from analysis.rent_rates import AS_LAST_YEAR, NEXT_GENERATION, STEADY
from charts.chart import Band, Line, Role
from views import wording
from views.axes import log_axis, year_axis
from views.chips import rents
from views.cost_of_tokens.answer import PriceAnswer
from views.cost_of_tokens.settings import LAST_YEAR, TODAY
from views.cost_of_tokens.words import between, usd
from views.exhibits import xy_exhibit
from views.result import Exhibit
from views.table import Getter, column, table

SCENARIO_ROLES: dict[str, Role] = {
    AS_LAST_YEAR: "edge",
    STEADY: "memory",
    NEXT_GENERATION: "compute",
}


@dataclass(frozen=True, kw_only=True)
class YearPrice:
    """The price of a year under a scenario with its interval, and how likely the wanted one is by then. [USD, 1]"""

    scenario: str
    year: float
    usd: float
    low: float
    high: float
    chance: float

    @property
    def possible(self) -> bool:
        """Return whether there is a price."""
        return self.usd < float("inf")


COLUMNS: tuple[Getter[YearPrice], ...] = (
    column("rents", lambda row: rents.scenario_label(row.scenario), label="Rents", kind="text"),
    column("year", lambda row: row.year, label="Year", unit="year", kind="year"),
    column("usd_per_million", lambda row: row.usd, label="Million output tokens", unit="USD"),
    column("low_usd", lambda row: row.low, label="From", unit="USD"),
    column("high_usd", lambda row: row.high, label="to", unit="USD"),
    column("chance", lambda row: row.chance, label="Chance of the price wanted by then", unit="1"),
)


def scenario_line(scenario: str, *, x: tuple[float, ...], y: tuple[float, ...], chosen: str) -> Line:
    """Return the line of a scenario of rents, solid where it is the one chosen."""
    return Line(
        series=f"Rents: {wording.small_initial(rents.scenario_label(scenario))}",
        role=SCENARIO_ROLES[scenario],
        x=x,
        y=y,
        dash="solid" if scenario == chosen else "dotted",
        end_label=(rents.brief(scenario),),
    )


def years_exhibit(answer: PriceAnswer, *, source: str) -> Exhibit | None:
    """Return the price by year under the three scenarios, the chosen one with its interval; None without any."""
    if not answer.later:
        return None
    settings, chosen = answer.settings, answer.settings.rents
    rows = {
        name: _rows(name, cost, level=answer.level, wanted_usd=answer.wanted_usd)
        for name, cost in answer.later.items()
    }
    sure = [row for row in rows[chosen] if row.high < float("inf")]
    band = Band(
        series=f"{settings.level} % interval",
        role=SCENARIO_ROLES[chosen],
        strength="confidence",
        x=tuple(row.year for row in sure),
        low=tuple(row.low for row in sure),
        high=tuple(row.high for row in sure),
    )
    lines = (
        scenario_line(
            name,
            x=tuple(row.year for row in own if row.possible),
            y=tuple(row.usd for row in own if row.possible),
            chosen=chosen,
        )
        for name, own in rows.items()
    )
    last = [own[-1].usd for own in rows.values()]
    every = [row for own in rows.values() for row in own]
    return xy_exhibit(
        (*((band,) if len(sure) > 1 else ()), *lines),
        title=f"In {LAST_YEAR} a million tokens cost {between(min(last), max(last))} on the {answer.leader.short} or a "
        "successor, depending on rents",
        subtitle=f"At {settings.speed} tokens/s per user. Band: {settings.level} % interval under the rents chosen. "
        "Each year the cheapest generation so far serves; model and software stay the same.",
        source=source,
        x=year_axis(TODAY, LAST_YEAR),
        y=log_axis(
            "Price of a million output tokens [$]",
            [*(row.usd for row in every), *(end for row in rows[chosen] for end in (row.low, row.high))],
            word=usd,
        ),
        numbers=table(COLUMNS, every),
    )


def _rows(scenario: str, cost: LaterCost, *, level: float, wanted_usd: float) -> list[YearPrice]:
    columns = (cost.year, cost.middle, *cost.interval(level), cost.chance(wanted_usd))
    return [
        YearPrice(scenario=scenario, year=year, usd=middle, low=low, high=high, chance=chance)
        for year, middle, low, high, chance in zip(*(column.tolist() for column in columns), strict=True)
    ]
