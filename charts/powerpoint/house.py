"""Our own 16:9 base: two plain layouts in the colours of the charts, on white."""

import io
import re
from functools import cache

from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml.shapes.connector import CT_Connector
from pptx.presentation import Presentation as Deck
from pptx.util import Inches

from charts import mark
from charts.chart import Role
from charts.colours import PALETTES
from charts.powerpoint.drawingml import A, P, a
from charts.powerpoint.paint import Ink, house_paint
from charts.powerpoint.template import Base, base_of, placeholder_kind

WIDTH, HEIGHT = Inches(13.333), Inches(7.5)
THEME = "Scaling Gap"
FONT = "Arial"  # on every computer that has PowerPoint

_MARK = (11.72, 7.02, 0.21)
"""Left, top and side of the mark on a slide. [in]"""
_KEPT = ("title", "titleOnly")
_INCHES: dict[str, dict[str, tuple[float, float, float, float]]] = {
    "title": {
        "ctrTitle": (0.9, 2.3, 10.6, 1.5),
        "subTitle": (0.9, 3.95, 10.6, 0.9),
        "sldNum": (11.93, 6.98, 0.8, 0.3),
    },
    "titleOnly": {"title": (0.6, 0.38, 12.13, 1.0), "sldNum": (11.93, 6.98, 0.8, 0.3)},
    "master": {
        "title": (0.6, 0.38, 12.13, 1.0),
        "body": (0.6, 1.7, 12.13, 5.0),
        "sldNum": (11.93, 6.98, 0.8, 0.3),
    },
}


def house_base() -> Base:
    """Return an empty presentation in our own look."""
    base = base_of(Presentation(io.BytesIO(_house())), ours=True)
    return Base(
        deck=base.deck,
        title_layout=base.title_layout,
        headline_layout=base.headline_layout,
        paint=house_paint(),
        ours=True,
    )


@cache
def _house() -> bytes:
    """Return the base as a file: python-pptx's own default, made 16:9 and set in our type and colours."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = WIDTH, HEIGHT
    for layout in list(deck.slide_layouts):
        if layout._element.get("type") not in _KEPT:
            deck.slide_layouts.remove(layout)
    _dress(deck)
    master = deck.slide_master
    for holder in (master, *deck.slide_layouts):
        kind = holder._element.get("type", "master")
        _arrange(holder.shapes._spTree, _INCHES[kind])
        holder._element.find(f"{{{P}}}cSld").set(
            "name", {"title": "Opening", "titleOnly": "Finding"}.get(kind, "")
        )
    _set_type(master._element)
    _sign(next(layout for layout in deck.slide_layouts if layout._element.get("type") == "titleOnly"))
    _set_opening(next(layout for layout in deck.slide_layouts if layout._element.get("type") == "title"))
    for key, relationship in list(deck.part.rels.items()):
        if relationship.reltype == RT.PRINTER_SETTINGS:
            deck.part.rels.pop(key)
    for key, relationship in list(deck.part.package._rels.items()):
        if relationship.reltype in (RT.THUMBNAIL, RT.EXTENDED_PROPERTIES):
            deck.part.package._rels.pop(key)
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def _arrange(tree, places: dict[str, tuple[float, float, float, float]]) -> None:
    for shape in list(tree):
        kind = placeholder_kind(shape)
        if kind is None:
            continue
        if kind not in places:
            tree.remove(shape)
            continue
        left, top, width, height = (Inches(value) for value in places[kind])
        shape.x, shape.y, shape.cx, shape.cy = left, top, width, height


def _dress(deck: Deck) -> None:
    """Give the theme our colours and font."""
    palette = PALETTES["light"]
    accents = [*palette.mark.values(), palette.quiet]
    colours = dict(zip((f"accent{n}" for n in range(1, 7)), accents, strict=True))
    colours |= {"dk1": palette.text, "lt1": palette.background, "dk2": palette.quiet, "lt2": palette.grid}
    colours |= {"hlink": palette.words["compute"], "folHlink": palette.words["compute"]}
    part = deck.slide_master.part.part_related_by(RT.THEME)
    theme = part.blob.decode()
    for name, rgb in colours.items():
        theme = re.sub(
            rf"<a:{name}>.*?</a:{name}>", f'<a:{name}><a:srgbClr val="{rgb[1:].upper()}"/></a:{name}>', theme
        )
    theme = re.sub(r'<a:latin typeface="Calibri"/>', f'<a:latin typeface="{FONT}"/>', theme)
    part.blob = theme.replace('name="Office Theme"', f'name="{THEME}"', 1).encode()


def _set_opening(layout) -> None:
    """Set the opening page at the left: a large title, a quiet line, and the two protagonists diverging."""
    for shape in layout.shapes._spTree:
        kind = placeholder_kind(shape)
        style = None if kind is None else shape.find(f"{{{P}}}txBody/{{{A}}}lstStyle")
        if style is None or kind not in ("ctrTitle", "subTitle"):
            continue
        for level in list(style):
            style.remove(level)
        size, bold = (40, 1) if kind == "ctrTitle" else (18, 0)
        ink = Ink(rgb=PALETTES["light"].text if bold else PALETTES["light"].quiet)
        look = a("defRPr", ink.fill(), sz=size * 100, b=bold)
        style.append(a("lvl1pPr", None if bold else a("buNone"), look, marL=0, indent=0, algn="l"))
        body = shape.find(f"{{{P}}}txBody/{{{A}}}bodyPr")
        for side in ("lIns", "rIns", "tIns", "bIns"):
            body.set(side, "0")
        body.set("anchor", "b" if bold else "t")
    rises: tuple[tuple[Role, float], ...] = (("compute", 1.35), ("memory", 0.3))
    for role, rise in rises:
        line = CT_Connector.new_cxnSp(
            20 + len(layout.shapes._spTree),
            f"{role.capitalize()} line",
            "line",
            Inches(0.9),
            Inches(2.05 - rise),
            Inches(2.2),
            Inches(rise),
            False,
            True,
        )
        line.spPr.append(a("ln", Ink(rgb=PALETTES["light"].mark[role]).fill(), w=44_450, cap="rnd"))
        style = line.find(f"{{{P}}}style")
        if style is not None:
            line.remove(style)
        layout.shapes._spTree.append(line)


def _sign(layout) -> None:
    """Put the mark, small, left of the slide number."""
    left, top, side = _MARK
    for role, ((x, y), (end_x, end_y)) in mark.LINES.items():
        line = CT_Connector.new_cxnSp(
            20 + len(layout.shapes._spTree),
            f"Mark, {role}",
            "line",
            Inches(left + side * x / mark.SIDE),
            Inches(top + side * end_y / mark.SIDE),
            Inches(side * (end_x - x) / mark.SIDE),
            Inches(side * (y - end_y) / mark.SIDE),
            False,
            True,
        )
        ink = Ink(rgb=PALETTES["light"].mark[role])
        line.spPr.append(a("ln", ink.fill(), w=round(Inches(side * mark.WIDTH / mark.SIDE)), cap="rnd"))
        style = line.find(f"{{{P}}}style")
        if style is not None:
            line.remove(style)
        layout.shapes._spTree.append(line)


def _set_type(master) -> None:
    """Set titles in 28 pt bold at the left, above everything else."""
    style = master.find(f"{{{P}}}txStyles/{{{P}}}titleStyle/{{{A}}}lvl1pPr")
    style.set("algn", "l")
    look = style.find(f"{{{A}}}defRPr")
    look.set("sz", "2800")
    look.set("b", "1")
    for body in master.iter(f"{{{P}}}sp"):
        if placeholder_kind(body) == "title":
            properties = body.find(f"{{{P}}}txBody/{{{A}}}bodyPr")
            for side in ("lIns", "rIns", "tIns", "bIns"):
                properties.set(side, "0")
            properties.set("anchor", "t")
            for fit in list(properties):
                properties.remove(fit)
