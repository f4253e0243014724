from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from charts.regions import outline, regions, room_inside


@st.composite
def grids(draw: st.DrawFn) -> tuple[tuple[int, ...], ...]:
    n = draw(st.integers(1, 9))
    row = st.lists(st.integers(-1, 2), min_size=n, max_size=n).map(tuple)
    return tuple(draw(st.lists(row, min_size=1, max_size=9)))


@given(grids())
def test_every_cell_with_a_choice_is_in_exactly_one_region_of_that_choice(cells: Any) -> None:
    result = regions(cells)
    covered = sum((region.mask.astype(int) for region in result), np.zeros(np.shape(cells), dtype=int))
    np.testing.assert_array_equal(covered, np.array(cells) >= 0)
    for region in result:
        assert set(np.array(cells)[region.mask].tolist()) == {region.choice}
        assert region.size == region.mask.sum()
    assert [region.size for region in result] == sorted((region.size for region in result), reverse=True)


def test_an_outline_goes_once_round_its_cells_and_leaves_out_those_that_touch_at_a_corner() -> None:
    apart = (((0, 0), (3, 0), (3, 1), (0, 1)), ((3, 1), (4, 1), (4, 2), (3, 2)))
    assert outline(np.array([[1, 1, 1, 0], [0, 0, 0, 1]], dtype=bool)) == apart
    around = ((0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (2, 2), (2, 3), (0, 3))
    assert outline(np.array([[1, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=bool)) == (around,)


@given(cells=grids(), width=st.floats(2, 60), height=st.floats(2, 40))
def test_a_label_lies_wholly_inside_its_region(*, cells: Any, width: float, height: float) -> None:
    m, n = np.shape(cells)
    x_edges, y_edges = np.linspace(0, 200, n + 1), np.linspace(150, 0, m + 1)
    for region in regions(cells):
        where = room_inside(region.mask, x_edges=x_edges, y_edges=y_edges, width=width, height=height)
        if where is None:
            continue
        x, y = where
        for r, k in np.ndindex(m, n):
            across = min(x + width / 2, x_edges[k + 1]) - max(x - width / 2, x_edges[k])
            down = min(y + height / 2, y_edges[r]) - max(y - height / 2, y_edges[r + 1])
            assert region.mask[r, k] or across <= 1e-5 or down <= 1e-5
        assert width / 2 <= x + 1e-5 <= 200 - width / 2 + 2e-5
        assert height / 2 <= y + 1e-5 <= 150 - height / 2 + 2e-5


def test_a_label_keeps_clear_of_what_is_taken_and_is_left_out_where_it_does_not_fit() -> None:
    box: dict[str, Any] = {"x_edges": np.array([0.0, 100.0]), "y_edges": np.array([50.0, 0.0]), "height": 10}
    whole = np.ones((1, 1), dtype=bool)
    assert room_inside(whole, **box, width=40) is not None
    assert room_inside(whole, **box, width=101) is None
    beside = room_inside(whole, **box, width=40, taken=[(30.0, 0.0, 100.0, 30.0)])
    assert beside is not None and beside[1] >= 35
    assert room_inside(whole, **box, width=40, taken=[(30.0, 0.0, 70.0, 50.0)]) is None
