"""The totals by quarter, by maker and by chip; FLOP per byte of all."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from analysis.arrays import FloatArray
from analysis.fleet import DrawnSeries, FleetGrowth
from charts.chart import Bar, Line, Role
from views import wording
from views.axes import year_axis
from views.chips.shipments import ShipmentEstimates
from views.exhibits import Course, ValueAxis, bar_exhibit, interval_columns, xy_exhibit
from views.fleet.inputs import fleet
from views.fleet.settings import FleetSettings
from views.fleet.words import AXES, UNITS, amount, axis_unit
from views.result import Exhibit, Table
from views.table import column, table

MAKERS: dict[str, Role] = {"NVIDIA": "compute", "Google": "links", "Amazon": "context", "AMD": "edge"}
SMALLEST = 1e-3
"""What is less than a thousandth of the total is not drawn."""


def totals_exhibit(
    counted: ShipmentEstimates, settings: FleetSettings, *, title: str, subtitle: str, source: str
) -> Exhibit:
    """Return the total of every quarter with its interval, and that of each maker."""
    total = fleet(counted, settings)
    size, level = axis_unit(settings.offers), int(settings.level) / 100
    low, high = total.interval(level)
    makers = {
        name: fleet(counted.medians, settings, maker=name)
        for name in MAKERS
        if name in counted.shipments.maker
    }
    year = tuple(total.end_year.tolist())
    floor = SMALLEST * float(total.middle().max())
    lines = [
        Line(
            series=name,
            role=MAKERS[name],
            x=tuple(float(when) for when, value in zip(year, part.middle(), strict=True) if value > floor),
            y=tuple(float(value) / size for value in part.middle() if value > floor),
            end_label=(name,),
            hover=tuple(
                f"{name}, {wording.quarter(when)}: {amount(float(value), settings.offers)}"
                for when, value in zip(year, part.middle(), strict=True)
                if value > floor
            ),
        )
        for name, part in makers.items()
        if np.count_nonzero(part.middle() > floor) > 1
    ]
    every = Course(
        series="All four makers",
        role="memory",
        x=year,
        y=(total.middle() / size).tolist(),
        low=(low / size).tolist(),
        high=(high / size).tolist(),
        word=lambda value: amount(value * size, settings.offers),
    )
    return xy_exhibit(
        (every.band(settings.level), *lines, every.line(end_label=("All", every.word(every.y[-1])))),
        title=title,
        subtitle=subtitle,
        alt=f"{title}. {subtitle}",
        source=source,
        x=year_axis(year[0], year[-1]),
        y=ValueAxis(title=AXES[settings.offers], log=True),
        numbers=_table(total, makers, settings=settings, low=low, high=high),
    )


def _table(
    total: DrawnSeries,
    makers: dict[str, DrawnSeries],
    *,
    settings: FleetSettings,
    low: FloatArray,
    high: FloatArray,
) -> Table:
    unit = UNITS[settings.offers]
    ends = total.end_year.tolist()

    def of(part: FloatArray) -> Callable[[int], float]:
        return lambda at: float(part[at])

    return table(
        (
            column("quarter", lambda at: wording.quarter(ends[at]), label="Quarter", kind="text"),
            column("total", of(total.middle()), label="All", unit=unit),
            *interval_columns(of(low), of(high), unit=unit, level=settings.level),
            *(
                column(name.lower(), of(part.middle()), label=name, unit=unit)
                for name, part in makers.items()
            ),
        ),
        range(len(ends)),
    )


def chips_exhibit(counted: ShipmentEstimates, settings: FleetSettings, *, source: str) -> Exhibit:
    """Return which chips the last quarter's total is made of."""
    kinds = dict(zip(counted.shipments.kind, counted.shipments.maker, strict=True))
    now = {name: float(fleet(counted.medians, settings, kind=name).middle()[-1]) for name in kinds}
    whole = sum(now.values())
    ranked = sorted((name for name in now if now[name] > 0), key=lambda name: -now[name])
    first = ranked[0]
    when = wording.quarter(float(counted.shipments.end_year.max()))
    title = f"The {first} makes up {100 * now[first] / whole:.0f} % of the total at the end of {when}"
    return bar_exhibit(
        ranked,
        lambda name: Bar(
            label=f"{kinds[name]} {name}" if not name.startswith(kinds[name]) else name,
            value=100 * now[name] / whole,
            text=f"{wording.significant(100 * now[name] / whole)} %",
            role=MAKERS[kinds[name]],
            emphasised=name == first,
            detail=(amount(now[name], settings.offers),),
        ),
        title=title,
        subtitle="Share of the total by chip [%]. The H200 is counted as H100.",
        source=source,
        axis=ValueAxis(title="Share [%]", word=lambda value: f"{value:g} %", span=(0.0,)),
        columns=(
            column("chip", lambda name: name, label="Chip", kind="text"),
            column("maker", lambda name: kinds[name], label="Maker", kind="text"),
            column("total", lambda name: now[name], label="Total", unit=UNITS[settings.offers]),
            column("share", lambda name: now[name] / whole, label="Share", unit="1"),
        ),
    )


def balance_exhibit(
    ratio: DrawnSeries, settings: FleetSettings, *, growth: FleetGrowth | None, source: str
) -> Exhibit:
    """Return how many FLOP at 16 bits all chips together offer for each byte they can read."""
    low, high = ratio.interval(int(settings.level) / 100)
    year = tuple(ratio.end_year.tolist())
    course = Course(
        series="FLOP per byte",
        role="compute",
        x=year,
        y=ratio.middle().tolist(),
        low=low.tolist(),
        high=high.tolist(),
        word=lambda value: wording.significant(value, 3),
    )
    rate = f", changing {wording.times(growth.factor)} a year" if growth else ""
    return xy_exhibit(
        (course.band(settings.level), replace(course.line(), hover=())),
        title=f"All chips together offer {course.word(course.y[-1])} FLOP per byte{rate}",
        subtitle="Sum of dense 16-bit FLOP/s over sum of memory bandwidth. It also moves with which chips are bought.",
        source=source,
        x=year_axis(year[0], year[-1]),
        y=ValueAxis(title="FLOP per byte", word=course.word),
        numbers=table(
            (
                column("quarter", lambda at: wording.quarter(year[at]), label="Quarter", kind="text"),
                column("flop_per_byte", lambda at: course.y[at], label="FLOP per byte", unit="FLOP/byte"),
                *interval_columns(
                    lambda at: course.low[at],
                    lambda at: course.high[at],
                    unit="FLOP/byte",
                    level=settings.level,
                ),
            ),
            range(len(year)),
        ),
    )
