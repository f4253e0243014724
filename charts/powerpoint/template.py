"""The base of a presentation: our own 16:9 design, or a company's template that is checked before it is opened."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import lxml.etree as etree
from PIL import Image, ImageStat
from pptx import Presentation
from pptx.exc import PythonPptxError
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.presentation import Presentation as Deck
from pptx.shapes.picture import Picture
from pptx.slide import SlideLayout, SlideMaster

from charts.colours import channels
from charts.powerpoint.drawingml import A, P, R, parsed
from charts.powerpoint.paint import Paint, house_paint, theme_paint

THEME = "Scaling Gap"
"""Name of our slides' theme."""
TEMPLATE = "template"
_HOUSE = Path(__file__).with_name("house.pptx")
LARGEST_TEMPLATE_BYTE = 40_000_000
_LARGEST_UNPACKED_BYTE = 100_000_000
_MOST_MARKS = 1_200_000  # elements and attributes in all XML; our own decks have ten thousand a slide
_MOST_PARTS = 5_000
_MOST_PIXELS = 40_000_000  # of a background picture
_COVERS = 0.9  # of the slide: a shape this large is its background
_MAIN = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
_AS_TEMPLATE = "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml"
_AS_SHOW = "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"
_OLD_POWERPOINT = b"\xd0\xcf\x11\xe0"
_ASK = "Save it in PowerPoint as .pptx or .potx and upload that."
_COLOURS = ("dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6")


_FAULTS = (
    PythonPptxError,
    zipfile.BadZipFile,
    etree.LxmlError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
)
"""Exceptions of reading a damaged file."""


class TemplateError(ValueError):
    """Error for an uploaded file that cannot be a template. The message gives the reason and a remedy."""


@dataclass(frozen=True, kw_only=True)
class Base:
    """An empty presentation with its layouts and colours."""

    deck: Deck
    title_layout: SlideLayout
    headline_layout: SlideLayout
    paint: Paint
    ours: bool


def house_base() -> Base:
    """Return an empty presentation in our design, with two plain layouts in the colours of the charts.

    Its file, house.pptx, has a master and layouts that can be edited in PowerPoint. A test compares its colours to
    ours.
    """
    return replace(base_of(Presentation(str(_HOUSE)), ours=True), paint=house_paint())


def company_base(template: bytes) -> Base:
    """Return the base made from an uploaded .pptx or .potx: masters, fonts and theme, but no slides.

    Raises TemplateError if the file is too large, damaged, protected, has macros, or is not a presentation.
    """
    with refused_if_damaged():
        deck = Presentation(io.BytesIO(checked(template)))
        _drop_slides(deck)
        return base_of(deck, ours=False)


def base_of(deck: Deck, *, ours: bool) -> Base:
    """Return the layouts and colours of an opened presentation."""
    layouts = [layout for master in deck.slide_masters for layout in master.slide_layouts]
    if not layouts:
        raise TemplateError(
            f"The template has no slide layouts, so there is nothing to put slides on. {_ASK}"
        )
    headline = _best(layouts, kind="titleOnly", wanted={"title"})
    opening = _best(layouts, kind="title", wanted={"ctrTitle", "subTitle"})
    paint = paint_of(headline)
    return Base(deck=deck, title_layout=opening, headline_layout=headline, paint=paint, ours=ours)


def has_picture(base: Base) -> bool:
    """Return whether slides have a picture as background, so that the background's colours are unknown."""
    width, height = base.deck.slide_width or 1, base.deck.slide_height or 1
    layout = base.headline_layout
    shapes = [*layout.shapes, *layout.slide_master.shapes]
    return any(
        isinstance(shape, Picture) and shape.width > 0.8 * width and shape.height > 0.8 * height
        for shape in shapes
    ) or any(one._element.xpath("./p:cSld/p:bg//a:blip") for one in (layout, layout.slide_master))


def placeholder_kind(shape: etree._Element) -> str | None:
    """Return a shape's placeholder type, such as "title", "body" or "sldNum", or None if it is no placeholder."""
    placeholder = shape.find(f".//{{{P}}}nvPr/{{{P}}}ph")
    return None if placeholder is None else placeholder.get("type", "obj")


def checked(template: bytes, *, what: str = TEMPLATE) -> bytes:
    """Return the file as an ordinary presentation. Its zip directory is checked before anything is unpacked."""
    if len(template) > LARGEST_TEMPLATE_BYTE:
        size = f"{len(template) / 1e6:.0f} MB; at most {LARGEST_TEMPLATE_BYTE / 1e6:.0f} MB are read"
        raise TemplateError(f"The {what} has {size}. Remove large pictures and slides that are not needed.")
    if template.startswith(_OLD_POWERPOINT):
        raise TemplateError(f"The {what} is an old .ppt or a password-protected file. {_ASK}")
    try:
        archive = zipfile.ZipFile(io.BytesIO(template))
    except zipfile.BadZipFile as error:
        raise TemplateError(f"The {what} is not a PowerPoint file. {_ASK}") from error
    with archive:
        entries = archive.infolist()
        unpacked = sum(entry.file_size for entry in entries)
        if len(entries) > _MOST_PARTS or unpacked > _LARGEST_UNPACKED_BYTE:
            size = f"{len(entries)} parts and {unpacked / 1e6:.0f} MB"
            most = f"{_MOST_PARTS} parts and {_LARGEST_UNPACKED_BYTE / 1e6:.0f} MB"
            raise TemplateError(f"The {what} unpacks to {size}; at most {most} are read. {_ASK}")
        if any(entry.flag_bits & 0x1 for entry in entries):
            raise TemplateError(f"The {what} is encrypted. {_ASK}")
        names = [entry.filename for entry in entries]
        if len(set(names)) < len(names):
            raise TemplateError(f"The {what} holds the same part twice. {_ASK}")
        if "[Content_Types].xml" not in names:
            raise TemplateError(f"The {what} is a zip file, but not a PowerPoint file. {_ASK}")
        contents = _read_all(archive, entries, what=what)
    types = contents["[Content_Types].xml"].decode("utf-8", errors="replace")
    if "macroEnabled" in types or "vbaProject" in types or any("vbaproject" in n.lower() for n in names):
        raise TemplateError(f"The {what} holds macros, which are not taken over. {_ASK}")
    for kind in (_AS_TEMPLATE, _AS_SHOW):
        types = types.replace(kind, _MAIN)
    if _MAIN not in types:
        raise TemplateError(f"The {what} is an Office file, but not a presentation. {_ASK}")
    contents["[Content_Types].xml"] = types.encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as opened:
        for name, content in contents.items():
            opened.writestr(name, content)
    return file.getvalue()


def _read_all(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], *, what: str) -> dict[str, bytes]:
    """Return every part, counting its actual bytes. The sizes declared in a zip may be false."""
    contents: dict[str, bytes] = {}
    left, marks = _LARGEST_UNPACKED_BYTE, 0
    for entry in entries:
        if entry.is_dir():
            continue
        try:
            with archive.open(entry) as part:
                content = part.read(left + 1)
        except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, zlib.error) as error:
            raise _damaged(error, what=what) from error
        left -= len(content)
        if left < 0:
            most = f"{_LARGEST_UNPACKED_BYTE / 1e6:.0f} MB"
            raise TemplateError(f"The {what} unpacks to more than the {most} that are read. {_ASK}")
        marks += content.count(b"<") + content.count(b"=")  # a picture has one in 128 bytes by chance
        if marks > _MOST_MARKS:
            most = f"{_MOST_MARKS:,} elements and attributes"
            raise TemplateError(
                f"The {what} holds more than {most}, which no company's look needs. "
                f"Remove slides that are not needed. {_ASK}"
            )
        if entry.filename.endswith((".xml", ".rels")) and b"<!DOCTYPE" in content[:4096]:
            raise TemplateError(f"The {what} declares a document type, which Office files never do. {_ASK}")
        contents[entry.filename] = content
    return contents


def _drop_slides(deck: Deck) -> None:
    """Remove every slide and every reference to slides, so that nothing of them is saved."""
    root = deck.part._element
    for slide_id in root.findall(f"{{{P}}}sldIdLst/{{{P}}}sldId"):
        slide_id.getparent().remove(slide_id)
        deck.part.rels.pop(slide_id.get(f"{{{R}}}id"))
    for tag in ("custShowLst", "extLst", "custDataLst"):
        for element in root.findall(f"{{{P}}}{tag}"):
            root.remove(element)
    for relationships in (deck.part.rels, deck.part.package._rels):
        for key, relationship in list(relationships.items()):
            if re.search(
                r"/(slide|commentAuthors|authors|extended-properties|thumbnail|tags)$", relationship.reltype
            ):
                relationships.pop(key)


def _best(layouts: list[SlideLayout], *, kind: str, wanted: set[str]) -> SlideLayout:
    """Return the layout of this kind, or if there is none, the one with the most similar placeholders."""

    def unlike(layout: SlideLayout) -> tuple[int, int]:
        kinds = [placeholder_kind(shape) for shape in layout.shapes._spTree]
        kinds = [one for one in kinds if one and one not in ("dt", "ftr", "sldNum")]
        titles = {"title", "ctrTitle"}
        has_title = bool(titles & set(kinds)) or not titles & wanted
        return (not has_title, sum(one not in wanted for one in kinds) + len(wanted - set(kinds)))

    exact = [layout for layout in layouts if layout._element.get("type") == kind and not unlike(layout)[0]]
    return exact[0] if exact else min(layouts, key=unlike)


def paint_of(layout: SlideLayout) -> Paint:
    """Return the chart colours for this layout."""
    slots = _slots(layout)
    return theme_paint(slots=slots, background=_background(layout, slots))


def _slots(layout: SlideLayout) -> dict[str, str]:
    """Return the colour of each slot on this layout, as #rrggbb, keyed by the slot's name in slides."""
    master = layout.slide_master
    theme = parsed(master.part.part_related_by(RT.THEME).blob)
    scheme = theme.find(f".//{{{A}}}clrScheme")
    colours: dict[str, str] = {"dk1": "#000000", "lt1": "#ffffff"}
    for name in _COLOURS:
        slot = None if scheme is None else scheme.find(f"{{{A}}}{name}")
        rgb = None if slot is None else next((c.get("lastClr") or c.get("val") for c in slot), None)
        if rgb and re.fullmatch("[0-9A-Fa-f]{6}", rgb):
            colours[name] = f"#{rgb.lower()}"
    override = layout._element.find(f"{{{P}}}clrMapOvr/{{{A}}}overrideClrMapping")
    mapping = master._element.find(f"{{{P}}}clrMap") if override is None else override
    mapped = {} if mapping is None else dict(mapping.attrib)
    named = {use: colours[name] for use, name in mapped.items() if name in colours}
    return {"tx1": colours["dk1"], "bg1": colours["lt1"]} | colours | named


def _background(layout: SlideLayout, slots: dict[str, str]) -> str:
    """Return the background colour of slides: that of a covering shape or fill, or a gradient's or picture's mean."""
    deck = layout.part.package.presentation_part.presentation
    for holder in (layout, layout.slide_master):
        if over_all := _cover(holder, slots, area=(deck.slide_width or 1) * (deck.slide_height or 1)):
            return over_all
        ground = holder._element.find(f".//{{{P}}}cSld/{{{P}}}bg")
        if ground is None:
            continue
        for colour in ground.iter(f"{{{A}}}srgbClr", f"{{{A}}}schemeClr"):
            if colour.getparent().tag in (f"{{{A}}}solidFill", f"{{{P}}}bgRef"):
                return _rgb(colour, slots)
        seen = [_rgb(colour, slots) for colour in ground.iterfind(f".//{{{A}}}gs/*")]
        picture = ground.find(f".//{{{A}}}blip")
        if not seen and picture is not None:
            seen = _colour_of(holder, picture.get(f"{{{R}}}embed", ""))
        if seen:
            every = [channels(colour) for colour in seen]
            means = (sum(values) / len(every) for values in zip(*every, strict=True))
            return "#" + "".join(f"{round(mean):02x}" for mean in means)
        break
    return slots["bg1"]


def _cover(holder: SlideLayout | SlideMaster, slots: dict[str, str], *, area: int) -> str:
    """Return the colour of a filled shape that covers a whole layout or master, or ``""`` if there is none."""
    for shape in holder._element.iterfind(f"{{{P}}}cSld/{{{P}}}spTree/{{{P}}}sp"):
        extent = shape.find(f"{{{P}}}spPr/{{{A}}}xfrm/{{{A}}}ext")
        fill = shape.find(f"{{{P}}}spPr/{{{A}}}solidFill")
        if extent is None or fill is None or len(fill) == 0:
            continue
        if int(extent.get("cx", "0")) * int(extent.get("cy", "0")) >= _COVERS * area:
            return _rgb(fill[0], slots)
    return ""


def _rgb(colour: etree._Element, slots: dict[str, str]) -> str:
    value = colour.get("lastClr") or colour.get("val", "")
    return f"#{value.lower()}" if re.fullmatch("[0-9A-Fa-f]{6}", value) else slots.get(value, slots["bg1"])


def _colour_of(holder: SlideLayout | SlideMaster, identity: str) -> list[str]:
    """Return a list with the mean colour of a picture among a holder's parts, empty if the picture is unreadable."""
    try:
        with Image.open(io.BytesIO(holder.part.related_part(identity).blob)) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                return []
            red, green, blue = (
                round(channel) for channel in ImageStat.Stat(picture.convert("RGB").resize((16, 16))).mean
            )
    except (KeyError, OSError, ValueError, Image.DecompressionBombError):
        return []
    return [f"#{red:02x}{green:02x}{blue:02x}"]


@contextmanager
def refused_if_damaged(what: str = TEMPLATE) -> Iterator[None]:
    """Raise a TemplateError if reading the file inside the context fails."""
    try:
        yield
    except TemplateError:
        raise
    except _FAULTS as error:
        raise _damaged(error, what=what) from error


def _damaged(error: BaseException, *, what: str) -> TemplateError:
    first_line = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")[:160]
    return TemplateError(f"The {what} is damaged: {first_line}. {_ASK}")
