"""The price of a million tokens at the speed by year, on successors of the best accelerator, under each scenario."""

from dataclasses import dataclass

from analysis.cost_of_tokens.later import LaterCost
from charts.chart import Band, Line, Role, XYChart
from views import wording
from views.axes import log_axis, year_axis
from views.chips import rents
from views.cost_of_tokens.found import Found
from views.cost_of_tokens.settings import LAST_YEAR, TODAY
from views.cost_of_tokens.words import between, usd
from views.result import Exhibit
from views.table import Getter, column, table

SCENARIO_ROLES: dict[str, Role] = {
    rents.AS_LAST_YEAR: "edge",
    rents.STEADY: "memory",
    rents.NEXT_GENERATION: "compute",
}


@dataclass(frozen=True, kw_only=True)
class _Row:
    scenario: str
    year: float
    usd: float
    low: float
    high: float
    chance: float


COLUMNS: tuple[Getter[_Row], ...] = (
    column("rents", lambda row: rents.scenario_label(row.scenario), label="Rents", kind="text"),
    column("year", lambda row: row.year, label="Year", unit="year", kind="year"),
    column("usd_per_million", lambda row: row.usd, label="Million output tokens", unit="USD"),
    column("low_usd", lambda row: row.low, label="From", unit="USD"),
    column("high_usd", lambda row: row.high, label="to", unit="USD"),
    column("chance", lambda row: row.chance, label="Chance of the price wanted by then", unit="1"),
)


def years_exhibit(found: Found, *, wanted_usd: float, source: str) -> Exhibit | None:
    """Return the price by year under the three scenarios, the chosen one with its interval; None without any."""
    made = {name: found.later(name) for name in rents.RENTS}
    costs = {name: cost for name, cost in made.items() if cost is not None}
    if found.best is None or not costs:
        return None
    chosen = costs[found.settings.rents]
    level, short = int(found.settings.level) / 100, found.place(found.best).short
    low, high = chosen.interval(level)
    rows = [
        row for name, cost in costs.items() for row in _rows(name, cost, level=level, wanted_usd=wanted_usd)
    ]
    low_end, high_end = (
        min(cost.middle[-1] for cost in costs.values()),
        max(cost.middle[-1] for cost in costs.values()),
    )
    title = (
        f"In {LAST_YEAR} a million tokens cost {between(float(low_end), float(high_end))} on the {short} or a "
        "successor, depending on rents"
    )
    sure = [at for at in range(len(chosen.year)) if high[at] < float("inf")]
    band = (
        (
            Band(
                series=f"{found.settings.level} % interval",
                role=SCENARIO_ROLES[found.settings.rents],
                strength="confidence",
                x=tuple(float(chosen.year[at]) for at in sure),
                low=tuple(float(low[at]) for at in sure),
                high=tuple(float(high[at]) for at in sure),
            ),
        )
        if len(sure) > 1
        else ()
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=f"At {found.settings.speed} tokens/s per user. Band: {found.settings.level} % interval under "
            "the rents chosen. Each year the cheapest generation so far serves; model and software stay the same.",
            alt=f"{title}.",
            source=source,
            x=year_axis(TODAY, LAST_YEAR),
            y=log_axis(
                "Price of a million output tokens [$]",
                [
                    value
                    for row in rows
                    for value in (
                        (row.usd, row.low, row.high) if row.scenario == found.settings.rents else (row.usd,)
                    )
                    if 0 < value < float("inf")
                ],
                word=usd,
            ),
            marks=(
                *band,
                *(
                    Line(
                        series=f"Rents: {wording.small_initial(rents.scenario_label(name))}",
                        role=SCENARIO_ROLES[name],
                        x=tuple(
                            float(year)
                            for year, value in zip(cost.year, cost.middle, strict=True)
                            if value < float("inf")
                        ),
                        y=tuple(float(value) for value in cost.middle if value < float("inf")),
                        dash="solid" if name == found.settings.rents else "dotted",
                        end_label=(_brief(name),),
                    )
                    for name, cost in costs.items()
                ),
            ),
        ),
        table=table(COLUMNS, rows),
    )


def _brief(name: str) -> str:
    return {rents.AS_LAST_YEAR: "As last year", rents.STEADY: "Steady"}.get(name, "Falling")


def _rows(name: str, cost: LaterCost, *, level: float, wanted_usd: float) -> list[_Row]:
    low, high = cost.interval(level)
    chance = cost.chance(wanted_usd)
    return [
        _Row(
            scenario=name,
            year=float(year),
            usd=float(cost.middle[at]),
            low=float(low[at]),
            high=float(high[at]),
            chance=float(chance[at]),
        )
        for at, year in enumerate(cost.year)
    ]
