"""The chart as SVG in a page, as the plotly figure looks at any width: what a reader sees before any script."""

import hashlib
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

import numpy as np

from charts.chart import Chart
from charts.colours import PALETTES
from charts.plotly import spec
from charts.svg import dialect, frame
from charts.svg.both import Colours, together
from charts.svg.marks import Piece, pieces_of
from charts.svg.paths import WIDE
from charts.svg.scale import Plot, plot_of
from charts.svg.style import STYLE
from charts.svg.text import attribute, paint

__all__ = ["STYLE", "svg"]

_LAYERS = ("heatmap", "bar", "scatter")  # the lowest first


def svg(chart: Chart) -> str:
    """Return the chart as HTML: a block as wide as its container and as high as the plotly figure.

    It follows the colour scheme of the page (``color-scheme``), light or dark. The page adds STYLE once.

    Raises ValueError where the figure holds a kind of mark that is not known here.
    """
    colours = Colours()
    halo = colours.variable(PALETTES["light"].background, PALETTES["dark"].background)
    figure = together(spec(chart, theme="light"), spec(chart, theme="dark"), colours=colours)
    return drawn(figure, alt=chart.alt, colours=f"{colours.css()};--halo:{halo}")


def drawn(figure: Mapping[str, Any], *, alt: str, colours: str = "") -> str:
    """Return a figure, traces and layout as plain values, as HTML; ``colours`` declares its variables."""
    dialect.check(figure)
    layout, plot = figure["layout"], plot_of(figure["layout"])
    traces = sorted(figure["data"], key=lambda trace: _LAYERS.index(trace["type"]))
    name = _name_of(figure, colours)
    marks = [
        piece for row, trace in enumerate(traces) for piece in pieces_of(trace, plot, name=f"{name}{row}")
    ]
    inside = (
        frame.grid(layout, plot)
        + _layered(marks, plot)
        + frame.axes(layout, plot)
        + _layered([Piece(where="cut", markup=frame.shapes(layout, plot))], plot)
        + frame.annotations(layout, plot)
    )
    font = layout["font"]
    look = f"height:{layout['height']}px;font:{font['size']}px {attribute(font['family'])}"
    where = f"left:{plot.left}px;top:{plot.top}px;width:calc(100% - {plot.left + plot.right}px)"
    return (
        f'<div class="chart-svg" style="{look};{colours}">'
        f'<svg role="img" aria-label="{attribute(alt)}" height="{plot.height}" '
        f'style="{where};fill:{paint(font["color"])}">{inside}</svg></div>'
    )


def _name_of(figure: Mapping[str, Any], colours: str) -> str:
    """Return a name that no other drawing on a page has, unless its hatchings are the same."""
    hatched = [trace for trace in figure["data"] if "fillpattern" in trace]
    places = [np.asarray(trace[side]).tobytes() for trace in hatched for side in "xy"]
    said = f"{colours}{hatched and figure['layout']}".encode()
    return "h" + hashlib.sha256(b"".join([said, *places])).hexdigest()[:8]


def _layered(pieces: Iterable[Piece], plot: Plot) -> str:
    """Return the pieces in their order, neighbours of one kind in one box."""
    box = f'width="100%" height="{plot.height}"'
    stretched = f'{box} viewBox="0 0 {WIDE} {plot.height}" preserveAspectRatio="none"'
    found = ""
    for where, group in groupby((piece for piece in pieces if piece.markup), key=lambda piece: piece.where):
        markup = "".join(piece.markup for piece in group)
        match where:
            case "free":
                found += markup
            case "cut":
                found += f"<svg {box}>{markup}</svg>"
            case "stretched":
                found += f"<svg {stretched}>{markup}</svg>"
    return found
