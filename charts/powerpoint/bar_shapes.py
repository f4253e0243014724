"""What PowerPoint's own bar charts cannot say, as shapes inside the chart."""

from charts.chart import Bar, BarChart
from charts.layout import far_end
from charts.powerpoint.axes import native_ticks
from charts.powerpoint.boxes import Box, around
from charts.powerpoint.chart_shapes import ChartShapes
from charts.powerpoint.drawingml import Element
from charts.powerpoint.paint import Ink, Paint
from charts.powerpoint.plot import Plot
from charts.powerpoint.series import line
from charts.powerpoint.words import room

_GAP = 4.0  # between a bar, its whisker or its dot and the words beyond [pt]
_BASE = 1.25  # width of the base's line [pt]
DOT = 9.0
"""Across a dot. [pt]"""


def bar_shapes(chart: BarChart, plot: Plot, *, paint: Paint, size: float) -> Element | None:
    """Return the shapes over the bars, their words of this size [pt], or None where the chart needs none.

    They are the line of the base where bars start elsewhere; the ticks no number format can write; and on a
    log axis the words at the ends of the bars, which LibreOffice would put on the wrong side of them; and the dots of a
    chart that has them for bars.
    """
    shapes = ChartShapes(width=plot.width, height=plot.height)
    if native_ticks(chart.x, verbatim=False) is None:
        shapes.ticks_below(plot, paint, gap=4)
    if any(bar.start is not None for bar in chart.bars):
        at = plot.x_at(chart.base)
        box = Box(left=at - _BASE / 2, top=plot.top, width=_BASE, height=plot.bottom - plot.top)
        shapes.shape("Base", box, kind="rect", fill=paint.text.fill())
    row = (plot.bottom - plot.top) / max(1, len(chart.bars))
    quiet = any(bar.emphasised for bar in chart.bars)
    for k, bar in enumerate(chart.bars):
        if chart.dots and not bar.absent:
            across = DOT if bar.emphasised or not quiet else 0.8 * DOT
            middle = plot.top + (k + 0.5) * row
            ink = paint.mark[bar.role].fill()
            if bar.start is not None:
                edge = line(paint.mark[bar.role], points=1.5)
                box = around(plot.x_at(bar.start), middle, size=0.8 * DOT)
                hollow = Ink(rgb=paint.background).fill()
                shapes.shape(f"Start: {bar.label}", box, kind="ellipse", fill=hollow, line=edge)
            box = around(plot.x_at(bar.value), middle, size=across)
            shapes.shape(f"Dot: {bar.label}", box, kind="ellipse", fill=ink)
    for k, bar in enumerate(chart.bars):
        if chart.x.scale == "log" and bar.text:
            wide = room(bar.text, size=size, bold=bar.emphasised)
            left, top = plot.x_at(far_end(chart, bar)), plot.top + (k + 0.5) * row - 8
            if chart.dots and not bar.absent:
                left = max(left, plot.x_at(furthest_dot(bar)) + DOT / 2)
            box = Box(left=left + _GAP, top=top, width=wide, height=16)
            shapes.text(
                f"Words: {bar.label}",
                box,
                lines=[bar.text],
                size=size,
                ink=paint.text,
                bold=bar.emphasised,
                align="l",
            )
    return shapes.finished() if shapes.anchors else None


def furthest_dot(bar: Bar) -> float:
    """Return the value of the right one of the dots of a bar."""
    return bar.value if bar.start is None else max(bar.value, bar.start)
