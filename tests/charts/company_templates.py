"""Templates as companies of different makers and sizes have them, drawn by the tests."""

import io
from collections.abc import Callable, Mapping
from typing import Any

import lxml.etree as etree
from PIL import Image
from pptx import Presentation
from pptx.util import Emu, Inches

from charts.powerpoint.drawingml import A, P
from charts.powerpoint.template import placeholder_kind

Place = tuple[float, float, float, float]
FOOTERS: Mapping[str, Place] = {
    "dt": (0.05, 0.93, 0.2, 0.05),
    "ftr": (0.33, 0.93, 0.34, 0.05),
    "sldNum": (0.75, 0.93, 0.2, 0.05),
}


def _layout(made: Any, kind: str) -> Any:
    return next(layout for layout in made.slide_layouts if layout._element.get("type") == kind)


def _template(*, width: float, height: float, keep: tuple[str, ...]) -> Any:
    """Return an empty presentation of a size in inches with these kinds of layouts."""
    made = Presentation()
    made.slide_width, made.slide_height = Inches(width), Inches(height)
    for layout in list(made.slide_layouts):
        if layout._element.get("type") not in keep:
            made.slide_layouts.remove(layout)
    return made


def _put(made: Any, holder: Any, *, places: Mapping[str, Place]) -> None:
    """Set the placeholders of a layout or master, by kind, at shares of the slide; those without a place go."""
    wide, tall = made.slide_width, made.slide_height
    left = {kind: [place] for kind, place in places.items()}
    for shape in list(holder.placeholders):
        kind = placeholder_kind(shape._element) or ""
        if not left.get(kind):
            shape._element.getparent().remove(shape._element)
            continue
        x, y, w, h = left[kind].pop()
        shape.left, shape.top = Emu(round(x * wide)), Emu(round(y * tall))
        shape.width, shape.height = Emu(round(w * wide)), Emu(round(h * tall))


def _placed(made: Any, place: Place) -> str:
    """Return the frame of a shape at shares of the slide."""
    wide, tall = made.slide_width, made.slide_height
    x, y, w, h = (round(share * side) for share, side in zip(place, (wide, tall, wide, tall), strict=True))
    return f'<a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{w}" cy="{h}"/></a:xfrm>'


def _picture(made: Any, holder: Any, *, place: Place, colour: str) -> None:
    """Draw a logo on a layout or master: a picture that every slide shows."""
    file = io.BytesIO()
    Image.new("RGB", (80, 40), colour).save(file, "PNG")
    file.seek(0)
    _, identity = holder.part.get_or_add_image_part(file)
    holder.shapes._spTree.append(
        etree.fromstring(
            f'<p:pic xmlns:p="{P}" xmlns:a="{A}" '
            'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
            '<p:nvPicPr><p:cNvPr id="90" name="Logo"/><p:cNvPicPr/><p:nvPr userDrawn="1"/></p:nvPicPr>'
            f'<p:blipFill><a:blip r:embed="{identity}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>'
            f'<p:spPr>{_placed(made, place)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
        )
    )


def _bar(made: Any, holder: Any, *, place: Place, colour: str) -> None:
    """Draw a filled rectangle beneath everything on a layout or master."""
    holder.shapes._spTree.insert(
        2,
        etree.fromstring(
            f'<p:sp xmlns:p="{P}" xmlns:a="{A}"><p:nvSpPr><p:cNvPr id="91" name="Bar"/><p:cNvSpPr/>'
            f'<p:nvPr userDrawn="1"/></p:nvSpPr><p:spPr>{_placed(made, place)}'
            f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="{colour}"/></a:solidFill>'
            "<a:ln><a:noFill/></a:ln></p:spPr></p:sp>"
        ),
    )


def _ask(made: Any, layout: Any, *, place: Place, kind: str, index: int, name: str) -> None:
    """Add a placeholder to a layout."""
    layout.shapes._spTree.append(
        etree.fromstring(
            f'<p:sp xmlns:p="{P}" xmlns:a="{A}"><p:nvSpPr><p:cNvPr id="{80 + index}" name="{name}"/>'
            f'<p:cNvSpPr/><p:nvPr><p:ph type="{kind}" idx="{index}"/></p:nvPr></p:nvSpPr>'
            f"<p:spPr>{_placed(made, place)}</p:spPr>"
            "<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr/></a:p></p:txBody></p:sp>"
        )
    )


def _background(holder: Any, fill: str) -> None:
    """Give a master a background of its own."""
    content = holder._element.find(f"{{{P}}}cSld")
    for found in content.findall(f"{{{P}}}bg"):
        content.remove(found)
    content.insert(
        0,
        etree.fromstring(
            f'<p:bg xmlns:p="{P}" xmlns:a="{A}"><p:bgPr>{fill}<a:effectLst/></p:bgPr></p:bg>',
        ),
    )


def _dark_text(master: Any) -> None:
    mapping = master._element.find(f"{{{P}}}clrMap")
    for use, slot in (("bg1", "dk1"), ("tx1", "lt1"), ("bg2", "dk2"), ("tx2", "lt2")):
        mapping.set(use, slot)


def _named(layout: Any, name: str) -> None:
    layout._element.find(f"{{{P}}}cSld").set("name", name)


def _saved(made: Any) -> bytes:
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def classic() -> bytes:
    """4:3, a logo at the top right of the master, date, footer and number below."""
    made = _template(width=10, height=7.5, keep=("title", "titleOnly"))
    places = {"title": (0.05, 0.04, 0.7, 0.16), "body": (0.05, 0.23, 0.9, 0.66), **FOOTERS}
    _put(made, made.slide_master, places=places)
    _put(made, _layout(made, "titleOnly"), places=places)
    _picture(made, made.slide_master, place=(0.8, 0.05, 0.15, 0.1), colour="#7a0019")
    return _saved(made)


def dark_title_below() -> bytes:
    """16:9 on a dark gradient, the title at the bottom, a logo at its right."""
    made = _template(width=13.333, height=7.5, keep=("title", "titleOnly"))
    _dark_text(made.slide_master)
    _background(
        made.slide_master,
        '<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="0B1B33"/></a:gs>'
        '<a:gs pos="100000"><a:srgbClr val="13294B"/></a:gs></a:gsLst><a:lin ang="5400000"/></a:gradFill>',
    )
    places = {"title": (0.05, 0.78, 0.72, 0.15), "body": (0.05, 0.06, 0.9, 0.68), "sldNum": FOOTERS["sldNum"]}
    _put(made, made.slide_master, places=places)
    _put(made, _layout(made, "titleOnly"), places=places)
    _picture(made, made.slide_master, place=(0.83, 0.8, 0.12, 0.1), colour="#ffffff")
    return _saved(made)


def title_at_the_left() -> bytes:
    """16:10, the title on a bar down the left side, a place for a picture below it."""
    made = _template(width=12, height=7.5, keep=("title", "titleOnly"))
    places = {"title": (0.02, 0.06, 0.22, 0.5), "sldNum": (0.02, 0.92, 0.1, 0.05)}
    _put(made, made.slide_master, places=places | {"body": (0.3, 0.06, 0.65, 0.85)})
    layout = _layout(made, "titleOnly")
    _put(made, layout, places=places)
    _bar(made, layout, place=(0.0, 0.0, 0.26, 1.0), colour="E9EEF5")
    _ask(made, layout, place=(0.03, 0.66, 0.2, 0.2), kind="pic", index=13, name="Picture Placeholder 3")
    return _saved(made)


def two_contents() -> bytes:
    """A4, only an opening and a layout with two places for content between title and footers."""
    made = _template(width=11.693, height=8.268, keep=("title", "twoObj"))
    layout = _layout(made, "twoObj")
    places = {"title": (0.06, 0.05, 0.88, 0.14), **FOOTERS}
    _put(made, layout, places=places)
    for index, left in ((1, 0.06), (2, 0.51)):
        _ask(made, layout, place=(left, 0.22, 0.43, 0.66), kind="obj", index=index, name=f"Content {index}")
    _put(made, made.slide_master, places=places | {"body": (0.06, 0.22, 0.88, 0.66)})
    return _saved(made)


def as_libreoffice_saves() -> bytes:
    """16:9 as Impress writes it: unnamed kinds, "PlaceHolder 1", numbers of its own, a page of outlines beside."""
    made = _template(width=11.02, height=6.2, keep=("title", "titleOnly", "obj"))
    places = {"title": (0.05, 0.04, 0.9, 0.166), **FOOTERS}
    _put(made, made.slide_master, places=places | {"body": (0.05, 0.234, 0.9, 0.58)})
    for number, layout in enumerate(made.slide_layouts, start=1):
        kind = layout._element.get("type")
        own = {"ctrTitle": (0.05, 0.2, 0.9, 0.3), "subTitle": (0.05, 0.55, 0.9, 0.2)}
        _put(made, layout, places=own if kind == "title" else places | {"obj": (0.05, 0.234, 0.9, 0.58)})
        _named(layout, f"Default {number}")
        layout._element.attrib.pop("type", None)
        for k, shape in enumerate(layout.placeholders, start=1):
            shape._element.nvSpPr.cNvPr.set("name", f"PlaceHolder {k}")
            place = shape._element.find(f".//{{{P}}}ph")
            if place.get("type") in FOOTERS:
                place.set("idx", str(3 * number + k))
    return _saved(made)


def as_google_slides_exports() -> bytes:
    """16:9 and small, layouts in capitals, a dark rectangle over the page, a line of text below the title."""
    made = _template(width=10, height=5.625, keep=("title", "titleOnly", "twoObj"))
    _dark_text(made.slide_master)
    places = {"title": (0.034, 0.087, 0.93, 0.111), "sldNum": (0.927, 0.907, 0.06, 0.077)}
    _put(made, made.slide_master, places=places | {"body": (0.034, 0.224, 0.93, 0.664)})
    for layout, name in zip(
        made.slide_layouts, ("TITLE", "TITLE_AND_TWO_COLUMNS", "TITLE_ONLY"), strict=True
    ):
        _put(made, layout, places={"ctrTitle": (0.034, 0.14, 0.93, 0.4), **places})
        _named(layout, name)
        layout._element.attrib.pop("type", None)
        if name == "TITLE_ONLY":
            _bar(made, layout, place=(0.0, 0.0, 1.0, 1.0), colour="202124")
            _ask(
                made, layout, place=(0.034, 0.2, 0.93, 0.07), kind="body", index=1, name="Google Shape;19;p4"
            )
        if name == "TITLE_AND_TWO_COLUMNS":
            for index, left in ((1, 0.034), (2, 0.528)):
                _ask(
                    made,
                    layout,
                    place=(left, 0.224, 0.436, 0.664),
                    kind="body",
                    index=index,
                    name=f"Google Shape;{index}",
                )
    return _saved(made)


SIX: Mapping[str, Callable[[], bytes]] = {
    made.__name__: made
    for made in (
        classic,
        dark_title_below,
        title_at_the_left,
        two_contents,
        as_libreoffice_saves,
        as_google_slides_exports,
    )
}
