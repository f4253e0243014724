"""Regions of a map, made of connected cells: their outlines, and room for labels inside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from charts.chart import MapChart

Pixels = NDArray[np.float64]
Mask = NDArray[np.bool_]
Loop = tuple[tuple[int, int], ...]

_ACROSS, _DOWN = 72, 48  # positions tried for a label across and down its region
_CLEARANCES = (60.0, 40.0, 25.0, 15.0, 8.0, 4.0, 0.0)  # tried in turn, the largest clearance first [px]


@dataclass(frozen=True, kw_only=True, eq=False)
class Region:
    """Connected cells of one choice: their count, and their mask, shape (m, n)."""

    choice: int
    size: int
    mask: Mask


def cells_of(chart: MapChart, choice: int) -> Mask:
    """Return a mask, shape (m, n), of the cells that a choice wins."""
    return np.array(chart.cells, dtype=int) == choice


def regions(cells: Sequence[Sequence[int]]) -> tuple[Region, ...]:
    """Return the regions of a map, largest first. Empty cells (-1) belong to none."""
    from scipy.ndimage import label  # a page without a map does not wait for it

    grid = np.array(cells, dtype=int)
    parts = []
    for choice in np.unique(grid[grid >= 0]).tolist():
        found: Any = label(grid == choice)  # the cells by the number of their part, and how many parts
        masks = [found[0] == number for number in range(1, found[1] + 1)]
        parts += [Region(choice=choice, size=int(mask.sum()), mask=mask) for mask in masks]
    return tuple(sorted(parts, key=lambda region: (-region.size, int(region.mask.argmax()))))


def outline(mask: Mask) -> tuple[Loop, ...]:
    """Return the closed loops around cells, as corners (column edge, row edge), with the cells on the left.

    A loop around cells runs anticlockwise and one around a hole clockwise, rows counted upwards; only corners are
    listed, the first not repeated.
    """
    inside = np.pad(mask, 1)
    core = inside[1:-1, 1:-1]
    ways: dict[tuple[int, int], list[tuple[int, int]]] = {}
    # each side of a cell without a neighbour: start corner and step
    for shifted, corner, step in (
        (inside[:-2, 1:-1], (0, 0), (1, 0)),
        (inside[1:-1, 2:], (1, 0), (0, 1)),
        (inside[2:, 1:-1], (1, 1), (-1, 0)),
        (inside[1:-1, :-2], (0, 1), (0, -1)),
    ):
        for r, k in np.argwhere(core & ~shifted).tolist():
            ways.setdefault((k + corner[0], r + corner[1]), []).append(step)
    loops = []
    while ways:
        start = min(ways)
        at, step = start, _take(ways, start, coming=None)
        corners = [start]
        while True:
            at = (at[0] + step[0], at[1] + step[1])
            if at == start:  # the leftmost remaining corner, which a loop passes once
                break
            onwards = _take(ways, at, coming=step)
            if onwards != step:
                corners.append(at)
            step = onwards
        loops.append(tuple(corners))
    return tuple(loops)


def _take(
    ways: dict[tuple[int, int], list[tuple[int, int]]], at: tuple[int, int], *, coming: tuple[int, int] | None
) -> tuple[int, int]:
    """Remove and return the next step from a corner. Of two steps, it is the one that turns left."""
    steps = ways[at]
    left = None if coming is None else (-coming[1], coming[0])
    step = steps.pop(steps.index(left) if left in steps else 0)
    if not steps:
        del ways[at]
    return step


def room_inside(
    mask: Mask,
    *,
    x_edges: Pixels,
    y_edges: Pixels,
    width: float,
    height: float,
    taken: Sequence[tuple[float, float, float, float]] = (),
) -> tuple[float, float] | None:
    """Return the centre where a label has the most clearance. None if the label does not fit. [px]

    ``x_edges`` rise, shape (n + 1,); ``y_edges`` fall, shape (m + 1,): y points downwards while rows count upwards.
    ``taken`` are boxes to avoid, as left, top, right, bottom.
    """
    columns, rows = np.flatnonzero(mask.any(axis=0)), np.flatnonzero(mask.any(axis=1))
    left, right = x_edges[columns[0]], x_edges[columns[-1] + 1]
    top, bottom = y_edges[rows[-1] + 1], y_edges[rows[0]]
    if right - left < width or bottom - top < height:
        return None
    x = np.linspace(left + width / 2, right - width / 2, _ACROSS)
    y = np.linspace(top + height / 2, bottom - height / 2, _DOWN)
    down = mask[::-1]
    outside = np.pad((~down).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    middle = _middle(mask, x_edges=x_edges, y_edges=y_edges)
    for clearance in _CLEARANCES:
        reach_x, reach_y = width / 2 + clearance, height / 2 + clearance
        first, last = _covered(x_edges, x, reach=reach_x)
        upper, lower = _covered(y_edges[::-1], y, reach=reach_y)
        strange = (
            outside[np.ix_(lower, last)]
            - outside[np.ix_(upper, last)]
            - outside[np.ix_(lower, first)]
            + outside[np.ix_(upper, first)]
        )
        beside = (x - reach_x < x_edges[0] - 1e-6) | (x + reach_x > x_edges[-1] + 1e-6)
        above = (y - reach_y < y_edges[-1] - 1e-6) | (y + reach_y > y_edges[0] + 1e-6)
        free = (strange == 0) & ~beside[None, :] & ~above[:, None]
        for box in taken:
            across = (x + width / 2 > box[0]) & (x - width / 2 < box[2])
            along = (y + height / 2 > box[1]) & (y - height / 2 < box[3])
            free &= ~(along[:, None] & across[None, :])
        if free.any():
            away = (x[None, :] - middle[0]) ** 2 + (y[:, None] - middle[1]) ** 2
            r, k = np.unravel_index(int(np.where(free, away, np.inf).argmin()), free.shape)
            return float(x[k]), float(y[r])
    return None


def _covered(edges: Pixels, centres: Pixels, *, reach: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return, for each interval around a centre, the first cell covered and the one after the last."""
    n = len(edges) - 1
    first = np.searchsorted(edges, centres - reach + 1e-6, side="right") - 1
    last = np.searchsorted(edges, centres + reach - 1e-6, side="left")
    return np.clip(first, 0, n), np.clip(last, 0, n)


def _middle(mask: Mask, *, x_edges: Pixels, y_edges: Pixels) -> tuple[float, float]:
    """Return the centroid of the cells. [px]"""
    area = np.abs(np.outer(np.diff(y_edges), np.diff(x_edges))) * mask
    x, y = (x_edges[:-1] + x_edges[1:]) / 2, (y_edges[:-1] + y_edges[1:]) / 2
    return float((area * x[None, :]).sum() / area.sum()), float((area * y[:, None]).sum() / area.sum())
