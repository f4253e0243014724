"""Charts of the gap: its two sides, indexed to a common year, and its size at every level."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from analysis.arrays import FloatArray
from analysis.growth_gap import Arithmetic
from charts.chart import Axis, Band, Bar, Line, Mark, Points, Role, Span
from views import wording
from views.axes import log_axis, year_axis
from views.exhibits import LOG_GROWTH_AXIS, ValueAxis, bar_exhibit, bars_exhibit, xy_exhibit
from views.growth_gap.levels import Level, Side
from views.result import Column, Exhibit, Section, Table
from views.table import Getter, column, table
from views.trend import marks as trend_charts


def _years(level: Level, *, to: int) -> list[float]:
    return [float(year) for year in range(round(level.gap.since), to + 1)]


def _by_year(years: Sequence[float], paths: Sequence[tuple[str, Sequence[float] | FloatArray, str]]) -> Table:
    """Return a table with a row per year and a column per path."""
    return Table(
        columns=(
            Column(name="year", label="1 January of", kind="year"),
            *(Column(name=name, label=label, unit="x", kind="scientific") for name, _, label in paths),
        ),
        rows=tuple(zip(map(int, years), *(map(float, values) for _, values, _ in paths), strict=True)),
    )


def indexed_exhibit(
    level: Level, *, title: str, subtitle: str, to: int, source: str, section: Section = "changes"
) -> Exhibit:
    """Return an exhibit of a level's two sides, indexed to a common year, and of the gap between them."""
    gap = level.gap
    marks = _indexed_marks(level, to=to)
    years = _years(level, to=to)
    ratio, low, high = gap.path(years)
    paths = [
        (name, side.growth.trend.at(years) / _base(side, gap.since), side.label)
        for name, side in (("compute_index", level.compute), ("bandwidth_index", level.memory))
    ]
    paths += [("gap_index", ratio, "Gap"), ("gap_low", low, "Gap, low"), ("gap_high", high, "Gap, high")]
    return xy_exhibit(
        marks,
        title=title,
        subtitle=subtitle,
        alt=(
            f"{title}. Since {gap.since:.0f} the gap between the trends has grown "
            f"{wording.times(gap.value)} a year."
        ),
        source=source,
        x=year_axis(gap.since, to),
        y=_gap_axis(level, marks),
        numbers=_by_year(years, paths),
        section=section,
    )


RATE_COLUMNS: tuple[Getter[Bar], ...] = (
    column("comparison", lambda rate: rate.label, label="Comparison", kind="text"),
    column("yearly_growth", lambda rate: rate.value, label="Growth of the gap a year", unit="x"),
    column("low", lambda rate: rate.low, label="Interval, low", unit="x"),
    column("high", lambda rate: rate.high, label="Interval, high", unit="x"),
    column("comparing", lambda rate: rate.detail[0], label="What is compared", kind="text"),
)


def rates_exhibit(
    levels: Sequence[Level], *, quoted: Arithmetic, title: str, subtitle: str, source: str
) -> Exhibit:
    """Return an exhibit of how fast compute outgrows memory, as quoted and by our measures."""
    compute, bandwidth = f"{quoted.compute_growth:g}×", f"{quoted.bandwidth_growth:g}×"
    rates = (
        Bar(
            label=f"As quoted: {compute} over {bandwidth}",
            value=quoted.ratio_of_multipliers,
            text=wording.times(quoted.ratio_of_multipliers),
            role="context",
            detail=(f"{compute} for compute over {bandwidth} for bandwidth, as quoted in articles",),
        ),
        *map(_rate, levels),
    )
    return bars_exhibit(
        (*rates[:2], *_larger_runs(levels), *rates[2:]),
        title=title,
        subtitle=subtitle,
        alt=f"{title}. {'; '.join(f'{rate.label}, {rate.text}' for rate in rates)}.",
        source=source,
        axis=replace(LOG_GROWTH_AXIS, title="Yearly growth of the gap (1× means no growth)"),
        base=1.0,
        dots=True,
        numbers=table(RATE_COLUMNS, rates),
        section="finding",
    )


def _larger_runs(levels: Sequence[Level]) -> Iterator[Bar]:
    """Yield a bar for the part of the gap due to larger runs."""
    rate = {level.name: level.gap.value for level in levels}
    if "run-run" in rate and levels[0].name == "run-chip" and rate["run-chip"] > rate["run-run"]:
        times = rate["run-chip"] / rate["run-run"]
        share = wording.percent(round(math.log(times) / math.log(rate["run-chip"]), 2))
        yield Bar(
            label="More chips, longer runs",
            value=rate["run-chip"],
            start=rate["run-run"],
            text=f"{share} of the growth ({wording.times(times)} a year)",
            role="context",
        )


def _rate(level: Level) -> Bar:
    gap = level.gap
    return Bar(
        label=level.title,
        value=gap.value,
        low=gap.low,
        high=gap.high,
        text=f"{wording.times(gap.value)} ({wording.factors(gap.low, gap.high)})",
        role=level.role,
        emphasised=True,
        detail=(level.comparing.rstrip("."),),
    )


def _gap_axis(level: Level, marks: Sequence[Mark]) -> Axis:
    """Return an axis that covers lines and points. Bands may extend beyond it."""
    values = [value for mark in marks if isinstance(mark, Line | Points) for value in mark.y]
    title = f"Compute and bandwidth, {level.gap.since:.0f} = 1×"
    return log_axis(title, values, word=wording.multiple, bands=wording.percent(level.gap.level))


def _indexed_marks(level: Level, *, to: int) -> tuple[Mark, ...]:
    gap = level.gap
    bands: list[Mark] = []
    lines: list[Mark] = []
    points: list[Mark] = []
    sides: tuple[tuple[Side, Role], ...] = ((level.compute, "compute"), (level.memory, "memory"))
    for side, role in sides:
        base = _base(side, gap.since)
        under, over = trend_charts.trend_marks(
            side.growth,
            series=side.label,
            role=role,
            to=to,
            divisor=base,
            end_label=(side.label, f"{wording.times(side.growth.trend.yearly_growth)} a year"),
        )
        bands += under
        lines += over
        points.append(side.points(base))
    span = Span(
        x=gap.year,
        low=_base(level.memory, gap.year) / _base(level.memory, gap.since),
        high=_base(level.compute, gap.year) / _base(level.compute, gap.since),
        label=(f"gap since {gap.since:.0f}", f"{wording.times(gap.value)} a year"),
    )
    return (*bands, *lines, *points, span)


def _base(side: Side, year: float) -> float:
    return float(side.growth.trend.at([year])[0])


def levels_exhibit(
    levels: Sequence[Level], *, title: str, subtitle: str, quoted: float, to: int, source: str
) -> Exhibit:
    """Return an exhibit of the indexed gap at every level, beside the gap between the quoted rates."""
    first = levels[0]
    since = first.gap.since
    as_quoted = Line(
        series="As quoted",
        role="context",
        x=(since, float(to)),
        y=(1.0, quoted ** (to - since)),
        dash="dotted",
        end_label=("As quoted", f"{wording.times(quoted)} a year"),
    )
    marks = (*(mark for level in levels for mark in _level_marks(level, to=to)), as_quoted)
    years = _years(first, to=to)
    ends = (("", ""), ("_low", ", low"), ("_high", ", high"))
    paths = [
        (f"{level.word}_gap{end}", path, f"{level.title}{words}")
        for level in levels
        for path, (end, words) in zip(level.gap.path(years), ends, strict=True)
    ]
    return xy_exhibit(
        marks,
        title=title,
        subtitle=subtitle,
        alt=f"{title}. "
        + " ".join(f"{item.title}: {wording.times(item.gap.value)} a year." for item in levels),
        source=source,
        x=year_axis(since, to),
        y=_gap_axis(first, marks),
        numbers=_by_year(
            years, [*paths, ("quoted_gap", [quoted ** (year - since) for year in years], "As quoted")]
        ),
    )


def _level_marks(level: Level, *, to: int) -> list[Mark]:
    gap = level.gap
    fits = (level.compute.growth.trend, level.memory.growth.trend)
    marks: list[Mark] = []
    for stretch in gap.stretches(first=max(fit.first_year for fit in fits), to=float(to)):
        marks.append(
            Band(
                series=f"{level.title}: {gap.level:.0%} interval",
                role=level.role,
                strength="confidence",
                x=stretch.year,
                low=stretch.low,
                high=stretch.high,
                faded=stretch.extended,
            )
        )
        end = (level.title, f"{wording.times(gap.value)} a year")
        marks.append(
            Line(
                series=level.title,
                role=level.role,
                x=stretch.year,
                y=stretch.ratio,
                dash="dotted" if stretch.extended else "solid",
                end_label=end if stretch.year[-1] == to else (),
            )
        )
    return marks


LEVEL_OF_ARTICLES = 15.0
"""Size of the gap for which articles predict a date. [1]"""


Reading = tuple[str, float, str]
"""A number derived from two quoted growth rates: its name, value and meaning."""
COLUMNS: tuple[Getter[Reading], ...] = (
    column("reading", lambda reading: reading[0], label="Ratio", kind="text"),
    column("value", lambda reading: reading[1], label="Value"),
    column("formula", lambda reading: reading[2], label="What it is", kind="text"),
)


def arithmetic_exhibit(quoted: Arithmetic) -> Exhibit:
    """Return an exhibit of possible readings of two quoted rates. Only the ratio of the two is a gap's growth."""
    compute, bandwidth = f"{quoted.compute_growth:g}×", f"{quoted.bandwidth_growth:g}×"
    percent = (100 * (quoted.compute_growth - 1), 100 * (quoted.bandwidth_growth - 1))
    ratio = quoted.ratio_of_multipliers
    of_factors = f"{compute} / {bandwidth}: the factor by which the gap grows each year"
    of_percentages = f"{percent[0]:,.0f}% / {percent[1]:,.0f}%: meaningless as a growth rate"
    readings: tuple[Reading, ...] = (
        ("Ratio of the growth factors", ratio, of_factors),
        ("Ratio of the percentages", quoted.ratio_of_percentages, of_percentages),
        ("Ratio of the log rates", quoted.ratio_of_logs, "doublings of compute per doubling of bandwidth"),
    )
    claim = f"If compute grows {compute} and bandwidth {round(percent[1], 1):,g}% a year, the gap"
    title = (
        f"{claim} widens {wording.times(ratio)} a year, not {wording.times(quoted.ratio_of_percentages)}"
        if ratio > 1
        else f"{claim} does not widen: it {wording.grows(ratio)} a year"
    )
    reached = (
        f"at that rate, the gap reaches {LEVEL_OF_ARTICLES:g}× in "
        f"{wording.significant(quoted.years_until(LEVEL_OF_ARTICLES))} years"
        if ratio > 1
        else f"at that rate, the gap never reaches {LEVEL_OF_ARTICLES:g}×"
    )
    return bar_exhibit(
        readings,
        lambda reading: Bar(
            label=reading[0],
            value=reading[1],
            text=f"{wording.significant(reading[1], 3)}×",
            role="compute" if reading is readings[0] else "context",
            emphasised=reading is readings[0],
            detail=(reading[2],),
        ),
        title=title,
        subtitle="Articles often confuse three ratios of the two growth rates. Only the first one is the growth of "
        f"the gap; {reached}.",
        alt=title,
        source=f"Arithmetic on the quoted rates {compute} and {bandwidth} a year; no data.",
        axis=ValueAxis(title="", word=lambda value: f"{value:g}×", span=(0.0,)),
        columns=COLUMNS,
        listed=(*readings, *_later(quoted)),
    )


def _later(quoted: Arithmetic) -> Iterator[Reading]:
    """Yield consequences of two rates, such as doubling times and the gap after some years."""
    for years in (1, 2, 5):
        label = f"Gap after {wording.counted(years, 'year')}"
        yield label, quoted.gap_after(years), f"factor ratio to the power of {years}"
    until = quoted.years_until(LEVEL_OF_ARTICLES)
    yield f"Years until the gap is {LEVEL_OF_ARTICLES:g}×", until, "log of the gap over log of the ratio"
    doubling = "12 ln 2 / ln of the factor"
    yield "Doubling time of compute, months", quoted.compute_doubling_months, doubling
    yield "Doubling time of bandwidth, months", quoted.bandwidth_doubling_months, doubling
