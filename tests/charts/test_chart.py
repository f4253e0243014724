from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from charts.chart import Axis, Band, Bar, BarChart, Line, MapChart, MapChoice, Points, Tick

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


MAP: dict[str, Any] = {
    "title": "Places",
    "subtitle": "",
    "alt": "",
    "source": "",
    "x": Axis(title="Size", scale="log", low=1.0, high=100.0, ticks=()),
    "y": Axis(title="Requests", low=0.0, high=3.0, ticks=()),
    "x_edges": (1.0, 10.0, 100.0),
    "y_edges": (0.0, 1.0, 2.0, 3.0),
    "choices": (MapChoice(label="Phone", role="edge"), MapChoice(label="Cloud", role="compute", tone=2)),
    "cells": ((0, 0), (0, 1), (1, -1)),
}


def test_a_map_of_cells_choices_and_details_is_taken():
    chart = MapChart(**MAP, details=(("a", "b"),) * 3)
    assert chart.cells[2][1] == -1 and hash(chart)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"x_edges": (1.0,)}, "x_edges holds one value more than there are cells, 2 to 61; got 1."),
        (
            {"x_edges": tuple(1.0 + k for k in range(62))},
            "x_edges holds one value more than there are cells, 2 to 61; got 62.",
        ),
        ({"y_edges": (0.0, 2.0, 2.0, 3.0)}, "y_edges rises from cell to cell; got 2.0 after 2.0."),
        ({"y_edges": (0.0, 1.0, float("nan"), 3.0)}, "y_edges rises from cell to cell; got nan after 1.0."),
        (
            {"x_edges": (0.5, 10.0, 100.0)},
            "x_edges lies within its axis, 1.0 to 100.0; got 0.5 to 100.0. Widen the axis.",
        ),
        ({"cells": ((0, 0),)}, "cells has one row between each two of y_edges, 3; got 1."),
        (
            {"cells": ((0, 0), (0,), (1, 1))},
            "cells has one entry between each two of x_edges, 2; row 1 has 1.",
        ),
        ({"details": (("a", "b"),)}, "details has one row between each two of y_edges, 3; got 1."),
        (
            {"cells": ((0, 0), (0, 1), (1, 2))},
            "a cell is the index of one of the 2 choices, or -1 for nothing; row 2 holds 2.",
        ),
        (
            {"choices": (), "cells": ((-1, -1), (-1, -2), (-1, -1))},
            "a cell is the index of one of the 0 choices, or -1 for nothing; row 1 holds -2.",
        ),
        (
            {"choices": (MapChoice(label="Phone", role="edge"), MapChoice(label="Laptop", role="edge"))},
            "'Phone' and 'Laptop' would look alike: both are tone 0 of edge. Give each its own.",
        ),
    ],
)
def test_a_map_that_does_not_fit_together_is_refused(changes, message):
    with pytest.raises(ValueError) as refused:
        MapChart(**(MAP | changes))
    assert str(refused.value) == f"MapChart 'Places': {message}"


@pytest.mark.parametrize("tone", [-1, 5])
def test_a_tone_that_is_not_there_is_refused(tone):
    with pytest.raises(ValueError) as refused:
        MapChoice(label="Phone", role="edge", tone=tone)
    assert str(refused.value) == f"MapChoice 'Phone': tone is 0, the strongest, to 4, the palest; got {tone}."


def test_a_bar_that_starts_nowhere_is_refused():
    with pytest.raises(ValueError) as refused:
        Bar(label="Price", value=1.0, text="", role="memory", start=float("nan"))
    assert str(refused.value) == (
        "Bar 'Price': start is where the bar begins, a finite number; got nan. "
        "Leave it out for a bar from the chart's base."
    )


def test_a_bar_that_starts_at_zero_of_a_log_axis_is_refused():
    axis = Axis(title="USD", scale="log", low=0.1, high=10.0, ticks=())
    bar = Bar(label="Price", value=1.0, text="", role="memory", start=0.0)
    with pytest.raises(ValueError) as refused:
        BarChart(title="", subtitle="", alt="", source="", x=axis, base=1.0, bars=(bar,))
    assert str(refused.value) == (
        "Bar 'Price': on a log axis a bar starts above zero; got 0.0. Start it at the low end of the axis."
    )
