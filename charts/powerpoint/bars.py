"""A ranking as a native, editable bar chart: whiskers for intervals, the words at the end of each bar."""

from collections.abc import Sequence
from dataclasses import replace

from charts.chart import Bar, BarChart
from charts.colours import QUIET_BAR_OPACITY
from charts.layout import far_end, reach, start_of
from charts.powerpoint.axes import from_a_tick, native_ticks, value_axis, visible_ticks
from charts.powerpoint.bar_shapes import DOT, bar_shapes, furthest_dot
from charts.powerpoint.boxes import Box
from charts.powerpoint.chart_part import NativeChart, chart_space, inner_layout
from charts.powerpoint.drawingml import Element, a, c, number
from charts.powerpoint.paint import Ink, Paint
from charts.powerpoint.plot import Plot, share
from charts.powerpoint.series import error_bars, line, numbers, series_title, strings
from charts.powerpoint.words import (
    NAME_POINTS,
    TICK_POINTS,
    Text,
    labels,
    paragraph_defaults,
    point_label,
)
from charts.powerpoint.workbook import Cell, Reference, Sheet, workbook

_LEAST_SHARE = 0.3  # of the width is left to the bars and their words, however long the names
_LEAST_BARS = 0.25  # of what the names leave is left to the bars, however long the words
_NAMES, _VALUES = 111_111_111, 222_222_222
_WHISKER = 1.25


def bar_chart(chart: BarChart, paint: Paint, *, width: float, height: float) -> NativeChart:
    """Return the chart part and its workbook for a chart of this size. [pt]"""
    ends = [end for bar in chart.bars for end in (bar.value, bar.low, bar.start) if end is not None]
    start = [] if chart.dots and ends else [chart.base]
    chart = replace(chart, x=from_a_tick(chart.x, lowest=min([*start, *ends])))
    plot = _plot(chart, paint, width=width, height=height)
    sheet = Sheet("Data")
    bars = chart.bars
    drawn = [_drawn(chart, bar) for bar in bars]
    whiskers = [reach(chart, bar) for bar in bars]
    # A bar without an interval has blank cells: LibreOffice draws the cap of a whisker of no length.
    below = [
        outer - low if low is not None else None for (low, _), (outer, _) in zip(whiskers, drawn, strict=True)
    ]
    above = [
        high - outer if high is not None else None
        for (_, high), (outer, _) in zip(whiskers, drawn, strict=True)
    ]
    unit = chart.x.title or "Value"
    starting = any(bar.start is not None for bar in bars)
    columns: list[tuple[str, Sequence[Cell]]] = [
        ("Name", [bar.label for bar in bars]),
        (unit, [bar.value for bar in bars]),
        (f"Low: {unit}", [bar.low for bar in bars]),
        (f"High: {unit}", [bar.high for bar in bars]),
        ("Whisker below", below),
        ("Whisker above", above),
        ("Words", [bar.text for bar in bars]),
        ("Details", ["; ".join(bar.detail) for bar in bars]),
    ]
    if starting:
        columns.append((f"Start: {unit}", [bar.start for bar in bars]))
    title, names, values, _, _, minus, plus, *_ = sheet.add(chart.title, columns)
    series = []
    if starting and not chart.dots:
        title, values = sheet.add(
            "Bars, from the base to their outer end", [(unit, [end for end, _ in drawn])]
        )
        inner_title, inner = sheet.add(
            "Bars, from the base to their inner end", [(unit, [end for _, end in drawn])]
        )
        looks = [
            _point(k, _inner_ink(chart, bar, paint=paint))
            for k, bar in enumerate(bars)
            if bar.start is not None
        ]
        series.append((inner_title, inner, [paint.mark["context"].fill()], looks))
    end_title, end_values = _ends(chart, plot, sheet=sheet)
    has_intervals = any(whisker != (None, None) for whisker in whiskers)
    stroke = line(paint.text, points=_WHISKER, alpha=0.75)
    strokes = error_bars(direction=None, stroke=stroke, plus=plus, minus=minus)
    size = name_points(chart, height=plot.height)
    shapes = bar_shapes(chart, plot, paint=paint, size=size)
    words = [
        point_label(k, Text(lines=(bar.text,), size=size, ink=paint.text, bold=_bold(bar)), side="outEnd")
        for k, bar in enumerate(bars)
        if bar.text and chart.x.scale == "linear"
    ]
    plotted = c(
        "barChart",
        c("barDir", val="bar"),
        c("grouping", val="clustered"),
        c("varyColors", val=0),
        _series(
            0,
            title=title,
            names=names,
            values=values,
            look=[a("noFill")] if chart.dots else [paint.mark["context"].fill()],
            points=[] if chart.dots else [_point(k, _ink(bar, paint)) for k, bar in enumerate(bars)],
            whiskers=strokes if has_intervals else None,
        ),
        *(
            _series(k, title=title, names=names, values=values, look=look, points=points)
            for k, (title, values, look, points) in enumerate(series, start=1)
        ),
        _series(
            1 + len(series),
            title=end_title,
            names=names,
            values=end_values,
            look=[a("noFill")],
            words=labels(words),
        ),
        c("gapWidth", val=55),
        c("overlap", val=100),
        c("axId", val=_NAMES),
        c("axId", val=_VALUES),
    )
    part = chart_space(
        inner_layout(plot),
        [
            plotted,
            _name_axis(chart, paint, size=name_points(chart, height=plot.height)),
            _value_axis(chart, plot, paint=paint),
        ],
        paint=paint,
    )
    return NativeChart(part=part, workbook=workbook([sheet]), shapes=shapes)


def _drawn(chart: BarChart, bar: Bar) -> tuple[float, float | None]:
    """Return the ends of the two bars from the base that make one from ``start``: outer, and inner on top.

    Where the base lies between, both show; else the inner one hides what the outer one has too much. Dots need none.
    """
    if bar.start is None or chart.dots:
        return bar.value, None
    if _apart(chart, bar) or abs(bar.value - chart.base) >= abs(bar.start - chart.base):
        return bar.value, bar.start
    return bar.start, bar.value


def _apart(chart: BarChart, bar: Bar) -> bool:
    """Return whether the base lies within a bar that has a start of its own."""
    start = start_of(chart, bar)
    return min(start, bar.value) <= chart.base <= max(start, bar.value)


def _inner_ink(chart: BarChart, bar: Bar, *, paint: Paint) -> Ink:
    return _ink(bar, paint) if _apart(chart, bar) else Ink(rgb=paint.background)


def _ends(chart: BarChart, plot: Plot, *, sheet: Sheet) -> tuple[Reference, ...]:
    """Write where the words of each bar begin: right of bar, whisker, dot and base, as on the page."""
    span = chart.x.high - chart.x.low
    beside_a_dot = span * round(DOT / 2 / (plot.right - plot.left), 3) if chart.dots else 0.0
    ends = []
    for bar in chart.bars:
        end = far_end(chart, bar)
        if chart.x.scale == "linear":
            if not bar.absent:
                end = max(end, furthest_dot(bar) + beside_a_dot)
            # A hair right of the base, so that PowerPoint sets the words to its right.
            end = max(end, chart.base + 1e-6 * span)
        ends.append(end)
    return sheet.add("Where the words stand (invisible bar)", [(chart.x.title or "Value", ends)])


def _series(
    index: int,
    *,
    title: Reference,
    names: Reference,
    values: Reference,
    look: list[Element],
    points: list[Element] | None = None,
    words: Element | None = None,
    whiskers: Element | None = None,
) -> Element:
    return c(
        "ser",
        c("idx", val=index),
        c("order", val=index),
        series_title(title),
        c("spPr", *look),
        c("invertIfNegative", val=0),
        *(points or []),
        words,
        whiskers,
        c("cat", strings(names)),
        c("val", numbers(values)),
    )


def _point(index: int, ink: Ink) -> Element:
    return c(
        "dPt", c("idx", val=index), c("invertIfNegative", val=0), c("bubble3D", val=0), c("spPr", ink.fill())
    )


def _ink(bar: Bar, paint: Paint) -> Ink:
    ink = paint.mark[bar.role]
    if bar.emphasised:
        return ink
    return ink.tint(background=paint.background, opacity=QUIET_BAR_OPACITY)


def _bold(bar: Bar) -> int | None:
    return 0 if bar.emphasised else None


def name_points(chart: BarChart, *, height: float) -> float:
    """Return the size of names and words: smaller where the rows are too close for it. [pt]"""
    row = (height - 2.4 * TICK_POINTS - 12) / max(1, len(chart.bars))
    return max(7.0, min(NAME_POINTS, round(2 * row / 1.25) / 2))


def _plot(chart: BarChart, paint: Paint, *, width: float, height: float) -> Plot:
    size = name_points(chart, height=height)
    names = [Text(lines=(bar.label,), size=size, ink=paint.text, bold=_bold(bar)).width for bar in chart.bars]
    left = min(max(names, default=0.0) + 14, (1 - _LEAST_SHARE) * width)
    right = width - 18.0
    for bar in chart.bars:
        words = Text(lines=(bar.text,), size=size, ink=paint.text, bold=_bold(bar)).width
        along = min(share(chart.x, far_end(chart, bar)), 1.0)
        beside = 12 + (DOT / 2 if chart.dots else 0)
        if along > 0:
            right = min(right, left + (width - words - beside - left) / along)
    right = max(right, left + _LEAST_BARS * (width - left))
    row = 1.2 * TICK_POINTS
    bottom = height - row - 8 - (row if chart.x.title else 0)
    return Plot(
        width=width, height=height, left=left, top=4, right=right, bottom=bottom, x=chart.x, y=chart.x
    )


def cramped(chart: BarChart, paint: Paint, *, box: Box) -> bool:
    """Return whether names and words leave the bars too little of a box of this size."""
    plot = _plot(chart, paint, width=box.width, height=box.height)
    return plot.right - plot.left < _LEAST_SHARE * box.width


def _name_axis(chart: BarChart, paint: Paint, *, size: float) -> Element:
    """Return the axis of the names, first at the top, crossing the values at the base the bars start from."""
    log_safe = chart.x.scale == "linear" or chart.base > 0
    inside = log_safe and chart.x.low <= chart.base <= chart.x.high
    crossing = c("crossesAt", val=number(chart.base)) if inside else c("crosses", val="min")
    return c(
        "catAx",
        c("axId", val=_NAMES),
        c("scaling", c("orientation", val="maxMin")),
        c("delete", val=0),
        c("axPos", val="l"),
        c("numFmt", formatCode="General", sourceLinked=0),
        c("majorTickMark", val="none"),
        c("minorTickMark", val="none"),
        c("tickLblPos", val="low"),
        c("spPr", a("noFill"), line(paint.axis, points=1.0)),
        paragraph_defaults(size=size, ink=paint.text),
        c("crossAx", val=_VALUES),
        crossing,
        c("auto", val=0),
        c("lblAlgn", val="ctr"),
        c("lblOffset", val=60),
        c("tickLblSkip", val=1),
        c("noMultiLvlLbl", val=1),
    )


def _value_axis(chart: BarChart, plot: Plot, *, paint: Paint) -> Element:
    ticks = native_ticks(chart.x, verbatim=False)
    heading = (plot.left / plot.width, (plot.bottom + 1.2 * TICK_POINTS + 6) / plot.height)
    shown = bool(visible_ticks(chart.x))
    return value_axis(
        chart.x,
        paint,
        identity=_VALUES,
        crosses=_NAMES,
        position="b",
        heading=heading,
        ticks=ticks,
        gridlines=shown and ticks is not None,
        ruled=False,
        crosses_at="max",
    )
