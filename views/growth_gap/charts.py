"""The gap as figures and charts: both sides indexed to a common year, and all levels together."""

from collections.abc import Sequence

import numpy as np

from charts.chart import Band, Line, Mark, Span, XYChart
from views import wording
from views.axes import log_axis, year_axis
from views.growth_gap.levels import Level, Side
from views.result import Column, Exhibit, Table
from views.trend import marks as trend_charts

CURVE_POINTS = 25


def indexed_exhibit(level: Level, *, title: str, subtitle: str, to: int, source: str) -> Exhibit:
    """Return both sides of a level, each divided by its own trend in the index year, and their gap."""
    gap = level.gap
    marks = _indexed_marks(level, to=to)
    values = [value for mark in marks if not isinstance(mark, Span) for value in getattr(mark, "y", ())]
    chart = XYChart(
        title=title,
        subtitle=subtitle,
        alt=(
            f"{title}. Since {gap.since:.0f} the two trends have moved apart by a factor of "
            f"{wording.multiple(gap.total)}."
        ),
        source=source,
        x=year_axis(gap.since, to),
        y=log_axis(f"Growth since {gap.since:.0f}", values, word=wording.multiple),
        marks=marks,
    )
    years = np.arange(round(gap.since), to + 1, dtype=float)
    ratio, low, high = gap.path(years)
    compute, memory = (
        side.growth.trend.at(years) / side.growth.trend.at([gap.since])
        for side in (level.compute, level.memory)
    )
    return Exhibit(
        chart=chart,
        table=Table(
            columns=(
                Column(name="year", label="1 January of", kind="year"),
                Column(name="compute_index", label=level.compute.label, unit="x", kind="scientific"),
                Column(name="bandwidth_index", label=level.memory.label, unit="x", kind="scientific"),
                Column(name="gap_index", label="Gap", unit="x", kind="scientific"),
                Column(name="gap_low", label="Gap, low", unit="x", kind="scientific"),
                Column(name="gap_high", label="Gap, high", unit="x", kind="scientific"),
            ),
            rows=tuple(
                (int(year), *(float(cell) for cell in cells))
                for year, *cells in zip(years, compute, memory, ratio, low, high, strict=True)
            ),
        ),
    )


def _indexed_marks(level: Level, *, to: int) -> tuple[Mark, ...]:
    gap = level.gap
    bands: list[Mark] = []
    lines: list[Mark] = []
    points: list[Mark] = []
    for side in (level.compute, level.memory):
        base = _base(side, gap.since)
        under, over = trend_charts.trend_marks(
            side.growth,
            series=side.label,
            role=side.role,
            to=to,
            divisor=base,
            end_label=(side.label, f"{wording.times(side.growth.trend.yearly_growth)} a year"),
        )
        bands += under
        lines += over
        points.append(side.points(base))
    span = Span(
        x=gap.year,
        low=float(level.memory.growth.trend.at([gap.year])[0]) / _base(level.memory, gap.since),
        high=float(level.compute.growth.trend.at([gap.year])[0]) / _base(level.compute, gap.since),
        label=(f"gap since {gap.since:.0f}", wording.multiple(gap.total)),
    )
    return (*bands, *lines, *points, span)


def _base(side: Side, since: float) -> float:
    return float(side.growth.trend.at([since])[0])


def levels_exhibit(
    levels: Sequence[Level], *, title: str, subtitle: str, quoted: float, to: int, source: str
) -> Exhibit:
    """Return the gap of every level from 1 in the index year on, with the gap of the quoted rates beside them."""
    since = levels[0].gap.since
    marks: list[Mark] = []
    for level in levels:
        marks += _level_marks(level, to=to)
    marks.append(
        Line(
            series="As quoted",
            role="context",
            x=(since, float(to)),
            y=(1.0, quoted ** (to - since)),
            dash="dotted",
            end_label=("As quoted", f"{wording.times(quoted)} a year"),
        )
    )
    years = np.arange(round(since), to + 1)
    paths = [part for level in levels for part in level.gap.path(years)]
    values = [value for mark in marks if isinstance(mark, Line) for value in mark.y]
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}. "
            + " ".join(f"{item.title}: {item.gap.yearly_growth:.2f} a year." for item in levels),
            source=source,
            x=year_axis(since, to),
            y=log_axis(f"Compute over memory, {since:.0f} = 1×", values, word=wording.multiple),
            marks=tuple(marks),
        ),
        table=Table(
            columns=(
                Column(name="year", label="1 January of", kind="year"),
                *(
                    Column(
                        name=f"{level.name.replace('-', '_')}_gap{end}",
                        label=f"{level.title}{words}",
                        unit="x",
                        kind="scientific",
                    )
                    for level in levels
                    for end, words in (("", ""), ("_low", ", low"), ("_high", ", high"))
                ),
                Column(name="quoted_gap", label="As quoted", unit="x", kind="scientific"),
            ),
            rows=tuple(
                (int(year), *map(float, cells), quoted ** (int(year) - since))
                for year, *cells in zip(years, *paths, strict=True)
            ),
        ),
    )


def _level_marks(level: Level, *, to: int) -> list[Mark]:
    gap, end = level.gap, float(to)
    fits = (level.compute.growth.trend, level.memory.growth.trend)
    first, last = max(gap.since, *(fit.first_year for fit in fits)), min(gap.year, end)
    marks: list[Mark] = []
    for left, right, dotted in ((gap.since, first, True), (first, last, False), (last, end, True)):
        if right <= left:
            continue
        years = np.linspace(left, right, CURVE_POINTS)
        line, low, high = gap.path(years)
        x = tuple(years.tolist())
        marks.append(
            Band(
                series=f"{level.title}: {gap.level:.0%} confidence",
                role=level.role,
                strength="confidence",
                x=x,
                low=tuple(low.tolist()),
                high=tuple(high.tolist()),
                faded=dotted,
            )
        )
        marks.append(
            Line(
                series=level.title,
                role=level.role,
                x=x,
                y=tuple(line.tolist()),
                dash="dotted" if dotted else "solid",
                end_label=(level.title, f"{wording.times(gap.yearly_growth)} a year") if right == end else (),
            )
        )
    return marks
