"""The gap as figures and charts: both sides indexed to a common year, and all levels together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from charts.chart import Band, Line, Mark, Span, XYChart
from views import wording
from views.axes import log_axis, year_axis
from views.growth_gap.levels import Level, Side
from views.result import Exhibit
from views.table import Getter, column, table
from views.trend import marks as trend_charts

CURVE_POINTS = 25

ENDS = {"": "", "_low": ", low", "_high": ", high"}
"""The estimate and the ends of its interval: what they add to a column's name and to its label."""


@dataclass(frozen=True, kw_only=True)
class _IndexedYear:
    """A year: both sides over their own trend in the index year, and the gap with the ends of its interval."""

    year: int
    compute: float
    memory: float
    gap: float
    low: float
    high: float


def _indexed_columns(level: Level) -> tuple[Getter[_IndexedYear], ...]:
    def index(name: str, cell: Callable[[_IndexedYear], float], *, label: str) -> Getter[_IndexedYear]:
        return column(name, cell, label=label, unit="x", kind="scientific")

    return (
        column("year", lambda row: row.year, label="1 January of", kind="year"),
        index("compute_index", lambda row: row.compute, label=level.compute.label),
        index("bandwidth_index", lambda row: row.memory, label=level.memory.label),
        index("gap_index", lambda row: row.gap, label="Gap"),
        index("gap_low", lambda row: row.low, label="Gap, low"),
        index("gap_high", lambda row: row.high, label="Gap, high"),
    )


@dataclass(frozen=True, kw_only=True)
class _LevelsYear:
    """A year: the gap of every level with the ends of its interval, by their columns, and the quoted one."""

    year: int
    gaps: Mapping[str, float]
    quoted: float


def _gap_name(level: Level, end: str) -> str:
    return f"{level.name.replace('-', '_')}_gap{end}"


def _levels_columns(levels: Sequence[Level]) -> tuple[Getter[_LevelsYear], ...]:
    def gap(name: str, label: str) -> Getter[_LevelsYear]:
        return column(name, lambda row: row.gaps[name], label=label, unit="x", kind="scientific")

    return (
        column("year", lambda row: row.year, label="1 January of", kind="year"),
        *(
            gap(_gap_name(level, end), f"{level.title}{words}")
            for level in levels
            for end, words in ENDS.items()
        ),
        column("quoted_gap", lambda row: row.quoted, label="As quoted", unit="x", kind="scientific"),
    )


def indexed_exhibit(level: Level, *, title: str, subtitle: str, to: int, source: str) -> Exhibit:
    """Return both sides of a level, each divided by its own trend in the index year, and their gap."""
    gap = level.gap
    marks = _indexed_marks(level, to=to)
    values = [value for mark in marks if not isinstance(mark, Span) for value in getattr(mark, "y", ())]
    chart = XYChart(
        title=title,
        subtitle=subtitle,
        alt=(
            f"{title}. Since {gap.since:.0f} the two trends have moved apart {wording.multiple(gap.total, 2)}."
        ),
        source=source,
        x=year_axis(gap.since, to),
        y=log_axis(f"{gap.since:.0f} = 1×", values, word=wording.multiple),
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
        table=table(
            _indexed_columns(level),
            [
                _IndexedYear(
                    year=int(year),
                    compute=float(compute[i]),
                    memory=float(memory[i]),
                    gap=float(ratio[i]),
                    low=float(low[i]),
                    high=float(high[i]),
                )
                for i, year in enumerate(years)
            ],
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
        label=(f"gap since {gap.since:.0f}", wording.multiple(gap.total, 2)),
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
    paths = {
        _gap_name(level, end): path
        for level in levels
        for end, path in zip(ENDS, level.gap.path(years), strict=True)
    }
    values = [value for mark in marks if isinstance(mark, Line) for value in mark.y]
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}. "
            + " ".join(f"{item.title}: {wording.times(item.gap.yearly_growth)} a year." for item in levels),
            source=source,
            x=year_axis(since, to),
            y=log_axis(f"{since:.0f} = 1×", values, word=wording.multiple),
            marks=tuple(marks),
        ),
        table=table(
            _levels_columns(levels),
            [
                _LevelsYear(
                    year=int(year),
                    gaps={name: float(path[i]) for name, path in paths.items()},
                    quoted=quoted ** (int(year) - since),
                )
                for i, year in enumerate(years)
            ],
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
