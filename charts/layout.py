"""What has to be named in a chart, and where it stands in pixels: the same for every renderer."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from charts.chart import Axis, Line, Points, Role, Span, XYChart
from charts.labels import Label, Position, Scene, place, spread
from charts.text_width import text_width

LINE_HEIGHT = 1.3
"""Distance between two lines of text, in units of the text size."""

_FRACTIONS = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)


@dataclass(frozen=True, kw_only=True)
class Plot:
    """The box between the axes and the text size of its labels. [px]"""

    width: float
    height: float
    size: float = 12.0
    clearance: float = 6.0


@dataclass(frozen=True, kw_only=True)
class Name:
    """A point that a reader knows, by the label beside it."""

    x: float
    y: float
    text: str
    role: Role


def names(chart: XYChart) -> tuple[Name, ...]:
    """Return the points to be named, most important first, the series taking turns."""
    series = [
        [Name(x=m.x[i], y=m.y[i], text=text, role=m.role) for i, text in m.marked]
        for m in chart.marks
        if isinstance(m, Points)
    ]
    inside = (name for turn in zip_longest(*series) for name in turn if name is not None)
    return tuple(n for n in inside if _within(chart.x, n.x) and _within(chart.y, n.y))


def _within(axis: Axis, value: float) -> bool:
    return axis.low <= value <= axis.high


def along(axis: Axis, values: Sequence[float]) -> NDArray[np.float64]:
    """Return how far along ``axis`` values stand, shape (n,): 0 at its low end, 1 at its high end."""
    numbers = np.asarray(values, dtype=float)
    if axis.scale == "linear":
        return (numbers - axis.low) / (axis.high - axis.low)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(numbers / axis.low) / np.log(axis.high / axis.low)


def at(axis: Axis, fraction: float) -> float:
    """Return the value that stands at this fraction of ``axis``, the inverse of along()."""
    if axis.scale == "linear":
        return axis.low + fraction * (axis.high - axis.low)
    return axis.low * (axis.high / axis.low) ** fraction


def pixels(chart: XYChart, x: Sequence[float], y: Sequence[float], *, plot: Plot) -> NDArray[np.float64]:
    """Return where data stand in the plot, shape (n, 2), y downwards; places that are nowhere are left out. [px]"""
    where = np.stack([along(chart.x, x) * plot.width, (1 - along(chart.y, y)) * plot.height], axis=1)
    return where[np.isfinite(where).all(axis=1)]


def scene(chart: XYChart, anchors: Sequence[Name], *, plot: Plot, taken: NDArray[np.float64]) -> Scene:
    """Return the plot as the label placement sees it."""
    clouds = [pixels(chart, m.x, m.y, plot=plot) for m in chart.marks if isinstance(m, Points)]
    lines = [pixels(chart, m.x, m.y, plot=plot) for m in chart.marks if isinstance(m, Line)]
    spans = [
        pixels(chart, (m.x, m.x), (m.low, m.high), plot=plot) for m in chart.marks if isinstance(m, Span)
    ]
    return Scene(
        anchors=pixels(chart, [n.x for n in anchors], [n.y for n in anchors], plot=plot),
        points=np.concatenate([*clouds, np.empty((0, 2))]),
        paths=tuple(_on_paper(path, plot) for path in lines + spans),
        taken=taken,
        frame=(0.0, 0.0, plot.width, plot.height),
    )


def _on_paper(path: NDArray[np.float64], plot: Plot) -> NDArray[np.float64]:
    """Return the path held near the plot, so that a wild projection does not cost a million samples."""
    return np.clip(path, -plot.width, (2 * plot.width, 2 * plot.height))


def label(text: str, *, plot: Plot) -> Label:
    """Return the size of a point's label in this plot."""
    return Label(width=text_width(text, size=plot.size), height=plot.size, clearance=plot.clearance)


def place_names(
    chart: XYChart, candidates: Sequence[Name], *, plots: Sequence[Plot], taken: Sequence[NDArray[np.float64]]
) -> tuple[Position | None, ...]:
    """Return where each name goes so that it is clear in all these plots, or None where it has to go."""
    scenes = [scene(chart, candidates, plot=plot, taken=box) for plot, box in zip(plots, taken, strict=True)]
    return place([label(name.text, plot=plots[0]) for name in candidates], scenes, tolerance=len(plots) - 1)


@dataclass(frozen=True, kw_only=True)
class EndLabel:
    """The words at the right end of a line, and where their middle stands. [px]"""

    role: Role
    lines: tuple[str, ...]
    x: float
    line_end: float
    middle: float
    height: float
    width: float


def end_labels(chart: XYChart, *, plot: Plot) -> tuple[EndLabel, ...]:
    """Return the labels of the lines, moved apart where they would overlap, in the order of the lines."""
    lines = [m for m in chart.marks if isinstance(m, Line) and m.end_label and len(m.x)]
    ends = [pixels(chart, m.x[-1:], m.y[-1:], plot=plot) for m in lines]
    drawn = [(line, end[0]) for line, end in zip(lines, ends, strict=True) if len(end)]
    heights = [plot.size * LINE_HEIGHT * len(line.end_label) for line, _ in drawn]
    middles = spread([end[1] for _, end in drawn], heights, low=0, high=plot.height)
    return tuple(
        EndLabel(
            role=line.role,
            lines=line.end_label,
            x=float(end[0]),
            line_end=line.x[-1],
            middle=float(middle),
            height=height,
            width=max(text_width(t, size=plot.size, bold=i == 0) for i, t in enumerate(line.end_label)),
        )
        for (line, end), height, middle in zip(drawn, heights, middles, strict=True)
    )


def end_label_boxes(labels: Sequence[EndLabel], *, plot: Plot) -> NDArray[np.float64]:
    """Return the boxes of the end labels right of their line ends, shape (n, 4). [px]"""
    found = [
        (e.x, e.middle - e.height / 2, e.x + 2 * plot.clearance + e.width, e.middle + e.height / 2)
        for e in labels
    ]
    return np.array(found, dtype=float).reshape(-1, 4)


def span_label(
    chart: XYChart, span: Span, *, plots: Sequence[Plot], taken: Sequence[NDArray[np.float64]]
) -> tuple[float, Position]:
    """Return the height [data value] and side of a measure's label: as near its middle as is clear."""
    words = Label(
        width=max(
            text_width(t, size=plots[0].size, bold=i == len(span.label) - 1) for i, t in enumerate(span.label)
        ),
        height=plots[0].size * LINE_HEIGHT * len(span.label),
        clearance=plots[0].clearance,
    )
    low, high = along(chart.y, (span.low, span.high))
    for fraction in _FRACTIONS:
        y = at(chart.y, float(low + fraction * (high - low)))
        anchor = Name(x=span.x, y=y, text="", role="context")
        scenes = [
            scene(chart, [anchor], plot=plot, taken=box) for plot, box in zip(plots, taken, strict=True)
        ]
        found = place([words], scenes, positions=("middle left", "middle right"))[0]
        if found:
            return y, found
    return at(chart.y, float(low + high) / 2), "middle left"
