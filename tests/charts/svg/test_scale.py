"""Where data stand in a drawing, on any axis."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from charts.chart import Axis
from charts.layout import along
from charts.svg.scale import Scale, number, percent, plot_of


@st.composite
def axes(draw: st.DrawFn) -> Axis:
    """Draw an axis that is some way wide: floats cannot tell places on one that is a rounding error wide."""
    scale: Any = draw(st.sampled_from(("linear", "log")))
    low = draw(st.floats(1e-6, 1e9) if scale == "log" else st.floats(-1e9, 1e9))
    wide = draw(st.floats(0.01, 30))
    high = low * 10**wide if scale == "log" else low + 10 ** (wide / 3) * max(1.0, abs(low))
    return Axis(title="", scale=scale, low=low, high=high, ticks=())


def scale_of(axis: Axis) -> Scale:
    ends = np.array([axis.low, axis.high])
    start, end = np.log10(ends) if axis.scale == "log" else ends
    return Scale(log=axis.scale == "log", start=float(start), end=float(end))


@given(axes(), st.floats(-0.5, 1.5))
def test_a_percentage_is_the_fraction_of_the_axis_that_every_renderer_has(axis: Axis, share: float) -> None:
    value = axis.low + share * (axis.high - axis.low)
    if axis.scale == "log":
        value = axis.low * (axis.high / axis.low) ** share
    found = float(scale_of(axis).share(value))
    np.testing.assert_allclose(found, along(axis, [value])[0], atol=1e-6)
    assert abs(float(percent(found).removesuffix("%")) - 100 * found) <= 0.00051


def test_what_a_log_axis_cannot_show_is_nowhere() -> None:
    assert np.isnan(Scale(log=True, start=0, end=2).share([0.0, -3.0, np.nan])).all()
    assert Scale(log=True, start=0, end=2).share([1.0, 10.0, 100.0]).tolist() == [0, 0.5, 1]


def test_margins_are_rounded_as_plotly_rounds_them() -> None:
    axis = {"type": "linear", "range": [0, 1]}
    margin = {"l": 86.5, "r": 60.4, "t": 30, "b": 50}
    plot = plot_of({"margin": margin, "height": 460, "xaxis": axis, "yaxis": axis})
    assert (plot.left, plot.right, plot.top, plot.height) == (87, 60, 30, 380)
    assert plot.places([0.25], [0.25]).tolist() == [[0.25, 285.0]]


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_a_number_is_short_and_near(value: float, digits: int) -> None:
    text = number(value, digits)
    assert abs(float(text) - value) <= 0.5000001 * 10**-digits + 1e-9
    assert "e" not in text and text != "-0" and (digits == 0 or not text.endswith("0") or "." not in text)
