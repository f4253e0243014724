"""Totals by quarter, by vendor and by chip."""

from collections.abc import Iterator

from analysis.arrays import FloatArray
from analysis.fleet import DrawnSeries
from charts.chart import Bar, Line, Points
from views import wording
from views.axes import year_axis
from views.chips.shipments import maker_role
from views.exhibits import Course, ValueAxis, bar_exhibit, interval_columns, xy_exhibit
from views.fleet.answer import FleetAnswer
from views.fleet.words import OFFERED, amount
from views.result import Exhibit
from views.table import along, column, table

SMALLEST = 1e-3
"""Parts below a thousandth of the total are not drawn."""


def totals_exhibit(answer: FleetAnswer, *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return an exhibit of the total of every quarter with its interval, and by vendor if there are several."""
    total, offers, level = answer.total, answer.settings.offers, answer.settings.level
    makers = answer.by_maker if len(answer.by_maker) > 1 else {}
    size, unit = OFFERED[offers].axis_size, OFFERED[offers].unit
    course = Course.of(
        total,
        series=f"All {wording.counted_in_words(len(makers), 'vendor')}" if makers else answer.brand.strip(),
        role="memory",
        level=level,
        word=lambda value: amount(value * size, offers),
        scaled=lambda values: values / size,
    )
    lines = (_line(name, part, total=total, offers=offers) for name, part in makers.items())
    low, high = total.interval(answer.level)
    return xy_exhibit(
        (
            course.band(level),
            *(line for line in lines if len(line.x) > 1),
            course.line(end_label=("All" if makers else course.series, course.word(course.y[-1]))),
            *_a_year_before(course),
        ),
        title=title,
        subtitle=subtitle,
        alt=f"{title}. {subtitle}",
        source=source,
        x=year_axis(course.x[0], course.x[-1]),
        y=ValueAxis(title=OFFERED[offers].axis, log=True),
        numbers=table(
            (
                column("quarter", lambda at: wording.quarter(course.x[at]), label="Quarter", kind="text"),
                column("total", along(total.middle()), label="All", unit=unit),
                *interval_columns(along(low), along(high), unit=unit, level=level),
                *(column(name.lower(), along(part), label=name, unit=unit) for name, part in makers.items()),
            ),
            range(len(course.x)),
        ),
    )


def _a_year_before(course: Course) -> Iterator[Points]:
    """Yield the total a year before the last, which the headline compares with it, if it is drawn."""
    for when, value in zip(course.x, course.y, strict=True):
        if abs(when + 1 - course.x[-1]) < 0.1:  # a quarter is longer
            words = f"{course.word(value)} a year before"
            yield Points(
                series="A year before",
                role="memory",
                x=(when,),
                y=(value,),
                names=(wording.quarter(when),),
                details=((course.word(value),),),
                marked=((0, words),),
            )


def _line(name: str, part: FloatArray, *, total: DrawnSeries, offers: str) -> Line:
    """Return the line of a vendor over the quarters in which it exceeds the smallest share drawn."""
    floor = SMALLEST * float(total.middle().max())
    drawn = [pair for pair in zip(total.end_year.tolist(), part.tolist(), strict=True) if pair[1] > floor]
    return Line(
        series=name,
        role=maker_role(name),
        x=tuple(when for when, _ in drawn),
        y=tuple(value / OFFERED[offers].axis_size for _, value in drawn),
        end_label=(name,),
        hover=tuple(f"{name}, {wording.quarter(when)}: {amount(value, offers)}" for when, value in drawn),
    )


def chips_exhibit(answer: FleetAnswer, *, source: str) -> Exhibit:
    """Return an exhibit of the last quarter's total by chip."""
    now, maker_of, offers = answer.by_kind, answer.estimates.maker_of, answer.settings.offers
    whole = sum(now.values())
    ranked = sorted((name for name in now if now[name] > 0), key=lambda name: -now[name])
    first = ranked[0]
    when = wording.quarter(float(answer.total.end_year[-1]))
    return bar_exhibit(
        ranked,
        lambda name: Bar(
            label=name if name.startswith(maker_of[name]) else f"{maker_of[name]} {name}",
            value=100 * now[name] / whole,
            text=f"{wording.significant(100 * now[name] / whole)}%",
            role=maker_role(maker_of[name]),
            emphasised=name == first,
            detail=(amount(now[name], offers),),
        ),
        title=f"The {first} makes up {100 * now[first] / whole:.0f}% of the total in {when}",
        subtitle="Each bar is a chip's share of the total. The H200 is counted as an H100.",
        source=source,
        axis=ValueAxis(title="Share [%]", word=lambda value: f"{value:g}%", span=(0.0,)),
        columns=(
            column("chip", lambda name: name, label="Chip", kind="text"),
            column("maker", lambda name: maker_of[name], label="Vendor", kind="text"),
            column("total", lambda name: now[name], label="Total", unit=OFFERED[offers].unit),
            column("share", lambda name: now[name] / whole, label="Share", unit="1"),
        ),
    )
