"""What share of the cost of chips' parts HBM is, and what share of the world's HBM the four makers buy."""

from analysis.fleet import DrawnSeries, balance
from charts.chart import Role
from views import wording
from views.axes import year_axis
from views.cost_of_bandwidth.inputs import PARTS, cost, memory_supply
from views.cost_of_bandwidth.settings import MAKERS
from views.cost_of_bandwidth.words import share_words
from views.exhibits import Course, ValueAxis, interval_columns, xy_exhibit
from views.result import Exhibit
from views.table import along, column, table

EVERYONE = frozenset(MAKERS.values())
HBM = frozenset({"memory"})


def memory_share(makers: frozenset[str] = EVERYONE) -> DrawnSeries:
    """Return HBM's share of what these makers pay for parts, by quarter of purchase. [1]"""
    return balance(cost(HBM, makers), cost(frozenset(PARTS), makers))


def supply_share() -> DrawnSeries:
    """Return the share of the world's supply of HBM that the four makers buy, by value. [1]"""
    return balance(cost(HBM, EVERYONE), memory_supply())


def _course(series: DrawnSeries, name: str, *, role: Role, level: str) -> Course:
    return Course.of(
        series,
        series=name,
        role=role,
        level=level,
        word=lambda value: share_words(value / 100),
        scaled=lambda values: 100 * values,
    )


def share_exhibit(level: str, *, source: str) -> Exhibit:
    """Return both shares by quarter, and that of each maker; the level of intervals is in percent."""
    every, supply = memory_share(), supply_share()
    makers = {name: memory_share(frozenset({name})).middle() for name in sorted(EVERYONE)}
    paid = _course(every, "HBM in cost of parts", role="memory", level=level)
    bought = _course(supply, "World's HBM bought", role="compute", level=level)
    quarters, probability = [wording.quarter(year) for year in paid.x], int(level) / 100
    (low, high), (supply_low, supply_high) = (series.interval(probability) for series in (every, supply))
    last = supply.at(-1, level=probability)
    ends = wording.at_level(probability, low=share_words(last.low), high=share_words(last.high))
    return xy_exhibit(
        (
            paid.band(level),
            paid.line(hover=f"{paid.series}, "),
            bought.line(hover=f"{bought.series}, ", dash="dotted"),
        ),
        title=f"HBM is {paid.word(paid.y[-1])} of the cost of chips' parts; it was {paid.word(paid.y[0])} in "
        f"{quarters[0]}",
        subtitle=f"Four makers, by quarter of purchase. They bought {bought.word(bought.y[-1])} of the world's HBM by "
        f"value in {quarters[-1]} ({ends}).",
        source=source,
        x=year_axis(paid.x[0], paid.x[-1]),
        y=ValueAxis(title="Share [%]", word=lambda value: f"{value:g} %"),
        numbers=table(
            (
                column("quarter", lambda at: quarters[at], label="Bought in", kind="text"),
                column("share", along(every.middle()), label="HBM in cost of parts", unit="1"),
                *interval_columns(along(low), along(high), unit="1", level=level),
                *(column(name.lower(), along(part), label=name, unit="1") for name, part in makers.items()),
                column("supply", along(supply.middle()), label="World's HBM bought", unit="1"),
                column("supply_low", along(supply_low), label=f"Bought, from ({level} %)", unit="1"),
                column("supply_high", along(supply_high), label="bought, to", unit="1"),
            ),
            range(len(quarters)),
        ),
    )
