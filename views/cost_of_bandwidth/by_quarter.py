"""What a unit costs by quarter: with its interval, what the lag does, and what the other side costs."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.arrays import FloatArray
from analysis.fleet import DrawnSeries
from charts.chart import Band, Line, XYChart
from views import wording
from views.axes import linear_axis, log_axis, year_axis
from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.cost_of_bandwidth.words import MAKER_ROLES, ROLES, UNITS, against, dollars
from views.result import Column, Exhibit, Table


@dataclass(frozen=True, kw_only=True)
class ByQuarter:
    """What a unit costs at the quarters of shipment, under other lags from 0 up, and what the other side costs.

    ``other`` is None where it is not drawn: a GB beside a PFLOP/s would lie far off.
    """

    cost: DrawnSeries
    lags: Sequence[DrawnSeries]
    other: DrawnSeries | None

    def under_lags(self, size: float) -> tuple[list[float], list[float]]:
        """Return the least and the most a unit of so many base units costs under any lag, by quarter. [USD]"""
        low, high = [], []
        for when in self.cost.end_year.tolist():
            values = [
                size * float(of.middle()[place])
                for of in self.lags
                for place, other in enumerate(of.end_year.tolist())
                if abs(other - when) < 1e-6
            ]
            low.append(min(values))
            high.append(max(values))
        return low, high


def quarters_exhibit(
    found: ByQuarter, settings: CostOfBandwidthSettings, *, title: str, subtitle: str, source: str
) -> Exhibit:
    """Return what a unit costs by quarter, with both bands."""
    size, unit = UNITS[settings.per]
    low, high = (size * end for end in found.cost.interval(int(settings.level) / 100))
    least, most = found.under_lags(size)
    year = tuple(found.cost.end_year.tolist())
    middle = size * found.cost.middle()
    values = [*low.tolist(), *high.tolist(), *least, *most]
    lines = [_line(year, middle, per=settings.per)]
    what = f"Dollars per {unit}"
    beside = against(settings.per)
    other_size, other_unit = UNITS[beside]
    other = None if found.other is None else other_size * found.other.middle()
    if other is not None and found.other is not None:
        values += other.tolist()
        what = f"Dollars per {unit} and per {other_unit}"
        lines.insert(0, _line(tuple(found.other.end_year.tolist()), other, per=beside))
    y = (
        log_axis(what, values, word=dollars)
        if settings.scale == "log"
        else linear_axis(what, [0.0, *values], word=lambda value: f"${value:,.10g}")
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}. {subtitle}",
            source=source,
            x=year_axis(year[0], year[-1]),
            y=y,
            marks=(
                Band(
                    series="Bought 0 to 3 quarters before",
                    role=ROLES[settings.per],
                    strength="prediction",
                    x=year,
                    low=tuple(least),
                    high=tuple(most),
                ),
                Band(
                    series=f"{settings.level} % interval",
                    role=ROLES[settings.per],
                    strength="confidence",
                    x=year,
                    low=tuple(low.tolist()),
                    high=tuple(high.tolist()),
                ),
                *lines,
            ),
        ),
        table=_table(found, settings, low=low, high=high, other=other),
    )


def _line(year: tuple[float, ...], middle: FloatArray, *, per: str) -> Line:
    unit = UNITS[per][1]
    return Line(
        series=f"Per {unit}",
        role=ROLES[per],
        x=year,
        y=tuple(middle.tolist()),
        end_label=(f"Per {unit}", dollars(float(middle[-1]))),
        hover=tuple(
            f"Shipped in {wording.quarter(when)}: {dollars(value)} per {unit}"
            for when, value in zip(year, middle.tolist(), strict=True)
        ),
    )


def _table(
    found: ByQuarter,
    settings: CostOfBandwidthSettings,
    *,
    low: FloatArray,
    high: FloatArray,
    other: FloatArray | None,
) -> Table:
    size, unit = UNITS[settings.per]
    usd = f"USD per {unit}"
    least, most = found.under_lags(size)
    beside = UNITS[against(settings.per)][1]
    columns = (
        Column(name="quarter", label="Shipped in", kind="text"),
        Column(name="cost", label=f"Per {unit}", unit=usd),
        Column(name="low", label=f"From ({settings.level} %)", unit=usd),
        Column(name="high", label="to", unit=usd),
        Column(name="least_of_lags", label="Least of any lag", unit=usd),
        Column(name="most_of_lags", label="Most of any lag", unit=usd),
        Column(name="other", label=f"Per {beside}", unit=f"USD per {beside}"),
    )
    others = (
        {}
        if other is None or found.other is None
        else dict(zip(found.other.end_year.round(2).tolist(), other.tolist(), strict=True))
    )
    rows = tuple(
        (
            wording.quarter(when),
            size * float(found.cost.middle()[at]),
            float(low[at]),
            float(high[at]),
            least[at],
            most[at],
            others.get(round(when, 2)),
        )
        for at, when in enumerate(found.cost.end_year.tolist())
    )
    return Table(columns=columns, rows=rows)


def makers_exhibit(
    costs: dict[str, DrawnSeries], settings: CostOfBandwidthSettings, *, source: str
) -> Exhibit:
    """Return what a unit costs each maker by quarter."""
    size, unit = UNITS[settings.per]
    level = int(settings.level) / 100
    last = {name: size * float(of.middle()[-1]) for name, of in costs.items()}
    cheapest, dearest = min(last, key=lambda name: last[name]), max(last, key=lambda name: last[name])
    when = wording.quarter(float(next(iter(costs.values())).end_year[-1]))
    title = f"A {unit} costs {cheapest} {dollars(last[cheapest])} and {dearest} {dollars(last[dearest])}"
    if cheapest == dearest:
        title = f"A {unit} costs {cheapest} {dollars(last[cheapest])}"
    lines = tuple(
        Line(
            series=name,
            role=MAKER_ROLES[name],
            x=tuple(of.end_year.tolist()),
            y=tuple((size * of.middle()).tolist()),
            end_label=(name, dollars(last[name])),
            hover=tuple(
                f"{name}, {wording.quarter(at)}: {dollars(size * float(value))} per {unit}"
                for at, value in zip(of.end_year, of.middle(), strict=True)
            ),
        )
        for name, of in costs.items()
    )
    years = [year for line in lines for year in line.x]
    subtitle = f"Dollars per {unit} shipped by each maker, up to {when}. It also moves with which chips a maker ships."
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}.",
            source=source,
            x=year_axis(min(years), max(years)),
            y=log_axis(f"Dollars per {unit}", [value for line in lines for value in line.y], word=dollars),
            marks=lines,
        ),
        table=Table(
            columns=(
                Column(name="maker", label="Maker", kind="text"),
                Column(name="quarter", label="Shipped in", kind="text"),
                Column(name="cost", label=f"Per {unit}", unit=f"USD per {unit}"),
                Column(name="low", label=f"From ({settings.level} %)", unit=f"USD per {unit}"),
                Column(name="high", label="to", unit=f"USD per {unit}"),
            ),
            rows=tuple(
                (
                    name,
                    wording.quarter(float(year)),
                    *(size * float(values[at]) for values in (of.middle(), *of.interval(level))),
                )
                for name, of in costs.items()
                for at, year in enumerate(of.end_year)
            ),
        ),
    )
