from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from charts.labels import Label, Scene, boxes, place, sampled, spread

FRAME = (0.0, 0.0, 400.0, 300.0)
SMALL = Label(width=40, height=12)


def scene(*anchors: tuple[float, float], **obstacles: Any) -> Scene:
    return Scene(anchors=np.array(anchors, dtype=float).reshape(-1, 2), frame=FRAME, **obstacles)


def touch(first: np.ndarray, second: np.ndarray) -> bool:
    return bool(all(first[side] < second[side + 2] and second[side] < first[side + 2] for side in (0, 1)))


def test_a_label_stands_above_its_point_where_nothing_is_in_the_way() -> None:
    assert [p and p.position for p in place([SMALL], [scene((200, 150))])] == ["top center"]


def test_a_label_evades_a_point_a_line_and_a_taken_box() -> None:
    above = np.array([[200.0, 138.0]])
    line = sampled(np.array([[0.0, 138.0], [400.0, 138.0]]))
    taken = np.array([[150.0, 120.0, 250.0, 140.0]])
    for obstacles in ({"points": above}, {"lines": line}, {"taken": taken}):
        (result,) = place([SMALL], [scene((200, 150), **obstacles)])
        assert result and result.position.startswith("bottom"), obstacles


def test_the_less_important_of_two_labels_gives_way_or_goes() -> None:
    wide = Label(width=380, height=120)
    first, second = place([wide, wide], [scene((200, 150), (200, 152))])
    assert first and first.position == "top center"
    assert second and second.position == "bottom center"
    assert place([wide] * 3, [scene((200, 150), (200, 152), (200, 154))])[2] is None


def test_a_label_may_cover_as_many_points_as_tolerated_but_no_line() -> None:
    everywhere = np.array([(x, y) for x in range(0, 400, 30) for y in range(0, 300, 10)], dtype=float)
    crowded = scene((200, 155), points=everywhere)
    assert place([SMALL], [crowded]) == (None,)
    assert place([SMALL], [crowded], tolerance=4)[0] is not None
    lines = np.concatenate([sampled(np.array([[0.0, y], [400.0, y]])) for y in range(0, 300, 10)])
    assert place([SMALL], [scene((200, 155), lines=lines)], tolerance=4) == (None,)


def test_a_place_has_to_be_clear_in_every_scene_and_is_better_clear_in_the_optional_ones() -> None:
    free, blocked = scene((200, 150)), scene((200, 150), points=np.array([[200.0, 138.0]]))
    required = place([SMALL], [free, blocked])[0]
    assert required and required.position != "top center" and required.everywhere
    preferred = place([SMALL], [free], optional=[blocked])[0]
    assert preferred == required
    nowhere = scene((200, 150), taken=np.array([[0.0, 0.0, 400.0, 300.0]]))
    only_here = place([SMALL], [free], optional=[nowhere])[0]
    assert only_here and only_here.position == "top center" and not only_here.everywhere


def test_a_scene_without_an_anchor_for_each_label_is_refused() -> None:
    with pytest.raises(ValueError, match=r"one anchor per label; got 1 anchors for 2 labels\."):
        place([SMALL, SMALL], [scene((1, 1))])


@given(
    anchors=st.lists(st.tuples(st.floats(0, 400), st.floats(0, 300)), min_size=1, max_size=15),
    clouds=st.lists(st.tuples(st.floats(0, 400), st.floats(0, 300)), max_size=60),
)
def test_placed_labels_never_touch_each_other_a_point_or_the_frame(anchors, clouds) -> None:
    view = scene(*anchors, points=np.array(clouds, dtype=float).reshape(-1, 2))
    labels = [SMALL] * len(anchors)
    placed = place(labels, [view])
    assert placed == place(labels, [view])
    pairs: list[Any] = [(i, p.position) for i, p in enumerate(placed) if p is not None]
    shown = [boxes([SMALL], view.anchors[i : i + 1], positions=[position])[0, 0] for i, position in pairs]
    for number, box in enumerate(shown):
        assert box[0] >= 0 and box[1] >= 0 and box[2] <= 400 and box[3] <= 300
        assert not any(touch(box, other) for other in shown[:number])
        assert not any(box[0] < x < box[2] and box[1] < y < box[3] for x, y in view.points)


@given(centres=st.lists(st.floats(-50, 350), min_size=1, max_size=6), height=st.floats(5, 40))
def test_spread_labels_keep_their_order_stay_inside_and_do_not_overlap(centres: list[float], height: float):
    moved = spread(centres, [height] * len(centres), low=0, high=300)
    order = sorted(range(len(centres)), key=lambda i: (centres[i], i))
    along = [moved[i] for i in order]
    assert all(height / 2 - 1e-6 <= value <= 300 - height / 2 + 1e-6 for value in along)
    assert all(b - a >= height - 1e-6 for a, b in pairwise(along))


def test_labels_that_have_room_stay_where_they_are_and_too_many_share_it() -> None:
    assert spread([50, 200], [30, 30], low=0, high=300) == (50, 200)
    assert spread([10, 10, 10], [40, 40, 40], low=0, high=60) == (10, 30, 50)
