"""Where things are on a native chart: the plot box, data to points, the words at line ends, and names with a place."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from charts.chart import Axis, Line, Points, Span, Tick, XYChart
from charts.labels import ON_A_ROW, POSITIONS, Label, Position, Scene, place, sampled, spread
from charts.layout import LEAST_TOUCH, UP_A_MEASURE, ticks_shown
from charts.powerpoint.boxes import Box
from charts.powerpoint.paint import Paint
from charts.powerpoint.words import END_POINTS, LINE_HEIGHT, NAME_POINTS, TICK_POINTS, Side, Text
from charts.powerpoint.words import room as room_of

_GAP = 8.0  # between a mark and its label [pt]
_EDGE = 4.0  # kept free at the rim of the chart [pt]
_CLEARANCE = 5.0  # between a point and its name [pt]
_MARKER = 3.0  # from the middle of a marker to its edge [pt]
_APART = 4.0  # between names side by side, and the words of one line and of the next above each other [pt]
_SIDES: dict[str, Side] = {"left": "l", "right": "r"}
_DOWN = {"top": -1, "middle": 0, "bottom": 1}


@dataclass(frozen=True, kw_only=True)
class Plot:
    """The plot box inside a chart, and the way from data values to points from its top-left corner."""

    width: float
    height: float
    left: float
    top: float
    right: float
    bottom: float
    x: Axis
    y: Axis

    def x_at(self, value: float) -> float:
        """Return where a value of the x axis stands. [pt]"""
        return self.left + (self.right - self.left) * share(self.x, value)

    def y_at(self, value: float) -> float:
        """Return where a value of the y axis stands, downwards. [pt]"""
        return self.bottom - (self.bottom - self.top) * share(self.y, value)

    def at(self, x: Sequence[float], y: Sequence[float]) -> np.ndarray:
        """Return places of marks, shape (n, 2). [pt]"""
        pairs = [(self.x_at(one), self.y_at(other)) for one, other in zip(x, y, strict=True)]
        return np.array(pairs, dtype=float).reshape(-1, 2)


@dataclass(frozen=True, kw_only=True)
class EndLabel:
    """The words at the end of a line, and the box they stand in, clear of one another and of every line. [pt]"""

    text: Text
    box: Box


@dataclass(frozen=True, kw_only=True)
class PointName:
    """The name beside a point: on which side, and how far down from there it moves to a corner. [pt]"""

    text: Text
    side: Side
    shift: float


def share(axis: Axis, value: float) -> float:
    """Return how far along the axis a value stands: 0 at its low end, 1 at its high end.

    Minus infinity for what a log axis cannot show.
    """
    if axis.scale == "linear":
        return (value - axis.low) / (axis.high - axis.low)
    if not value > 0:
        return -math.inf
    return math.log(value / axis.low) / math.log(axis.high / axis.low)


def plot_and_ends(
    chart: XYChart, paint: Paint, *, width: float, height: float
) -> tuple[Plot, dict[int, EndLabel]]:
    """Return the plot box, and the words at the end of each line by its place among the marks. [pt]

    The words of a line stand at the last of its points that the plot shows; where a line would cross the words of
    any, all stand in a column to the right of every line.
    """
    for column in (False, True):
        plot = plot_of(chart, paint, width=width, height=height, column=column)
        ends = _end_labels(chart, plot=plot, paint=paint, column=column)
        if column or not _crossed(ends, chart, plot=plot):
            break
    return plot, ends


def _end_labels(chart: XYChart, *, plot: Plot, paint: Paint, column: bool) -> dict[int, EndLabel]:
    lines: list[tuple[int, float, float, Text]] = []
    furthest = 0.0
    for k, mark in enumerate(chart.marks):
        if isinstance(mark, Line):
            shown = [place for place in plot.at(mark.x, mark.y) if within(plot, place)]
            furthest = max([furthest, *(float(place[0]) for place in shown)])
            if shown and mark.end_label:
                lines.append((k, float(shown[-1][0]), float(shown[-1][1]), end_text(mark, paint)))
    heights = [text.height + _APART for *_, text in lines]
    middles = spread([y for _, _, y, _ in lines], heights, low=0, high=plot.bottom)
    ends = {}
    for (k, x, _, text), middle in zip(lines, middles, strict=True):
        left, top = (furthest if column else x) + _GAP, middle - text.height / 2
        ends[k] = EndLabel(text=text, box=Box(left=left, top=top, width=text.width, height=text.height))
    return ends


def _crossed(ends: dict[int, EndLabel], chart: XYChart, *, plot: Plot) -> bool:
    """Return whether a line or a measure passes through the words at the end of a line."""
    x, y = paths(chart, plot).T
    for end in ends.values():
        across = (end.box.left < x) & (x < end.box.right)
        if (across & (end.box.top + LEAST_TOUCH < y) & (y < end.box.bottom - LEAST_TOUCH)).any():
            return True
    return False


def plot_of(chart: XYChart, paint: Paint, *, width: float, height: float, column: bool = False) -> Plot:
    """Return the plot box that leaves room for tick labels, titles and the words at line ends. [pt]

    With ``column`` all these words have room to the right of every line.
    """
    ticks = [Text(lines=(t.label,), size=TICK_POINTS, ink=paint.quiet).width for t in ticks_shown(chart.y)]
    left = max(ticks, default=0.0) + _GAP + _EDGE
    row = LINE_HEIGHT * TICK_POINTS
    top = row + 11 if chart.y.title else 8.0
    bottom = height - (row + _GAP) - (row if chart.x.title else 0)
    right = width - 18.0
    lines = [mark for mark in chart.marks if isinstance(mark, Line) and mark.x]
    furthest = max((share(chart.x, max(line.x)) for line in lines), default=0.0)
    for line in lines:
        if line.end_label:
            along = min(furthest if column else share(chart.x, line.x[-1]), 1.0)
            room = width - _EDGE - _GAP - end_text(line, paint).width
            if along > 0:
                right = min(right, left + (room - left) / along)
    right = max(right, left + 0.5 * (width - left))
    return Plot(
        width=width, height=height, left=left, top=top, right=right, bottom=bottom, x=chart.x, y=chart.y
    )


def end_text(line: Line, paint: Paint) -> Text:
    """Return the words at the end of a line, the first line bold."""
    return Text(lines=line.end_label, size=END_POINTS, ink=paint.words[line.role], bold=0)


def span_text(span: Span, paint: Paint) -> Text:
    """Return the words beside a measure, the last line bold."""
    return Text(lines=span.label, size=NAME_POINTS + 1, ink=paint.text, bold=len(span.label) - 1)


def span_place(span: Span, *, chart: XYChart, plot: Plot, paint: Paint) -> tuple[float, Side]:
    """Return how far up a measure its words stand, and on which side: where they cover the fewest marks."""
    clouds = [plot.at(mark.x, mark.y) for mark in chart.marks if isinstance(mark, Points)]
    x, y = np.concatenate([*clouds, paths(chart, plot)]).T
    sides: tuple[Side, ...] = ("l", "r")
    covered: dict[tuple[float, Side], int] = {}
    for up in UP_A_MEASURE:
        for side in sides:
            left, top, right, bottom = _span_box(span, plot, paint=paint, place=(up, side))
            inside = (left < x) & (x < right) & (top < y) & (y < bottom)
            out = right > plot.width or left < plot.left or top < 0 or bottom > plot.bottom
            covered[up, side] = int(inside.sum()) + (1_000 if out else 0)
    return min(covered, key=lambda place: covered[place])


def up_a_measure(span: Span, axis: Axis, *, up: float) -> float:
    """Return how far along the axis a place of a measure stands, of what the axis shows of it."""
    low, high = (min(max(share(axis, value), 0.0), 1.0) for value in (span.low, span.high))
    return low + up * (high - low)


def spaced_ticks(axis: Axis, *, room: float) -> Sequence[Tick]:
    """Return the ticks of a level axis whose labels keep apart on its length: all, every second, third ... [pt]"""
    ticks = ticks_shown(axis)
    at = [room * share(axis, tick.value) for tick in ticks]
    wide = [room_of(tick.label, size=TICK_POINTS) for tick in ticks]
    for step in range(1, len(ticks)):
        for first in range(step):
            kept = range(first, len(ticks), step)
            apart = (at[b] - at[a] >= (wide[a] + wide[b]) / 2 + _GAP for a, b in pairwise(kept))
            if len(kept) > 1 and all(apart):
                return [ticks[k] for k in kept]
    return ticks[:1]


def name_text(label: str, paint: Paint) -> Text:
    """Return the label of one point."""
    return Text(lines=(label,), size=NAME_POINTS, ink=paint.text)


def named_points(
    chart: XYChart, *, plot: Plot, paint: Paint, ends: dict[int, EndLabel]
) -> dict[int, dict[int, PointName]]:
    """Return, for each cloud by its place among the marks, the name of every point that gets one.

    The clouds take turns, each in its own order of importance; a label without a clear place is dropped.
    """
    wishes: list[tuple[int, int, int, str]] = []
    for k, mark in enumerate(chart.marks):
        if isinstance(mark, Points):
            wishes += [(turn, k, index, label) for turn, (index, label) in enumerate(mark.marked)]
    wishes.sort(key=lambda wish: wish[:2])
    clouds = {k: plot.at(mark.x, mark.y) for k, mark in enumerate(chart.marks) if isinstance(mark, Points)}
    wishes = [wish for wish in wishes if within(plot, clouds[wish[1]][wish[2]])]
    if not wishes:
        return {}
    texts = [name_text(label, paint) for *_, label in wishes]
    scene = Scene(
        anchors=np.array([clouds[k][index] for _, k, index, _ in wishes]),
        frame=(plot.left, 0.0, plot.width, plot.bottom),
        points=np.concatenate([_markers(cloud[np.isfinite(cloud).all(axis=1)]) for cloud in clouds.values()]),
        lines=paths(chart, plot),
        taken=np.array(_taken(chart, plot=plot, paint=paint, ends=ends), dtype=float).reshape(-1, 4),
    )
    boxes = [Label(width=text.width + _APART, height=text.height, clearance=_CLEARANCE) for text in texts]
    positions = ON_A_ROW if chart.rows else POSITIONS
    placed = place(boxes, [scene], positions=positions, tolerance=1)
    chosen: dict[int, dict[int, PointName]] = {}
    for (_, k, index, _), text, placement in zip(wishes, texts, placed, strict=True):
        if placement is not None:
            chosen.setdefault(k, {})[index] = _beside(text, placement.position)
    return chosen


def _markers(cloud: np.ndarray) -> np.ndarray:
    """Return middle, top and bottom of every marker: a name that misses the middle may still lie on its edge."""
    return np.concatenate([cloud + np.array((0.0, down)) for down in (0.0, -_MARKER, _MARKER)])


def _beside(text: Text, position: Position) -> PointName:
    """Return a name in its place: PowerPoint knows four sides, a corner is left or right of a point and moved."""
    height, across = position.split()
    if across == "center":
        return PointName(text=text, side="t" if height == "top" else "b", shift=0.0)
    return PointName(text=text, side=_SIDES[across], shift=_DOWN[height] * (_CLEARANCE + text.height / 2))


def within(plot: Plot, place: np.ndarray) -> bool:
    """Return whether a place lies on the plot, its rim included."""
    x, y = place
    return bool(plot.left - 1 <= x <= plot.right + 1 and plot.top - 1 <= y <= plot.bottom + 1)


def paths(chart: XYChart, plot: Plot) -> np.ndarray:
    """Return close samples of every line and measure, shape (n, 2). [pt]"""
    paths = [np.empty((0, 2))]
    for mark in chart.marks:
        if isinstance(mark, Line):
            path = plot.at(mark.x, mark.y)
        elif isinstance(mark, Span):
            path = plot.at((mark.x, mark.x), (mark.low, mark.high))
        else:
            continue
        finite = path[np.isfinite(path).all(axis=1)]
        paths += [sampled(piece) for piece in _shown(finite, plot)]
    return np.concatenate(paths)


def _shown(path: np.ndarray, plot: Plot) -> list[np.ndarray]:
    """Return the pieces of a path that lie on the chart (Liang-Barsky clipping): a line may run on far."""
    low, high = np.zeros(2), np.array([plot.width, plot.height])
    if bool(((path >= low) & (path <= high)).all()):
        return [path]
    start, way = path[:-1], np.diff(path, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.stack([(low - start) / way, (high - start) / way])
    level = way == 0
    beside = level & ((start < low) | (start > high))
    enter = np.where(level, -np.inf, crossing.min(axis=0)).max(axis=1).clip(min=0)
    leave = np.where(level, np.inf, crossing.max(axis=0)).min(axis=1).clip(max=1)
    seen = (enter < leave) & ~beside.any(axis=1)
    first, last = start + enter[:, None] * way, start + leave[:, None] * way
    return [np.stack([one, other]) for one, other in zip(first[seen], last[seen], strict=True)]


def _taken(
    chart: XYChart, *, plot: Plot, paint: Paint, ends: dict[int, EndLabel]
) -> list[tuple[float, float, float, float]]:
    boxes = []
    for k, mark in enumerate(chart.marks):
        if isinstance(mark, Line) and k in ends:
            box = ends[k].box
            boxes.append((box.left - _GAP, box.top, box.right, box.bottom))
        elif isinstance(mark, Span):
            place = span_place(mark, chart=chart, plot=plot, paint=paint)
            boxes.append(_span_box(mark, plot, paint=paint, place=place))
    return boxes


def _span_box(
    span: Span, plot: Plot, *, paint: Paint, place: tuple[float, Side]
) -> tuple[float, float, float, float]:
    text = span_text(span, paint)
    up, side = place
    x, y = plot.x_at(span.x), plot.bottom - (plot.bottom - plot.top) * up_a_measure(span, plot.y, up=up)
    left = x - _GAP - text.width if side == "l" else x
    return (left, y - text.height / 2, left + _GAP + text.width, y + text.height / 2)
