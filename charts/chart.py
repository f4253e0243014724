"""Description of a chart, independent of any renderer.

Coordinates are data values in the unit of their axis; a logarithmic axis takes the values themselves, not their
logarithms. All text is plain text without markup; each renderer escapes it as its format requires.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Literal

Role = Literal["compute", "memory", "links", "edge", "context"]
"""Meaning of a mark. Each role has one colour, marker and dash in all charts and renderers."""

Scale = Literal["linear", "log"]
Dash = Literal["solid", "dotted"]
Strength = Literal["confidence", "prediction"]


def _same_length(owner: str, **sequences: Sequence[object]) -> None:
    lengths = {name: len(values) for name, values in sequences.items()}
    if len(set(lengths.values())) > 1:
        came = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"{owner}: every sequence needs one entry per mark; {came}.")


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A tick on an axis and its label."""

    value: float
    label: str


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One axis: its title with unit, scale, range, and the ticks that every renderer draws."""

    title: str
    scale: Scale = "linear"
    low: float
    high: float
    ticks: tuple[Tick, ...]

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"Axis {self.title!r}: low must be below high; got {self.low} and {self.high}.")
        if self.scale == "log" and self.low <= 0:
            raise ValueError(f"Axis {self.title!r}: a log axis starts above zero; got {self.low}.")


@dataclass(frozen=True, kw_only=True)
class Points:
    """Named points that form a cloud. Coordinates and names have shape (n,).

    ``details`` are the hover lines below the name. ``marked`` maps an index to the short label beside that point, most
    important first: a renderer drops the last ones if labels would overlap. ``hollow`` draws points as outlines:
    announced, or otherwise not in the fit. ``rows`` is the table of /data whose rows the names are, if any.
    """

    series: str
    role: Role
    x: tuple[float, ...]
    y: tuple[float, ...]
    names: tuple[str, ...]
    details: tuple[tuple[str, ...], ...]
    marked: tuple[tuple[int, str], ...] = ()
    hollow: bool = False
    rows: str = ""

    def __post_init__(self) -> None:
        _same_length(f"Points {self.series!r}", x=self.x, y=self.y, names=self.names, details=self.details)
        for index, label in self.marked:
            if not 0 <= index < len(self.x):
                raise ValueError(
                    f"Points {self.series!r}: label {label!r} marks point {index}, but there are "
                    f"{len(self.x)} points."
                )


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line through ``x`` and ``y``, each of shape (n,). At its right end is any ``end_label``, its first line bold.

    ``hover`` has one hover text per point; if empty, a renderer shows the value.
    """

    series: str
    role: Role
    x: tuple[float, ...]
    y: tuple[float, ...]
    dash: Dash = "solid"
    faded: bool = False
    end_label: tuple[str, ...] = ()
    hover: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _same_length(f"Line {self.series!r}", x=self.x, y=self.y)
        if self.hover:
            _same_length(f"Line {self.series!r}", x=self.x, hover=self.hover)


@dataclass(frozen=True, kw_only=True)
class Band:
    """A filled range from low to high along x, all of shape (n,). Confidence bands are dark, prediction bands light."""

    series: str
    role: Role
    strength: Strength
    x: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    faded: bool = False

    def __post_init__(self) -> None:
        _same_length(f"Band {self.series!r}", x=self.x, low=self.low, high=self.high)


@dataclass(frozen=True, kw_only=True)
class Span:
    """A vertical measure between two heights at x, such as a gap. The last line of its label is bold."""

    x: float
    low: float
    high: float
    label: tuple[str, ...]


Mark = Points | Line | Band | Span


@dataclass(frozen=True, kw_only=True)
class _Heading:
    title: str
    subtitle: str
    alt: str
    source: str
    note: str = ""
    """Note by the person who shared the link. It is below the subtitle in pictures and slides."""


@dataclass(frozen=True, kw_only=True)
class XYChart(_Heading):
    """Marks over two axes. ``title`` is the finding; ``subtitle`` states what is drawn, the unit and the caveat.

    ``alt`` states the finding for readers who do not see the picture; ``source`` is one line below with method, data
    and release. Marks are drawn in order, the first at the bottom. With ``rows``, every point has its own row and its
    name is placed there if possible.
    """

    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    rows: bool = False


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One horizontal bar: its label, its length and interval, and the text at its end.

    It runs to ``value`` from the chart's base, or from ``start`` if given; either end may be larger. ``absent`` omits
    the bar: only name and text are drawn.
    """

    label: str
    value: float
    text: str
    role: Role
    low: float | None = None
    high: float | None = None
    emphasised: bool = False
    detail: tuple[str, ...] = ()
    start: float | None = None
    absent: bool = False

    def __post_init__(self) -> None:
        if self.start is not None and not math.isfinite(self.start):
            raise ValueError(
                f"Bar {self.label!r}: start is where the bar begins, a finite number; got {self.start}. "
                "Leave it out for a bar from the chart's base."
            )


@dataclass(frozen=True, kw_only=True)
class BarChart(_Heading):
    """Horizontal bars from a base value, the first at the top, with whiskers for intervals.

    With ``dots``, dots replace bars, as on a log axis, where bar length has no meaning. A bar with a ``start`` then has
    a hollow dot there, joined to the value by a line.
    """

    x: Axis
    base: float
    bars: tuple[Bar, ...] = field(default=())
    dots: bool = False

    def __post_init__(self) -> None:
        if self.x.scale == "log" and self.base <= 0:
            raise ValueError(
                f"BarChart {self.title!r}: a log axis has no base at {self.base}; start above zero."
            )
        for bar in self.bars:
            if self.x.scale == "log" and bar.start is not None and bar.start <= 0:
                raise ValueError(
                    f"Bar {bar.label!r}: on a log axis a bar starts above zero; got {bar.start}. "
                    "Start it at the low end of the axis."
                )


PALEST_TONE = 4
MOST_CELLS = 60
"""Maximum number of columns and of rows in a map."""


@dataclass(frozen=True, kw_only=True)
class MapChoice:
    """A choice that may win a cell: its name, the role for its colour, and its ``tone`` (higher is paler).

    ``hatched`` is for cells without a winner: "nothing meets the requirement".
    """

    label: str
    role: Role
    tone: int = 0
    hatched: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.tone <= PALEST_TONE:
            raise ValueError(
                f"MapChoice {self.label!r}: tone is 0, the strongest, to {PALEST_TONE}, the palest; "
                f"got {self.tone}."
            )


@dataclass(frozen=True, kw_only=True)
class MapPoint:
    """A labelled point on a map, such as the reader's own case, drawn as a ring."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, kw_only=True)
class MapChart(_Heading):
    """A map with the winning choice in each cell of a grid.

    ``cells`` has m rows of n indices into ``choices``, the bottom row first, -1 for an empty cell. Cells are bounded by
    ``x_edges``, shape (n + 1,), and ``y_edges``, shape (m + 1,), rising data values within the axes. ``details`` is
    empty, or has one hover text per cell, shown below the choice's name, with line breaks. ``marked`` is drawn if it is
    within the axes.
    """

    x: Axis
    y: Axis
    x_edges: tuple[float, ...]
    y_edges: tuple[float, ...]
    choices: tuple[MapChoice, ...]
    cells: tuple[tuple[int, ...], ...]
    details: tuple[tuple[str, ...], ...] = ()
    marked: MapPoint | None = None

    def __post_init__(self) -> None:
        owner = f"MapChart {self.title!r}"
        for side, axis, edges in (("x", self.x, self.x_edges), ("y", self.y, self.y_edges)):
            _check_edges(f"{owner}: {side}_edges", edges, axis=axis)
        for name, rows in (("cells", self.cells), ("details", self.details)):
            if rows or name == "cells":
                _check_grid(
                    f"{owner}: {name}", rows, columns=len(self.x_edges) - 1, deep=len(self.y_edges) - 1
                )
        most = len(self.choices) - 1
        for number, row in enumerate(self.cells):
            wrong = next((cell for cell in row if not -1 <= cell <= most), None)
            if wrong is not None:
                raise ValueError(
                    f"{owner}: a cell is the index of one of the {len(self.choices)} choices, or -1 for "
                    f"nothing; row {number} holds {wrong}."
                )
        for one, other in combinations(self.choices, 2):
            if (one.role, one.tone, one.hatched) == (other.role, other.tone, other.hatched):
                raise ValueError(
                    f"{owner}: {one.label!r} and {other.label!r} would look alike: both are tone {one.tone} of "
                    f"{one.role}. Give each its own."
                )


def _check_edges(owner: str, edges: Sequence[float], *, axis: Axis) -> None:
    if not 2 <= len(edges) <= MOST_CELLS + 1:
        raise ValueError(
            f"{owner} holds one value more than there are cells, 2 to {MOST_CELLS + 1}; got {len(edges)}."
        )
    for low, high in pairwise(edges):
        if not low < high:
            raise ValueError(f"{owner} rises from cell to cell; got {high} after {low}.")
    if edges[0] < axis.low or edges[-1] > axis.high:
        raise ValueError(
            f"{owner} lies within its axis, {axis.low} to {axis.high}; got {edges[0]} to {edges[-1]}. "
            "Widen the axis."
        )


def _check_grid(owner: str, rows: Sequence[Sequence[object]], *, columns: int, deep: int) -> None:
    if len(rows) != deep:
        raise ValueError(f"{owner} has one row between each two of y_edges, {deep}; got {len(rows)}.")
    for number, row in enumerate(rows):
        if len(row) != columns:
            raise ValueError(
                f"{owner} has one entry between each two of x_edges, {columns}; row {number} has {len(row)}."
            )


Chart = XYChart | BarChart | MapChart
