"""What to draw, without saying how: the description every renderer draws from.

Coordinates are data values in the unit of their axis; a logarithmic axis takes the values themselves, not
their logarithms. All text is plain text (no markup); a renderer escapes what its format needs escaped.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
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
    overlap. ``hollow`` draws the points as outlines: announced, or otherwise not part of the fit.
    """

    series: str
    role: Role
    x: tuple[float, ...]
    y: tuple[float, ...]
    names: tuple[str, ...]
    details: tuple[tuple[str, ...], ...]
    marked: tuple[tuple[int, str], ...] = ()
    hollow: bool = False

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


@dataclass(frozen=True, kw_only=True)
class XYChart(_Heading):
    """Marks over two axes. ``title`` is the finding, ``subtitle`` what is drawn, the unit and the catch.

    ``alt`` states the finding for readers who do not see the picture; ``source`` is the one quiet line below:
    method, data, release. Marks are drawn in order, the first lowest.
    """

    x: Axis
    y: Axis
    marks: tuple[Mark, ...]


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One horizontal bar: its label, length with interval, and the words printed at its end."""

    label: str
    value: float
    text: str
    role: Role
    low: float | None = None
    high: float | None = None
    emphasised: bool = False
    detail: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BarChart(_Heading):
    """Horizontal bars from a base value, top first, intervals as whiskers; ``x`` is the axis of values."""

    x: Axis
    base: float
    bars: tuple[Bar, ...] = field(default=())


Chart = XYChart | BarChart
