"""A presentation file: a slide of one view, or a deck with title, contents, changes and sources."""

import copy
import datetime
import io
import re
import zipfile
from collections.abc import Sequence
from typing import TypeVar

from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide as Page
from pptx.util import Emu

from charts.powerpoint import template as templates
from charts.powerpoint.boxes import Box, Run, rule, text_box, write
from charts.powerpoint.drawingml import A, a, plain
from charts.powerpoint.frame import frame_of
from charts.powerpoint.scale import enlarge_page, scale_of
from charts.powerpoint.view_slide import add_view, headline
from charts.powerpoint.words import LINE_HEIGHT, lines_needed
from charts.powerpoint.workbook import FIRST_DAY
from charts.slide import Slide

Row = TypeVar("Row")
Listing = tuple[Page, Shape, Box]
"""A line of the contents: its page, its text, and the placeholder for the slide number."""

_ROWS = 12  # on one page
_LARGEST_SOURCE, _SMALLEST_SOURCE = 13.0, 8.0
_ADDRESS = re.compile(r"(https?://[^\s<>\"]+[^\s<>\".,;)])")


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
    """Return a .pptx file. Equal inputs give equal bytes.

    A ``title`` of None omits the title slide; ``contents`` adds a page that links to each slide; ``changes`` are (view,
    before, after) rows of a table of changes; ``template`` is a company's .pptx or .potx. ``as_of`` is the date of the
    data, yyyy-mm-dd or yyyy-mm.

    Raises ValueError if ``slides`` is empty or ``as_of`` is not a date; TemplateError if the template cannot be used.
    """
    if not slides:
        raise ValueError("A presentation needs at least one slide; got none. Choose a view first.")
    _date(as_of)

    def built(base: templates.Base) -> bytes:
        if title is not None:
            _add_opening(base, title=title, subtitle=f"Data as of {as_of}")
        listing = _add_contents(base, headlines=[slide.headline for slide in slides]) if contents else ()
        pages = [add_view(base, slide) for slide in slides]
        _link_contents(base, listing, targets=pages)
        for k, rows in enumerate(_chunks(changes)):
            _table(_headed(base, "What moved, continued" if k else "What moved"), base, rows=rows)
        _add_sources(base, sources)
        for page in base.deck.slides:
            enlarge_page(page, scale_of(base.deck))
            _number_page(page)
            _drop_empty(page)
        return _file(base, title=title or slides[0].headline, made=_date(as_of))

    if template is None:
        return built(templates.house_base())
    base = templates.company_base(template)
    try:
        with templates.refused_if_damaged():
            return built(base)
    except templates.TemplateError:
        built(templates.house_base())  # faults of the slides themselves raise here, unchanged
        raise


def _date(as_of: str) -> datetime.datetime:
    """Return the date of the data as the file's date, so that the file does not depend on the clock."""
    match = re.fullmatch(r"(\d{4})-(\d{2})(?:-(\d{2}))?", as_of)
    if match:
        try:
            return datetime.datetime(int(match[1]), int(match[2]), int(match[3] or 1))
        except ValueError:
            pass
    raise ValueError(f"as_of is the date of the data, as 2026-07-31 or 2026-07; got {as_of!r}.")


def _file(base: templates.Base, *, title: str, made: datetime.datetime) -> bytes:
    properties = base.deck.core_properties
    properties.title = plain(title)[:255]
    properties.author = properties.last_modified_by = "Scaling Gap"
    properties.subject = properties.keywords = properties.comments = properties.category = ""
    properties.created = properties.modified = made
    properties.revision = 1
    saved = io.BytesIO()
    base.deck.save(saved)
    stamped = io.BytesIO()
    with zipfile.ZipFile(saved) as archive, zipfile.ZipFile(stamped, "w") as restamped:
        for entry in archive.infolist():
            content = archive.read(entry)
            entry.date_time = FIRST_DAY  # so that it is reproducible
            restamped.writestr(entry, content)
    return stamped.getvalue()


def _add_opening(base: templates.Base, *, title: str, subtitle: str) -> None:
    """Add the slide with the deck's title."""
    page = base.deck.slides.add_slide(base.title_layout)
    written = set()
    for shape in page.placeholders:
        kind = templates.placeholder_kind(shape._element)
        text = {"ctrTitle": title, "title": title, "subTitle": subtitle}.get(kind or "")
        if text is not None and kind not in written:
            if frame := getattr(shape, "text_frame", None):
                frame.text = plain(text)
            written.add(kind)
    if not written & {"ctrTitle", "title"}:
        frame = frame_of(base)
        runs = [[Run(text=title, size=36, ink=base.paint.text, bold=True)]]
        text_box(page, frame.body, name="Title", paragraphs=runs, anchor=MSO_ANCHOR.MIDDLE)


def _headed(base: templates.Base, text: str) -> Page:
    page = base.deck.slides.add_slide(base.headline_layout)
    headline(page, text, base=base, frame=frame_of(base))
    return page


def _list_box(base: templates.Base) -> Box:
    frame = frame_of(base)
    body = frame.body
    if not (base.ours or frame.moved):
        return Box(left=body.left, top=body.top + 4, width=body.width, height=body.height - 8)
    top = max(frame.headline.bottom, frame.headline.top + 28 * LINE_HEIGHT + 16)
    return Box(left=body.left, top=top, width=body.width, height=body.bottom - top - 10)


def _add_contents(base: templates.Base, *, headlines: Sequence[str]) -> Sequence[Listing]:
    """Add the contents, and return their lines, one per headline. They do not link to slides yet."""
    lines: list[Listing] = []
    for chunk in _chunks(headlines):
        page = _headed(base, "Contents, continued" if lines else "Contents")
        box, paint = _list_box(base), base.paint
        pitch = min(box.height / len(chunk), 46.0)
        for k, text in enumerate(chunk):
            row = Box(left=box.left, top=box.top + k * pitch, width=box.width - 60, height=pitch - 4)
            size = 18.0
            while size > 10 and _height([text], size=size, width=row.width) > row.height:
                size -= 1
            run = Run(text=text, size=size, ink=paint.text)
            name = f"Entry {len(lines) + 1}"
            entry = text_box(page, row, name=name, paragraphs=[[run]], anchor=MSO_ANCHOR.MIDDLE)
            rule(page, left=box.left, top=row.bottom + 2, width=box.width, ink=paint.grid, points=0.75)
            lines.append((page, entry, Box(left=box.right - 50, top=row.top, width=50, height=row.height)))
    return lines


def _link_contents(base: templates.Base, listing: Sequence[Listing], *, targets: Sequence[Page]) -> None:
    """Link each line of the contents to its slide, and write that slide's number to the right of the line."""
    number_of = {page.slide_id: n for n, page in enumerate(base.deck.slides, start=1)}
    for k, ((page, entry, place), target) in enumerate(zip(listing, targets, strict=False), start=1):
        entry.click_action.target_slide = target
        run = Run(text=str(number_of[target.slide_id]), size=14, ink=base.paint.quiet)
        look = {"anchor": MSO_ANCHOR.MIDDLE, "align": PP_ALIGN.RIGHT}
        text_box(page, place, name=f"Slide of entry {k}", paragraphs=[[run]], **look)


def _table(page: Page, base: templates.Base, *, rows: Sequence[tuple[str, str, str]]) -> None:
    """Add a native table of changes, with the columns "View", "Before" and "After"."""
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
    for child in list(properties):
        properties.remove(child)
    for side in ("lnL", "lnR", "lnT"):
        properties.append(a(side, a("noFill"), w=0))
    properties.append(a("lnB", ink.fill(), w=9_525))
    properties.append(a("noFill"))


def _add_sources(base: templates.Base, sources: Sequence[str]) -> None:
    """Add the list of sources. Addresses in their text become links."""
    for k, chunk in enumerate(_chunks(sources)):
        page = _headed(base, "Sources, continued" if k else "Sources")
        box, ink = _list_box(base), base.paint.text
        size, spacing = _LARGEST_SOURCE, 8.0
        while (
            size > _SMALLEST_SOURCE
            and _height(chunk, size=size, width=box.width) + spacing * len(chunk) > box.height
        ):
            size -= 1
        split = [enumerate(_ADDRESS.split(source)) for source in chunk]  # every second part is an address
        paragraphs = [
            [Run(text=part, size=size, ink=ink, link=part if k % 2 else None) for k, part in parts if part]
            for parts in split
        ]
        text_box(page, box, name="Sources", paragraphs=paragraphs, spacing=spacing)


def _height(texts: Sequence[str], *, size: float, width: float) -> float:
    return sum(lines_needed(text, size=size, width=width) for text in texts) * size * LINE_HEIGHT


def _number_page(page: Page) -> None:
    """Add the slide number if the page's layout has a placeholder for it."""
    for shape in page.slide_layout.placeholders:
        if templates.placeholder_kind(shape._element) == "sldNum":
            copied = copy.deepcopy(shape._element)
            for child in list(copied.spPr):
                copied.spPr.remove(child)
            copied.nvSpPr.cNvPr.set("id", str(page.shapes._next_shape_id))
            page.shapes._spTree.append(copied)


def _drop_empty(page: Page) -> None:
    """Remove unused placeholders, which would ask the reader to add text."""
    for shape in list(page.placeholders):
        frame = getattr(shape, "text_frame", None)  # a picture placeholder has none
        if templates.placeholder_kind(shape._element) != "sldNum" and not (frame and frame.text):
            page.shapes._spTree.remove(shape._element)


def _chunks(rows: Sequence[Row]) -> list[Sequence[Row]]:
    return [rows[k : k + _ROWS] for k in range(0, len(rows), _ROWS)]
