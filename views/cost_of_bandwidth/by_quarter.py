"""What a unit costs by quarter: with its interval, what the lag does, and what the other side and each maker pay."""

from analysis.fleet import DrawnSeries
from charts.chart import Band, Role
from views import wording
from views.axes import year_axis
from views.chips.shipments import maker_role
from views.cost_of_bandwidth.answer import CostAnswer
from views.cost_of_bandwidth.words import Quantity, dollars
from views.exhibits import Course, ValueAxis, interval_columns, xy_exhibit
from views.result import Exhibit
from views.table import along, column, table


def _course(
    cost: DrawnSeries, quantity: Quantity, *, level: str, series: str = "", role: Role | None = None
) -> Course:
    return Course.of(
        cost,
        series=series or f"Per {quantity.unit}",
        role=role or quantity.role,
        level=level,
        word=lambda value: f"{dollars(value)} per {quantity.unit}",
        scaled=lambda values: quantity.size * values,
    )


def quarters_exhibit(answer: CostAnswer, *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return what a unit costs by quarter, with both bands; the other side where that is of like size."""
    settings, unit = answer.settings, answer.quantity.unit
    course = _course(answer.own, answer.quantity, level=settings.level)
    least, most = answer.by_lag
    drawn, what, others = [course], f"Dollars per {unit}", {}
    if answer.other and settings.per != "memory":
        other = _course(answer.other, answer.beside, level=settings.level)
        drawn, what = [other, course], f"Dollars per {unit} and per {answer.beside.unit}"
        others = dict(zip([round(when, 2) for when in other.x], other.y, strict=True))
    log = settings.scale == "log"
    usd = f"USD per {unit}"
    return xy_exhibit(
        (
            Band(
                series="Bought 0 to 3 quarters before",
                role=answer.quantity.role,
                strength="prediction",
                x=tuple(course.x),
                low=tuple(least.tolist()),
                high=tuple(most.tolist()),
            ),
            course.band(settings.level),
            *(each.line(end_label=(each.series, dollars(each.y[-1])), hover="Shipped in ") for each in drawn),
        ),
        title=title,
        subtitle=subtitle,
        alt=f"{title}. {subtitle}",
        source=source,
        x=year_axis(course.x[0], course.x[-1]),
        y=ValueAxis(
            title=what,
            word=dollars if log else lambda value: f"${value:,.10g}",
            log=log,
            span=() if log else (0.0,),
        ),
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


def makers_exhibit(answer: CostAnswer, *, source: str) -> Exhibit:
    """Return what a unit costs each maker by quarter."""
    unit, level = answer.quantity.unit, answer.settings.level
    courses = [
        _course(cost, answer.quantity, level=level, series=name, role=maker_role(name))
        for name, cost in answer.by_maker.items()
    ]
    cheapest, costliest = (pick(courses, key=lambda course: course.y[-1]) for pick in (min, max))
    title = f"A {unit} costs {cheapest.series} {dollars(cheapest.y[-1])}"
    if cheapest is not costliest:
        title = f"{title} and {costliest.series} {dollars(costliest.y[-1])}"
    years = [year for course in courses for year in course.x]
    usd = f"USD per {unit}"
    return xy_exhibit(
        [
            course.line(end_label=(course.series, dollars(course.y[-1])), hover=f"{course.series}, ")
            for course in courses
        ],
        title=title,
        subtitle=f"Dollars per {unit} shipped by each maker, up to {wording.quarter(courses[0].x[-1])}. It also moves "
        "with which chips a maker ships.",
        source=source,
        x=year_axis(min(years), max(years)),
        y=ValueAxis(title=f"Dollars per {unit}", word=dollars, log=True),
        numbers=table(
            (
                column("maker", lambda row: row[0].series, label="Maker", kind="text"),
                column(
                    "quarter", lambda row: wording.quarter(row[0].x[row[1]]), label="Shipped in", kind="text"
                ),
                column("cost", lambda row: row[0].y[row[1]], label=f"Per {unit}", unit=usd),
                *interval_columns(
                    lambda row: row[0].low[row[1]],
                    lambda row: row[0].high[row[1]],
                    unit=usd,
                    level=level,
                ),
            ),
            [(course, at) for course in courses for at in range(len(course.x))],
        ),
    )
