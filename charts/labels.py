"""Placement of labels beside their points, clear of everything else. A label without room is omitted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Position = Literal[
    "top center",
    "bottom center",
    "top left",
    "bottom right",
    "middle right",
    "middle left",
    "top right",
    "bottom left",
]

POSITIONS: tuple[Position, ...] = get_args(Position)
"""Positions around a point, preferred ones first."""
ON_A_ROW: tuple[Position, ...] = ("middle right", "middle left", *(p for p in POSITIONS if "middle" not in p))
"""Positions beside points on rows of their own. A name above or below would seem to be of another row."""

_STEP = 3.0  # px between the samples of a line: less than the height of any label
_POINT, _LINE = 1.0, 10.0  # cost of covering a point and of crossing a line

Pixels = NDArray[np.float64]


def _nothing(columns: int) -> Pixels:
    return np.empty((0, columns))


@dataclass(frozen=True, kw_only=True)
class Label:
    """The size of a label, and its distance from its point. [px]"""

    width: float
    height: float
    clearance: float = 6.0


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One drawing of the chart in pixels, y downwards, with everything that its labels must avoid.

    ``anchors`` are the labelled points, shape (n, 2); ``points`` all points, shape (m, 2); ``lines`` close samples of
    the lines from sampled(), shape (k, 2); ``taken`` boxes as left, top, right, bottom, shape (j, 4); ``frame`` the box
    to stay within.
    """

    anchors: Pixels
    frame: tuple[float, float, float, float]
    points: Pixels = field(default_factory=lambda: _nothing(2))
    lines: Pixels = field(default_factory=lambda: _nothing(2))
    taken: Pixels = field(default_factory=lambda: _nothing(4))


@dataclass(frozen=True, kw_only=True)
class Placement:
    """The position of a label, and whether it is clear in the optional scenes as well."""

    position: Position
    everywhere: bool = True


def place(
    labels: Sequence[Label],
    scenes: Sequence[Scene],
    *,
    optional: Sequence[Scene] = (),
    positions: Sequence[Position] = POSITIONS,
    tolerance: float = 0,
) -> tuple[Placement | None, ...]:
    """Return, for each label, a position that is clear in every scene, or None if there is none.

    Earlier labels take precedence. The scenes show the same labels at different sizes of the drawing; a position that
    is clear in the ``optional`` scenes too is preferred. ``tolerance`` is the number of points a label may cover in a
    scene; lines, other labels and the frame are never touched.

    Raises ValueError if a scene does not have one anchor per label.
    """
    every = [*scenes, *optional]
    for scene in every:
        if len(scene.anchors) != len(labels):
            raise ValueError(
                f"A scene needs one anchor per label; got {len(scene.anchors)} anchors "
                f"for {len(labels)} labels."
            )
    if not labels:
        return ()
    candidates = np.stack([boxes(labels, scene.anchors, positions=positions) for scene in every])
    costs = np.stack([_cost(box, scene) for box, scene in zip(candidates, every, strict=True)])
    chosen: list[Placement | None] = []
    for number in range(len(labels)):
        free = costs[:, number]
        clear: NDArray[np.bool_] = np.less_equal(free, tolerance)
        needed = np.logical_and.reduce(clear[: len(scenes)], axis=0)
        everywhere = np.logical_and.reduce(clear, axis=0)
        if not needed.any():
            chosen.append(None)
            continue
        price = np.where(everywhere, 0.0, 1e3) + np.where(clear, free, 0.0).sum(axis=0)
        best = int(np.argmin(np.where(needed, price, np.inf)))
        chosen.append(Placement(position=positions[best], everywhere=bool(everywhere[best])))
        shown = slice(None if everywhere[best] else len(scenes))
        label = candidates[shown, number, best][:, None, None, None, :]
        costs[shown][_overlap(candidates[shown], label)[..., 0]] = np.inf
    return tuple(chosen)


def boxes(labels: Sequence[Label], anchors: Pixels, *, positions: Sequence[Position]) -> Pixels:
    """Return the left, top, right and bottom edges of each label at each position, shape (n, positions, 4). [px]"""
    size = np.array([(label.width, label.height, label.clearance) for label in labels])
    width, height, clearance = (column[:, None] for column in size.T)
    x, y = anchors[:, :1], anchors[:, 1:]
    across = np.array([{"left": -1, "center": 0, "right": 1}[position.split()[1]] for position in positions])
    down = np.array([{"top": -1, "middle": 0, "bottom": 1}[position.split()[0]] for position in positions])
    left = x + across * clearance + (across - 1) * width / 2
    top = y + down * clearance + (down - 1) * height / 2
    return np.stack([left, top, left + width, top + height], axis=-1)


def sampled(path: Pixels) -> Pixels:
    """Return points along a path, shape (k, 2), closer together than the height of any label. [px]"""
    if len(path) < 2:
        return path
    line = path @ (1, 1j)
    along = np.concatenate([[0.0], np.abs(np.diff(line)).cumsum()])
    steps = max(1, int(along[-1] / _STEP) - 1)
    at = np.arange(steps + 1) * (along[-1] / steps)
    return np.interp(at, along, line).view(float).reshape(-1, 2)


def spread(
    centres: Sequence[float], heights: Sequence[float], *, low: float, high: float
) -> tuple[float, ...]:
    """Return the centres, moved so that boxes of the given heights do not overlap and stay between low and high. [px]

    If their total height exceeds the room, they keep their order and overlap evenly.
    """
    order = sorted(range(len(centres)), key=lambda index: (centres[index], index))
    moved = list(centres)
    room = max(high - low, 1e-9)
    scale = min(1.0, room / max(sum(heights), 1e-9))
    edge = low
    for index in order:
        moved[index] = max(moved[index], edge + scale * heights[index] / 2)
        edge = moved[index] + scale * heights[index] / 2
    edge = high
    for index in reversed(order):
        moved[index] = min(moved[index], edge - scale * heights[index] / 2)
        edge = moved[index] - scale * heights[index] / 2
    return tuple(moved)


def _cost(box: Pixels, scene: Scene) -> Pixels:
    left, top, right, bottom = scene.frame
    outside = (box[..., 0] < left) | (box[..., 1] < top) | (box[..., 2] > right) | (box[..., 3] > bottom)
    blocked = outside | _overlap(box, scene.taken).any(axis=-1)
    crossed = _inside(box, scene.lines).any(axis=-1)
    covered = _inside(box, scene.points).sum(axis=-1)
    return np.where(blocked, np.inf, _POINT * covered + _LINE * crossed)


def _overlap(box: Pixels, others: Pixels) -> NDArray[np.bool_]:
    box = box[..., None, :]
    return (
        (box[..., 0] < others[..., 2])
        & (others[..., 0] < box[..., 2])
        & (box[..., 1] < others[..., 3])
        & (others[..., 1] < box[..., 3])
    )


def _inside(box: Pixels, points: Pixels) -> NDArray[np.bool_]:
    box = box[..., None, :]
    x, y = points[:, 0], points[:, 1]
    return (box[..., 0] < x) & (x < box[..., 2]) & (box[..., 1] < y) & (y < box[..., 3])
