"""A presentation as a file: one slide of one view, or a deck with title, contents, changes and sources."""

import copy
import datetime
import io
import re
import struct
import zipfile
from collections.abc import Sequence
from typing import TypeVar

from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.shapes.base import BaseShape
from pptx.slide import Slide as Page
from pptx.util import Emu

from charts.powerpoint.boxes import Box, Run, rule, text_box, write
from charts.powerpoint.drawingml import A, a, plain
from charts.powerpoint.frame import frame_of
from charts.powerpoint.house import house_base
from charts.powerpoint.template import Base, company_base, placeholder_kind
from charts.powerpoint.view_slide import Slide, add_view, headline
from charts.powerpoint.words import LINE_HEIGHT, lines_needed

Row = TypeVar("Row")

_ROWS = 12
_ADDRESS = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;)]")
_FIRST_DAY = struct.pack("<HH", 0, 0x21)  # 1980-01-01 00:00


def presentation(
    slides: Sequence[Slide],
    *,
    title: str | None,
    contents: bool,
    sources: Sequence[str],
    template: bytes | None,
    as_of: str,
    changes: Sequence[tuple[str, str, str]] = (),
) -> bytes:
    """Return a .pptx file; the same input gives the same bytes.

    With ``title`` None there is no title slide; ``contents`` adds a page that links to each slide;
    ``changes`` are (view, before, after) and make a table of what moved; ``template`` is a company's .pptx
    or .potx. ``as_of`` is the date of the data, yyyy-mm-dd or yyyy-mm.

    Raises
    ------
    ValueError
        If ``slides`` is empty or ``as_of`` is not a date.
    TemplateError
        If the template cannot be used.
    """
    if not slides:
        raise ValueError("A presentation needs at least one slide; got none. Choose a view first.")
    made = _date(as_of)
    base = house_base() if template is None else company_base(template)
    if title is not None:
        _opening(base, title=title, subtitle=f"Data as of {as_of}")
    n_contents = len(_chunks(slides)) if contents else 0
    content_pages = [
        _headed(base, "Contents" if k == 0 else "Contents, continued") for k in range(n_contents)
    ]
    pages = [add_view(base, slide) for slide in slides]
    for page, chunk, first in zip(content_pages, _chunks(slides), range(0, len(slides), _ROWS), strict=False):
        _contents(page, base, headlines=[s.headline for s in chunk], pages=pages[first : first + _ROWS])
    for k, chunk in enumerate(_chunks(changes)):
        _changes(_headed(base, "What moved" if k == 0 else "What moved, continued"), base, rows=chunk)
    for k, chunk in enumerate(_chunks(sources)):
        _sources(_headed(base, "Sources" if k == 0 else "Sources, continued"), base, sources=chunk)
    for page in base.deck.slides:
        _number(page)
        _drop_empty(page)
    return _file(base, title=title or slides[0].headline, made=made)


def _date(as_of: str) -> datetime.datetime:
    """Return the date of the data as the file's own date, so that the file does not depend on the clock."""
    found = re.fullmatch(r"(\d{4})-(\d{2})(?:-(\d{2}))?", as_of)
    if found:
        try:
            return datetime.datetime(int(found[1]), int(found[2]), int(found[3] or 1))
        except ValueError:
            pass
    raise ValueError(f"as_of is the date of the data, as 2026-07-31 or 2026-07; got {as_of!r}.")


def _chunks(rows: Sequence[Row]) -> list[Sequence[Row]]:
    return [rows[k : k + _ROWS] for k in range(0, len(rows), _ROWS)]


def _opening(base: Base, *, title: str, subtitle: str) -> None:
    page = base.deck.slides.add_slide(base.title_layout)
    written = set()
    for shape in page.placeholders:
        kind = placeholder_kind(shape._element)
        text = {"ctrTitle": title, "title": title, "subTitle": subtitle}.get(kind or "")
        if text is not None and kind not in written:
            _text(shape, text)
            written.add(kind)
    if not written & {"ctrTitle", "title"}:
        frame = frame_of(base)
        runs = [[Run(text=title, size=36, ink=base.paint.text, bold=True)]]
        text_box(page, frame.body, name="Title", paragraphs=runs, anchor=MSO_ANCHOR.MIDDLE)


def _text(shape: BaseShape, text: str) -> None:
    frame = getattr(shape, "text_frame", None)
    if frame is not None:
        frame.text = plain(text)


def _headed(base: Base, text: str) -> Page:
    page = base.deck.slides.add_slide(base.headline_layout)
    headline(page, text, base=base, frame=frame_of(base))
    return page


def _list_box(base: Base) -> Box:
    frame = frame_of(base)
    top = max(frame.headline.bottom, frame.headline.top + 28 * LINE_HEIGHT + 16)
    return Box(left=frame.body.left, top=top, width=frame.body.width, height=frame.body.bottom - top - 10)


def _contents(page: Page, base: Base, *, headlines: Sequence[str], pages: Sequence[Page]) -> None:
    """List the headlines, each leading to its slide."""
    box, paint = _list_box(base), base.paint
    every = list(base.deck.slides)
    pitch = min(box.height / max(len(headlines), 1), 46.0)
    for k, (text, target) in enumerate(zip(headlines, pages, strict=True)):
        row = Box(left=box.left, top=box.top + k * pitch, width=box.width - 60, height=pitch - 4)
        run = Run(text=text, size=_fitting(text, row, largest=18.0), ink=paint.text)
        entry = text_box(page, row, name=f"Entry {k + 1}", paragraphs=[[run]], anchor=MSO_ANCHOR.MIDDLE)
        entry.click_action.target_slide = target
        place = Box(left=box.right - 50, top=row.top, width=50, height=row.height)
        number = str(1 + next(n for n, other in enumerate(every) if other.slide_id == target.slide_id))
        text_box(
            page,
            place,
            name=f"Slide of entry {k + 1}",
            paragraphs=[[Run(text=number, size=14, ink=paint.quiet)]],
            anchor=MSO_ANCHOR.MIDDLE,
            align=PP_ALIGN.RIGHT,
        )
        rule(page, left=box.left, top=row.bottom + 2, width=box.width, ink=paint.grid, points=0.75)


def _fitting(text: str, box: Box, *, largest: float, smallest: float = 10.0) -> float:
    """Return the largest size at which a text fits its box. [pt]"""
    size = largest
    while (
        size > smallest and lines_needed(text, size=size, width=box.width) * size * LINE_HEIGHT > box.height
    ):
        size -= 1
    return size


def _changes(page: Page, base: Base, *, rows: Sequence[tuple[str, str, str]]) -> None:
    """Show what moved as a native table."""
    box, paint = _list_box(base), base.paint
    height = min(box.height, 34.0 * (len(rows) + 1))
    place = Box(left=box.left, top=box.top, width=box.width, height=height)
    frame = page.shapes.add_table(len(rows) + 1, 3, *place.emu)
    frame.name = "What moved"
    table = frame.table
    for k, share in enumerate((0.5, 0.25, 0.25)):
        table.columns[k].width = Emu(round(place.emu[2] * share))
    look = frame._element.find(f".//{{{A}}}tblPr")
    look.attrib.clear()
    look.set("firstRow", "1")
    for style in list(look):
        look.remove(style)
    for r, row in enumerate([("View", "Before", "After"), *rows]):
        for k, text in enumerate(row):
            cell = table.cell(r, k)
            run = Run(text=text, size=14, ink=paint.quiet if r == 0 else paint.text, bold=r > 0 and k == 2)
            cell.margin_left = Emu(0)
            cell.vertical_anchor = MSO_ANCHOR.MIDDLE
            write(cell.text_frame, page, paragraphs=[[run]])
            _underline(cell, paint.axis if r == 0 else paint.grid)


def _underline(cell, ink) -> None:
    properties = cell._tc.get_or_add_tcPr()
    for found in list(properties):
        properties.remove(found)
    for side in ("lnL", "lnR", "lnT"):
        properties.append(a(side, a("noFill"), w=0))
    properties.append(a("lnB", ink.fill(), w=9_525))
    properties.append(a("noFill"))


def _sources(page: Page, base: Base, *, sources: Sequence[str]) -> None:
    """List the sources; an address in the text leads there."""
    box, paint = _list_box(base), base.paint
    paragraphs = []
    for source in sources:
        runs, end = [], 0
        for found in _ADDRESS.finditer(source):
            if found.start() > end:
                runs.append(Run(text=source[end : found.start()], size=13, ink=paint.text))
            runs.append(Run(text=found[0], size=13, ink=paint.text, link=found[0]))
            end = found.end()
        if source[end:] or not runs:
            runs.append(Run(text=source[end:], size=13, ink=paint.text))
        paragraphs.append(runs)
    text_box(page, box, name="Sources", paragraphs=paragraphs, spacing=8)


def _number(page: Page) -> None:
    """Give the page the slide number that its layout provides for."""
    for shape in page.slide_layout.placeholders:
        if placeholder_kind(shape._element) == "sldNum":
            copied = _copy(shape._element)
            copied.nvSpPr.cNvPr.set("id", str(page.shapes._next_shape_id))
            page.shapes._spTree.append(copied)


def _copy(element):
    copied = copy.deepcopy(element)
    properties = copied.spPr
    for found in list(properties):
        properties.remove(found)
    return copied


def _drop_empty(page: Page) -> None:
    """Remove placeholders nothing was written into, which would ask the reader to click and add text."""
    for shape in list(page.placeholders):
        frame = getattr(shape, "text_frame", None)  # a placeholder for a picture has none
        if placeholder_kind(shape._element) != "sldNum" and not (frame and frame.text):
            page.shapes._spTree.remove(shape._element)


def _file(base: Base, *, title: str, made: datetime.datetime) -> bytes:
    properties = base.deck.core_properties
    properties.title = plain(title)[:255]
    properties.author = properties.last_modified_by = "Scaling Gap"
    properties.subject = properties.keywords = properties.comments = properties.category = ""
    properties.created = properties.modified = made
    properties.revision = 1
    saved = io.BytesIO()
    base.deck.save(saved)
    return _restamped(saved.getvalue())


def _restamped(file: bytes) -> bytes:
    """Return a zip file whose entries all bear the first date a zip can hold, so that no clock shows.

    Offsets of the time of day: PKWARE APPNOTE 6.3.10, sections 4.3.7 (local header) and 4.3.12 (directory).
    """
    stamped = bytearray(file)
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        place = archive.start_dir
        for entry in archive.infolist():
            stamped[entry.header_offset + 10 : entry.header_offset + 14] = _FIRST_DAY
            stamped[place + 12 : place + 16] = _FIRST_DAY
            lengths = struct.unpack_from("<HHH", file, place + 28)
            place += 46 + sum(lengths)
    return bytes(stamped)
