"""Positions of data in the plot, horizontally as shares of its unknown width and vertically in pixels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]

WIDE = 100_000
"""Width of the stretched box in its own units. Each is 0.01 px in a plot 1000 px wide."""


@dataclass(frozen=True, kw_only=True)
class Scale:
    """An axis of a Plotly figure: its type and its range, in decades for a log axis."""

    log: bool
    start: float
    end: float

    def share(self, values: ArrayLike) -> Numbers:
        """Return the relative positions along the axis, in the shape of the input, from 0 (start) to 1 (end).

        Values that a log axis cannot show give NaN.
        """
        numbers = np.asarray(values, dtype=float)
        if self.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                numbers = np.log10(numbers)
            numbers = np.where(np.isfinite(numbers), numbers, np.nan)
        return (numbers - self.start) / (self.end - self.start)


@dataclass(frozen=True, kw_only=True)
class Plot:
    """The box between the axes: its margins, its height, and its width if known. [px]"""

    x: Scale
    y: Scale
    left: int
    right: int
    top: int
    height: int
    width: float | None = None

    def places(self, x: ArrayLike, y: ArrayLike) -> Numbers:
        """Return positions of data, shape (n, 2): x as shares of the width, y in pixels from the top."""
        return np.stack([self.across(x), self.down(y)], axis=1)

    def across(self, values: ArrayLike) -> Numbers:
        """Return positions as shares of the width, 0 at the left."""
        return self.x.share(values)

    def down(self, values: ArrayLike) -> Numbers:
        """Return positions in pixels from the top of the plot."""
        return (1 - self.y.share(values)) * self.height

    def x_at(self, share: float, digits: int = 3) -> str:
        """Return a share of the width as an attribute, in pixels, or in percent if the width is unknown."""
        if self.width is None:  # a thousandth of a per cent is 0.01 px of a plot 1000 px wide
            return f"{number(100 * share, digits)}%"
        return number(share * self.width)

    def unit(self, share: float) -> str:
        """Convert a share of the width to the units of path data."""
        return f"{share * WIDE:.0f}" if self.width is None else number(share * self.width)


def plot_of(layout: Mapping[str, Any], *, width: float | None = None) -> Plot:
    """Return the plot of a layout, with margins rounded as Plotly rounds them. ``width`` is that of the chart [px]."""
    margin = {side: _rounded(layout["margin"][side]) for side in "lrtb"}
    return Plot(
        x=_scale(layout["xaxis"]),
        y=_scale(layout["yaxis"]),
        left=margin["l"],
        right=margin["r"],
        top=margin["t"],
        height=_rounded(layout["height"]) - margin["t"] - margin["b"],
        width=None if width is None else width - margin["l"] - margin["r"],
    )


def _rounded(value: float) -> int:
    return int(np.floor(value + 0.5))


def _scale(axis: Mapping[str, Any]) -> Scale:
    start, end = axis["range"]
    return Scale(log=axis["type"] == "log", start=start, end=end)


def number(value: float, digits: int = 2) -> str:
    """Return a number as text, as short as possible, with at most ``digits`` decimals."""
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def each(value: Any, count: int) -> Sequence[Any]:
    """Return one value for each of ``count`` marks. A single value is repeated."""
    return value if isinstance(value, (list, tuple)) else [value] * count
