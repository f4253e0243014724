"""Traces of a Plotly figure as SVG: lines, areas, markers, bars, whiskers and cells."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from charts.regions import outline as around
from charts.svg import paths
from charts.svg.scale import Numbers, Plot, each, number
from charts.svg.text import labels, paint

Trace = Mapping[str, Any]
_NEAR = 40.0  # px outside the plot beyond which no part of a marker shows


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Markup and its layer: in the stretched box, in a box cut at the plot's edges, or in neither box."""

    where: Literal["stretched", "cut", "free"]
    markup: str


def pieces_of(trace: Trace, plot: Plot, *, name: str) -> Iterator[Piece]:
    """Yield the pieces of a trace, with the bottom piece first. ``name``, used in ids, is unique in the page."""
    match trace["type"]:
        case "heatmap":
            yield from _cells(trace, plot)
        case "bar":
            yield from _bars(trace, plot)
        case _:
            opacity = trace.get("opacity", 1)
            for piece in _scatter(trace, plot, name=name):
                faded = opacity != 1 and piece.where == "stretched"
                markup = f'<g opacity="{number(opacity)}">{piece.markup}</g>' if faded else piece.markup
                yield Piece(where=piece.where, markup=markup)


def _scatter(trace: Trace, plot: Plot, *, name: str) -> Iterator[Piece]:
    places = plot.places(trace["x"], trace["y"])
    if "fill" in trace:
        yield _area(trace, plot, places=places, name=name)
    if "error_x" in trace:
        yield _whiskers(trace, plot)
    if "lines" in trace["mode"] and trace["line"]["width"]:
        drawn = "".join(f'<path d="{data}"/>' for data in paths.lines(plot, places))
        yield Piece(where="stretched", markup=f'<g style="fill:none;{_stroke(trace["line"])}">{drawn}</g>')
    if "markers" in trace["mode"] and trace["marker"].get("opacity", 1):
        yield Piece(where="cut", markup=_markers(trace, plot, places=places))
    if "text" in trace["mode"]:
        yield Piece(where="free", markup=labels(trace, plot, places=places))


def _stroke(line: Mapping[str, Any]) -> str:
    dash = "" if line.get("dash", "solid") == "solid" else f";stroke-dasharray:{line['dash']}"
    return f"stroke:{paint(line['color'])};stroke-width:{number(line['width'])}px{dash}"


def _area(trace: Trace, plot: Plot, *, places: Numbers, name: str) -> Piece:
    if "fillpattern" not in trace:
        data = paths.area(plot, places)
        return Piece(where="stretched", markup=f'<path d="{data}" style="fill:{paint(trace["fillcolor"])}"/>')
    pattern = trace["fillpattern"]
    side, thick = number(pattern["size"] * 2**0.5, 4), number(pattern["solidity"] * pattern["size"])
    w = pattern["size"] * 2**0.5
    lines = "".join(
        f"M{number(x * w)} {number(y * w)}l{number(run * w)} {number(-run * w)}"
        for x, y, run in ((-0.25, 0.25, 0.5), (0, 1, 1), (0.75, 1.25, 0.5))
    )
    return Piece(
        where="cut",
        markup=(
            f'<pattern id="{name}p" width="{side}" height="{side}" patternUnits="userSpaceOnUse">'
            f'<rect width="{side}" height="{side}" style="fill:{paint(pattern["bgcolor"])}"/>'
            f'<path d="{lines}" style="stroke:{paint(pattern["fgcolor"])};stroke-width:{thick}px"/></pattern>'
            f'<clipPath id="{name}c" clipPathUnits="objectBoundingBox">'
            f'<path d="{paths.loops(plot, places)}"/></clipPath>'
            f'<rect width="{plot.x_at(1)}" height="{plot.height}" fill="url(#{name}p)" clip-path="url(#{name}c)"/>'
        ),
    )


def _markers(trace: Trace, plot: Plot, *, places: Numbers) -> str:
    marker = trace["marker"]
    symbol = marker.get("symbol", "circle")
    shape = symbol.removesuffix("-open")
    fill = "none" if symbol != shape or shape == "line-ew" else paint(marker["color"])
    opacity = number(marker.get("opacity", 1))
    faint = f"--o:{opacity}" if plot.width is None else f"fill-opacity:{opacity};stroke-opacity:{opacity}"
    style = f"{faint};fill:{fill}"
    if marker.get("line", {}).get("width"):
        style += ";" + _stroke(marker["line"])
    across, down = places.T
    near = (across > -0.1) & (across < 1.1) & (down > -_NEAR) & (down < plot.height + _NEAR)
    drawn = _stamp(shape, marker["size"] / 2, boxed=plot.width is None)
    stamps = "".join(drawn(plot.x_at(x), number(y)) for x, y in places[near].tolist())
    back = number(-marker["size"] / 2)
    moved = f' transform="translate({back} {back})"' if shape == "square" else ""
    return f'<g class="marks" style="{style}"{moved}>{stamps}</g>'


def _stamp(shape: str, radius: float, *, boxed: bool) -> Callable[[str, str], str]:
    """Return a function that draws a marker at x and y. If ``boxed``, x and y may be percentages."""
    size = number(2 * radius)
    match shape:
        case "circle":
            return lambda x, y: f'<circle cx="{x}" cy="{y}" r="{number(radius)}"/>'
        case "square":
            return lambda x, y: f'<rect x="{x}" y="{y}" width="{size}" height="{size}"/>'
        case _:
            data = _symbol(shape, radius)
            if not boxed:
                return lambda x, y: f'<path transform="translate({x} {y})" d="{data}"/>'
            return lambda x, y: f'<svg x="{x}" y="{y}"><path d="{data}"/></svg>'


def _symbol(shape: str, radius: float) -> str:
    """Return path data of a marker around the origin, as Plotly draws it. ``shape`` is Plotly's name."""
    wide, third = number(radius * 1.3), number(radius * 2 / math.sqrt(3))
    half, whole, flat = number(radius / 2), number(radius), number(radius * 1.4)
    arm = number(radius * 0.8 / math.sqrt(2))
    cross = "".join(
        f"l{x}{arm} {y}{arm}"
        for x, y in (
            *(("", ""), ("", "-"), ("-", "-"), ("", "-"), ("-", "-"), ("-", "")),
            *(("-", "-"), ("-", ""), ("", ""), ("-", ""), ("", "")),
        )
    )
    return {
        "diamond": f"M{wide} 0L0 {wide}L-{wide} 0L0-{wide}Z",
        "triangle-up": f"M-{third} {half}H{third}L0-{whole}Z",
        "x": f"M0 {arm}{cross}Z",
        "line-ew": f"M{flat} 0H-{flat}",
    }[shape]


def _bars(trace: Trace, plot: Plot) -> Iterator[Piece]:
    base, rows = np.asarray(trace["base"], dtype=float), np.asarray(trace["y"], dtype=float)
    half = trace["width"] / 2
    starts, ends = _held(plot.across(base)), _held(plot.across(base + np.asarray(trace["x"], dtype=float)))
    tops, bottoms = plot.down(rows - half), plot.down(rows + half)
    colours = each(trace["marker"]["color"], len(rows))
    for start, end, top, bottom, colour in zip(starts, ends, tops, bottoms, colours, strict=True):
        data = f"M{plot.unit(start)} {number(top)}V{number(bottom)}H{plot.unit(end)}V{number(top)}Z"
        yield Piece(where="stretched", markup=f'<path d="{data}" style="fill:{paint(colour)}"/>')


def _whiskers(trace: Trace, plot: Plot) -> Piece:
    error = trace["error_x"]
    values, cap = np.asarray(trace["x"], dtype=float), number(error["width"])
    lows = _held(plot.across(values - np.asarray(error["arrayminus"], dtype=float)))
    highs = _held(plot.across(values + np.asarray(error["array"], dtype=float)))
    ends = f"v{number(2 * error['width'])}"
    data = "".join(
        f"M{plot.unit(high)} {number(y - error['width'])}{ends}m0-{cap}H{plot.unit(low)}m0-{cap}{ends}"
        for low, high, y in zip(lows, highs, plot.down(trace["y"]), strict=True)
    )
    look = _stroke({"color": error["color"], "width": error["thickness"]})
    return Piece(where="stretched", markup=f'<path d="{data}" style="fill:none;{look}"/>' if data else "")


def _held(shares: Numbers) -> Numbers:
    """Return shares, clipped to the plot's surroundings. Values that a log axis cannot show are left of the plot."""
    return np.clip(np.nan_to_num(shares, nan=-0.5), -0.5, 1.5)


def _cells(trace: Trace, plot: Plot) -> Iterator[Piece]:
    x, y = plot.across(trace["x"]), plot.down(trace["y"])
    z, colours = np.asarray(trace["z"], dtype=float), _steps(trace["colorscale"])
    step = np.floor((z - trace["zmin"]) / (trace["zmax"] - trace["zmin"]) * len(colours))
    for number_, colour in enumerate(colours):
        data = "".join(
            "M" + "L".join(f"{plot.unit(x[column])} {number(y[row])}" for column, row in loop) + "Z"
            for loop in around(step == number_)
        )
        if data:
            yield Piece(
                where="stretched",
                markup=f'<path d="{data}" style="fill:{paint(colour)}" shape-rendering="crispEdges"/>',
            )


def _steps(scale: Any) -> list[str]:
    """Return the colours of a colour scale with equal steps.

    Raises ValueError for any other scale.
    """
    colours = [colour for _, colour in scale[::2]]
    if [colour for _, colour in scale[1::2]] != colours and len(set(colour for _, colour in scale)) > 1:
        raise ValueError(f"A heatmap has steps of colour, each said at its start and its end; got {scale!r}.")
    return colours
