"""What to draw, without saying how: the description every renderer draws from.

Coordinates are data values in the unit of their axis; a logarithmic axis takes the values themselves, not
their logarithms. All text is plain text (no markup); a renderer escapes what its format needs escaped.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Literal

Role = Literal["compute", "memory", "links", "edge", "context"]
"""What a mark stands for. Renderers give each role one colour, marker and dash, the same everywhere."""

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
    """A marked place on an axis and the words that stand there."""

    value: float
    label: str


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One axis: its title with unit, scale, range in data values, and the ticks every renderer shows."""

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
    """A cloud of named points, shapes (n,).

    ``details`` are the lines a reader sees on hover, below the name; ``marked`` maps an index to the short
    label printed beside that point, most important first: a renderer drops the last ones where labels would
    overlap. ``hollow`` draws the points as outlines: announced, or otherwise not part of the fit. ``rows`` is the
    table of /data whose rows the names are, if any.
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
    """A line through x, y, shapes (n,). ``end_label`` stands at its right end, first line bold; may be empty.

    ``hover`` is what a reader sees at each place, one text per place; where empty a renderer says the value.
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
    """A filled range between low and high along x, shapes (n,): dark for confidence, light for prediction."""

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
    """A vertical measure at x between two heights, with its label (last line bold), as for a gap."""

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
    """What whoever sent a link wrote, said to be theirs; in pictures and on slides below the subtitle."""


@dataclass(frozen=True, kw_only=True)
class XYChart(_Heading):
    """Marks over two axes. ``title`` is the finding, ``subtitle`` what is drawn, the unit and the catch.

    ``alt`` states the finding for readers who do not see the picture; ``source`` is the one quiet line below:
    method, data, release. Marks are drawn in order, the first lowest. ``rows`` says that every point has a row of
    its own: its name stands there where it can.
    """

    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    rows: bool = False


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One horizontal bar: its label, length with interval, and the words printed at its end.

    It runs from the base of its chart to ``value``, or from ``start`` where that is given; either end may be the
    greater. ``absent`` leaves the mark out: only name and words are drawn.
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
    """Horizontal bars from a base value, top first, intervals as whiskers; ``x`` is the axis of values.

    ``dots`` marks the values by dots instead, as on a log axis, where the length of a bar means nothing. A start of
    its own is a hollow dot then, joined to the value by a line.
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
"""How many columns, and how many rows, a map may have."""


@dataclass(frozen=True, kw_only=True)
class MapChoice:
    """What may win a cell: its name, and its look: the colour of its role, the paler the higher its ``tone``.

    ``hatched`` is for what is no winner: "nothing meets the requirement".
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
    """A place on a map that a reader looks for, as their own case: drawn as a ring with its label."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, kw_only=True)
class MapChart(_Heading):
    """Which choice wins in each cell of a grid.

    ``cells`` holds m rows of n indices into ``choices``, the lowest row first, -1 where there is nothing.
    Cells lie between ``x_edges``, shape (n + 1,), and ``y_edges``, shape (m + 1,), rising data values within
    the axes. ``details`` is empty, or one text per cell that a reader sees on hover below the choice's name,
    lines parted by line breaks. ``marked`` is drawn where it lies within the axes.
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
