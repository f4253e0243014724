import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.measured.held_out import error_percent, spread, unseen_half_widths
from tests.analysis.refusals import refusals

RESIDUAL = np.array([-0.3, -0.1, 0.02, 0.05, 0.1, 0.2, -0.2, 0.4])
SPREAD = spread(RESIDUAL, devices=list("abcdefgh"), classes=["laptop"] * 8, kinds=["GPU"] * 8)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
def test_draws_fill_the_interval_as_often_as_it_says(level):
    factors = SPREAD.draws(0.2, np.random.default_rng(1).random(20_000))
    inside = np.abs(np.log(factors)) <= SPREAD.half_width(0.2, level=level)
    assert inside.mean() == pytest.approx(level, abs=0.015)


def test_a_speed_predicted_twice_as_high_is_off_by_100_percent_and_half_as_high_by_minus_50():
    assert error_percent(np.log([0.5, 1.0, 2.0])) == pytest.approx([100.0, 0.0, -50.0])


@given(narrow=st.floats(0.05, 0.9), wider=st.floats(0.0, 0.09), scale=st.floats(0.01, 2.0))
def test_a_wider_level_contains_a_narrower_one_and_the_width_follows_the_scale(*, narrow, wider, scale):
    inner, outer = (SPREAD.half_width(scale, level=level) for level in (narrow, narrow + wider))
    assert inner <= outer
    assert SPREAD.half_width(2 * scale, level=narrow) == pytest.approx(2 * inner)


def test_half_the_luck_is_none_and_draws_lie_evenly_on_both_sides():
    assert SPREAD.draws(0.2, np.array([0.5])) == pytest.approx([1.0])
    low, high = SPREAD.draws(0.2, np.array([0.1, 0.9]))
    assert low * high == pytest.approx(1.0)


def test_a_class_nobody_measured_has_the_scale_of_its_kind_and_a_kind_nobody_measured_the_widest():
    sure, unsure = np.full(4, 0.1), np.full(4, 0.4)
    names = {"classes": ["laptop"] * 4 + ["phone"] * 4, "kinds": ["GPU"] * 4 + ["NPU"] * 4}
    both = spread(np.r_[sure, unsure], devices=list("abcdefgh"), **names)
    assert both.scale("laptop", "GPU") == pytest.approx(0.1)
    assert both.scale("toaster", "GPU") == pytest.approx(0.1)
    assert both.scale("toaster", "abacus") == pytest.approx(0.4)


def test_a_device_counts_once_however_many_of_its_rows_were_measured():
    names = {"classes": ["laptop"] * 5, "kinds": ["GPU"] * 5}
    residual = np.array([0.1, 0.3, 0.3, 0.3, 0.3])
    each = spread(residual, devices=list("abcde"), **names)
    one = spread(residual, devices=list("abbbb"), **names)
    assert each.scale("laptop", "GPU") == pytest.approx((0.1 + 4 * 0.3) / 5)
    assert one.scale("laptop", "GPU") == pytest.approx((0.1 + 0.3) / 2)
    assert 2 * one.weight == pytest.approx([1.0, 0.5, 0.5, 0.5, 0.5]), "its four rows weigh as two"


def test_a_row_is_held_to_the_interval_made_without_its_own_device():
    residual = np.array([0.1, 0.1, 0.1, 0.1, 0.1, 5.0])
    names = {"devices": list("abcdef"), "sources": list("abcdef")}
    half = unseen_half_widths(residual, **names, classes=["laptop"] * 6, kinds=["GPU"] * 6, level=0.99)
    inside = np.abs(residual) <= half
    assert not inside[-1], "its own error would widen the interval to hold it"
    assert inside[:-1].all()


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "five held-out rows or more; got 2":
            lambda: spread(RESIDUAL[:2], devices=["a", "b"], classes=["c"] * 2, kinds=["GPU"] * 2),
        "strictly between 0 and 1; got 90. For 90% pass 0.9.": lambda: SPREAD.half_width(0.2, level=90),
    }
)  # fmt: skip
