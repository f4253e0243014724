"""A ranking as a native, editable bar chart, with whiskers and text at the end of each bar."""

from collections.abc import Sequence
from dataclasses import replace

from charts.chart import Bar, BarChart
from charts.colours import QUIET_BAR_OPACITY
from charts.layout import far_end, reach, share, start_of, ticks_shown
from charts.powerpoint import axes as axis_parts
from charts.powerpoint import words as phrases
from charts.powerpoint.boxes import Box, around
from charts.powerpoint.chart_shapes import ChartShapes
from charts.powerpoint.drawingml import Element, a, c, number, vals
from charts.powerpoint.paint import Ink, Paint
from charts.powerpoint.plot import Plot
from charts.powerpoint.series import error_bars, line, numbers, strings
from charts.powerpoint.workbook import Cell, Reference, Sheet, workbook

_LEAST_SHARE = 0.3  # minimum share of the width for bars and their text, however long the names
_LEAST_BARS = 0.25  # minimum share of the rest for the bars, however long their text
_WHISKER, _BASE = 1.25, 1.25  # line widths of a whisker and of the base [pt]
_GAP = 4.0  # between a bar, its whisker or its dot and the text beyond [pt]
_DOT = 9.0  # diameter of a dot [pt]


def bar_chart(chart: BarChart, paint: Paint, *, width: float, height: float) -> axis_parts.NativeChart:
    """Return the chart part and its workbook for a chart of this size [pt]."""
    ends = [end for bar in chart.bars for end in (bar.value, bar.low, bar.start) if end is not None]
    start = [] if chart.dots and ends else [chart.base]
    chart = replace(chart, x=axis_parts.from_a_tick(chart.x, lowest=min([*start, *ends])))
    plot, bars, unit = _plot(chart, paint, width=width, height=height), chart.bars, chart.x.title or "Value"
    size = name_points(chart, height=plot.height)
    drawn = [_drawn(chart, bar) for bar in bars]
    whiskers = [reach(chart, bar) for bar in bars]
    # A bar without an interval has blank cells: LibreOffice draws the cap of a zero-length whisker.
    sides = [
        (None if low is None else outer - low, None if high is None else high - outer)
        for (low, high), (outer, _) in zip(whiskers, drawn, strict=True)
    ]
    columns: list[tuple[str, Sequence[Cell]]] = [
        ("Name", [bar.label for bar in bars]),
        (unit, [bar.value for bar in bars]),
        (f"Low: {unit}", [bar.low for bar in bars]),
        (f"High: {unit}", [bar.high for bar in bars]),
        ("Whisker below", [below for below, _ in sides]),
        ("Whisker above", [above for _, above in sides]),
        ("Words", [bar.text for bar in bars]),
        ("Details", ["; ".join(bar.detail) for bar in bars]),
    ]
    starting = any(bar.start is not None for bar in bars)
    if starting:
        columns.append((f"Start: {unit}", [bar.start for bar in bars]))
    sheet = Sheet("Data")
    title, names, values, _, _, minus, plus, *_ = sheet.add(chart.title, columns)
    drawn_as = "Bars, from the base to their {} end"
    two_bars = starting and not chart.dots
    if two_bars:
        title, values = sheet.add(drawn_as.format("outer"), [(unit, [end for end, _ in drawn])])
    context = paint.mark["context"].fill()
    look, points = (
        (a("noFill"), []) if chart.dots else (context, [(k, _ink(bar, paint)) for k, bar in enumerate(bars)])
    )
    strokes = None
    if any(whisker != (None, None) for whisker in whiskers):
        lengths = c("plus", numbers(plus)), c("minus", numbers(minus))
        stroke = line(paint.text, points=_WHISKER, alpha=0.75)
        strokes = error_bars(*lengths, kind="both", values="cust", stroke=stroke)
    series = [_series(0, (title, names, values), look=look, points=points, more=(strokes,))]
    if two_bars:
        inner = sheet.add(drawn_as.format("inner"), [(unit, [end for _, end in drawn])])
        inks = [
            (k, _ink(bar, paint) if _apart(chart, bar) else Ink(rgb=paint.background))
            for k, bar in enumerate(bars)
            if bar.start is not None
        ]
        series.append(_series(1, (inner[0], names, inner[1]), look=paint.mark["context"].fill(), points=inks))
    words = [
        phrases.point_label(
            k, phrases.Text(lines=(bar.text,), size=size, ink=paint.text, bold=_bold(bar)), side="outEnd"
        )
        for k, bar in enumerate(bars)
        if bar.text and chart.x.scale == "linear"
    ]
    at = sheet.add("Where the words stand (invisible bar)", [(unit, _ends(chart, plot))])
    series.append(
        _series(len(series), (at[0], names, at[1]), look=a("noFill"), more=(phrases.labels(words),))
    )
    plotted = c(
        "barChart",
        *vals(barDir="bar", grouping="clustered", varyColors=0),
        *series,
        *vals(gapWidth=55, overlap=100),
        *(c("axId", val=axis) for axis in axis_parts.AXES),
    )
    axes = _name_axis(chart, paint, size=size), _value_axis(chart, plot, paint=paint)
    part = axis_parts.chart_space(plot, [plotted, *axes], paint=paint)
    shapes = _shapes(chart, plot, paint=paint, size=size)
    return axis_parts.NativeChart(part=part, workbook=workbook([sheet]), shapes=shapes)


def _shapes(chart: BarChart, plot: Plot, *, paint: Paint, size: float) -> Element | None:
    """Return shapes over the bars for what PowerPoint bars cannot show. None if there is nothing to add.

    They are the base line if bars start elsewhere, ticks without a number format, dots that replace bars, and on a log
    axis the text at the ends of the bars, of this size [pt], which LibreOffice would put on the wrong side.
    """
    shapes = ChartShapes(width=plot.width, height=plot.height)
    if axis_parts.native_ticks(chart.x, verbatim=False) is None:
        shapes.ticks_below(plot, paint, gap=4)
    if any(bar.start is not None for bar in chart.bars):
        left = plot.x_at(chart.base) - _BASE / 2
        box = Box(left=left, top=plot.top, width=_BASE, height=plot.bottom - plot.top)
        shapes.shape("Base", box, kind="rect", fill=paint.text.fill())
    row = (plot.bottom - plot.top) / max(1, len(chart.bars))
    middles = [plot.top + (k + 0.5) * row for k in range(len(chart.bars))]
    quiet = any(bar.emphasised for bar in chart.bars)
    for middle, bar in zip(middles, chart.bars, strict=True):
        if chart.dots and not bar.absent:
            ink = paint.mark[bar.role]
            if bar.start is not None:
                box = around(plot.x_at(bar.start), middle, size=0.8 * _DOT)
                look = {"fill": Ink(rgb=paint.background).fill(), "line": line(ink, points=1.5)}
                shapes.shape(f"Start: {bar.label}", box, kind="ellipse", **look)
            across = _DOT if bar.emphasised or not quiet else 0.8 * _DOT
            box = around(plot.x_at(bar.value), middle, size=across)
            shapes.shape(f"Dot: {bar.label}", box, kind="ellipse", fill=ink.fill())
    for middle, bar in zip(middles, chart.bars, strict=True):
        if chart.x.scale == "log" and bar.text:
            left = plot.x_at(far_end(chart, bar))
            if chart.dots and not bar.absent:
                left = max(left, plot.x_at(_furthest_dot(bar)) + _DOT / 2)
            wide = phrases.room(bar.text, size=size, bold=bar.emphasised)
            box = Box(left=left + _GAP, top=middle - 8, width=wide, height=16)
            text = phrases.Text(lines=(bar.text,), size=size, ink=paint.text, bold=_bold(bar))
            shapes.text(f"Words: {bar.label}", text, box=box, align="l")
    return shapes.finished() if shapes.anchors else None


def _furthest_dot(bar: Bar) -> float:
    return bar.value if bar.start is None else max(bar.value, bar.start)


def _drawn(chart: BarChart, bar: Bar) -> tuple[float, float | None]:
    """Return the ends of an outer and an inner bar, both from the base, that together show a bar from ``start``.

    If the base is between the ends, both show; otherwise the inner bar hides part of the outer one. Dots need none.
    """
    if bar.start is None or chart.dots:
        return bar.value, None
    if _apart(chart, bar) or abs(bar.value - chart.base) >= abs(bar.start - chart.base):
        return bar.value, bar.start
    return bar.start, bar.value


def _apart(chart: BarChart, bar: Bar) -> bool:
    """Return whether the base is between a bar's own start and its value."""
    start = start_of(chart, bar)
    return min(start, bar.value) <= chart.base <= max(start, bar.value)


def _ends(chart: BarChart, plot: Plot) -> list[float]:
    """Return where the text of each bar begins, to the right of the bar, its whisker, its dot and the base."""
    span = chart.x.high - chart.x.low
    beside_a_dot = span * round(_DOT / 2 / (plot.right - plot.left), 3) if chart.dots else 0.0
    ends = []
    for bar in chart.bars:
        end = far_end(chart, bar)
        if chart.x.scale == "linear":
            if not bar.absent:
                end = max(end, _furthest_dot(bar) + beside_a_dot)
            # Slightly right of the base, so that PowerPoint puts the text to its right.
            end = max(end, chart.base + 1e-6 * span)
        ends.append(end)
    return ends


def _series(
    index: int,
    references: tuple[Reference, Reference, Reference],
    *,
    look: Element,
    points: Sequence[tuple[int, Ink]] = (),
    more: Sequence[Element | None] = (),
) -> Element:
    """Return a series with a title, names and values from these references, and labels, whiskers and point colours."""
    title, names, values = references
    return c(
        "ser",
        *vals(idx=index, order=index),
        c("tx", strings(title)),
        c("spPr", look),
        c("invertIfNegative", val=0),
        *(c("dPt", *vals(idx=k, invertIfNegative=0, bubble3D=0), c("spPr", ink.fill())) for k, ink in points),
        *more,
        c("cat", strings(names)),
        c("val", numbers(values)),
    )


def _ink(bar: Bar, paint: Paint) -> Ink:
    ink = paint.mark[bar.role]
    if bar.emphasised:
        return ink
    return ink.tint(background=paint.background, opacity=QUIET_BAR_OPACITY)


def _bold(bar: Bar) -> int | None:
    return 0 if bar.emphasised else None


def name_points(chart: BarChart, *, height: float) -> float:
    """Return the text size of names and values. It is smaller if rows are too close together. [pt]"""
    row = (height - 2.4 * phrases.TICK_POINTS - 12) / max(1, len(chart.bars))
    return max(7.0, min(phrases.NAME_POINTS, round(2 * row / 1.25) / 2))


def _plot(chart: BarChart, paint: Paint, *, width: float, height: float) -> Plot:
    size = name_points(chart, height=height)
    names = [
        phrases.Text(lines=(bar.label,), size=size, ink=paint.text, bold=_bold(bar)).width
        for bar in chart.bars
    ]
    left = min(max(names, default=0.0) + 14, (1 - _LEAST_SHARE) * width)
    right = width - 18.0
    for bar in chart.bars:
        words = phrases.Text(lines=(bar.text,), size=size, ink=paint.text, bold=_bold(bar)).width
        along = min(share(chart.x, far_end(chart, bar)), 1.0)
        beside = 12 + (_DOT / 2 if chart.dots else 0)
        if along > 0:
            right = min(right, left + (width - words - beside - left) / along)
    right = max(right, left + _LEAST_BARS * (width - left))
    row = 1.2 * phrases.TICK_POINTS
    bottom = height - row - 8 - (row if chart.x.title else 0)
    return Plot(
        width=width, height=height, left=left, top=4, right=right, bottom=bottom, x=chart.x, y=chart.x
    )


def cramped(chart: BarChart, paint: Paint, *, box: Box) -> bool:
    """Return whether names and text leave too little room for the bars in a box of this size."""
    plot = _plot(chart, paint, width=box.width, height=box.height)
    return plot.right - plot.left < _LEAST_SHARE * box.width


def _name_axis(chart: BarChart, paint: Paint, *, size: float) -> Element:
    """Return the axis of names, with the first name at the top. It crosses the values at the bars' base."""
    inside = chart.x.low <= chart.base <= chart.x.high
    return c(
        "catAx",
        c("axId", val=axis_parts.X_AXIS),
        c("scaling", c("orientation", val="maxMin")),
        *vals(delete=0, axPos="l"),
        c("numFmt", formatCode="General", sourceLinked=0),
        *vals(majorTickMark="none", minorTickMark="none", tickLblPos="low"),
        c("spPr", a("noFill"), line(paint.axis, points=1.0)),
        phrases.paragraph_defaults(size=size, ink=paint.text),
        c("crossAx", val=axis_parts.Y_AXIS),
        c("crossesAt", val=number(chart.base)) if inside else c("crosses", val="min"),
        *vals(auto=0, lblAlgn="ctr", lblOffset=60, tickLblSkip=1, noMultiLvlLbl=1),
    )


def _value_axis(chart: BarChart, plot: Plot, *, paint: Paint) -> Element:
    ticks = axis_parts.native_ticks(chart.x, verbatim=False)
    return axis_parts.value_axis(
        chart.x,
        paint,
        ids=(axis_parts.Y_AXIS, axis_parts.X_AXIS),
        position="b",
        ticks=ticks,
        gridlines=bool(ticks_shown(chart.x)) and ticks is not None,
        title_below=plot,
        crosses="max",
    )
