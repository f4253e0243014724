"""An XY chart as a native, editable scatter chart with clouds, lines, bands and names."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from charts.chart import Axis, Band, Line, Points, Span, Tick, XYChart
from charts.colours import BAND_OPACITY, FADED
from charts.layout import along, at, ticks_shown
from charts.powerpoint.axes import AXES, NativeChart, axes_of, chart_space, native_ticks
from charts.powerpoint.chart_shapes import ChartShapes
from charts.powerpoint.drawingml import Element, c, number, vals
from charts.powerpoint.paint import Ink, Paint
from charts.powerpoint.plot import Plot, Words, plot_and_words, spaced_ticks
from charts.powerpoint.series import error_bars, line, marker, scatter_series
from charts.powerpoint.words import NAME_POINTS, TICK_POINTS, Side, Text, labels, point_label
from charts.powerpoint.workbook import Reference, Sheet, workbook

_FILL_STROKES = 160  # strokes per band across the plot: 2 to 4 pt apart on a slide
_OVERLAP = 1.5  # each stroke is this much wider than its share, so that no background shows through
_PALE = 0.3  # opacity of the fill of a hollow point


def scatter_chart(chart: XYChart, paint: Paint, *, width: float, height: float) -> NativeChart:
    """Return the chart part and its workbook for a chart of this size [pt]."""
    plot, words = plot_and_words(chart, paint, width=width, height=height)
    drawing = Drawing(chart=chart, plot=plot, paint=paint, words=words)
    bands = [mark for mark in chart.marks if isinstance(mark, Band)]
    for band in bands:
        drawing.band(band)
    drawing.ticks()
    for mark in chart.marks:
        if isinstance(mark, Points):
            drawing.points(mark)
        elif isinstance(mark, Line):
            drawing.line(mark)
        elif isinstance(mark, Span):
            drawing.span(mark)
    return drawing.finished()


@dataclass(kw_only=True)
class Drawing:
    """The series drawn so far, and the worksheets with their numbers.

    Without ``x_ticks`` the caller draws the labels below the plot.
    """

    chart: XYChart
    plot: Plot
    paint: Paint
    words: Words = field(default_factory=Words)
    series: list[Element] = field(default_factory=list)
    references: list[tuple[Reference, Reference, Reference]] = field(default_factory=list)
    x_ticks: bool = True
    data: Sheet = field(default_factory=lambda: Sheet("Data"))
    fills: Sheet = field(default_factory=lambda: Sheet("Band fills"))
    helpers: Sheet = field(default_factory=lambda: Sheet("Axis labels"))

    def add(self, *, title: Reference, x: Reference, y: Reference, **look: Element | None) -> None:
        """Add a series on top of those already drawn."""
        self.references.append((title, x, y))
        self.series.append(scatter_series(len(self.series), title=title, x=x, y=y, **look))

    def lead(self) -> None:
        """Add an invisible copy of the longest series, as the first in the file, if a shorter series would be first.

        LibreOffice measures by the first series and drops shorter ones that precede a longer one.
        """
        lengths = [len(x.values) for _, x, _ in self.references]
        if lengths and lengths[-1] < max(lengths):
            title, x, y = self.references[lengths.index(max(lengths))]
            self.add(title=title, x=x, y=y)

    def finished(self) -> NativeChart:
        """Return the chart of the series drawn so far."""
        self.lead()
        scatter = c(
            "scatterChart",
            *vals(scatterStyle="lineMarker", varyColors=0),
            *reversed(self.series),  # c:order decides in PowerPoint; LibreOffice draws the first on top
            *(c("axId", val=axis) for axis in AXES),
        )
        plotted = [scatter, *axes_of(self.plot, self.paint, x_ticks=self.x_ticks)]
        shapes = ChartShapes(width=self.plot.width, height=self.plot.height)
        shapes.heading(self.plot, self.paint)
        for text, box in self.words.ends:
            shapes.text(f"End of line: {text.lines[0]}", text, box=box, align="l")
        return NativeChart(
            part=chart_space(self.plot, plotted, paint=self.paint),
            workbook=workbook([sheet for sheet in (self.data, self.fills, self.helpers) if sheet]),
            shapes=shapes.finished() if shapes.anchors else None,
        )

    @property
    def heads(self) -> tuple[str, str]:
        """Return the workbook headings of the x and y columns."""
        return self.chart.x.title or "x", self.chart.y.title or "y"

    def points(self, mark: Points) -> None:
        """Draw a cloud of points, with labels for those that are named."""
        if not mark.x:
            return
        columns = [("Name", mark.names), (self.heads[0], mark.x), (self.heads[1], mark.y)]
        details = ["; ".join(lines) for lines in mark.details]
        if any(details):
            columns.append(("Details", details))
        title, _, x, y, *_ = self.data.add(mark.series, columns)
        background, ink = self.paint.background, self.paint.mark[mark.role]
        pale, ground = ink.tint(background=background, opacity=_PALE), Ink(rgb=background)
        names = [
            point_label(k, name.text, side=name.side, down=name.shift / self.plot.height)
            for k, label in sorted(mark.marked)
            if (name := self.words.names.get((mark.x[k], mark.y[k], label)))
        ]
        look = marker(mark.role, ink, pale=pale, ground=ground, hollow=mark.hollow, n=len(mark.x))
        self.add(title=title, x=x, y=y, marker=look, labels=labels(names))

    def line(self, mark: Line) -> None:
        """Draw a line."""
        if not mark.x:
            return
        title, x, y = self.data.add(mark.series, [(self.heads[0], mark.x), (self.heads[1], mark.y)])
        dotted, alpha = mark.dash == "dotted", FADED if mark.faded else 1.0
        cap = "flat" if dotted else "rnd"
        stroke = line(self.paint.mark[mark.role], points=2.25, alpha=alpha, dotted=dotted, cap=cap)
        self.add(title=title, x=x, y=y, stroke=stroke)

    def span(self, mark: Span) -> None:
        """Draw a vertical measure with its label."""
        beside, side = self.words.measures.get(mark, (mark.high, "l"))
        columns = [(self.heads[0], (mark.x,) * 3), (self.heads[1], (mark.low, beside, mark.high))]
        title, x, y = self.data.add(" ".join(mark.label) or "Measure", columns)
        said = Text(lines=mark.label, size=NAME_POINTS + 1, ink=self.paint.text, bold=len(mark.label) - 1)
        words = [point_label(1, said, side=side)] if mark.label else []
        self.add(title=title, x=x, y=y, stroke=line(self.paint.text, points=1.0), labels=labels(words))

    def band(self, mark: Band) -> None:
        """Draw a band: a dense zigzag for its area, and two edges with the exact numbers.

        Scatter charts have no areas. Opaque strokes overlap invisibly, and a line keeps its place among the series in
        every program, whereas error bars may be drawn on top of everything.
        """
        if not mark.x:
            return
        opacity = BAND_OPACITY[mark.strength] * (FADED if mark.faded else 1.0)
        ink = self.paint.mark[mark.role].tint(background=self.paint.background, opacity=opacity)
        across, up = self.heads
        columns = [(across, mark.x), (f"Low: {up}", mark.low), (f"High: {up}", mark.high)]
        title, x, *edges = self.data.add(mark.series, columns)
        width = _OVERLAP * (self.plot.right - self.plot.left) / _FILL_STROKES
        to, fro = _zigzag(mark, self.plot, width=width)
        if len(to):
            filled = [(across, to.tolist()), ("To and fro between the edges of the band", fro.tolist())]
            fill = self.fills.add(f"{mark.series} (fill)", filled)
            self.add(title=fill[0], x=fill[1], y=fill[2], stroke=line(ink, points=width))
        for edge in edges:
            self.add(title=title, x=x, y=edge, stroke=line(ink, points=1.0))

    def ticks(self) -> None:
        """Draw ticks that no number format fits, as labels on invisible points and as the y axis's grid."""
        if native_ticks(self.chart.y) is None:
            self._ticks(self.chart.y, ticks_shown(self.chart.y), side="l", edge=_inside(self.chart.x))
        if native_ticks(self.chart.x) is None and self.x_ticks:
            ticks = spaced_ticks(self.chart.x, room=self.plot.right - self.plot.left)
            self._ticks(self.chart.x, ticks, side="b", edge=_inside(self.chart.y))

    def _ticks(self, axis: Axis, ticks: Sequence[Tick], *, side: Side, edge: float) -> None:
        if not ticks:
            return
        values, edges = [tick.value for tick in ticks], [edge] * len(ticks)
        across, up = (edges, values) if side == "l" else (values, edges)
        columns = [("Label", [tick.label for tick in ticks]), ("x", across), ("y", up)]
        title, _, x, y = self.helpers.add(f"Ticks: {axis.title or side}", columns)
        texts = [Text(lines=(tick.label,), size=TICK_POINTS, ink=self.paint.quiet) for tick in ticks]
        words = labels([point_label(k, text, side=side) for k, text in enumerate(texts)])
        grid = None
        if side == "l":
            length = c("val", val=number(self.chart.x.high - self.chart.x.low))
            stroke = line(self.paint.grid, points=0.75)
            grid = error_bars(length, kind="plus", values="fixedVal", stroke=stroke, direction="x")
        self.add(title=title, x=x, y=y, labels=words, error_bars=grid)


def _zigzag(mark: Band, plot: Plot, *, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of a line, ``width`` [pt] wide, that fills the visible part of a band."""
    across = along(plot.x, mark.x)
    low, high = (np.fmax(along(plot.y, values), -1e3) for values in (mark.low, mark.high))
    order = np.argsort(across, kind="stable")
    across, low, high = across[order], low[order], high[order]
    inset_x, inset_y = width / 2 / (plot.right - plot.left), width / 2 / (plot.bottom - plot.top)
    start, end = max(across[0], 0.0) + inset_x, min(across[-1], 1.0) - inset_x
    if not end > start:
        return np.empty(0), np.empty(0)
    steps = np.linspace(start, end, max(2, round(_FILL_STROKES * (end - start))))
    bottom, top = (np.clip(np.interp(steps, across, values), 0, 1) for values in (low, high))
    seen = top > bottom
    steps, bottom, top = steps[seen], bottom[seen], top[seen]
    middle = (bottom + top) / 2
    bottom, top = np.minimum(bottom + inset_y, middle), np.maximum(top - inset_y, middle)
    up = np.arange(len(steps)) % 2 == 0
    heights = np.stack([np.where(up, bottom, top), np.where(up, top, bottom)], axis=1).ravel()
    return at(plot.x, np.repeat(steps, 2)), at(plot.y, heights)


def _inside(axis: Axis) -> float:
    """Return a value just inside the low end of an axis. Rounding would put the end itself outside."""
    return at(axis, 1e-6)
