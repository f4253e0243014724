"""Lines and areas as path data, in a box stretched to the plot's width."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from charts.svg.scale import Numbers, Plot, number

_BEYOND = 0.5  # of the plot: how far paths extend outside it
_TOLERANCE = 0.1  # px
_TYPICAL = 1200.0  # px: the width assumed for the tolerance if unknown


def lines(plot: Plot, places: Numbers) -> list[str]:
    """Return path data of lines through points, shape (n, 2). A new line begins after each gap."""
    return [_drawn(plot, run) for run in _runs(plot, places)]


def area(plot: Plot, places: Numbers) -> str:
    """Return path data of the area enclosed by points, shape (n, 2). Another area begins after each gap."""
    return "".join(f"{_drawn(plot, run)}Z" for run in _runs(plot, places))


def loops(plot: Plot, places: Numbers) -> str:
    """Return path data of areas for a clip path, in shares of width and height."""
    drawn = []
    for run in _runs(plot, places):
        drawn.append("M" + "L".join(f"{number(x, 5)} {number(y / plot.height, 5)}" for x, y in run) + "Z")
    return "".join(drawn)


def _runs(plot: Plot, places: Numbers) -> Iterator[Numbers]:
    known = np.isfinite(places).all(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]]).astype(int)))
    for start, end in edges.reshape(-1, 2).tolist():
        run = _within(places[start:end], 0, low=-_BEYOND, high=1 + _BEYOND)
        run = _within(run, 1, low=-_BEYOND * plot.height, high=(1 + _BEYOND) * plot.height)
        if end - start > 1:
            yield run[_needed(run * (plot.width or _TYPICAL, 1.0))]


def _within(run: Numbers, side: int, *, low: float, high: float) -> Numbers:
    """Return the path, clipped to the bounds of one coordinate."""
    if ((run[:, side] >= low) & (run[:, side] <= high)).all():
        return run
    places = [run[0]]
    for one, other in pairwise(run):
        step = other - one
        crossed = [bound for bound in (low, high) if (one[side] - bound) * (other[side] - bound) < 0]
        for bound in crossed if step[side] > 0 else reversed(crossed):
            places.append(one + (bound - one[side]) / step[side] * step)
            places[-1][side] = bound
        places.append(other)
    led = np.array(places)
    led[:, side] = np.clip(led[:, side], low, high)
    return led


def _needed(run: Numbers) -> NDArray[np.bool_]:
    """Return a mask, shape (n,), of the points that a path needs, by Ramer-Douglas-Peucker."""
    keep = np.zeros(len(run), dtype=bool)
    keep[[0, -1]] = True
    waiting = [(0, len(run) - 1)]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        way, off = run[last] - run[first], run[first + 1 : last] - run[first]
        length = float(np.hypot(*way))
        if length > _TOLERANCE:
            share = np.clip(off @ way / length**2, 0, 1)
            off = off - share[:, None] * way
        far = np.hypot(off[:, 0], off[:, 1])
        middle = int(far.argmax())
        if far[middle] > _TOLERANCE:
            keep[first + 1 + middle] = True
            waiting += [(first, first + 1 + middle), (first + 1 + middle, last)]
    return keep


def _drawn(plot: Plot, run: Numbers) -> str:
    places = [f"{plot.unit(x)} {number(y)}" for x, y in run.tolist()]
    return f"M{places[0]}L{' '.join(places[1:])}"
