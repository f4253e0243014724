"""One drawing for light and dark."""

from typing import Any

import numpy as np
import pytest

from charts.svg.both import Colours, together


def paired(light: Any, dark: Any) -> tuple[Any, str]:
    colours = Colours()
    return together(light, dark, colours=colours), colours.css()


def test_colours_that_differ_become_variables_and_the_same_pair_the_same_one() -> None:
    halo = "0 0 3px {0}, 0 0 3px {0}"
    light = {"a": ["#ffffff", "#123456"], "b": halo.format("#ffffff"), "c": "rgba(1,2,3,0.5)", "x": 3.5}
    dark = {"a": ["#000000", "#123456"], "b": halo.format("#000000"), "c": "rgba(4,5,6,0.5)", "x": 3.5}
    figure, css = paired(light, dark)
    one, other = "var(--c0)", "var(--c1)"
    assert figure == {"a": [one, "#123456"], "b": halo.format(one), "c": other, "x": 3.5}
    assert css == "--c0:light-dark(#ffffff,#000000);--c1:light-dark(rgba(1,2,3,0.5),rgba(4,5,6,0.5))"


def test_hover_texts_are_left_out_and_gaps_are_the_same() -> None:
    places = {"x": np.array([1.0, np.nan]), "y": float("nan"), "hovertext": ["a"]}
    figure, _ = paired(places, places | {"hovertext": ["b"], "x": np.array([1.0, np.nan])})
    assert figure.keys() == {"x", "y"} and figure["x"] is places["x"]


@pytest.mark.parametrize(
    ("light", "dark"),
    [
        ({"x": 1}, {"x": 2}),
        ({"x": 1}, {"y": 1}),
        ([1], [1, 1]),
        (np.array([1.0]), np.array([2.0])),
        ("#ffffff thin", "#000000 wide"),
        (None, "#000000"),
    ],
)
def test_more_than_colours_may_not_differ(light: object, dark: object) -> None:
    with pytest.raises(
        ValueError, match=r"(?s)apart from its colours; got .* and .*Let charts/plotly draw both"
    ):
        paired({"a": light}, {"a": dark})
