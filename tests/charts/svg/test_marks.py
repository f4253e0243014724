"""Traces of a figure as markup."""

from typing import Any

import pytest

from charts.svg.marks import pieces_of
from charts.svg.scale import Plot, Scale

AXIS = Scale(log=False, start=0, end=10)
PLOT = Plot(x=AXIS, y=AXIS, left=0, right=0, top=0, height=100)
POINTS: dict[str, Any] = {
    "type": "scatter",
    "mode": "markers",
    "x": [5.0, 2.5, float("nan"), 30.0],
    "y": [5.0, 0.0, 1.0, 1.0],
}


def test_a_marker_that_is_not_seen_is_not_drawn() -> None:
    assert not list(pieces_of(POINTS | {"marker": {"size": 8, "opacity": 0}}, PLOT, name="h"))


def test_a_faded_line_keeps_its_dash_and_a_line_without_width_is_none() -> None:
    line = {"color": "#123456", "width": 2.6, "dash": "2px,4px"}
    trace = POINTS | {"mode": "lines", "x": [0, 10], "y": [0, 10], "opacity": 0.45}
    (piece,) = pieces_of(trace | {"line": line}, PLOT, name="h")
    look = "fill:none;stroke:#123456;stroke-width:2.6px;stroke-dasharray:2px,4px"
    assert piece.markup == f'<g opacity="0.45"><g style="{look}"><path d="M0 100L100000 0"/></g></g>'
    assert not list(pieces_of(trace | {"line": {"width": 0}}, PLOT, name="h"))


def test_a_bar_from_where_a_log_axis_does_not_reach_begins_outside() -> None:
    log = Plot(x=Scale(log=True, start=0, end=2), y=AXIS, left=0, right=0, top=0, height=100)
    trace = {
        "type": "bar",
        "base": [0.0],
        "x": [10.0],
        "y": [5],
        "width": 1.0,
        "marker": {"color": "#123456"},
    }
    (piece,) = pieces_of(trace, log, name="h")
    assert piece.markup == '<path d="M-50000 55V45H50000V55Z" style="fill:#123456"/>'


def test_a_hatching_has_plotlys_lines_in_their_own_size_within_corners_that_stretch() -> None:
    pattern = {"fgcolor": "#111111", "bgcolor": "#eeeeee", "size": 9, "solidity": 0.12}
    trace = POINTS | {"mode": "lines", "fill": "toself", "fillpattern": pattern, "line": {"width": 0}}
    corners = {"x": [0.0, 5.0, 5.0, 0.0], "y": [0.0, 0.0, 5.0, 0.0]}
    (piece,) = pieces_of(trace | corners, PLOT, name="h")
    assert piece.where == "cut" and 'clipPath id="hc" clipPathUnits="objectBoundingBox"' in piece.markup
    assert 'd="M0 1L0.5 1L0.5 0.5L0 1Z"' in piece.markup
    assert 'id="hp" width="12.7279" height="12.7279" patternUnits="userSpaceOnUse"' in piece.markup
    # as plotly 4.1.1 draws it, to two digits
    assert 'd="M-3.18 3.18l6.36 -6.36M0 12.73l12.73 -12.73M9.55 15.91l6.36 -6.36"' in piece.markup
    assert "stroke:#111111;stroke-width:1.08px" in piece.markup


def test_a_heatmap_has_steps_of_colour() -> None:
    trace = {
        "type": "heatmap",
        "x": [0.0, 5.0, 10.0],
        "y": [0.0, 10.0],
        "z": [[0.0, 1.0]],
        "zmin": -0.5,
        "zmax": 1.5,
        "colorscale": [[0, "#000000"], [0.5, "#000000"], [0.5, "#ffffff"], [1, "#ffffff"]],
    }
    first, second = (piece.markup for piece in pieces_of(trace, PLOT, name="h"))
    assert "fill:#000000" in first and "M0 100L50000 100L50000 0L0 0Z" in first
    assert "fill:#ffffff" in second and "50000 100" in second
    trace["colorscale"] = [[0, "#000000"], [1, "#ffffff"]]
    with pytest.raises(ValueError, match="A heatmap has steps of colour, each said at its start and its end"):
        list(pieces_of(trace, PLOT, name="h"))
