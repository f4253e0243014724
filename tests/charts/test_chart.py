from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from charts.chart import Axis, Band, Line, Points, Tick

CLOUD: dict[str, Any] = {
    "series": "Runs",
    "role": "compute",
    "x": (1.0, 2.0),
    "y": (3.0, 4.0),
    "names": ("a", "b"),
}


def test_points_of_unequal_lengths_are_refused_with_each_length():
    with pytest.raises(ValueError) as refused:
        Points(**CLOUD, details=((),))
    assert str(refused.value) == (
        "Points 'Runs': every sequence needs one entry per mark; "
        "x has 2, y has 2, names has 2, details has 1."
    )


@pytest.mark.parametrize("index", [-1, 2])
def test_a_label_on_a_point_that_is_not_there_is_refused(index):
    with pytest.raises(ValueError) as refused:
        Points(**CLOUD, details=((), ()), marked=((index, "GPT-4"),))
    assert str(refused.value) == f"Points 'Runs': label 'GPT-4' marks point {index}, but there are 2 points."


def test_a_line_of_unequal_lengths_is_refused():
    with pytest.raises(ValueError, match=r"^Line 'Trend': every sequence .*; x has 2, y has 1\.$"):
        Line(series="Trend", role="compute", x=(1.0, 2.0), y=(1.0,))


def test_a_line_with_some_hover_texts_is_refused():
    with pytest.raises(ValueError, match=r"^Line 'Trend': every sequence .*; x has 2, hover has 1\.$"):
        Line(series="Trend", role="compute", x=(1.0, 2.0), y=(1.0, 2.0), hover=("a",))


def test_a_band_of_unequal_lengths_is_refused():
    with pytest.raises(ValueError, match=r"^Band 'Sure': .*; x has 1, low has 1, high has 2\.$"):
        Band(series="Sure", role="compute", strength="confidence", x=(1.0,), low=(1.0,), high=(2.0, 3.0))


@pytest.mark.parametrize(("low", "high"), [(2.0, 1.0), (1.0, 1.0), (float("nan"), 1.0)])
def test_an_axis_that_does_not_rise_is_refused(low, high):
    with pytest.raises(ValueError) as refused:
        Axis(title="Years", low=low, high=high, ticks=())
    assert str(refused.value) == f"Axis 'Years': low must be below high; got {low} and {high}."


@pytest.mark.parametrize("low", [0.0, -1.0])
def test_a_log_axis_that_reaches_zero_is_refused(low):
    with pytest.raises(ValueError) as refused:
        Axis(title="FLOP", scale="log", low=low, high=1.0, ticks=())
    assert str(refused.value) == f"Axis 'FLOP': a log axis starts above zero; got {low}."


def test_a_description_cannot_be_changed_once_made():
    axis = Axis(title="Years", low=1.0, high=2.0, ticks=(Tick(value=1.0, label="1"),))
    with pytest.raises(FrozenInstanceError):
        axis.low = 0.0  # pyright: ignore[reportAttributeAccessIssue]
    assert hash(axis) == hash(Axis(title="Years", low=1.0, high=2.0, ticks=axis.ticks))
