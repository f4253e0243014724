"""Slides larger than ours. Their content is enlarged in proportion to their height.

Keynote and some companies use slides of 1920 by 1080 points; ours are 960 by 540. Pages are laid out in our points and
then enlarged.
"""

import lxml.etree as etree
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.parts.chart import ChartPart
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide as Page

from charts.powerpoint.drawingml import EMU_PER_POINT, A, C, Element, serialised

_OUR_HEIGHT = 540.0  # of a slide [pt]
_AS_OURS = 1.25  # slides up to this multiple of our height are not enlarged
_LARGEST_TEXT = 400_000  # hundredths of a point, the maximum of the format (ECMA-376 part 1, ST_TextFontSize)
_LARGEST_MARKER = 72  # ECMA-376 part 1, ST_MarkerSize

_LENGTHS = {
    f"{{{A}}}off": ("x", "y"),
    f"{{{A}}}ext": ("cx", "cy"),
    f"{{{A}}}chOff": ("x", "y"),
    f"{{{A}}}chExt": ("cx", "cy"),
    f"{{{A}}}ln": ("w",),
    f"{{{A}}}gridCol": ("w",),
    f"{{{A}}}tr": ("h",),
    f"{{{A}}}tcPr": ("marL", "marR", "marT", "marB"),
    f"{{{A}}}bodyPr": ("lIns", "rIns", "tIns", "bIns"),
    f"{{{A}}}spcPts": ("val",),
}
_TEXTS = tuple(f"{{{A}}}{tag}" for tag in ("rPr", "defRPr", "endParaRPr"))


def scale_of(deck: Deck) -> float:
    """Return the scale from our points to a presentation's. It is 1 for slides of about our height or less."""
    times = (deck.slide_height or 1) / EMU_PER_POINT / _OUR_HEIGHT
    return times if times > _AS_OURS else 1.0


def enlarge_page(page: Page, times: float) -> None:
    """Enlarge everything on one of our pages, including charts."""
    if times == 1:
        return
    _enlarge(page._element, times)
    for relationship in page.part.rels.values():
        if relationship.reltype == RT.CHART and isinstance(relationship.target_part, ChartPart):
            enlarge_chart(relationship.target_part, times)


def enlarge_chart(part: ChartPart, times: float) -> None:
    """Enlarge the text, lines and markers of a chart, and the shapes inside it."""
    if times == 1:
        return
    _enlarge(part._element, times)
    for size in part._element.iter(f"{{{C}}}size"):
        size.set("val", str(min(_LARGEST_MARKER, round(times * int(size.get("val"))))))
    for relationship in part.rels.values():
        if relationship.reltype == RT.CHART_USER_SHAPES:
            drawing = relationship.target_part
            root = etree.fromstring(drawing.blob)
            _enlarge(root, times)
            drawing._blob = serialised(root)


def _enlarge(root: Element, times: float) -> None:
    for tag, names in _LENGTHS.items():
        for element in root.iter(tag):
            for name in names:
                if (value := element.get(name)) is not None:
                    element.set(name, str(round(times * int(value))))
    for element in root.iter(*_TEXTS):
        if (size := element.get("sz")) is not None:
            element.set("sz", str(min(_LARGEST_TEXT, round(times * int(size)))))
