"""Texts at places of the data, at the distance from them that plotly keeps."""

from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from charts.plotly.axes import FONT
from charts.svg.scale import Numbers, Plot, each, number, percent
from charts.svg.text import LINE_SPACING, Place, paint, text

_ANCHORS = {"left": "end", "center": "middle", "right": ""}
_SIGNS = {"left": -1, "center": 0, "right": 1, "top": -1, "middle": 0, "bottom": 1}
_CLOSE = 1e-9  # of the plot: a place on its very edge is within it


def labels(trace: Mapping[str, Any], plot: Plot, *, places: Numbers) -> str:
    """Return the texts of a trace as one group, its class the kind of text; those out of range left out."""
    font, count = trace["textfont"], len(trace["text"])
    radius = trace["marker"]["size"] / 2
    colours = each(font["color"], count)
    one = len(set(colours)) == 1
    drawn = []
    for (x, y), said, position, colour in zip(
        places.tolist(), trace["text"], each(trace["textposition"], count), colours, strict=True
    ):
        if -_CLOSE <= x <= 1 + _CLOSE and -_CLOSE <= y / plot.height <= 1 + _CLOSE:
            dx, dy = _offset(said, position, size=font["size"], radius=radius)
            moved = f"{number(dx)} {number(dy)}"
            place = Place(x=percent(x), y=y, anchor=_ANCHORS[position.split()[1]])
            extra = "" if one else f' style="fill:{paint(colour)}"'
            drawn.append((moved, text(said, place, extra=extra)))
    style = f"font-size:{number(font['size'])}px"
    if one:
        style += f";fill:{paint(colours[0])}"
    halo = "" if font["shadow"] == "none" else " halo"
    inside = "".join(
        f'<g transform="translate({moved})">{"".join(markup for _, markup in texts)}</g>'
        for moved, texts in groupby(drawn, key=itemgetter(0))
    )
    return f'<g class="{kind_of(font)}{halo}" style="{style}">{inside}</g>'


def kind_of(font: Mapping[str, Any]) -> str:
    """Return the kind of a text, which charts/plotly hides in the last name of its list of fonts."""
    return font["family"].removeprefix(FONT).removeprefix(", ")


def _offset(said: str, position: str, *, size: float, radius: float) -> tuple[float, float]:
    """Return how far from its place a text begins, rightwards and down, as plotly reckons it. [px]"""
    rows, columns = position.split()
    away = radius / 0.8 + 1
    high = (said.count("<br>") * LINE_SPACING + 1) * size
    return _SIGNS[columns] * away, 0.75 * size + _SIGNS[rows] * away + (_SIGNS[rows] - 1) * high / 2
