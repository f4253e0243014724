"""Labels of a chart and their positions in pixels, for every renderer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from charts.chart import Axis, Bar, BarChart, Dash, Line, Points, Role, Span, Tick, XYChart
from charts.labels import ON_A_ROW, POSITIONS, Label, Position, Scene, boxes, place, sampled, spread
from charts.text_width import text_width

LINE_HEIGHT = 1.3
"""Distance between two lines of text, in units of the text size."""

UP_A_MEASURE = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.85, 1.0, 0.0)
"""Heights of a label along its measure, as shares from the bottom, preferred ones first."""
SIDES: tuple[Position, ...] = ("middle left", "middle right", "top center", "bottom center")
"""Sides of a measure on which its label may be. The last two are for a measure without height."""


@dataclass(frozen=True, kw_only=True)
class Plot:
    """The box between the axes, and the text sizes of labels at points and at line ends. [px]

    With ``ends_outside``, line labels are placed outside the plot, because their ends have no room. Names may extend
    ``above`` the plot and ``beside`` it on the right. ``wider`` is the width of the drawing's font relative to Source
    Sans.
    """

    width: float
    height: float
    size: float = 12.0
    end_size: float = 14.0
    clearance: float = 6.0
    ends_outside: bool = False
    above: float = 0.0
    beside: float = 0.0
    wider: float = 1.0

    def room(self, text: str, *, bold: bool = False) -> float:
        """Return the width of a line of text in a point label. [px]"""
        return self.wider * text_width(text, size=self.size, bold=bold)

    def end_room(self, lines: Sequence[str], *, bold: int) -> float:
        """Return the width of a label at a line end or measure. ``bold`` is the index of its bold line. [px]"""
        size = self.end_size
        return max(self.wider * text_width(line, size=size, bold=i == bold) for i, line in enumerate(lines))


@dataclass(frozen=True, kw_only=True)
class Name:
    """A named point and the label beside it."""

    x: float
    y: float
    text: str
    role: Role


def names(chart: XYChart) -> tuple[Name, ...]:
    """Return the named points, most important first, alternating between series."""
    series = [
        [Name(x=m.x[i], y=m.y[i], text=text, role=m.role) for i, text in m.marked]
        for m in chart.marks
        if isinstance(m, Points)
    ]
    inside = (name for turn in zip_longest(*series) for name in turn if name is not None)
    return tuple(n for n in inside if _within(chart.x, n.x) and _within(chart.y, n.y))


def _within(axis: Axis, value: float) -> bool:
    return axis.low <= value <= axis.high


def ticks_shown(axis: Axis) -> list[Tick]:
    """Return the ticks within the range of the axis."""
    return [tick for tick in axis.ticks if axis.low <= tick.value <= axis.high]


def along(axis: Axis, values: Sequence[float]) -> NDArray[np.float64]:
    """Return the relative positions, shape (n,), of ``values`` along ``axis``, from 0 (low end) to 1 (high end).

    Values that a log axis cannot show give minus infinity.
    """
    numbers = np.asarray(values, dtype=float)
    if axis.scale == "linear":
        return (numbers - axis.low) / (axis.high - axis.low)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(np.maximum(numbers, 0) / axis.low) / np.log(axis.high / axis.low)


def share(axis: Axis, value: float) -> float:
    """Return the relative position of one value along ``axis``."""
    return float(along(axis, [value])[0])


@overload
def at(axis: Axis, fraction: float) -> float: ...
@overload
def at(axis: Axis, fraction: NDArray[np.float64]) -> NDArray[np.float64]: ...
def at(axis: Axis, fraction: Any) -> Any:
    """Return the value at a relative position along ``axis``. This is the inverse of :func:`along`."""
    if axis.scale == "linear":
        return axis.low + fraction * (axis.high - axis.low)
    return axis.low * (axis.high / axis.low) ** fraction


def start_of(chart: BarChart, bar: Bar) -> float:
    """Return the value where a bar begins: its own start if it has one, otherwise the chart's base."""
    return chart.base if bar.start is None else bar.start


def reach(chart: BarChart, bar: Bar) -> tuple[float | None, float | None]:
    """Return the ends of a bar's whisker. If a dot has a start, the whisker joins the dot's start and value."""
    if chart.dots and bar.start is not None and not bar.absent:
        return min(bar.start, bar.value), max(bar.start, bar.value)
    return bar.low, bar.high


def far_end(chart: BarChart, bar: Bar) -> float:
    """Return the value beyond which a bar's text begins: the largest value of the bar, its whisker and the base."""
    if bar.absent:
        return max(chart.base, chart.x.low)
    return max(chart.base, bar.value, start_of(chart, bar), bar.value if bar.high is None else bar.high)


def pixels(chart: XYChart, *, x: Sequence[float], y: Sequence[float], plot: Plot) -> NDArray[np.float64]:
    """Return the finite positions, shape (n, 2), of data in the plot, with y downwards. [px]"""
    where = np.stack([along(chart.x, x), 1 - along(chart.y, y)], axis=1)
    return where[np.isfinite(where).all(axis=1)] * (plot.width, plot.height)


def _scenes(chart: XYChart, *, plots: Sequence[Plot]) -> list[Scene]:
    """Return each plot as a scene for placing labels, without the labelled points."""
    nothing, unit = np.empty((0, 2)), Plot(width=1.0, height=1.0)
    clouds = [pixels(chart, x=m.x, y=m.y, plot=unit) for m in chart.marks if isinstance(m, Points)]
    paths = [pixels(chart, x=m.x, y=m.y, plot=unit) for m in chart.marks if isinstance(m, Line)]
    spans = [m for m in chart.marks if isinstance(m, Span)]
    paths += [pixels(chart, x=(m.x, m.x), y=(m.low, m.high), plot=unit) for m in spans]
    return [
        Scene(
            anchors=nothing,
            points=np.concatenate([*clouds, nothing]) * size,
            lines=np.concatenate([*(sampled(_on_paper(path * size, plot)) for path in paths), nothing]),
            taken=_end_boxes(chart, plot),
            frame=(0.0, -plot.above, plot.width + plot.beside, plot.height),
        )
        for plot in plots
        for size in [(plot.width, plot.height)]
    ]


def _anchored(
    scenes: Sequence[Scene], chart: XYChart, *, where: Sequence[tuple[float, float]], plots: Sequence[Plot]
) -> list[Scene]:
    """Return the scenes with labelled points at these data values."""
    x, y = [x for x, _ in where], [y for _, y in where]
    return [
        replace(scene, anchors=pixels(chart, x=x, y=y, plot=plot))
        for scene, plot in zip(scenes, plots, strict=True)
    ]


def _on_paper(path: NDArray[np.float64], plot: Plot) -> NDArray[np.float64]:
    """Return the path, clipped to the plot's surroundings. An unclipped projection would need a million samples."""
    return np.clip(path, -plot.width, (2 * plot.width, 2 * plot.height))


@dataclass(frozen=True, kw_only=True)
class EndLabel:
    """Text at the right end of a line, and the height [px] of its centre."""

    role: Role
    dash: Dash
    lines: tuple[str, ...]
    x: float
    line_end: float
    middle: float
    height: float
    width: float


LEAST_TOUCH = 2.0
"""Allowed overlap between a line and the text at another line's end. [px]"""


@lru_cache(maxsize=16)
def end_labels(chart: XYChart, *, plot: Plot) -> tuple[EndLabel, ...]:
    """Return the labels of the lines, in the same order, moved apart to avoid overlap.

    If a line would cross a label, all labels form a column to the right of the longest line.
    """
    every = [m for m in chart.marks if isinstance(m, Line) and len(m.x)]
    lines = [m for m in every if m.end_label]
    ends = [pixels(chart, x=m.x[-1:], y=m.y[-1:], plot=plot) for m in lines]
    drawn = [(line, end[0]) for line, end in zip(lines, ends, strict=True) if len(end)]
    heights = [plot.end_size * LINE_HEIGHT * len(line.end_label) for line, _ in drawn]
    middles = spread([end[1] for _, end in drawn], heights, low=-plot.above, high=plot.height)
    labels = tuple(
        EndLabel(
            role=line.role,
            dash=line.dash,
            lines=line.end_label,
            x=float(end[0]),
            line_end=line.x[-1],
            middle=float(middle),
            height=height,
            width=plot.end_room(line.end_label, bold=0),
        )
        for (line, end), height, middle in zip(drawn, heights, middles, strict=True)
    )
    if not _crossed(labels, chart, plot=plot):
        return labels
    others = [(m.x[-1], pixels(chart, x=m.x[-1:], y=m.y[-1:], plot=plot)) for m in every]
    reached = [(float(end[0, 0]), x) for x, end in others if len(end) and end[0, 0] <= plot.width]
    x, line_end = max([*((end.x, end.line_end) for end in labels), *reached])
    return tuple(replace(end, x=x, line_end=line_end) for end in labels)


def _crossed(ends: Sequence[EndLabel], chart: XYChart, *, plot: Plot) -> bool:
    """Return whether a line crosses the text at the end of any line."""
    paths = [pixels(chart, x=m.x, y=m.y, plot=plot) for m in chart.marks if isinstance(m, Line)]
    for path in paths:
        x, y = sampled(_on_paper(path, plot)).T
        for end in ends:
            left = end.x + plot.clearance
            across = (left < x) & (x < left + plot.clearance + end.width)
            if np.any(across & (np.abs(y - end.middle) < end.height / 2 - LEAST_TOUCH)):
                return True
    return False


@dataclass(frozen=True, kw_only=True)
class Measure:
    """The label of a vertical measure: the label's height [data value] and side.

    ``clear`` is true if it covers nothing there.
    """

    span: Span
    y: float
    position: Position
    clear: bool = False


@dataclass(frozen=True, kw_only=True)
class Words:
    """Labels inside a plot. Those in ``names`` are always shown, those in ``extra`` only if there is room."""

    measures: tuple[Measure, ...]
    names: tuple[tuple[Name, Position], ...]
    extra: tuple[tuple[Name, Position], ...] = ()


@lru_cache(maxsize=16)  # both themes of a chart have the same labels
def words(chart: XYChart, *, plots: tuple[Plot, ...], narrow: tuple[Plot, ...] = ()) -> Words:
    """Return the label positions clear in all ``plots``. Those not clear in every ``narrow`` plot are ``extra``."""
    every = [*plots, *narrow]
    scenes = _scenes(chart, plots=every)
    measures = []
    spans = [m for m in chart.marks if isinstance(m, Span) and m.label and _within(chart.x, m.x)]
    for span in spans:
        measure, taken = _measure(chart, span, scenes=scenes, plots=every)
        measures.append(measure)
        scenes = [
            replace(s, taken=np.concatenate([s.taken, box])) for s, box in zip(scenes, taken, strict=True)
        ]
    known, room = names(chart), plots[0].room
    scenes = _anchored(scenes, chart, where=[(name.x, name.y) for name in known], plots=every)
    placed = place(
        [
            Label(width=room(name.text), height=1.1 * plots[0].size, clearance=plots[0].clearance)
            for name in known
        ],
        scenes[: len(plots)],
        optional=scenes[len(plots) :],
        positions=ON_A_ROW if chart.rows else POSITIONS,
        tolerance=1,
    )
    shown = [(name, where) for name, where in zip(known, placed, strict=True) if where]
    return Words(
        measures=tuple(measures),
        names=tuple((name, where.position) for name, where in shown if where.everywhere),
        extra=tuple((name, where.position) for name, where in shown if not where.everywhere),
    )


def _end_boxes(chart: XYChart, plot: Plot) -> NDArray[np.float64]:
    if plot.ends_outside:
        return np.empty((0, 4))
    edges = [
        (e.x, e.middle - e.height / 2, e.x + 2 * plot.clearance + e.width, e.middle + e.height / 2)
        for e in end_labels(chart, plot=plot)
    ]
    return np.array(edges, dtype=float).reshape(-1, 4)


def _measure(
    chart: XYChart, span: Span, *, scenes: Sequence[Scene], plots: Sequence[Plot]
) -> tuple[Measure, list[NDArray[np.float64]]]:
    """Return the label of a measure at the clear position nearest the middle, and the label's box in every scene."""
    size, last = plots[0].end_size, len(span.label) - 1
    label = Label(
        width=plots[0].end_room(span.label, bold=last),
        height=size * LINE_HEIGHT * len(span.label),
        clearance=plots[0].clearance,
    )
    low, high = np.clip(np.nan_to_num(along(chart.y, (span.low, span.high))), 0, 1).tolist()
    heights = [at(chart.y, low + fraction * (high - low)) for fraction in UP_A_MEASURE]
    tried = _anchored(scenes, chart, where=[(span.x, y) for y in heights], plots=plots)
    sides = SIDES if span.low == span.high else SIDES[:2]
    number, clear = 0, False
    position: Position = SIDES[0]
    # clear everywhere; over a few points; clear in all but the last, the narrow plot; on anything but other words
    for required, covered in (
        (len(plots), 0),
        (len(plots), 3),
        (max(1, len(plots) - 1), 0),
        (len(plots), 1e3),
    ):
        placed = place([label] * len(heights), tried[:required], positions=sides, tolerance=covered)
        free: list[tuple[int, Position]] = [(k, where.position) for k, where in enumerate(placed) if where]
        if free:
            (number, position), clear = free[0], required == len(plots) and not covered
            break
    taken = [boxes([label], s.anchors[number : number + 1], positions=[position])[0] for s in tried]
    return Measure(span=span, y=heights[number], position=position, clear=clear), taken
