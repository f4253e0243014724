"""What share of the cost of chips' parts HBM is, and what share of the world's HBM the four makers buy."""

from analysis.fleet import DrawnSeries, balance
from charts.chart import Band, Dash, Line, Role, XYChart
from views import wording
from views.axes import linear_axis, year_axis
from views.cost_of_bandwidth.inputs import PARTS, cost, memory_supply
from views.cost_of_bandwidth.settings import MAKERS, CostOfBandwidthSettings
from views.result import Column, Exhibit, Table

EVERYONE = frozenset(MAKERS.values())
HBM = frozenset({"memory"})


def memory_share(makers: frozenset[str] = EVERYONE) -> DrawnSeries:
    """Return HBM's share of what these makers pay for parts, by quarter of purchase. [1]"""
    return balance(cost(HBM, makers), cost(frozenset(PARTS), makers))


def supply_share() -> DrawnSeries:
    """Return the share of the world's supply of HBM that the four makers buy, by value. [1]"""
    return balance(cost(HBM, EVERYONE), memory_supply())


def share_exhibit(settings: CostOfBandwidthSettings, *, source: str) -> Exhibit:
    """Return both shares by quarter, and that of each maker."""
    every, supply = memory_share(), supply_share()
    makers = {name: memory_share(frozenset({name})) for name in sorted(EVERYONE)}
    level = int(settings.level) / 100
    low, high = every.interval(level)
    supply_low, supply_high = supply.interval(level)
    year = tuple(every.end_year.tolist())
    first, last = (wording.percent(round(float(every.middle()[at]), 2)) for at in (0, -1))
    title = f"HBM is {last} of the cost of chips' parts; it was {first} in {wording.quarter(year[0])}"
    taken = wording.percent(round(float(supply.middle()[-1]), 2))
    lines = (
        _line("HBM in cost of parts", every, role="memory"),
        _line("World's HBM bought", supply, role="compute", dash="dotted"),
    )
    ends = [100 * float(end) for side in (low, high, supply.middle()) for end in side]
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=f"Four makers, by quarter of purchase. They bought {taken} of the world's HBM by value "
            f"in {wording.quarter(year[-1])} "
            f"({wording.at_level(level, low=_percent(supply_low[-1]), high=_percent(supply_high[-1]))}).",
            alt=f"{title}.",
            source=source,
            x=year_axis(year[0], year[-1]),
            y=linear_axis("Share [%]", ends, word=lambda value: f"{value:g} %"),
            marks=(
                Band(
                    series=f"{settings.level} % interval",
                    role="memory",
                    strength="confidence",
                    x=year,
                    low=tuple((100 * low).tolist()),
                    high=tuple((100 * high).tolist()),
                ),
                *lines,
            ),
        ),
        table=Table(
            columns=(
                Column(name="quarter", label="Bought in", kind="text"),
                Column(name="share", label="HBM in cost of parts", unit="1"),
                Column(name="low", label=f"From ({settings.level} %)", unit="1"),
                Column(name="high", label="to", unit="1"),
                *(Column(name=name.lower(), label=name, unit="1") for name in makers),
                Column(name="supply", label="World's HBM bought", unit="1"),
                Column(name="supply_low", label=f"Bought, from ({settings.level} %)", unit="1"),
                Column(name="supply_high", label="bought, to", unit="1"),
            ),
            rows=tuple(
                (
                    wording.quarter(when),
                    float(every.middle()[at]),
                    float(low[at]),
                    float(high[at]),
                    *(float(of.middle()[at]) for of in makers.values()),
                    float(supply.middle()[at]),
                    float(supply_low[at]),
                    float(supply_high[at]),
                )
                for at, when in enumerate(year)
            ),
        ),
    )


def _percent(share: float) -> str:
    return wording.percent(round(float(share), 2))


def _line(name: str, of: DrawnSeries, *, role: Role, dash: Dash = "solid") -> Line:
    return Line(
        series=name,
        role=role,
        dash=dash,
        x=tuple(of.end_year.tolist()),
        y=tuple((100 * of.middle()).tolist()),
        end_label=(name, _percent(of.middle()[-1])),
        hover=tuple(
            f"{name}, {wording.quarter(float(when))}: {_percent(value)}"
            for when, value in zip(of.end_year, of.middle(), strict=True)
        ),
    )
