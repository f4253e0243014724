"""Positions on a native chart: the plot box, points for data, and texts at lines and points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from charts.chart import Axis, Line, Mark, Span, Tick, XYChart
from charts.labels import Position
from charts.layout import EndLabel, along, end_labels, share, ticks_shown, words
from charts.layout import Plot as Room
from charts.powerpoint import words as phrases
from charts.powerpoint.boxes import Box
from charts.powerpoint.paint import Paint
from charts.powerpoint.words import room as room_of

_GAP = 8.0  # between a mark and its label [pt]
_EDGE = 4.0  # clearance at the edge of the chart [pt]
_CLEARANCE = 5.0  # between a point and its name [pt]
_SIDES: dict[str, phrases.Side] = {"left": "l", "right": "r"}
_DOWN = {"top": -1, "middle": 0, "bottom": 1}


@dataclass(frozen=True, kw_only=True)
class Plot:
    """The plot box inside a chart. It converts data values to positions from the chart's top-left corner [pt]."""

    width: float
    height: float
    left: float
    top: float
    right: float
    bottom: float
    x: Axis
    y: Axis

    def x_at(self, value: float) -> float:
        """Return the horizontal position of a value on the x axis. [pt]"""
        return self.left + (self.right - self.left) * share(self.x, value)

    def y_at(self, value: float) -> float:
        """Return the vertical position of a value on the y axis, downwards. [pt]"""
        return self.bottom - (self.bottom - self.top) * share(self.y, value)

    @property
    def inner(self) -> Room:
        """Return the box for text. Names may extend above it and beside it. [pt]"""
        return Room(
            width=self.right - self.left,
            height=self.bottom - self.top,
            size=phrases.NAME_POINTS,
            end_size=phrases.END_POINTS,
            clearance=_CLEARANCE,
            above=self.top,
            beside=self.width - self.right,
            wider=phrases.WIDER_THAN_OURS,
        )

    def at(self, x: Sequence[float], y: Sequence[float]) -> np.ndarray:
        """Return the positions of data points, shape (n, 2). [pt]"""
        across = self.left + (self.right - self.left) * along(self.x, x)
        return np.stack([across, self.bottom - (self.bottom - self.top) * along(self.y, y)], axis=1)


@dataclass(frozen=True, kw_only=True)
class PointName:
    """The name beside a point: its side, and its shift down [pt] to reach a corner."""

    text: phrases.Text
    side: phrases.Side
    shift: float


@dataclass(frozen=True, kw_only=True)
class Words:
    """Texts on a chart: boxes at line ends [pt], labels at measures, and names keyed by point."""

    ends: tuple[tuple[phrases.Text, Box], ...] = ()
    measures: Mapping[Span, tuple[float, phrases.Side]] = field(default_factory=dict)
    names: Mapping[tuple[float, float, str], PointName] = field(default_factory=dict)


def plot_and_words(chart: XYChart, paint: Paint, *, width: float, height: float) -> tuple[Plot, Words]:
    """Return the plot box, and the texts at the same positions as on the page.

    The text of a line is at its last point shown in the plot.
    """
    plot = plot_of(chart, paint, width=width, height=height)
    shown = replace(chart, marks=tuple(_as_far_as_shown(mark, plot) for mark in chart.marks))
    ends = end_labels(shown, plot=plot.inner)
    lines = [mark for mark in shown.marks if isinstance(mark, Line) and mark.end_label and mark.x]
    if any(end.line_end != line.x[-1] for end, line in zip(ends, lines, strict=True)):  # in a column
        plot = plot_of(chart, paint, width=width, height=height, column=True)
        ends = end_labels(shown, plot=plot.inner)
    placed = words(shown, plots=(plot.inner,))
    return plot, Words(
        ends=tuple(_end(end, line, plot=plot, paint=paint) for end, line in zip(ends, lines, strict=True)),
        measures={measure.span: (measure.y, _side(measure.position)) for measure in placed.measures},
        names={
            (name.x, name.y, name.text): _beside(
                phrases.Text(lines=(name.text,), size=phrases.NAME_POINTS, ink=paint.text), position
            )
            for name, position in placed.names
        },
    )


def _as_far_as_shown(mark: Mark, plot: Plot) -> Mark:
    """Return a line without the points after the last one inside the plot."""
    if not isinstance(mark, Line):
        return mark
    n = max((k + 1 for k, place in enumerate(plot.at(mark.x, mark.y)) if within(plot, place)), default=0)
    return replace(mark, x=mark.x[:n], y=mark.y[:n], hover=mark.hover[:n])


def _end(end: EndLabel, line: Line, *, plot: Plot, paint: Paint) -> tuple[phrases.Text, Box]:
    text = end_text(line, paint)
    left, top = plot.left + end.x + _GAP, plot.top + end.middle - text.height / 2
    return text, Box(left=left, top=top, width=text.width, height=text.height)


def plot_of(chart: XYChart, paint: Paint, *, width: float, height: float, column: bool = False) -> Plot:
    """Return the plot box, with margins for tick labels, titles and text at line ends.

    With ``column`` all line labels have room to the right of every line.
    """
    ticks = [
        phrases.Text(lines=(t.label,), size=phrases.TICK_POINTS, ink=paint.quiet).width
        for t in ticks_shown(chart.y)
    ]
    left = max(ticks, default=0.0) + _GAP + _EDGE
    row = phrases.LINE_HEIGHT * phrases.TICK_POINTS
    top = row + 11 if chart.y.title else 8.0
    bottom = height - (row + _GAP) - (row if chart.x.title else 0)
    right = width - 18.0
    lines = [mark for mark in chart.marks if isinstance(mark, Line) and mark.x]
    furthest = max((share(chart.x, max(line.x)) for line in lines), default=0.0)
    for line in lines:
        if line.end_label:
            reach = min(furthest if column else share(chart.x, line.x[-1]), 1.0)
            room = width - _EDGE - _GAP - end_text(line, paint).width
            if reach > 0:
                right = min(right, left + (room - left) / reach)
    right = max(right, left + 0.5 * (width - left))
    return Plot(
        width=width, height=height, left=left, top=top, right=right, bottom=bottom, x=chart.x, y=chart.y
    )


def end_text(line: Line, paint: Paint) -> phrases.Text:
    """Return the text at the end of a line. Its first line is bold."""
    return phrases.Text(lines=line.end_label, size=phrases.END_POINTS, ink=paint.words[line.role], bold=0)


def spaced_ticks(axis: Axis, *, room: float) -> Sequence[Tick]:
    """Return ticks of a horizontal axis, thinned so that labels do not overlap: all, every second, third and so on."""
    ticks = ticks_shown(axis)
    at = room * along(axis, [tick.value for tick in ticks])
    wide = [room_of(tick.label, size=phrases.TICK_POINTS) for tick in ticks]
    for step in range(1, len(ticks)):
        for first in range(step):
            kept = range(first, len(ticks), step)
            apart = (at[b] - at[a] >= (wide[a] + wide[b]) / 2 + _GAP for a, b in pairwise(kept))
            if len(kept) > 1 and all(apart):
                return [ticks[k] for k in kept]
    return ticks[:1]


def _beside(text: phrases.Text, position: Position) -> PointName:
    """Return a label at its position. A corner becomes a side, as PowerPoint offers only the four sides."""
    height, across = position.split()
    shift = _DOWN[height] * (_CLEARANCE + text.height / 2) if across in _SIDES else 0.0
    return PointName(text=text, side=_side(position), shift=shift)


def _side(position: Position) -> phrases.Side:
    height, across = position.split()
    return _SIDES.get(across) or ("t" if height == "top" else "b")


def within(plot: Plot, place: np.ndarray) -> bool:
    """Return whether a position is inside the plot or on its edge."""
    x, y = place
    return bool(plot.left - 1 <= x <= plot.right + 1 and plot.top - 1 <= y <= plot.bottom + 1)
