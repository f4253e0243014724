"""The gap as figures and charts: both sides indexed to a common year, and all levels together."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from charts.chart import Band, Line, Mark, Span, XYChart
from views import wording
from views.axes import log_axis, year_axis
from views.growth_gap.levels import Level, Side
from views.result import Column, Exhibit, Figure, Table
from views.trend import figures as trend_figures
from views.trend import marks as trend_charts
from views.trend import words as trend_words

FACTORS = (10, 100, 1000)
"""What the gap is asked to multiply by, for the time that takes."""

CURVE_POINTS = 25


def figures(level: Level, *, prefix: str = "", key: bool = True) -> tuple[Figure, ...]:
    """Return both rates, the gap's growth and size, and the years it takes to multiply."""
    gap = level.gap
    since = f"{gap.since:.0f}"
    rates = (
        trend_figures.rate_figure(
            level.compute.growth, name=f"{prefix}compute_growth", label=level.compute.label
        ),
        trend_figures.rate_figure(
            level.memory.growth, name=f"{prefix}bandwidth_growth", label=level.memory.label
        ),
    )
    return (
        *(_keyed(figure, key=key) for figure in rates),
        gap_growth_figure(level, name=f"{prefix}gap_growth", label=f"Gap, {level.title.lower()}", key=key),
        Figure(
            name=f"{prefix}gap_total",
            label=f"Gap since {since}",
            value=gap.total,
            unit="x",
            text=wording.multiple(gap.total),
            low=gap.total_low,
            high=gap.total_high,
            level=gap.level,
            interval_text=wording.at_level(
                gap.level, wording.multiple(gap.total_low), wording.multiple(gap.total_high)
            ),
            method="ratio of the two trends",
            n=gap.n,
            key=key,
        ),
        *(_years_figure(level, factor, prefix=prefix) for factor in FACTORS),
    )


def _keyed(figure: Figure, *, key: bool) -> Figure:
    return replace(figure, key=key)


def gap_growth_figure(level: Level, *, name: str, label: str, key: bool = True) -> Figure:
    """Return how fast the gap of a level grows a year."""
    gap = level.gap
    return Figure(
        name=name,
        label=label,
        value=gap.yearly_growth,
        unit="x/year",
        text=f"{wording.times(gap.yearly_growth)} a year",
        low=gap.low,
        high=gap.high,
        level=gap.level,
        interval_text=wording.at_level(gap.level, wording.times(gap.low), wording.times(gap.high)),
        method=(
            "draws of two independent bootstraps paired"
            if level.name == "run-chip"
            else "bootstrap of the ratio, row by row"
        ),
        n=gap.n,
        key=key,
    )


def _years_figure(level: Level, factor: int, *, prefix: str) -> Figure:
    years, low, high = level.gap.years_to_multiply(factor)
    grows = low < float("inf")
    return Figure(
        name=f"{prefix}years_to_{factor}x",
        label=f"Gap {factor:,}× wider, {level.title.lower()}",
        value=years,
        unit="year",
        text=_years(years),
        low=low,
        high=high,
        level=level.gap.level,
        interval_text=(
            wording.at_level(level.gap.level, _years(low), _years(high))
            if grows
            else f"{wording.percent(level.gap.level)}: no growth"
        ),
        method="from the growth of the gap",
        n=level.gap.n,
        key=False,
    )


def _years(years: float) -> str:
    """Return a length of time in years, however short, so that an interval has one unit."""
    return f"{wording.significant(years)} years" if years < float("inf") else "never"


def caveats(levels: Sequence[Level], *, to: int) -> tuple[str, ...]:
    """Return what weakens a rate or carries it too far, each with the line it is about, none said twice."""
    told: dict[str, None] = {}
    for level in levels:
        sides = [
            (side, (*trend_words.notes(side.growth), *trend_figures.reach_notes(side.growth, to=to)))
            for side in (level.compute, level.memory)
        ]
        shared = set(sides[0][1]) & set(sides[1][1])
        for side, notes in sides:
            for note in notes:
                about = level.title if note in shared else f"{level.title}, {_within(side.label)}"
                told[f"{about}: {note[0].lower()}{note[1:]}"] = None
    return tuple(told)


def _within(label: str) -> str:
    """Return a label as it stands inside a sentence: its first letter small, unless it is an abbreviation."""
    return label if label[:2].isupper() else f"{label[0].lower()}{label[1:]}"


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
        y=log_axis(f"Growth since {gap.since:.0f}", values, wording.multiple),
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
            y=log_axis(f"Compute over memory, {since:.0f} = 1×", values, wording.multiple),
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
