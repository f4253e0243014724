"""Text boxes, rules and links on a slide."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import lxml.etree as etree
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE, PP_ALIGN
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide as Page
from pptx.text.text import TextFrame
from pptx.util import Emu, Length, Pt

from charts.powerpoint.drawingml import EMU_PER_POINT, R, a, no_edge, plain
from charts.powerpoint.paint import Ink
from charts.powerpoint.words import LANGUAGE

# A link in the colour of its text: themes made for white backgrounds have unreadable links on dark ones.
# Source: [MS-ODRAWXML], element hlinkClr.
_LINK_COLOUR = "http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor"
_LINK_COLOUR_URI = "{A12FA001-AC4F-418D-AE19-62706E023703}"


@dataclass(frozen=True, kw_only=True)
class Box:
    """A rectangle on a slide. [pt]"""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return the right edge. [pt]"""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Return the bottom edge. [pt]"""
        return self.top + self.height

    def head(self, height: float) -> "Box":
        """Return the top part of the box, with this height [pt]."""
        return replace(self, height=height)

    def below(self, height: float) -> "Box":
        """Return the rest of the box below a part of this height [pt]."""
        top = self.top + height
        return replace(self, top=top, height=self.bottom - top)

    @property
    def emu(self) -> tuple[Length, Length, Length, Length]:
        """Return the box's left, top, width and height in EMU, PowerPoint's unit."""
        left, top, width, height = (
            Emu(round(value * EMU_PER_POINT)) for value in (self.left, self.top, self.width, self.height)
        )
        return left, top, width, height


def around(x: float, y: float, *, size: float) -> Box:
    """Return a square of this size, centred at x and y. [pt]"""
    return Box(left=x - size / 2, top=y - size / 2, width=size, height=size)


@dataclass(frozen=True, kw_only=True)
class Run:
    """A stretch of text in one style. ``link`` is the address that it links to.

    Without ``ink`` or ``bold`` it inherits the style of the layout.
    """

    text: str
    size: float
    ink: Ink | None = None
    bold: bool | None = None
    link: str | None = None


def text_box(
    page: Page,
    box: Box,
    *,
    name: str,
    paragraphs: Sequence[Sequence[Run]],
    anchor: MSO_ANCHOR = MSO_ANCHOR.TOP,
    align: PP_ALIGN = PP_ALIGN.LEFT,
    spacing: float = 0,
) -> Shape:
    """Return a new text box on a slide. ``spacing`` is the distance between its paragraphs [pt]."""
    shape = page.shapes.add_textbox(*box.emu)
    shape.name = name
    frame = shape.text_frame
    for side in ("margin_left", "margin_right", "margin_top", "margin_bottom"):
        setattr(frame, side, 0)
    frame.vertical_anchor = anchor
    write(frame, page, paragraphs=paragraphs, align=align, spacing=spacing)
    return shape


def write(
    frame: TextFrame,
    page: Page,
    *,
    paragraphs: Sequence[Sequence[Run]],
    align: PP_ALIGN | None = None,
    spacing: float = 0,
) -> None:
    """Write paragraphs into an empty text frame."""
    frame.word_wrap = True
    frame.auto_size = MSO_AUTO_SIZE.NONE
    for k, runs in enumerate(paragraphs):
        paragraph = frame.paragraphs[0] if k == 0 else frame.add_paragraph()
        if align is not None:
            paragraph.alignment = align
        if k and spacing:
            paragraph.space_before = Pt(spacing)
        for run in runs:
            _add(paragraph._p, page, run=run)


def rule(page: Page, *, left: float, top: float, width: float, ink: Ink, points: float = 1.0) -> None:
    """Draw a horizontal line on a slide. Lengths are in points."""
    plate(page, Box(left=left, top=top, width=width, height=points), ink=ink, name="Rule")


def plate(page: Page, box: Box, *, ink: Ink, name: str = "Plate") -> None:
    """Draw a filled box on a slide."""
    bar = page.shapes.add_shape(MSO_SHAPE.RECTANGLE, *box.emu)
    bar.name = name
    properties = bar._element.spPr
    for child in properties.xpath("a:solidFill|a:ln"):
        properties.remove(child)
    properties.append(ink.fill())
    properties.append(no_edge())
    style = bar._element.find("{*}style")
    if style is not None:
        bar._element.remove(style)


def as_set(text: str) -> str:
    """Return a text as stored in a run, without a space before a percent sign and with line breaks as spaces."""
    return re.sub(r"[\r\n\t\v\f]+", " ", plain(text)).replace(" %", "%")


def _add(paragraph, page: Page, *, run: Run) -> None:
    link = None
    if run.link:
        keep = a("ext", etree.Element(f"{{{_LINK_COLOUR}}}hlinkClr", {"val": "tx"}), uri=_LINK_COLOUR_URI)
        link = a("hlinkClick", a("extLst", keep))
        link.set(f"{{{R}}}id", page.part.relate_to(run.link, RT.HYPERLINK, is_external=True))
    look = a(
        "rPr",
        run.ink.fill() if run.ink else None,
        link,
        lang=LANGUAGE,
        sz=round(run.size * 100),
        b=None if run.bold is None else int(run.bold),
    )
    paragraph.append(a("r", look, a("t", as_set(run.text))))
