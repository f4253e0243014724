import math

from hypothesis import given
from hypothesis import strategies as st

from views import wording
from views.axes import FEWEST_TICKS, MOST_TICKS, linear_axis, log_axis, year_axis

POSITIVE = st.floats(1e-20, 1e35)


@given(st.lists(POSITIVE, min_size=1, max_size=20))
def test_values_fit_and_fill_a_log_axis_with_three_to_sixteen_ticks(values):
    axis = log_axis("Compute [FLOP]", values, word=wording.power_of_ten)
    assert axis.low < min(values) and max(values) < axis.high
    assert all(axis.low <= tick.value <= axis.high for tick in axis.ticks)
    assert FEWEST_TICKS <= len(axis.ticks) <= 2 * MOST_TICKS
    assert axis.title == "Compute [FLOP], log scale"
    assert len({tick.label for tick in axis.ticks}) == len(axis.ticks)
    assert math.log10(axis.high / axis.low) <= max(1.1 * math.log10(max(values) / min(values)), 0.6)


def test_an_axis_without_values_can_still_be_drawn():
    assert log_axis("", [], word=str).low < 1 < log_axis("", [], word=str).high
    assert linear_axis("", [], word=str).low < 0 < linear_axis("", [], word=str).high
    assert log_axis("", [0.0, -1.0, math.inf], word=str) == log_axis("", [], word=str)


@given(st.integers(1950, 2030), st.integers(0, 100))
def test_a_year_axis_has_round_years_that_do_not_crowd(first, span):
    axis = year_axis(first + 0.3, first + span + 0.7)
    years = [tick.value for tick in axis.ticks]
    assert 1 <= len(years) <= MOST_TICKS + 2
    assert all(year == int(year) for year in years)
    assert axis.low <= years[0] and years[-1] <= axis.high
    assert axis.low <= first + 0.3 and first + span + 0.7 <= axis.high


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=10))
def test_a_linear_axis_holds_all_values_and_has_round_ticks(values):
    axis = linear_axis("Growth a year", values, word=lambda value: f"{value:.12g}")
    assert axis.low <= min(values) and max(values) <= axis.high
    assert FEWEST_TICKS <= len(axis.ticks) <= 8
    assert all(axis.low <= tick.value <= axis.high for tick in axis.ticks)


@given(st.integers(1, 3000), st.integers(0, 1))
def test_a_linear_axis_of_whole_numbers_writes_each_tick_as_it_is(most, digits):
    axis = linear_axis("Rows", [0.0, float(most)], word=lambda value: f"{value:,.{digits}f}")
    assert all(math.isclose(float(tick.label.replace(",", "")), tick.value) for tick in axis.ticks)
    assert len(axis.ticks) >= min(FEWEST_TICKS, most + 1)


def test_a_step_that_a_float_holds_a_hair_too_small_has_ticks():
    """1e23 / 10 ** 23 is 0.99999999999999992."""
    assert len(linear_axis("Growth a year", [0.0, 2.1e22, 5e23], word=wording.factor_tick).ticks) >= 3
