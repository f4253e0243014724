import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.trend.lines import Lines

slopes = st.floats(-2, 2)
years = st.floats(1990, 2050)


def bent(*, kink=2015.0, level=20.0, before=1.0, slope=0.25):
    """Return one line with a kink."""
    fields = {"anchor": kink, "level": level, "before": before, "slope": slope}
    return Lines(**{name: np.array([value]) for name, value in fields.items()}, bent=np.array([True]))


def test_a_line_has_one_slope_before_its_kink_and_another_from_it_on():
    assert bent().at(np.array([2013.0, 2015.0, 2019.0])).tolist() == [[18.0, 20.0, 21.0]]


@given(before=slopes, slope=slopes, kink=years)
def test_a_line_does_not_jump_at_its_kink(*, before, slope, kink):
    either = bent(kink=kink, before=before, slope=slope).at(np.array([kink - 1e-6, kink, kink + 1e-6]))[0]
    assert either == pytest.approx([20.0] * 3, abs=1e-5)


@given(later=st.floats(-50, 50), year=years)
def test_a_line_moved_is_as_high_then_as_it_was_so_many_years_before(later, year):
    then = bent().at(np.array([year]))
    assert bent().moved(later).at(np.array([year + later])) == pytest.approx(then, abs=1e-9)


def test_lines_joined_keep_their_order():
    straight = Lines.straight(level=np.zeros(2), slope=np.array([1.0, 2.0]))
    joined = Lines.joined([bent(), straight])
    assert joined.bent.tolist() == [True, False, False]
    assert joined.slope.tolist() == [0.25, 1.0, 2.0]
    assert joined.at(np.array([2019.0]))[:, 0].tolist() == [21.0, 2019.0, 4038.0]
