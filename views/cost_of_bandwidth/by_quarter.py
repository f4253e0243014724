"""Cost of a unit by quarter, HBM's share of spending on components, and the vendors' share of HBM supply."""

from dataclasses import replace

from analysis.cost_of_bandwidth import trend_values
from analysis.fleet import DrawnSeries, balance
from charts.chart import Band, Line, Points, Role
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


def _fitted(course: Course, rate: float) -> tuple[Line, Points]:
    """Return the least-squares trend for a given yearly growth factor, and the course's quarters as points."""
    trend = trend_values(course.x, course.y, yearly_growth=rate).tolist()
    costs = [course.word(cost) for cost in course.y]
    label = (course.series, f"{rounded(rate)} a year")
    return replace(course, y=trend).line(end_label=label, hover="Trend, "), Points(
        series=course.series,
        role=course.role,
        x=tuple(course.x),
        y=tuple(course.y),
        names=tuple(f"Shipped in {wording.quarter(when)}" for when in course.x),
        details=tuple((cost,) for cost in costs),
        marked=((len(costs) - 1, costs[-1].partition(" ")[0]),),
    )


def quarters_exhibit(answer: CostAnswer, *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return an exhibit of a unit's cost by quarter, with bands for its interval and for its range over the lags."""
    settings, unit = answer.settings, answer.quantity.unit
    course = _course(answer.own, answer.quantity, level=settings.level)
    least, most = answer.by_lag
    log = settings.scale == "log"
    base, others, what, fitted = 1.0, (), f"Dollars per {unit}", ()
    tick = dollars if log else lambda value: f"${value:,.10g}"
    if answer.other and answer.other_rate and settings.per != "memory":
        other = _course(answer.other, answer.beside, level=settings.level)
        base, others, tick = course.y[0], other.y, wording.factor_tick
        costs = f"{course.word(base)}, {other.word(others[0])}"
        what = f"Cost, 1× in {wording.quarter(course.x[0])} = {costs}"
        fitted = _fitted(other.over(others[0]), answer.other_rate.value)
    own = course.over(base)
    usd = f"USD per {unit}"
    return xy_exhibit(
        (
            Band(
                series="Bought 0 to 3 quarters before",
                role=answer.quantity.role,
                strength="prediction",
                x=tuple(course.x),
                low=tuple((least / base).tolist()),
                high=tuple((most / base).tolist()),
            ),
            own.band(settings.level),
            *fitted,
            *_fitted(own, answer.rate.value),
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
                    lambda at: others[at] if others else None,
                    label=f"Per {answer.beside.unit}",
                    unit=f"USD per {answer.beside.unit}",
                ),
            ),
            range(len(course.x)),
        ),
    )


EVERYONE = frozenset(MAKERS.values())
HBM = frozenset({"memory"})


def memory_share(vendors: frozenset[str] = EVERYONE) -> DrawnSeries:
    """Return HBM's share of the given vendors' spending on components, by quarter of purchase. [1]"""
    return balance(cost(HBM, vendors), cost(frozenset(PARTS), vendors))


def supply_share() -> DrawnSeries:
    """Return the four vendors' share of the value of the world's HBM supply, by quarter. [1]"""
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
    vendors = {name: memory_share(frozenset({name})).middle() for name in sorted(EVERYONE)}
    paid = _share_course(every, "HBM share of component costs", role="memory", level=level)
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
        title=f"HBM makes up {paid.word(paid.y[-1])} of the cost of chips' parts in {quarters[-1]}, against "
        f"{paid.word(paid.y[0])} in {quarters[0]}",
        subtitle=f"The chart shows four vendors' estimated purchases of parts by quarter. In {quarters[-1]}, their "
        f"purchases of HBM equalled {bought.word(bought.y[-1])} of estimated world sales of HBM by value "
        f"({ends.replace(':', ' interval')}).",
        source=source,
        x=year_axis(paid.x[0], paid.x[-1]),
        y=ValueAxis(title="Share [%]", word=lambda value: f"{value:g}%"),
        numbers=table(
            (
                column("quarter", lambda at: quarters[at], label="Bought in", kind="text"),
                column("share", along(every.middle()), label="HBM share of component costs", unit="1"),
                *interval_columns(along(low), along(high), unit="1", level=level),
                *(column(name.lower(), along(part), label=name, unit="1") for name, part in vendors.items()),
                column("supply", along(supply.middle()), label="Share of the world's HBM bought", unit="1"),
                column("supply_low", along(supply_low), label=f"Bought, {level}% low", unit="1"),
                column("supply_high", along(supply_high), label=f"Bought, {level}% high", unit="1"),
            ),
            range(len(quarters)),
        ),
    )
