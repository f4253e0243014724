"""The totals by quarter, by maker and by chip; FLOP per byte of all; growth under other choices."""

from collections.abc import Callable, Sequence

import numpy as np

from analysis.arrays import FloatArray
from analysis.fleet import Fleet, FleetGrowth
from charts.chart import Band, Bar, BarChart, Line, Role, XYChart
from views import wording
from views.axes import linear_axis, log_axis, year_axis
from views.chips.shipments import Counted
from views.fleet.inputs import fleet
from views.fleet.settings import FleetSettings
from views.fleet.words import AXES, UNITS, amount, axis_unit
from views.result import Exhibit, Table
from views.table import column, table

MAKERS: dict[str, Role] = {"NVIDIA": "compute", "Google": "links", "Amazon": "context", "AMD": "edge"}
SMALLEST = 1e-3
"""What is less than a thousandth of the total is not drawn."""


def totals_exhibit(
    counted: Counted, settings: FleetSettings, *, title: str, subtitle: str, source: str
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
    now = float(total.middle()[-1])
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
    ends = [value for line in lines for value in line.y] + [float(value) / size for value in (*low, *high)]
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}. {subtitle}",
            source=source,
            x=year_axis(year[0], year[-1]),
            y=log_axis(AXES[settings.offers], ends, word=lambda value: f"{value:g}"),
            marks=(
                Band(
                    series=f"{settings.level} % interval",
                    role="memory",
                    strength="confidence",
                    x=year,
                    low=tuple((low / size).tolist()),
                    high=tuple((high / size).tolist()),
                ),
                *lines,
                Line(
                    series="All four makers",
                    role="memory",
                    x=year,
                    y=tuple((total.middle() / size).tolist()),
                    end_label=("All", amount(now, settings.offers)),
                    hover=tuple(
                        f"{wording.quarter(when)}: {amount(float(value), settings.offers)}"
                        for when, value in zip(year, total.middle(), strict=True)
                    ),
                ),
            ),
        ),
        table=_table(total, makers, settings=settings, low=low, high=high),
    )


def _table(
    total: Fleet, makers: dict[str, Fleet], *, settings: FleetSettings, low: FloatArray, high: FloatArray
) -> Table:
    unit = UNITS[settings.offers]
    ends = total.end_year.tolist()

    def of(part: FloatArray) -> Callable[[int], float]:
        return lambda at: float(part[at])

    return table(
        (
            column("quarter", lambda at: wording.quarter(ends[at]), label="Quarter", kind="text"),
            column("total", of(total.middle()), label="All", unit=unit),
            column("low", of(low), label=f"From ({settings.level} %)", unit=unit),
            column("high", of(high), label="to", unit=unit),
            *(
                column(name.lower(), of(part.middle()), label=name, unit=unit)
                for name, part in makers.items()
            ),
        ),
        range(len(ends)),
    )


def chips_exhibit(counted: Counted, settings: FleetSettings, *, source: str) -> Exhibit:
    """Return which chips the last quarter's total is made of."""
    kinds = dict(zip(counted.shipments.kind, counted.shipments.maker, strict=True))
    now = {name: float(fleet(counted.medians, settings, kind=name).middle()[-1]) for name in kinds}
    whole = sum(now.values())
    ranked = sorted((name for name in now if now[name] > 0), key=lambda name: -now[name])
    first = ranked[0]
    when = wording.quarter(float(counted.shipments.end_year.max()))
    title = f"The {first} makes up {100 * now[first] / whole:.0f} % of the total at the end of {when}"
    bars = tuple(
        Bar(
            label=f"{kinds[name]} {name}" if not name.startswith(kinds[name]) else name,
            value=100 * now[name] / whole,
            text=f"{wording.significant(100 * now[name] / whole)} %",
            role=MAKERS[kinds[name]],
            emphasised=name == first,
            detail=(amount(now[name], settings.offers),),
        )
        for name in ranked
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Share of the total by chip [%]. The H200 is counted as H100.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(
                "Share [%]", [0.0, max(bar.value for bar in bars)], word=lambda value: f"{value:g} %"
            ),
            base=0.0,
            bars=bars,
        ),
        table=table(
            (
                column("chip", lambda name: name, label="Chip", kind="text"),
                column("maker", lambda name: kinds[name], label="Maker", kind="text"),
                column("total", lambda name: now[name], label="Total", unit=UNITS[settings.offers]),
                column("share", lambda name: now[name] / whole, label="Share", unit="1"),
            ),
            ranked,
        ),
    )


def balance_exhibit(
    ratio: Fleet, settings: FleetSettings, *, growth: FleetGrowth | None, source: str
) -> Exhibit:
    """Return how many FLOP at 16 bits all chips together offer for each byte they can read."""
    level = int(settings.level) / 100
    low, high = ratio.interval(level)
    year = tuple(ratio.end_year.tolist())
    rate = f", changing {wording.times(growth.factor)} a year" if growth else ""
    title = (
        f"All chips together offer {wording.significant(float(ratio.middle()[-1]), 3)} FLOP per byte{rate}"
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="Sum of dense 16-bit FLOP/s over sum of memory bandwidth. It also moves with which chips are "
            "bought.",
            alt=f"{title}.",
            source=source,
            x=year_axis(year[0], year[-1]),
            y=linear_axis(
                "FLOP per byte",
                [*low.tolist(), *high.tolist()],
                word=lambda value: wording.significant(value, 3),
            ),
            marks=(
                Band(
                    series=f"{settings.level} % interval",
                    role="compute",
                    strength="confidence",
                    x=year,
                    low=tuple(low.tolist()),
                    high=tuple(high.tolist()),
                ),
                Line(
                    series="FLOP per byte",
                    role="compute",
                    x=year,
                    y=tuple(ratio.middle().tolist()),
                    end_label=("FLOP per byte", wording.significant(float(ratio.middle()[-1]), 3)),
                ),
            ),
        ),
        table=table(
            (
                column("quarter", lambda at: wording.quarter(year[at]), label="Quarter", kind="text"),
                column(
                    "flop_per_byte",
                    lambda at: float(ratio.middle()[at]),
                    label="FLOP per byte",
                    unit="FLOP/byte",
                ),
                column(
                    "low", lambda at: float(low[at]), label=f"From ({settings.level} %)", unit="FLOP/byte"
                ),
                column("high", lambda at: float(high[at]), label="to", unit="FLOP/byte"),
            ),
            range(len(year)),
        ),
    )


def spread_exhibit(
    cases: Sequence[tuple[str, FleetGrowth]], *, chosen: str, title: str = "", source: str
) -> Exhibit:
    """Return growth a year under other choices; the first case is the chosen one."""
    title = title or (
        f"Growth is {wording.times(min(found.factor for _, found in cases))} to "
        f"{wording.times(max(found.factor for _, found in cases))} a year by choice"
    )
    bars = tuple(
        Bar(
            label=label,
            value=found.factor,
            low=found.low,
            high=found.high,
            text=wording.times(found.factor),
            role="memory",
            emphasised=label == chosen,
        )
        for label, found in cases
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Growth a year, one choice changed at a time. Lines show how uncertain the numbers of chips are.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(
                "Growth a year [×]",
                [end for bar in bars for end in (bar.low or bar.value, bar.high or bar.value)],
                word=lambda value: f"{value:g}×",
            ),
            base=1.0,
            dots=True,
            bars=bars,
        ),
        table=table(
            (
                column("choice", lambda case: case[0], label="Choice", kind="text"),
                column("growth", lambda case: case[1].factor, label="Growth", unit="x/year"),
                column("low", lambda case: case[1].low, label="From", unit="x/year"),
                column("high", lambda case: case[1].high, label="to", unit="x/year"),
            ),
            cases,
        ),
        section="sure",
    )
