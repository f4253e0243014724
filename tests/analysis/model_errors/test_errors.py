import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.intervals import wilson
from analysis.model_errors.errors import FEWEST_SOURCES, LEVEL, errors_of
from tests.analysis.refusals import refusals


def test_five_known_rows():
    ratios, inside = np.array([0.8, 0.9, 1.0, 1.3, 2.0]), np.array([True, True, True, True, False])
    errors = errors_of(ratios, inside=inside, sources=["a", "a", "b", "b", "c"])
    # Of the three sources: sizes 0.15, 0.15 and 1; biases -0.15, 0.15 and 1; all, all and none inside.
    assert (errors.rows, errors.sources) == (5, 3)
    assert errors.size == pytest.approx(0.15)
    assert errors.bias == pytest.approx(0.15)
    assert (errors.low, errors.high) == pytest.approx((-0.18, 0.86))
    assert (errors.inside, errors.largest) == pytest.approx((2 / 3, 2 / 5))


def test_a_verdict_of_consistency_needs_sources_that_could_show_a_coverage_of_70_percent_to_be_too_low():
    assert wilson(0.7, n=FEWEST_SOURCES)[1] < LEVEL <= wilson(0.7, n=FEWEST_SOURCES - 1)[1]


@pytest.mark.parametrize(
    ("outside", "rows", "verdict"),
    [
        *((20, 40, "too narrow"), (4, 40, "as stated"), (0, 20, "as stated"), (0, 40, "too wide")),
        *((3, 6, "too narrow"), (0, 6, "too few sources"), (0, 7, "as stated")),
    ],
)
def test_whether_the_intervals_hold_their_level(*, outside, rows, verdict):
    inside = np.arange(rows) >= outside
    assert errors_of(np.ones(rows), inside=inside, sources=[str(i) for i in range(rows)]).verdict == verdict


@given(
    rows=st.lists(
        st.tuples(st.floats(0.05, 20.0), st.booleans(), st.sampled_from("abcdef")), min_size=1, max_size=40
    )
)
def test_for_any_rows_the_parts_fit_together(rows):
    ratios, inside, sources = zip(*rows, strict=True)
    errors = errors_of(np.array(ratios), inside=np.array(inside), sources=sources)
    assert 0 <= errors.inside_low <= errors.inside <= errors.inside_high <= 1
    assert 1 <= errors.sources <= errors.rows
    doubled = errors_of(np.tile(ratios, 2), inside=np.tile(inside, 2), sources=[*sources, *sources])
    once = (errors.size, errors.bias, errors.inside)
    assert (doubled.size, doubled.bias, doubled.inside) == pytest.approx(once)


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "errors are those of one row or more, each with its source; got 0 ratios":
            lambda: errors_of(np.array([]), inside=np.array([], dtype=bool), sources=[]),
        "got 2 ratios, 2 marks and 1 sources. Pass the rows of one selection":
            lambda: errors_of(np.ones(2), inside=np.ones(2, dtype=bool), sources=["a"]),
    }
)  # fmt: skip
