"""Exhibits and figures built from numbers, so that chart, alternative text and table agree.

A view supplies its text, its rows and a mark for each row. This module does what all exhibits share: the axis spans
the marks, the alternative text repeats the title, and the table has the rows behind the marks.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from analysis.arrays import FloatArray
from analysis.fleet import DrawnSeries
from analysis.intervals import Estimate
from charts.chart import Axis, Band, Bar, BarChart, Dash, Line, Mark, Points, Role, XYChart
from views import wording
from views.axes import linear_axis, log_axis
from views.result import Exhibit, Figure, Finding, Section, Source, Table
from views.table import Getter, column, table

Row = TypeVar("Row")
Word = Callable[[float], str]


def plain(value: float) -> str:
    """Return a number in its shortest form, for a tick label."""
    return f"{value:g}"


@dataclass(frozen=True, kw_only=True)
class ValueAxis:
    """An axis that has no range yet: its title with unit, tick format and scale.

    ``span`` contains values that the axis must include, such as 0.
    """

    title: str
    word: Word = plain
    log: bool = False
    span: tuple[float, ...] = ()

    def over(self, values: Iterable[float]) -> Axis:
        """Return an axis that covers the values and those in ``span``."""
        axis = log_axis if self.log else linear_axis
        return axis(self.title, [*self.span, *values], word=self.word)


def axis_over(axis: ValueAxis | Axis, values: Iterable[float]) -> Axis:
    """Return the axis with a range that covers the values. A known range is kept."""
    return axis if isinstance(axis, Axis) else axis.over(values)


GROWTH_AXIS = ValueAxis(title="Growth a year", word=wording.factor_tick, span=(1.0,))
"""Axis of yearly growth factors. It always includes 1, no growth."""
LOG_GROWTH_AXIS = replace(GROWTH_AXIS, log=True)


def share_axis(title: str, *span: float) -> ValueAxis:
    """Return an axis of shares. It includes the values in ``span`` or, by default, 0 and 1."""
    return ValueAxis(title=title, word=lambda share: f"{100 * share:.3g}%", span=span or (0.0, 1.0))


def bar_reach(bars: Iterable[Bar]) -> list[float]:
    """Return all values that bars reach, including the bars' starts and interval bounds."""
    return [
        end
        for bar in bars
        if not bar.absent
        for end in (bar.value, bar.low, bar.high, bar.start)
        if end is not None
    ]


def mark_reach(marks: Iterable[Mark]) -> list[float]:
    """Return all heights that marks reach."""
    return [
        height
        for mark in marks
        for side in ((mark.y,) if isinstance(mark, Points | Line) else (mark.low, mark.high))
        for height in (side if isinstance(side, tuple) else (side,))
    ]


def bar_exhibit(
    rows: Sequence[Row],
    bar: Callable[[Row], Bar],
    *,
    columns: Sequence[Getter[Any]],
    listed: Sequence[Any] | None = None,
    **others: Any,
) -> Exhibit:
    """Return an exhibit with a bar for each row. The table lists these rows, unless ``listed`` gives others.

    ``others`` are as in :func:`bars_exhibit`.
    """
    numbers = table(columns, rows if listed is None else listed)
    return bars_exhibit(tuple(map(bar, rows)), numbers=numbers, **others)


def bars_exhibit(
    bars: tuple[Bar, ...],
    *,
    title: str,
    subtitle: str,
    source: str,
    axis: ValueAxis | Axis,
    numbers: Table,
    base: float | None = None,
    dots: bool = False,
    alt: str = "",
    section: Section = "changes",
) -> Exhibit:
    """Return an exhibit of bars that start at ``base``."""
    x = axis_over(axis, bar_reach(bars))
    usual = x.low if x.scale == "log" else 0.0
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=subtitle,
            alt=alt or f"{title}.",
            source=source,
            x=x,
            base=usual if base is None else base,
            dots=dots,
            bars=bars,
        ),
        table=numbers,
        section=section,
    )


def xy_exhibit(
    marks: Sequence[Mark],
    *,
    title: str,
    subtitle: str,
    source: str,
    x: Axis,
    y: ValueAxis | Axis,
    numbers: Table,
    alt: str = "",
    section: Section = "changes",
) -> Exhibit:
    """Return an exhibit of marks on two axes, with a table."""
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=subtitle,
            alt=alt or f"{title}.",
            source=source,
            x=x,
            y=axis_over(y, mark_reach(marks)),
            marks=tuple(marks),
        ),
        table=numbers,
        section=section,
    )


@dataclass(frozen=True, kw_only=True)
class Course:
    """A quantity over the years, with its interval. Arrays have shape (n,), and ``x`` is in decimal years.

    ``series`` is its name in the legend, ``role`` its colour, and ``word`` formats its values.
    """

    series: str
    role: Role
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    word: Word

    @classmethod
    def of(
        cls,
        drawn: DrawnSeries,
        *,
        series: str,
        role: Role,
        level: str,
        word: Word,
        scaled: Callable[[FloatArray], FloatArray] = lambda values: values,
    ) -> "Course":
        """Return draws of totals as a course, with an interval at a level in percent. ``scaled`` converts values."""
        ends = drawn.interval(int(level) / 100)
        y, low, high = (scaled(values).tolist() for values in (drawn.middle(), *ends))
        return cls(series=series, role=role, x=drawn.end_year.tolist(), y=y, low=low, high=high, word=word)

    def over(self, base: float) -> "Course":
        """Return the course divided by ``base``, as an index. Its values are still displayed undivided."""
        y, low, high = ([value / base for value in values] for values in (self.y, self.low, self.high))
        return replace(self, y=y, low=low, high=high, word=lambda value: self.word(base * value))

    def band(self, level: str) -> Band:
        """Return the interval as a band, with its level in percent."""
        return Band(
            series=f"{level}% interval",
            role=self.role,
            strength="confidence",
            x=tuple(self.x),
            low=tuple(self.low),
            high=tuple(self.high),
        )

    def line(self, *, end_label: Sequence[str] = (), dash: Dash = "solid", hover: str = "") -> Line:
        """Return the course as a line, labelled with its name and last value."""
        return Line(
            series=self.series,
            role=self.role,
            dash=dash,
            x=tuple(self.x),
            y=tuple(self.y),
            end_label=tuple(end_label) or (self.series, self.word(self.y[-1])),
            hover=tuple(
                f"{hover}{wording.quarter(when)}: {self.word(value)}"
                for when, value in zip(self.x, self.y, strict=True)
            ),
        )


def line_of(
    rows: Sequence[Row], *, x: Callable[[Row], float], y: Callable[[Row], float], **others: Any
) -> Line:
    """Return a line through the rows, in order. ``others`` are as in Line."""
    return Line(x=tuple(map(x, rows)), y=tuple(map(y, rows)), **others)


def interval_columns(
    low: Callable[[Any], float | None],
    high: Callable[[Any], float | None],
    *,
    unit: str,
    level: str = "",
    names: tuple[str, str] = ("low", "high"),
    labels: tuple[str, str] = ("Low", "High"),
) -> tuple[Getter[Any], Getter[Any]]:
    """Return the two columns of an interval, labelled with ``level`` in percent unless that is empty."""
    return (
        column(names[0], low, label=f"{level}% low" if level else labels[0], unit=unit),
        column(names[1], high, label=f"{level}% high" if level else labels[1], unit=unit),
    )


def rate_columns(rate: Callable[[Any], Estimate] = lambda row: row) -> tuple[Getter[Any], ...]:
    """Return the columns of a growth rate and its interval. ``rate`` returns a row's rate."""
    return (
        column("yearly_growth", lambda row: rate(row).value, label="Growth", unit="x/year"),
        *interval_columns(lambda row: rate(row).low, lambda row: rate(row).high, unit="x/year"),
    )


def empty_exhibit(title: str, *, columns: Sequence[Getter[Any]], subtitle: str, **others: Any) -> Exhibit:
    """Return an exhibit without data: an axis and an empty table."""
    return bars_exhibit((), title=title, subtitle=subtitle, numbers=table(columns, ()), **others)


def empty_finding(
    title: str, why: str, *, settings_line: str, sources: tuple[Source, ...], **drawn: Any
) -> Finding:
    """Return a finding that states why there are no data. ``drawn`` is as in :func:`empty_exhibit`."""
    return Finding(
        headline=title,
        subtitle=why,
        figures=(),
        exhibits=(empty_exhibit(title, subtitle="There is nothing to draw.", **drawn),),
        settings_line=settings_line,
        sources=sources,
    )


FACTORS = ValueAxis(title="Growth a year [×]", word=lambda value: f"{value:g}×")


def growth_by_choice(
    cases: Sequence[tuple[str, Estimate]],
    *,
    chosen: str,
    title: str = "",
    subtitle: str,
    source: str,
    level: str = "",
    role: Role = "memory",
    axis: ValueAxis = FACTORS,
    word: Word = wording.times,
    more: Sequence[Getter[Any]] = (),
    section: Section = "sure",
) -> Exhibit:
    """Return an exhibit of yearly growth under the ``chosen`` choice and others, with intervals.

    ``more`` are additional columns after those of the growth.
    """
    factors = [growth.value for _, growth in cases]
    spread = (
        f"With other choices, growth is {wording.times(min(factors))} to {wording.times(max(factors))} a year"
    )
    return bar_exhibit(
        cases,
        lambda case: Bar(
            label=case[0],
            value=case[1].value,
            low=case[1].low,
            high=case[1].high,
            text=word(case[1].value),
            role=role,
            emphasised=case[0] == chosen,
        ),
        title=title or spread,
        subtitle=subtitle,
        source=source,
        axis=axis,
        base=1.0,
        dots=True,
        columns=(
            column("choice", lambda case: case[0], label="Choice", kind="text"),
            column("growth", lambda case: case[1].value, label="Growth", unit="x/year"),
            *interval_columns(
                lambda case: case[1].low, lambda case: case[1].high, unit="x/year", level=level
            ),
            *more,
        ),
        section=section,
    )


def estimate_figure(
    name: str,
    estimate: Estimate,
    *,
    label: str,
    unit: str,
    level: float,
    word: Word,
    text: str = "",
    **others: Any,
) -> Figure:
    """Return an estimate as a figure. ``word`` formats the value and its interval at ``level``.

    ``text`` replaces the formatted value; ``others`` are as in Figure.
    """
    low, high = estimate.low, estimate.high
    return Figure(
        name=name,
        label=label,
        value=estimate.value,
        unit=unit,
        text=text or word(estimate.value),
        low=low,
        high=high,
        level=level,
        interval_text=wording.at_level(level, low=word(low), high=word(high)),
        **others,
    )


def growth_figure(name: str, growth: Estimate, *, label: str, level: float, **others: Any) -> Figure:
    """Return a yearly growth factor and its interval as a figure. ``others`` are as in Figure."""
    shown = {"text": f"{wording.times(growth.value)} a year", **others}
    return estimate_figure(name, growth, label=label, unit="x/year", level=level, word=wording.times, **shown)


def stated_figure(
    stated: Mapping[str, Mapping[str, Any]], of: str, *, value: float | None, text: str, **others: Any
) -> Figure:
    """Return a figure with the label, unit and method stated for ``of``. ``others`` are as in Figure.

    Its name is ``of`` unless another is given.
    """
    return Figure(value=value, text=text, **{"name": of, "unit": "", **stated[of], **others})


def count_figure(name: str, count: int, *, label: str, **others: Any) -> Figure:
    """Return a count as a secondary figure. ``others`` are as in Figure."""
    shown = {"text": f"{count}", "key": False, **others}
    return Figure(name=name, label=label, value=float(count), unit="", **shown)
