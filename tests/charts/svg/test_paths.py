from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from charts.svg.paths import area, lines, loops
from charts.svg.scale import WIDE, Plot, Scale
from tests.charts.svg.drawing import farthest, polylines

SCALES: Any = {"x": Scale(log=False, start=0, end=1), "y": Scale(log=False, start=0, end=400)}
PLOT = Plot(**SCALES, left=0, right=0, top=0, height=400)
PX = (1200, 1)
inside = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 400)), min_size=2, max_size=30).map(np.array)
heights = st.floats(-1e9, 1e9) | st.floats(-900, 900)
anywhere = st.lists(st.tuples(st.floats(-5, 5), heights), min_size=2, max_size=20).map(np.array)


@given(inside)
def test_a_line_is_nowhere_further_than_can_be_seen_from_where_it_should_be(places: np.ndarray) -> None:
    (data,) = lines(PLOT, places)
    (run,) = polylines(data)
    assert farthest(places * PX, run * PX) < 0.12
    assert np.abs((run[[0, -1]] - places[[0, -1]]) * PX).max() < 0.02


def test_what_lies_on_a_straight_line_is_said_by_its_ends() -> None:
    share = np.linspace(0, 1, 50)
    assert lines(PLOT, np.stack([share, 400 * share], axis=1)) == [f"M0 0L{WIDE} 400"]


@given(anywhere)
def test_what_lies_far_outside_is_left_out_and_what_shows_stays_where_it_is(places: np.ndarray) -> None:
    (run,) = polylines(lines(PLOT, places)[0])
    assert (np.abs(run - (0.5, 200)) <= (1.01, 400.1)).all()
    for one, other in pairwise(places):
        between = one + np.linspace(0, 1, 40)[:, None] * (other - one)
        shown = between[((between >= 0) & (between <= (1, 400))).all(axis=1)]
        assert farthest(shown * PX, run * PX) < 0.2


def test_a_line_to_nearly_nowhere_goes_there_and_back() -> None:
    far = np.array([[0.2, 100], [0.4, -1e26], [0.6, 100]])
    assert lines(PLOT, far) == ["M20000 100L20000 -200 60000 -200 60000 100"]


def test_a_gap_parts_a_line_and_a_single_place_draws_none() -> None:
    places = np.array([[0, 0], [0.5, 9], [np.nan, 5], [1, 1], [0.1, np.nan], [0.2, 3], [0.3, 8]])
    assert lines(PLOT, places) == ["M0 0L50000 9", "M20000 3L30000 8"]
    assert area(PLOT, places) == "M0 0L50000 9ZM20000 3L30000 8Z"


def test_a_clip_path_is_in_shares_of_both_sides_of_its_box() -> None:
    corners = np.array([[0.25, 0], [0.75, 0], [0.75, 100], [0.25, 0]])
    assert loops(PLOT, corners) == "M0.25 0L0.75 0L0.75 0.25L0.25 0Z"
