"""Conversion of a picture's text to outlines, so that it looks the same everywhere."""

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

from charts.svg.scale import number
from charts.svg.text import LINE_SPACING

FONTS = Path(__file__).parent.parent / "fonts"
_EM = {"SourceSansPro-Regular": 1000, "SourceSansPro-Bold": 1000, "DejaVuSans": 2048}
"""Units per em of each packaged font. The last one has rarer characters."""
_MISSING = "□"
_NAMESPACE = "http://www.w3.org/2000/svg"
_SIZE = re.compile(r"font-size:([\d.]+)px")
_SHIFT = {"": 0.0, "middle": 0.5, "end": 1.0}
_reading = Lock()  # a font file is read lazily, as glyphs are requested


@dataclass(frozen=True, kw_only=True)
class _Glyph:
    """A glyph: its outline as path data and its width, in units of 1/``em`` of the text size."""

    name: str
    outline: str
    width: int
    em: int


@dataclass(frozen=True, kw_only=True)
class _Look:
    """Appearance of a text: its size and halo [px], anchor, weight and colour."""

    size: float = 0.0
    halo: float = 0.0
    anchor: str = ""
    bold: bool = False
    style: str = ""

    def of(self, element: Element) -> "_Look":
        """Return the appearance of text within an element. Missing attributes are inherited."""
        style = element.get("style", self.style)
        size = _SIZE.search(style)
        return _Look(
            size=float(size[1]) if size else self.size,
            halo=float(element.get("stroke-width", 0)) if element.get("paint-order") else self.halo,
            anchor=element.get("text-anchor", self.anchor),
            bold=element.get("font-weight") == "700" or self.bold,
            style=style,
        )


@cache
def _font(face: str) -> TTFont:
    return TTFont(FONTS / f"{face}.ttf", lazy=True)


@cache
def _glyph(character: str, bold: bool) -> _Glyph | None:
    """Return the glyph of a character. None if no packaged font has one."""
    with _reading:
        for face in ("SourceSansPro-Bold" if bold else "SourceSansPro-Regular", "DejaVuSans"):
            font = _font(face)
            name = (font.getBestCmap() or {}).get(ord(character))
            if name is not None:
                pen = SVGPathPen(font.getGlyphSet())
                font.getGlyphSet()[name].draw(pen)
                return _Glyph(
                    name=f"{face}-{name}",
                    outline=pen.getCommands(),
                    width=font["hmtx"][name][0],
                    em=_EM[face],
                )
    return None


def settable(text: str) -> str:
    """Return text with a box in place of each character that no packaged font has."""
    return "".join(c if c in "\t\n\r" or _glyph(c, False) else _MISSING for c in text)


def outlined(picture: str) -> str:
    """Return a picture with its text as outlines. Each glyph is defined once and referenced by name."""
    ElementTree.register_namespace("", _NAMESPACE)
    root = ElementTree.fromstring(picture)
    glyphs: dict[str, _Glyph] = {}
    _replace_texts(root, _Look(), glyphs=glyphs)
    defs = Element("defs")
    for name, glyph in glyphs.items():
        SubElement(defs, "path", {"id": name, "d": glyph.outline})
    root.insert(0, defs)
    return ElementTree.tostring(root, encoding="unicode")


def _replace_texts(element: Element, look: _Look, *, glyphs: dict[str, _Glyph]) -> None:
    """Replace every text within an element with outlines, and add the glyphs of the outlines to ``glyphs``."""
    for place, child in enumerate(element):
        within = look.of(child)
        if child.tag == f"{{{_NAMESPACE}}}text":
            element[place] = _outlines(child, within, glyphs=glyphs)
        else:
            _replace_texts(child, within, glyphs=glyphs)


def _outlines(text: Element, look: _Look, *, glyphs: dict[str, _Glyph]) -> Element:
    group = Element("g", {name: value for name, value in text.items() if name in ("style", "transform")})
    for row, line in enumerate(_lines(text, replace(look, style=""))):
        width = sum(glyph.width / glyph.em for glyph, _ in line) * look.size
        x = float(text.get("x", 0)) - _SHIFT[look.anchor] * width
        y = float(text.get("y", 0)) + row * LINE_SPACING * look.size
        for (em, style), run in groupby(line, key=lambda pair: (pair[0].em, pair[1])):
            scale = look.size / em
            moved = f"translate({number(x)} {number(y)}) scale({number(scale, 5)} {number(-scale, 5)})"
            signs = SubElement(group, "g", {"transform": moved} | ({"style": style} if style else {}))
            if look.halo:
                signs.set("stroke-width", number(look.halo / scale))
            place = 0
            for glyph, _ in run:
                glyphs[glyph.name] = glyph
                SubElement(signs, "use", {"href": f"#{glyph.name}", "x": str(place)})
                place += glyph.width
            x += place * scale
    return group


def _lines(text: Element, look: _Look) -> list[list[tuple[_Glyph, str]]]:
    """Return the glyphs of each line of a text, together with their styles."""
    lines: list[list[tuple[_Glyph, str]]] = [[]]

    def read(element: Element, look: _Look) -> None:
        if element.get("dy"):
            lines.append([])
        for words, part in ((element.text, None), *((child.tail, child) for child in element)):
            if part is not None:
                read(part, look.of(part))
            glyphs = (_glyph(character, look.bold) for character in words or "")
            lines[-1].extend((glyph, look.style) for glyph in glyphs if glyph is not None)

    read(text, look)
    return lines
