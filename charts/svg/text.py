"""Texts of a Plotly figure as SVG, at the same distance from their anchors as in Plotly.

No text of a reader can become markup.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any
from xml.sax.saxutils import escape

from charts.plotly.axes import FONT
from charts.svg.both import COLOUR
from charts.svg.scale import Numbers, Plot, each, number

LINE_SPACING = 1.3
"""Distance between two lines, in units of the text size, as in Plotly."""

_TAG = re.compile(r"(<[^<>]*>)")
_SPAN = re.compile(r'<span style="color:([^"]*)">')
_UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


_ANCHORS = {"left": "end", "center": "middle", "right": ""}
_SIGNS = {"left": -1, "center": 0, "right": 1, "top": -1, "middle": 0, "bottom": 1}
_CLOSE = 1e-9  # of the plot: a position on its edge is inside


@dataclass(frozen=True, kw_only=True)
class Place:
    """Anchor of a text's first line: x as an attribute, y, and the shift downwards from y. [px]

    The drawing is shifted as in plotly, so that a line between two pixels is rounded to the same one.
    """

    x: str
    y: float
    down: float = 0.0
    anchor: str = ""


def plain(text: str) -> str:
    """Return the visible text of a Plotly text, escaped for SVG."""
    return escape(_UNPRINTABLE.sub("", html.unescape(text)))


def attribute(text: str) -> str:
    """Return a text escaped for use between double quotes."""
    return escape(_UNPRINTABLE.sub("", text), {'"': "&quot;"})


def lines_of(text: str) -> list[str]:
    """Return the lines of a Plotly text as SVG. Bold and coloured parts are tspans.

    Raises ValueError for a tag that charts/plotly does not use.
    """
    lines, bold, colour = [""], False, ""
    for part in _TAG.split(text):
        if part == "<br>":
            lines.append("")
        elif part in ("<b>", "</b>"):
            bold = part == "<b>"
        elif part == "</span>":
            colour = ""
        elif span := _SPAN.fullmatch(part):
            colour = paint(span[1])
        elif _TAG.fullmatch(part):
            raise ValueError(
                f"A text has the tag {part}, which charts/svg does not know how to draw. Teach it there."
            )
        elif part:
            style = f' style="fill:{colour}"' if colour else ""
            look = ' font-weight="700"' * bold + style
            words = plain(part)
            lines[-1] += f"<tspan{look}>{words}</tspan>" if look else words
    return lines


def text(words: str, place: Place, *, extra: str = "") -> str:
    """Return a text element. ``extra`` is markup for additional attributes."""
    moved = f' transform="translate(0 {number(place.down)})"' if place.down else ""
    anchor = f' text-anchor="{place.anchor}"' if place.anchor else ""
    first, *others = lines_of(words)
    more = "".join(f'<tspan x="{place.x}" dy="{LINE_SPACING}em">{line}</tspan>' for line in others)
    return f'<text x="{place.x}" y="{number(place.y)}"{moved}{anchor}{extra}>{first}{more}</text>'


def paint(colour: str) -> str:
    """Return a colour in the syntax of CSS.

    Raises ValueError for anything else, which could end the style attribute that contains it.
    """
    if not COLOUR.fullmatch(colour.lower()):
        raise ValueError(f"A colour is #rrggbb, rgb(), rgba() or a variable of the drawing; got {colour!r}.")
    return colour.lower()


def labels(trace: Mapping[str, Any], plot: Plot, *, places: Numbers) -> str:
    """Return a trace's texts that are in range, as one group whose class is the kind of text."""
    font, count = trace["textfont"], len(trace["text"])
    radius = trace["marker"]["size"] / 2
    colours = each(font["color"], count)
    one = len(set(colours)) == 1
    drawn = []
    for (x, y), words, position, colour in zip(
        places.tolist(), trace["text"], each(trace["textposition"], count), colours, strict=True
    ):
        if -_CLOSE <= x <= 1 + _CLOSE and -_CLOSE <= y / plot.height <= 1 + _CLOSE:
            dx, dy = _offset(words, position, size=font["size"], radius=radius)
            moved = f"{number(dx)} {number(dy)}"
            place = Place(x=plot.x_at(x), y=y, anchor=_ANCHORS[position.split()[1]])
            extra = "" if one else f' style="fill:{paint(colour)}"'
            drawn.append((moved, text(words, place, extra=extra)))
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
    """Return the kind of a text. charts/plotly encodes it as the last name in its list of fonts."""
    return font["family"].removeprefix(FONT).removeprefix(", ")


def _offset(words: str, position: str, *, size: float, radius: float) -> tuple[float, float]:
    """Return the offset of a text from its anchor, right and down, as Plotly computes it. [px]"""
    rows, columns = position.split()
    away = radius / 0.8 + 1
    high = (words.count("<br>") * LINE_SPACING + 1) * size
    return _SIGNS[columns] * away, 0.75 * size + _SIGNS[rows] * away + (_SIGNS[rows] - 1) * high / 2
