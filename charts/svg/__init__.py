"""The chart as SVG in a page, shown until scripts load. It looks like the Plotly figure."""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from charts.chart import Chart
from charts.colours import PALETTES
from charts.plotly import plain_figure, shaped
from charts.style_sheet import style_sheet
from charts.svg import frame
from charts.svg.both import Colours, combined
from charts.svg.marks import Piece, pieces_of
from charts.svg.scale import WIDE, Plot, number, plot_of
from charts.svg.text import attribute, paint

__all__ = ["STYLE", "sized", "svg"]

STYLE = style_sheet(Path(__file__).with_name("style.css"))
"""CSS to include once in a page. At each width, the same text is visible as with charts.plotly.STYLE."""
_LAYERS = ("heatmap", "bar", "scatter")  # bottom first


def svg(chart: Chart) -> str:
    """Return the chart as HTML, as wide as its container and as high as the Plotly figure.

    It follows the page's colour scheme (``color-scheme``). The page includes STYLE once. The supported features of
    plotly figures are listed in tests/charts/svg/dialect.py.
    """
    colours = Colours()
    halo = colours.variable(PALETTES["light"].background, PALETTES["dark"].background)
    figure = combined(plain_figure(chart), colours=colours)
    return drawn(figure, alt=chart.alt, colours=f"{colours.css()};--halo:{halo}")


def drawn(figure: Mapping[str, Any], *, alt: str, colours: str = "") -> str:
    """Return a figure, given as plain traces and layout, as HTML. ``colours`` declares the figure's variables.

    It includes what differs on a narrow chart, and the style sheet shows one of the two.
    """
    wide, narrow = shaped(figure, width=math.inf), shaped(figure, width=0)
    one = "narrow" not in figure
    name = _name_of(figure, colours)
    inside = (
        _inside(wide, name=name) if one else _both(_inside(wide, name=name), _inside(narrow, name=f"{name}n"))
    )
    font = wide["layout"]["font"]
    look = f"font:{font['size']}px {attribute(font['family'])};{colours}"
    kind = "chart-svg" if one else f"chart-svg to-{figure['narrow']['most']}"
    place = ";".join(
        _place(layout, side) for layout, side in ((wide["layout"], "w"), (narrow["layout"], "n"))
    )
    return (
        f'<div class="{kind}" style="{look}"><div style="{place}">'
        f'<svg role="img" aria-label="{attribute(alt)}" style="fill:{paint(font["color"])}">'
        f"{''.join(inside)}</svg></div></div>"
    )


def sized(figure: Mapping[str, Any], *, width: float) -> str:
    """Return a figure of this width [px] for a picture, as a group of SVG elements."""
    inside = "".join(_inside(figure, name="h", width=width))
    plot = plot_of(figure["layout"])
    return f'<g transform="translate({plot.left} {plot.top})">{inside}</g>'


def _place(layout: Mapping[str, Any], kind: str) -> str:
    """Return the height and margins of a wide or narrow chart as CSS variables."""
    plot = plot_of(layout)
    sides = {
        "h": layout["height"],
        "l": plot.left,
        "t": plot.top,
        "s": plot.left + plot.right,
        "p": plot.height,
    }
    return ";".join(f"--{kind}{side}:{number(length)}px" for side, length in sides.items())


def _inside(figure: Mapping[str, Any], *, name: str, width: float | None = None) -> list[str]:
    """Return the parts of a drawing, with the bottom part first."""
    layout, plot = figure["layout"], plot_of(figure["layout"], width=width)
    traces = sorted(figure["data"], key=lambda trace: _LAYERS.index(trace["type"]))
    marks = [
        piece for row, trace in enumerate(traces) for piece in pieces_of(trace, plot, name=f"{name}{row}")
    ]
    below, above = (
        _layered([Piece(where="cut", markup=frame.shapes(layout, plot, layer=layer))], plot)
        for layer in ("between", "above")
    )
    return [
        *(frame.grid(layout, plot), *below, *_layered(marks, plot)),
        *(frame.axes(layout, plot), *above, frame.annotations(layout, plot)),
    ]


def _both(wide: Sequence[str], narrow: Sequence[str]) -> list[str]:
    """Return the parts of a wide and a narrow drawing. Common parts occur once."""
    merged = []
    for kind, first, last, other, past in SequenceMatcher(None, wide, narrow, autojunk=False).get_opcodes():
        if kind == "equal":
            merged += wide[first:last]
            continue
        for only, parts in (("wide", wide[first:last]), ("narrow", narrow[other:past])):
            if any(parts):
                merged.append(f'<g class="{only}">{"".join(parts)}</g>')
    return merged


def _name_of(figure: Mapping[str, Any], colours: str) -> str:
    """Return a drawing's name. On one page, only drawings with the same hatchings may have the same name."""
    hatched = [trace for trace in figure["data"] if "fillpattern" in trace]
    places = [np.asarray(trace[side], dtype=float).tobytes() for trace in hatched for side in "xy"]
    look = f"{colours}{hatched and figure['layout']}".encode()
    return "h" + hashlib.sha256(b"".join([look, *places])).hexdigest()[:8]


def _layered(pieces: Iterable[Piece], plot: Plot) -> list[str]:
    """Return the pieces in order, with neighbours of one kind in the same box."""
    box = f'width="{plot.x_at(1)}" height="{plot.height}"'
    stretched = box if plot.width else f'{box} viewBox="0 0 {WIDE} {plot.height}" preserveAspectRatio="none"'
    layers = []
    for where, group in groupby((piece for piece in pieces if piece.markup), key=lambda piece: piece.where):
        markup = "".join(piece.markup for piece in group)
        match where:
            case "free":
                layers.append(markup)
            case "cut":
                layers.append(f"<svg {box}>{markup}</svg>")
            case "stretched":
                layers.append(f"<svg {stretched}>{markup}</svg>")
    return layers
