"""The pages of a deck that show no view: opening, contents, what moved, sources."""

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.slide import Slide as Page
from pptx.util import Emu

from charts.powerpoint.boxes import Box, Run, rule, text_box, write
from charts.powerpoint.drawingml import A, a, plain
from charts.powerpoint.frame import frame_of
from charts.powerpoint.paint import Ink
from charts.powerpoint.template import Base, placeholder_kind
from charts.powerpoint.view_slide import headline
from charts.powerpoint.words import LINE_HEIGHT, lines_needed

Row = TypeVar("Row")

_ROWS = 12  # on one page
_LARGEST_SOURCE, _SMALLEST_SOURCE = 13.0, 8.0
_ADDRESS = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;)]")


@dataclass(frozen=True, kw_only=True)
class Listing:
    """One line of the contents: its text on its page, and the place for the number of its slide."""

    page: Page
    entry: Shape
    place: Box


def add_opening(base: Base, *, title: str, subtitle: str) -> None:
    """Put the title slide."""
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
    body = frame.body
    if not (base.ours or frame.moved):
        return Box(left=body.left, top=body.top + 4, width=body.width, height=body.height - 8)
    top = max(frame.headline.bottom, frame.headline.top + 28 * LINE_HEIGHT + 16)
    return Box(left=body.left, top=top, width=body.width, height=body.bottom - top - 10)


def add_contents(base: Base, *, headlines: Sequence[str]) -> Sequence[Listing]:
    """Return the lines of the contents, one a headline, still to be linked to their slides."""
    lines: list[Listing] = []
    for chunk in _chunks(headlines):
        page = _headed(base, "Contents, continued" if lines else "Contents")
        box, paint = _list_box(base), base.paint
        pitch = min(box.height / len(chunk), 46.0)
        for k, text in enumerate(chunk):
            row = Box(left=box.left, top=box.top + k * pitch, width=box.width - 60, height=pitch - 4)
            run = Run(text=text, size=_fitting(text, row, largest=18.0), ink=paint.text)
            name = f"Entry {len(lines) + 1}"
            entry = text_box(page, row, name=name, paragraphs=[[run]], anchor=MSO_ANCHOR.MIDDLE)
            rule(page, left=box.left, top=row.bottom + 2, width=box.width, ink=paint.grid, points=0.75)
            place = Box(left=box.right - 50, top=row.top, width=50, height=row.height)
            lines.append(Listing(page=page, entry=entry, place=place))
    return lines


def link_contents(base: Base, listing: Sequence[Listing], *, targets: Sequence[Page]) -> None:
    """Let each line of the contents lead to its slide, and say its number."""
    number_of = {page.slide_id: n for n, page in enumerate(base.deck.slides, start=1)}
    for k, (line, target) in enumerate(zip(listing, targets, strict=False), start=1):
        line.entry.click_action.target_slide = target
        run = Run(text=str(number_of[target.slide_id]), size=14, ink=base.paint.quiet)
        text_box(
            line.page,
            line.place,
            name=f"Slide of entry {k}",
            paragraphs=[[run]],
            anchor=MSO_ANCHOR.MIDDLE,
            align=PP_ALIGN.RIGHT,
        )


def _fitting(text: str, box: Box, *, largest: float, smallest: float = 10.0) -> float:
    """Return the largest size at which a text fits its box. [pt]"""
    size = largest
    while (
        size > smallest and lines_needed(text, size=size, width=box.width) * size * LINE_HEIGHT > box.height
    ):
        size -= 1
    return size


def add_changes(base: Base, changes: Sequence[tuple[str, str, str]]) -> None:
    """Show what moved, (view, before, after), as native tables."""
    for k, rows in enumerate(_chunks(changes)):
        _table(_headed(base, "What moved, continued" if k else "What moved"), base, rows=rows)


def _table(page: Page, base: Base, *, rows: Sequence[tuple[str, str, str]]) -> None:
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


def add_sources(base: Base, sources: Sequence[str]) -> None:
    """List the sources; an address in the text leads there."""
    for k, chunk in enumerate(_chunks(sources)):
        page = _headed(base, "Sources, continued" if k else "Sources")
        box, ink = _list_box(base), base.paint.text
        size, spacing = _LARGEST_SOURCE, 8.0
        while (
            size > _SMALLEST_SOURCE
            and _height(chunk, size=size, width=box.width) + spacing * len(chunk) > box.height
        ):
            size -= 1
        paragraphs = [_linked(source, size=size, ink=ink) for source in chunk]
        text_box(page, box, name="Sources", paragraphs=paragraphs, spacing=spacing)


def _height(texts: Sequence[str], *, size: float, width: float) -> float:
    return sum(lines_needed(text, size=size, width=width) for text in texts) * size * LINE_HEIGHT


def _linked(text: str, *, size: float, ink: Ink) -> Sequence[Run]:
    runs: list[Run] = []
    end = 0
    for address in _ADDRESS.finditer(text):
        if address.start() > end:
            runs.append(Run(text=text[end : address.start()], size=size, ink=ink))
        runs.append(Run(text=address[0], size=size, ink=ink, link=address[0]))
        end = address.end()
    if text[end:] or not runs:
        runs.append(Run(text=text[end:], size=size, ink=ink))
    return runs


def number_page(page: Page) -> None:
    """Give the page the slide number that its layout provides for."""
    for shape in page.slide_layout.placeholders:
        if placeholder_kind(shape._element) == "sldNum":
            copied = _copy(shape._element)
            copied.nvSpPr.cNvPr.set("id", str(page.shapes._next_shape_id))
            page.shapes._spTree.append(copied)


def _copy(element):
    copied = copy.deepcopy(element)
    properties = copied.spPr
    for child in list(properties):
        properties.remove(child)
    return copied


def drop_empty(page: Page) -> None:
    """Remove placeholders nothing was written into, which would ask the reader to click and add text."""
    for shape in list(page.placeholders):
        frame = getattr(shape, "text_frame", None)  # a placeholder for a picture has none
        if placeholder_kind(shape._element) != "sldNum" and not (frame and frame.text):
            page.shapes._spTree.remove(shape._element)


def _chunks(rows: Sequence[Row]) -> list[Sequence[Row]]:
    return [rows[k : k + _ROWS] for k in range(0, len(rows), _ROWS)]
