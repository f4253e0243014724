"""A map of choices as a native chart with axes, numbers, and an editable shape per choice."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from charts.chart import Axis, MapChart, MapChoice, XYChart
from charts.colours import TONE_OPACITY, hatch_and_ink
from charts.layout import Plot as Room
from charts.layout import along, at, ticks_shown
from charts.map_words import KeyItem, MapWords, label_box, marked_place, ring_radius, words_and_key
from charts.powerpoint.axes import NativeChart
from charts.powerpoint.boxes import Box, around
from charts.powerpoint.chart_shapes import ChartShapes
from charts.powerpoint.drawingml import Element, a, c, no_edge, vals
from charts.powerpoint.paint import Ink, Paint
from charts.powerpoint.plot import Plot, plot_of
from charts.powerpoint.scatter import Drawing
from charts.powerpoint.series import line
from charts.powerpoint.words import NAME_POINTS, TICK_POINTS, WIDER_THAN_OURS, Align, Text, room
from charts.powerpoint.workbook import Cell
from charts.regions import cells_of, outline

_KEY_ROW = 18.0  # [pt]
_SWATCH = 10.0  # [pt]
_LOWERED = 5.0  # lowers the x ticks clear of the lowest y tick [pt]
_MARKER = (2, 72)  # the sizes that PowerPoint supports [pt]

_AWAY: dict[str, Align] = {"right": "l", "center": "ctr", "left": "r"}
"""Alignment of text beside the ring, so that a wider font extends away from the ring."""


def map_chart(chart: MapChart, paint: Paint, *, width: float, height: float) -> NativeChart:
    """Return the chart part, its workbook and its shapes for a chart of this size [pt]."""
    words = {name: getattr(chart, name) for name in ("title", "subtitle", "alt", "source")}
    bare = XYChart(**words, x=chart.x, y=chart.y, marks=())
    whole = plot_of(bare, paint, width=width, height=height)
    last = max((room(tick.label, size=TICK_POINTS) for tick in ticks_shown(chart.x)[-1:]), default=0.0)
    whole = replace(whole, right=min(whole.right, width - 2 - last / 2))
    lowest = whole.bottom - _LOWERED

    def bottom(rows: int) -> float:
        return lowest - (_KEY_ROW * rows + 4 if rows else 0)

    inner, words, rows = words_and_key(
        chart,
        plot_with=lambda rows: Room(
            width=whole.right - whole.left,
            height=bottom(rows) - whole.top,
            size=NAME_POINTS,
            clearance=8.0,
            wider=WIDER_THAN_OURS,
        ),
        width=width,
        size=NAME_POINTS,
        lead=_SWATCH + 5,
    )
    plot = replace(whole, bottom=bottom(len(rows)))
    drawing = Drawing(chart=bare, plot=plot, paint=paint, x_ticks=False)
    drawing.ticks()
    shapes = ChartShapes(width=width, height=height)
    for number, choice in enumerate(chart.choices):
        _cells(drawing, chart, number=number, fill=_ink(choice, paint))
        _area(shapes, chart, number=number, plot=plot, paint=paint)
    shapes.heading(plot, paint)
    shapes.ticks_below(plot, paint, gap=_LOWERED + 2)
    _marked(drawing, shapes, chart=chart, words=words, inner=inner)
    for label in words.labels:
        choice = chart.choices[label.choice]
        _, ink = _hatch_and_ink(choice, paint)
        text = Text(lines=label.lines, size=NAME_POINTS, ink=ink, bold="all")
        left, top = plot.left + label.x - text.width / 2, plot.top + label.y - text.height / 2
        box = Box(left=left, top=top, width=text.width, height=text.height)
        shapes.text(f"Label: {choice.label}", text, box=box)
    _key(shapes, chart, rows=rows, paint=paint)
    return replace(drawing.finished(), shapes=shapes.finished())


def _cells(drawing: Drawing, chart: MapChart, *, number: int, fill: Ink) -> None:
    """Write a choice's cells into the workbook, and draw them as squares below its shape.

    The squares carry the numbers, and are visible in programs that omit shapes inside a chart.
    """
    inside = [(r, k) for r, row in enumerate(chart.cells) for k, choice in enumerate(row) if choice == number]
    if not inside:
        return
    x, y = _middles(chart.x, chart.x_edges), _middles(chart.y, chart.y_edges)
    across, up = drawing.heads
    columns: list[tuple[str, Sequence[Cell]]] = [
        (across, [x[k] for _, k in inside]),
        (up, [y[r] for r, _ in inside]),
        (f"From: {across}", [chart.x_edges[k] for _, k in inside]),
        (f"To: {across}", [chart.x_edges[k + 1] for _, k in inside]),
        (f"From: {up}", [chart.y_edges[r] for r, _ in inside]),
        (f"To: {up}", [chart.y_edges[r + 1] for r, _ in inside]),
    ]
    if chart.details:
        columns.append(("Details", ["; ".join(chart.details[r][k].splitlines()) for r, k in inside]))
    title, at_x, at_y, *_ = drawing.data.add(chart.choices[number].label, columns)
    plot = drawing.plot
    wide = (plot.right - plot.left) * np.diff(along(chart.x, chart.x_edges)).min()
    high = (plot.bottom - plot.top) * np.diff(along(chart.y, chart.y_edges)).min()
    size = int(np.clip(min(wide, high), *_MARKER))
    square = c("marker", *vals(symbol="square", size=size), c("spPr", fill.fill(), no_edge()))
    drawing.add(title=title, x=at_x, y=at_y, marker=square)


def _middles(axis: Axis, edges: Sequence[float]) -> list[float]:
    """Return the value in the middle of each cell, on the scale of the axis."""
    shares = along(axis, edges)
    return [at(axis, float(share)) for share in (shares[:-1] + shares[1:]) / 2]


def _area(shapes: ChartShapes, chart: MapChart, *, number: int, plot: Plot, paint: Paint) -> None:
    loops = [
        [(plot.x_at(chart.x_edges[k]), plot.y_at(chart.y_edges[r])) for k, r in loop]
        for loop in outline(cells_of(chart, number))
    ]
    if loops:
        choice = chart.choices[number]
        shapes.area(
            choice.label, loops, fill=_fill(choice, paint), border=Ink(rgb=paint.background), points=1.25
        )


def _ink(choice: MapChoice, paint: Paint, *, opacity: float | None = None) -> Ink:
    shown = TONE_OPACITY[choice.tone] if opacity is None else opacity
    return paint.mark[choice.role].tint(background=paint.background, opacity=shown)


def _hatch_and_ink(choice: MapChoice, paint: Paint) -> tuple[Ink | None, Ink]:
    """Return the colour of a choice's hatching, None without hatching, and the colour of the text over the choice."""

    def shade(opacity: float) -> str:
        return _ink(choice, paint, opacity=opacity).rgb

    hatch, rgb = hatch_and_ink(choice, shade=shade, inks=(paint.text.rgb, paint.background))
    ink = paint.text if rgb == paint.text.rgb else Ink(rgb=rgb)
    return None if hatch is None else _ink(choice, paint, opacity=hatch), ink


def _fill(choice: MapChoice, paint: Paint) -> Element:
    ink, (hatch, _) = _ink(choice, paint), _hatch_and_ink(choice, paint)
    if hatch is None:
        return ink.fill()
    return a("pattFill", a("fgClr", hatch.colour()), a("bgClr", ink.colour()), prst="wdUpDiag")


def _marked(drawing: Drawing, shapes: ChartShapes, *, chart: MapChart, words: MapWords, inner: Room) -> None:
    """Draw the ring around the marked point, and its label on a background readable over any colour."""
    where, marked = marked_place(chart, inner), chart.marked
    if where is None or marked is None:
        return
    paint, plot, radius = drawing.paint, drawing.plot, ring_radius(inner)
    ground = Ink(rgb=paint.background)
    columns = [(head, (value,)) for head, value in zip(drawing.heads, (marked.x, marked.y), strict=True)]
    title, x, y = drawing.data.add(marked.label or "Marked", columns)
    dot = c("spPr", ground.fill(), line(paint.text, points=1.75))
    drawing.add(title=title, x=x, y=y, marker=c("marker", *vals(symbol="circle", size=9), dot))
    ring = around(plot.left + where[0], plot.top + where[1], size=2 * radius)
    for name, ink, points in (("Halo", ground, 5.0), ("Ring", paint.text, 2.0)):
        stroke = line(ink, points=points)
        shapes.shape(f"{name}: {marked.label}", ring, kind="ellipse", fill=a("noFill"), line=stroke)
    if words.marked is not None:
        left, top, right, bottom = label_box(marked.label, words.marked, where=where, plot=inner)
        place = Box(
            left=plot.left + left - 1, top=plot.top + top - 1, width=right - left + 2, height=bottom - top + 2
        )
        text = Text(lines=(marked.label,), size=NAME_POINTS, ink=paint.text, bold="all")
        align = _AWAY[words.marked.split()[1]]
        shapes.text(f"Label: {marked.label}", text, box=place, align=align, fill=ground.fill(alpha=0.75))


def _key(shapes: ChartShapes, chart: MapChart, *, rows: Sequence[Sequence[KeyItem]], paint: Paint) -> None:
    for number, row in enumerate(rows):
        top = shapes.height - _KEY_ROW * (len(rows) - number)
        for item in row:
            choice, x = chart.choices[item.choice], item.x
            swatch = Box(left=x, top=top + (_KEY_ROW - _SWATCH) / 2, width=_SWATCH, height=_SWATCH)
            shapes.shape(f"Key: {choice.label}", swatch, kind="rect", fill=_fill(choice, paint))
            text = Text(lines=(item.text,), size=NAME_POINTS, ink=paint.text)
            wide = min(text.width, shapes.width - x)
            box = Box(left=x + _SWATCH + 5, top=top, width=wide, height=_KEY_ROW)
            shapes.text(f"Key text: {choice.label}", text, box=box, align="l")
