"""Texts of a plotly figure, with its few tags, as SVG: nothing a reader's text holds becomes markup."""

import html
import re
from dataclasses import dataclass
from xml.sax.saxutils import escape

from charts.svg.both import COLOUR
from charts.svg.scale import number

LINE_SPACING = 1.3
"""Distance between two lines, in units of the text size, as in plotly."""

_TAG = re.compile(r"(<[^<>]*>)")
_SPAN = re.compile(r'<span style="color:([^"]*)">')
_UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where the first line of a text begins, ends or has its middle: an attribute x, and y, moved down. [px]

    The drawing is moved as plotly moves it, so that a line between two pixels is led to the same one.
    """

    x: str
    y: float
    down: float = 0.0
    anchor: str = ""


def plain(text: str) -> str:
    """Return what a reader sees of a text of a plotly figure, escaped for SVG."""
    return escape(_UNPRINTABLE.sub("", html.unescape(text)))


def attribute(text: str) -> str:
    """Return a text as it stands between double quotes."""
    return escape(_UNPRINTABLE.sub("", text), {'"': "&quot;"})


def lines_of(text: str) -> list[str]:
    """Return the lines of a text of a plotly figure as SVG, bold and coloured parts as tspans.

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
        elif found := _SPAN.fullmatch(part):
            colour = paint(found[1])
        elif _TAG.fullmatch(part):
            raise ValueError(
                f"A text has the tag {part}, which charts/svg does not know how to draw. Teach it there."
            )
        elif part:
            style = f' style="fill:{colour}"' if colour else ""
            look = ' font-weight="700"' * bold + style
            said = plain(part)
            lines[-1] += f"<tspan{look}>{said}</tspan>" if look else said
    return lines


def text(said: str, place: Place, *, extra: str = "") -> str:
    """Return a text element; ``extra`` are further attributes of it."""
    moved = f' transform="translate(0 {number(place.down)})"' if place.down else ""
    anchor = f' text-anchor="{place.anchor}"' if place.anchor else ""
    first, *others = lines_of(said)
    more = "".join(f'<tspan x="{place.x}" dy="{LINE_SPACING}em">{line}</tspan>' for line in others)
    return f'<text x="{place.x}" y="{number(place.y)}"{moved}{anchor}{extra}>{first}{more}</text>'


def paint(colour: str) -> str:
    """Return a colour as CSS has it.

    Raises ValueError for anything else, which could end the style attribute it is written into.
    """
    if not COLOUR.fullmatch(colour.lower()):
        raise ValueError(f"A colour is #rrggbb, rgb(), rgba() or a variable of the drawing; got {colour!r}.")
    return colour.lower()
