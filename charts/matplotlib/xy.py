"""Marks over two axes, drawn by matplotlib in the numbers of the description."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, assert_never

import numpy as np
from matplotlib.axes import Axes

from charts.chart import Band, Line, Mark, Points, Span, XYChart
from charts.colours import BAND_OPACITY, FADED, MARKERS, POINT_OPACITY, Marker
from charts.labels import Label, Position, boxes
from charts.layout import LINE_HEIGHT, Plot, end_labels, pixels, ticks_shown, words
from charts.matplotlib.sheet import Page, room_below
from charts.text_width import text_width

_SYMBOLS: dict[Marker, str] = {"circle": "o", "square": "s", "diamond": "D", "triangle": "^", "cross": "X"}
_MARKER_SIZE: dict[Marker, float] = {"circle": 1, "square": 0.9, "diamond": 0.85, "triangle": 1, "cross": 1}


def draw_xy(page: Page, chart: XYChart) -> None:
    """Draw the chart on the page: grid, marks in their order, then all words."""
    sheet, palette, text = page.sheet, page.palette, page.sheet.text
    left = page.left + 0.7 * text + page.room_left(chart.y)
    top = page.top + (1.7 * text if chart.y.title else 0)
    bottom = page.bottom - room_below(chart.x, sheet)
    plot = Plot(
        width=page.right - left,
        height=bottom - top,
        size=0.92 * text,
        end_size=sheet.end,
        clearance=0.5 * text,
    )
    beyond = [e.x + 2 * plot.clearance + e.width - plot.width for e in end_labels(chart, plot=plot)]
    right = page.right - max([0.0, *beyond])
    axes = page.plot(left=left, right=right, top=top, bottom=bottom, x=chart.x, y=chart.y)
    plot = replace(plot, width=right - left)
    page.y_ticks(chart.y, left=left, top=top, bottom=bottom, gap=0.5 * text)
    for tick in ticks_shown(chart.y):
        axes.axhline(tick.value, color=palette.grid, linewidth=text / 20, zorder=0)
    axes.plot(
        [0, 1], [0, 0], transform=axes.transAxes, color=palette.axis, linewidth=text / 16, clip_on=False
    )
    page.x_ticks(chart.x, left=left, right=right, bottom=bottom)
    for number, mark in enumerate(chart.marks, start=1):
        _draw(axes, mark, page=page, order=number)
    _words(page, chart, plot=plot, left=left, top=top)


def _draw(axes: Axes, mark: Mark, *, page: Page, order: int) -> None:
    palette, text = page.palette, page.sheet.text
    match mark:
        case Points():
            kind = MARKERS[mark.role]
            size = text * (0.36 if len(mark.x) > 300 else 0.44) * _MARKER_SIZE[kind]
            axes.plot(
                mark.x,
                mark.y,
                label=mark.series,
                linestyle="none",
                marker=_SYMBOLS[kind],
                markersize=size,
                zorder=order,
                **_ink(mark, page),
            )
        case Line():
            axes.plot(
                mark.x,
                mark.y,
                label=mark.series,
                color=palette.mark[mark.role],
                linewidth=0.15 * text,
                linestyle="solid" if mark.dash == "solid" else (0, (0.9, 1.5)),
                dash_capstyle="butt",
                solid_capstyle="round",
                alpha=FADED if mark.faded else 1,
                zorder=order,
            )
        case Band():
            axes.fill_between(
                mark.x,
                mark.low,
                mark.high,
                label=mark.series,
                color=palette.mark[mark.role],
                alpha=BAND_OPACITY[mark.strength] * (FADED if mark.faded else 1),
                linewidth=0,
                zorder=order,
            )
        case Span():
            axes.plot(
                [mark.x, mark.x],
                [mark.low, mark.high],
                color=palette.text,
                linewidth=0.07 * text,
                marker="_",
                markersize=0.5 * text,
                markeredgewidth=0.07 * text,
                zorder=order,
            )
        case _:
            assert_never(mark)


def _ink(points: Points, page: Page) -> dict[str, Any]:
    colour = page.palette.mark[points.role]
    if points.hollow:
        return {
            "markerfacecolor": page.palette.background,
            "markeredgecolor": colour,
            "markeredgewidth": 0.09 * page.sheet.text,
        }
    return {
        "markerfacecolor": colour,
        "markeredgecolor": page.palette.background,
        "markeredgewidth": 0.03 * page.sheet.text,
        "alpha": POINT_OPACITY,
    }


def _words(page: Page, chart: XYChart, *, plot: Plot, left: float, top: float) -> None:
    palette, halo = page.palette, page.halo()
    placed = words(chart, plots=[plot])
    for name, position in placed.names:
        anchor = pixels(chart, x=[name.x], y=[name.y], plot=plot)
        label = Label(
            width=text_width(name.text, size=plot.size), height=1.1 * plot.size, clearance=plot.clearance
        )
        box = boxes([label], anchor, positions=[position])[0, 0]
        x, align = _align(box, position)
        page.words(
            x=left + x,
            y=top + box[1] + 0.84 * plot.size,
            text=name.text,
            size=plot.size,
            ha=align,
            path_effects=halo,
        )

    def several(lines: Sequence[str], *, x: float, middle: float, heavy: int, **style: Any) -> None:
        """Set lines of text around a middle, one of them bold."""
        size = plot.end_size
        for number, line in enumerate(lines):
            y = top + middle + (number - (len(lines) - 1) / 2) * LINE_HEIGHT * size + 0.33 * size
            bold = number == heavy
            page.words(x=left + x, y=y, text=line, size=size, bold=bold, path_effects=halo, **style)

    for measure in placed.measures:
        x, middle = pixels(chart, x=[measure.span.x], y=[measure.y], plot=plot)[0]
        align = "right" if measure.position.endswith("left") else "left"
        x += -plot.clearance if align == "right" else plot.clearance
        lines = measure.span.label
        several(lines, x=x, middle=middle, heavy=len(lines) - 1, ha=align)
    for end in end_labels(chart, plot=plot):
        x = end.x + 1.3 * plot.clearance
        several(end.lines, x=x, middle=end.middle, heavy=0, color=palette.words[end.role])


def _align(box: np.ndarray, position: Position) -> tuple[float, str]:
    side = position.split()[1]
    if side == "left":
        return float(box[2]), "right"
    return (float(box[0]), "left") if side == "right" else (float(box[0] + box[2]) / 2, "center")
