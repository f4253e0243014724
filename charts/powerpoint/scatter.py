"""An XY description as a native, editable scatter chart: clouds, lines, bands, ticks in words, labels."""

from dataclasses import dataclass, field

import numpy as np

from charts.chart import Axis, Band, Line, Points, Span, XYChart
from charts.colours import BAND_OPACITY, FADED
from charts.layout import at
from charts.powerpoint.axes import native_ticks, visible_ticks
from charts.powerpoint.chart_part import X_AXIS, Y_AXIS, NativeChart, axes_of, chart_space, inner_layout
from charts.powerpoint.chart_shapes import ChartShapes
from charts.powerpoint.drawingml import Element, c
from charts.powerpoint.line_ends import plot_and_ends
from charts.powerpoint.paint import Ink, Paint
from charts.powerpoint.plot import (
    EndLabel,
    Plot,
    PointName,
    named_points,
    share,
    spaced_ticks,
    span_place,
    span_text,
    up_a_measure,
)
from charts.powerpoint.series import error_bars, line, marker, scatter_series
from charts.powerpoint.words import TICK_POINTS, Side, Text, labels, point_label
from charts.powerpoint.workbook import Reference, Sheet, workbook

_FILL_STROKES = 160  # that make a band across the plot: 2 to 4 pt apart on a slide
_OVERLAP = 1.5  # each stroke is this much wider than its share, so that no background shows through
_PALE = 0.3  # how much of its colour fills a hollow point


def scatter_chart(chart: XYChart, paint: Paint, *, width: float, height: float) -> NativeChart:
    """Return the chart part and its workbook for a chart of this size. [pt]"""
    plot, ends = plot_and_ends(chart, paint, width=width, height=height)
    drawing = Drawing(chart=chart, plot=plot, paint=paint, ends=ends)
    drawing.names = named_points(chart, plot=plot, paint=paint, ends=ends)
    bands = [mark for mark in chart.marks if isinstance(mark, Band)]
    for band in bands:
        drawing.band(band)
    drawing.ticks()
    for k, mark in enumerate(chart.marks):
        if isinstance(mark, Points):
            drawing.points(k, mark)
        elif isinstance(mark, Line):
            drawing.line(mark)
        elif isinstance(mark, Span):
            drawing.span(mark)
    return drawing.finished()


@dataclass(kw_only=True)
class Drawing:
    """The series drawn so far, and the sheets behind them.

    Without ``x_ticks`` the labels below the plot are left to the caller.
    """

    chart: XYChart
    plot: Plot
    paint: Paint
    ends: dict[int, EndLabel]
    names: dict[int, dict[int, PointName]] = field(default_factory=dict)
    series: list[Element] = field(default_factory=list)
    references: list[tuple[Reference, Reference, Reference]] = field(default_factory=list)
    x_ticks: bool = True
    data: Sheet = field(default_factory=lambda: Sheet("Data"))
    fills: Sheet = field(default_factory=lambda: Sheet("Band fills"))
    helpers: Sheet = field(default_factory=lambda: Sheet("Axis labels"))

    @property
    def next(self) -> int:
        """Return the place of the next series."""
        return len(self.series)

    def add(self, *, title: Reference, x: Reference, y: Reference, **look: Element | None) -> None:
        """Put a series on top of those drawn so far."""
        self.references.append((title, x, y))
        self.series.append(scatter_series(self.next, title=title, x=x, y=y, **look))

    def lead(self) -> None:
        """Repeat the longest series, unseen, where a shorter one would lead the file.

        LibreOffice measures by the first series and drops the shorter ones that come before a longer.
        """
        lengths = [len(x.values) for _, x, _ in self.references]
        if lengths and lengths[-1] < max(lengths):
            title, x, y = self.references[lengths.index(max(lengths))]
            self.add(title=title, x=x, y=y)

    def finished(self) -> NativeChart:
        """Return the chart made of the series drawn so far."""
        self.lead()
        scatter = c(
            "scatterChart",
            c("scatterStyle", val="lineMarker"),
            c("varyColors", val=0),
            *reversed(self.series),  # c:order rules in PowerPoint; LibreOffice draws the first on top
            c("axId", val=X_AXIS),
            c("axId", val=Y_AXIS),
        )
        plotted = [scatter, *axes_of(self.plot, self.paint, x_ticks=self.x_ticks)]
        shapes = ChartShapes(width=self.plot.width, height=self.plot.height)
        shapes.heading(self.plot, self.paint)
        for end in self.ends.values():
            shapes.text(
                f"End of line: {end.text.lines[0]}",
                end.box,
                lines=end.text.lines,
                size=end.text.size,
                ink=end.text.ink,
                bold="first",
                align="l",
            )
        return NativeChart(
            part=chart_space(inner_layout(self.plot), plotted, paint=self.paint),
            workbook=workbook([sheet for sheet in (self.data, self.fills, self.helpers) if sheet]),
            shapes=shapes.finished() if shapes.anchors else None,
        )

    def points(self, key: int, mark: Points) -> None:
        """Draw a cloud, with the labels of those of its points that are named."""
        if not mark.x:
            return
        details = ["; ".join(lines) for lines in mark.details]
        columns = [
            ("Name", mark.names),
            (self.chart.x.title or "x", mark.x),
            (self.chart.y.title or "y", mark.y),
        ]
        if any(details):
            columns.append(("Details", details))
        title, _, x, y, *_ = self.data.add(mark.series, columns)
        named, ink = self.names.get(key, {}), self.paint.mark[mark.role]
        self.add(
            title=title,
            x=x,
            y=y,
            marker=marker(
                mark.role,
                ink,
                pale=ink.tint(background=self.paint.background, opacity=_PALE),
                ground=Ink(rgb=self.paint.background),
                hollow=mark.hollow,
                n=len(mark.x),
            ),
            labels=labels(
                [
                    point_label(k, name.text, side=name.side, shift=self._down(name.shift))
                    for k, name in sorted(named.items())
                ]
            ),
        )

    def line(self, mark: Line) -> None:
        """Draw a line."""
        if not mark.x:
            return
        title, x, y = self.data.add(
            mark.series, [(self.chart.x.title or "x", mark.x), (self.chart.y.title or "y", mark.y)]
        )
        dotted = mark.dash == "dotted"
        stroke = line(
            self.paint.mark[mark.role],
            points=2.25,
            alpha=FADED if mark.faded else 1.0,
            dotted=dotted,
            cap="flat" if dotted else "rnd",
        )
        self.add(title=title, x=x, y=y, stroke=stroke)

    def _down(self, points: float) -> tuple[float, float] | None:
        """Return how far a label is moved down, as shares of the chart; nothing for less than half a point."""
        return (0.0, points / self.plot.height) if abs(points) > 0.5 else None

    def span(self, mark: Span) -> None:
        """Draw a measure, with the words beside it."""
        up, side = span_place(mark, chart=self.chart, plot=self.plot, paint=self.paint)
        beside = at(self.chart.y, up_a_measure(mark, self.chart.y, up=up))
        title, x, y = self.data.add(
            " ".join(mark.label) or "Measure",
            [
                (self.chart.x.title or "x", (mark.x,) * 3),
                (self.chart.y.title or "y", (mark.low, beside, mark.high)),
            ],
        )
        words = [point_label(1, span_text(mark, self.paint), side=side)] if mark.label else []
        stroke = line(self.paint.text, points=1.0)
        self.add(title=title, x=x, y=y, stroke=stroke, labels=labels(words))

    def band(self, mark: Band) -> None:
        """Draw a band: a dense zigzag for its area, and its two edges, which carry the exact numbers.

        Scatter charts have no areas. Opaque strokes overlap without a trace, and a line keeps its place among
        the series in every program, where error bars may come to lie on top of everything.
        """
        if not mark.x:
            return
        opacity = BAND_OPACITY[mark.strength] * (FADED if mark.faded else 1.0)
        ink = self.paint.mark[mark.role].tint(background=self.paint.background, opacity=opacity)
        title, x, low, high = self.data.add(
            mark.series,
            [
                (self.chart.x.title or "x", mark.x),
                (f"Low: {self.chart.y.title or 'y'}", mark.low),
                (f"High: {self.chart.y.title or 'y'}", mark.high),
            ],
        )
        self._fill(mark, ink)
        for edge in (low, high):
            self.add(title=title, x=x, y=edge, stroke=line(ink, points=1.0))

    def _fill(self, mark: Band, ink: Ink) -> None:
        width = _OVERLAP * (self.plot.right - self.plot.left) / _FILL_STROKES
        across, along = _zigzag(mark, self.plot, width=width)
        if not len(across):
            return
        title, x, y = self.fills.add(
            f"{mark.series} (fill)",
            [
                (self.chart.x.title or "x", across.tolist()),
                ("To and fro between the edges of the band", along.tolist()),
            ],
        )
        self.add(title=title, x=x, y=y, stroke=line(ink, points=width))

    def ticks(self) -> None:
        """Draw ticks no number format can write: labels on invisible points, and the grid of the y axis."""
        axes: tuple[tuple[Axis, Side], ...] = ((self.chart.y, "l"), (self.chart.x, "b"))
        for axis, side in axes:
            upright = side == "l"
            ticks = visible_ticks(axis)
            if native_ticks(axis) is not None or not ticks or not (upright or self.x_ticks):
                continue
            if not upright:
                ticks = spaced_ticks(axis, room=self.plot.right - self.plot.left)
            values = [tick.value for tick in ticks]
            edge = [_inside(self.chart.x if upright else self.chart.y)] * len(ticks)
            title, _, x, y = self.helpers.add(
                f"Ticks: {axis.title or side}",
                [
                    ("Label", [tick.label for tick in ticks]),
                    ("x", edge if upright else values),
                    ("y", values if upright else edge),
                ],
            )
            texts = [Text(lines=(tick.label,), size=TICK_POINTS, ink=self.paint.quiet) for tick in ticks]
            reach = self.chart.x.high - self.chart.x.low
            grid = error_bars(direction="x", stroke=line(self.paint.grid, points=0.75), fixed=reach)
            words = [point_label(k, text, side=side) for k, text in enumerate(texts)]
            self.add(title=title, x=x, y=y, labels=labels(words), error_bars=grid if upright else None)


def _zigzag(mark: Band, plot: Plot, *, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of a line of this width [pt] that fills what the plot shows of a band."""
    across = np.array([share(plot.x, value) for value in mark.x])
    low, high = (np.array([share(plot.y, value) for value in values]) for values in (mark.low, mark.high))
    order = np.argsort(across, kind="stable")
    across, low, high = across[order], np.maximum(low[order], -1e3), np.maximum(high[order], -1e3)
    inset_x, inset_y = width / 2 / (plot.right - plot.left), width / 2 / (plot.bottom - plot.top)
    start, end = max(across[0], 0.0) + inset_x, min(across[-1], 1.0) - inset_x
    if not end > start:
        return np.empty(0), np.empty(0)
    along = np.linspace(start, end, max(2, round(_FILL_STROKES * (end - start))))
    bottom, top = (np.clip(np.interp(along, across, values), 0, 1) for values in (low, high))
    seen = top > bottom
    along, bottom, top = along[seen], bottom[seen], top[seen]
    middle = (bottom + top) / 2
    bottom, top = np.minimum(bottom + inset_y, middle), np.maximum(top - inset_y, middle)
    up = np.arange(len(along)) % 2 == 0
    heights = np.stack([np.where(up, bottom, top), np.where(up, top, bottom)], axis=1).ravel()
    return at(plot.x, np.repeat(along, 2)), at(plot.y, heights)


def _inside(axis: Axis) -> float:
    """Return a value at the low end of an axis, a hair inside: rounding would put the end itself outside."""
    return at(axis, 1e-6)
