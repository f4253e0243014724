"""Cost of a unit by quarter and purpose, and HBM's two shares."""

from analysis.fleet import DrawnSeries, balance
from charts.chart import Band, Role
from views import wording
from views.axes import year_axis
from views.cost_of_bandwidth.answer import CostAnswer, Quantity, dollars, rounded
from views.cost_of_bandwidth.inputs import PARTS, cost, memory_supply
from views.cost_of_bandwidth.settings import MAKERS
from views.exhibits import Course, ValueAxis, interval_columns, xy_exhibit
from views.result import Exhibit
from views.table import along, column, table


def _course(cost: DrawnSeries, quantity: Quantity, *, level: str) -> Course:
    return Course.of(
        cost,
        series=f"Per {quantity.unit}",
        role=quantity.role,
        level=level,
        word=lambda value: f"{dollars(value)} per {quantity.unit}",
        scaled=lambda values: quantity.size * values,
    )


def quarters_exhibit(answer: CostAnswer, *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return an exhibit of a unit's cost by quarter, with its two bands."""
    settings, unit = answer.settings, answer.quantity.unit
    course = _course(answer.own, answer.quantity, level=settings.level)
    least, most = answer.by_lag
    log = settings.scale == "log"
    drawn, bases, rates, others, what = [course], [1.0], [answer.rate.value], {}, f"Dollars per {unit}"
    tick = dollars if log else lambda value: f"${value:,.10g}"
    if answer.other and answer.other_rate and settings.per != "memory":
        other = _course(answer.other, answer.beside, level=settings.level)
        others = dict(zip([round(when, 2) for when in other.x], other.y, strict=True))
        own = dict(zip([round(when, 2) for when in course.x], course.y, strict=True))
        first = min(own.keys() & others.keys())
        drawn, bases = [other, course], [others[first], own[first]]
        rates.insert(0, answer.other_rate.value)
        what, tick = f"Cost, {wording.quarter(first)} = 1× (pale: other purchase lags)", wording.factor_tick
    usd = f"USD per {unit}"
    return xy_exhibit(
        (
            Band(
                series="Bought 0 to 3 quarters before",
                role=answer.quantity.role,
                strength="prediction",
                x=tuple(course.x),
                low=tuple((least / bases[-1]).tolist()),
                high=tuple((most / bases[-1]).tolist()),
            ),
            course.over(bases[-1]).band(settings.level),
            *(
                each.over(base).line(
                    end_label=(each.series, f"{dollars(each.y[-1])}, {rounded(rate)} a year"),
                    hover="Shipped in ",
                )
                for each, base, rate in zip(drawn, bases, rates, strict=True)
            ),
        ),
        title=title,
        subtitle=subtitle,
        alt=f"{title}. {subtitle}",
        source=source,
        x=year_axis(course.x[0], course.x[-1]),
        y=ValueAxis(title=what, word=tick, log=log, span=() if log else (0.0,)),
        numbers=table(
            (
                column("quarter", lambda at: wording.quarter(course.x[at]), label="Shipped in", kind="text"),
                column("cost", along(course.y), label=f"Per {unit}", unit=usd),
                *interval_columns(along(course.low), along(course.high), unit=usd, level=settings.level),
                column("least_of_lags", along(least), label="Least of any lag", unit=usd),
                column("most_of_lags", along(most), label="Most of any lag", unit=usd),
                column(
                    "other",
                    lambda at: others.get(round(course.x[at], 2)),
                    label=f"Per {answer.beside.unit}",
                    unit=f"USD per {answer.beside.unit}",
                ),
            ),
            range(len(course.x)),
        ),
    )


EVERYONE = frozenset(MAKERS.values())
HBM = frozenset({"memory"})


def memory_share(makers: frozenset[str] = EVERYONE) -> DrawnSeries:
    """Return HBM's share of the given vendors' spending on components, by quarter of purchase. [1]"""
    return balance(cost(HBM, makers), cost(frozenset(PARTS), makers))


def supply_share() -> DrawnSeries:
    """Return the four vendors' share of the world's HBM supply, by value and quarter. [1]"""
    return balance(cost(HBM, EVERYONE), memory_supply())


def _share_course(series: DrawnSeries, name: str, *, role: Role, level: str) -> Course:
    return Course.of(
        series,
        series=name,
        role=role,
        level=level,
        word=lambda value: wording.share(value / 100),
        scaled=lambda values: 100 * values,
    )


def share_exhibit(level: str, *, source: str) -> Exhibit:
    """Return an exhibit of HBM's share of spending and the vendors' share of HBM supply, by quarter."""
    every, supply = memory_share(), supply_share()
    makers = {name: memory_share(frozenset({name})).middle() for name in sorted(EVERYONE)}
    paid = _share_course(every, "HBM share of part costs", role="memory", level=level)
    bought = _share_course(supply, "Share of the world's HBM bought", role="compute", level=level)
    quarters, probability = [wording.quarter(year) for year in paid.x], int(level) / 100
    (low, high), (supply_low, supply_high) = (series.interval(probability) for series in (every, supply))
    last = supply.at(-1, level=probability)
    ends = wording.at_level(probability, low=wording.share(last.low), high=wording.share(last.high))
    return xy_exhibit(
        (
            paid.band(level),
            paid.line(hover=f"{paid.series}, "),
            bought.line(hover=f"{bought.series}, ", dash="dotted"),
        ),
        title=f"HBM is {paid.word(paid.y[-1])} of the cost of chips' parts, against {paid.word(paid.y[0])} in "
        f"{quarters[0]}",
        subtitle=f"The chart shows four vendors' estimated purchases by quarter. In {quarters[-1]}, they were "
        f"{bought.word(bought.y[-1])} of the world's HBM by value ({ends.replace(':', ' interval')}).",
        source=source,
        x=year_axis(paid.x[0], paid.x[-1]),
        y=ValueAxis(title="Share [%]", word=lambda value: f"{value:g}%"),
        numbers=table(
            (
                column("quarter", lambda at: quarters[at], label="Bought in", kind="text"),
                column("share", along(every.middle()), label="HBM share of part costs", unit="1"),
                *interval_columns(along(low), along(high), unit="1", level=level),
                *(column(name.lower(), along(part), label=name, unit="1") for name, part in makers.items()),
                column("supply", along(supply.middle()), label="Share of the world's HBM bought", unit="1"),
                column("supply_low", along(supply_low), label=f"Bought, {level}% low", unit="1"),
                column("supply_high", along(supply_high), label=f"Bought, {level}% high", unit="1"),
            ),
            range(len(quarters)),
        ),
    )
