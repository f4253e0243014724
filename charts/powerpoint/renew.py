"""Update of the numbers in a deck that was made with Scaling Gap. Changes made by hand are kept.

Only our own texts and charts change, and only if their content differs. A rewritten text stays; the notes of each slide
list every number that changed.
"""

import copy
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide as Page
from pptx.text.text import TextFrame

from charts.powerpoint.boxes import Box, as_set
from charts.powerpoint.chart_values import carried_over, changed_values
from charts.powerpoint.drawingml import EMU_PER_POINT, A, R, plain
from charts.powerpoint.paint import SIGNS, Paint, house_paint
from charts.powerpoint.scale import enlarge_chart, scale_of
from charts.powerpoint.tags import NOTES, Tags, digest, put_tags, tags_of, with_text
from charts.powerpoint.template import THEME, TemplateError, checked, paint_of, refused_if_damaged
from charts.powerpoint.view_slide import MOST_FIGURES, fill_chart_part, key_runs, native_chart
from charts.slide import Slide

MOST_LISTED = 40
"""Maximum number of changes listed on one slide. Further changes are only counted."""
WHAT = "presentation"


@dataclass(frozen=True, kw_only=True)
class FoundSlide:
    """One of our slides in a file: its number, counted from 1, and its view."""

    number: int
    link: str
    exhibit: int


@dataclass(frozen=True, kw_only=True)
class RenewedSlide:
    """Result for one slide: each change, and each text that a person wrote and that was kept."""

    number: int
    headline: str
    changes: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Renewed:
    """A deck with updated numbers: the file, and the changes on each of our slides."""

    file: bytes
    slides: tuple[RenewedSlide, ...]


def slides_of_ours(file: bytes) -> tuple[FoundSlide, ...]:
    """Return the slides of a file that were made with Scaling Gap.

    Raises TemplateError if the file is not a readable presentation, or has no slide that was made here.
    """
    slides = [
        FoundSlide(number=number, link=tags.link, exhibit=tags.exhibit)
        for number, page in enumerate(_opened(file).slides, start=1)
        if (tags := tags_of(page)) is not None
    ]
    if not slides:
        raise TemplateError(
            "No slide of this presentation was made here, so there is nothing to renew. "
            "A slide made here has a source line that leads back to its view."
        )
    return tuple(slides)


def renewed(
    file: bytes,
    remade: Callable[[FoundSlide], Slide | None],
    *,
    original: Callable[[FoundSlide], Slide | None] = lambda _: None,
) -> Renewed:
    """Return the deck with its slides replaced by those from ``remade``. If it returns None, the slide is unchanged.

    A slide that lost its tags, as in LibreOffice, does not record what we wrote: ``original`` returns the slide
    originally made for its link, and any text that differs from it counts as a person's and stays.

    Raises TemplateError as :func:`slides_of_ours` does.
    """
    slides = slides_of_ours(file)
    with refused_if_damaged(WHAT):
        deck = _opened(file)
        pages = list(deck.slides)
        results, headlines = [], {}
        for one in slides:
            slide = remade(one)
            if slide is None:
                continue
            page = pages[one.number - 1]
            tags = tags_of(page) or Tags(link=one.link)
            if not tags.written:
                title = page.shapes.title
                if title is not None and not any(shape.name == "Headline" for shape in page.shapes):
                    title.name = "Headline"  # LibreOffice renames placeholders
                tags = replace(tags, written=_as_made(page, original(one)))
            before = _text(page, "Headline")
            results.append(_renew(page, slide, number=one.number, tags=tags))
            headlines[" ".join(before.split())] = slide.headline
        _contents(pages, headlines)
        saved = io.BytesIO()
        deck.save(saved)
    return Renewed(file=saved.getvalue(), slides=tuple(results))


def _opened(file: bytes) -> Deck:
    with refused_if_damaged(WHAT):
        return Presentation(io.BytesIO(checked(file, what=WHAT)))


def _renew(page: Page, slide: Slide, *, number: int, tags: Tags) -> RenewedSlide:
    changes: list[str] = []
    kept: list[str] = []
    by_hand: dict[str, str] = {}
    paint = _paint(page)
    ours = _texts(slide, paint)
    for shape in with_text(page):
        texts = ours.get(shape.name)
        if texts is None:
            continue
        before = shape.text_frame.text
        after = "\n".join("".join(line) for line in texts)
        if " ".join(before.split()) == " ".join(after.split()):
            continue
        if tags.written.get(shape.name) != digest(before):
            by_hand[shape.name] = tags.written.get(shape.name, "")
            kept.append(
                f"{shape.name} was written by hand and stays: “{_line(before)}”. Ours says now: “{_line(after)}”."
            )
            continue
        _retyped(shape.text_frame, texts)
        changes.append(f"{shape.name}: {_line(before)} → {_line(after)}")
    _lead(page, before=tags.link, after=slide.link)
    changes += _chart(page, slide, paint=paint)
    if not _notes(page, slide, tags=tags, changes=changes, kept=kept):
        by_hand[NOTES] = tags.written.get(NOTES, "")
    put_tags(page, link=slide.link, exhibit=slide.exhibit, by_hand=by_hand)
    return RenewedSlide(number=number, headline=slide.headline, changes=tuple(changes), kept=tuple(kept))


def _as_made(page: Page, slide: Slide | None) -> dict[str, str]:
    """Return digests of the texts on a new slide. The source line counts as ours, because it identifies the slide."""
    digests = {"Source": digest(_text(page, "Source"))}
    if slide is not None:
        texts = _texts(slide, _paint(page))
        digests |= {
            name: digest("\n".join("".join(line) for line in lines))
            for name, lines in texts.items()
            if name != "Source"
        }
        digests[NOTES] = digest(plain(slide.notes))
    return digests


def _texts(slide: Slide, paint: Paint) -> dict[str, list[list[str]]]:
    """Return the text in each of our shapes, as paragraphs of runs."""
    texts = {
        "Headline": [[slide.headline]],
        "Subtitle": [[slide.subtitle]],
        "Key": [[run.text for run in key_runs(slide.chart, paint)]],
        "Verdict": [[f"{SIGNS[slide.tone]}{slide.verdict}"]],
        "Reason": [[slide.reason]],
        "Source": [[f"{slide.source}  ", slide.shown_link]],
    }
    for k in range(MOST_FIGURES):
        figure = slide.figures[k] if k < len(slide.figures) else ("", "", "")
        texts[f"Key figure {k + 1}"] = [[text] for text in figure if text] or [[""]]
    return {name: [[as_set(text) for text in line] for line in lines] for name, lines in texts.items()}


def _line(text: str) -> str:
    return " ".join(text.split())


def _text(page: Page, name: str) -> str:
    return next((shape.text_frame.text for shape in with_text(page) if shape.name == name), "")


def _paint(page: Page) -> Paint:
    layout = page.slide_layout
    theme = layout.slide_master.part.part_related_by(RT.THEME).blob
    return house_paint() if f'name="{THEME}"'.encode() in theme[:2000] else paint_of(layout)


def _lead(page: Page, *, before: str, after: str) -> None:
    """Replace links to the previous view with links to the new one."""
    rels = page.part.rels
    for click in page._element.iter(f"{{{A}}}hlinkClick"):
        target = rels.get(click.get(f"{{{R}}}id", ""))
        if target is not None and target.is_external and target.target_ref == before:
            click.set(f"{{{R}}}id", page.part.relate_to(after, RT.HYPERLINK, is_external=True))


def _chart(page: Page, slide: Slide, *, paint: Paint) -> list[str]:
    frames: list[Any] = [shape for shape in page.shapes if shape.has_chart]
    frame = next((one for one in frames if one.name == "Chart"), frames[0] if len(frames) == 1 else None)
    if frame is None:
        return []
    part = frame.chart_part
    scale = scale_of(part.package.presentation_part.presentation)
    a_point = EMU_PER_POINT * scale
    size = Box(left=0, top=0, width=frame.width / a_point, height=frame.height / a_point)
    before = copy.deepcopy(part._element)
    native = native_chart(slide.chart, paint, box=size)
    changes = changed_values(before, native.part, chart=slide.chart)
    fill_chart_part(part, native)
    enlarge_chart(part, scale)
    carried_over(before, part._element)
    frame._element.nvGraphicFramePr.cNvPr.set("descr", plain(slide.chart.alt))
    return changes


def _notes(page: Page, slide: Slide, *, tags: Tags, changes: Sequence[str], kept: Sequence[str]) -> bool:
    """List the changes above the notes, and return whether the notes below are ours."""
    frame = page.notes_slide.notes_text_frame
    if frame is None:
        return True
    ours = tags.written.get(NOTES) == digest(frame.text)
    listed = [*changes[:MOST_LISTED]]
    if len(changes) > MOST_LISTED:
        listed.append(f"and {len(changes) - MOST_LISTED} more")
    head = "Renewed: what changed" if changes else "Renewed: nothing changed"
    below = slide.notes if ours else frame.text
    frame.text = plain("\n".join([head, *(f"– {line}" for line in (*listed, *kept)), "", below]))
    return ours


def _contents(pages: Sequence[Page], headlines: dict[str, str]) -> None:
    """Replace each line of the table of contents with the new headline of its slide."""
    for page in pages:
        for shape in with_text(page):
            if re.fullmatch(r"Entry \d+", shape.name):
                now = headlines.get(" ".join(shape.text_frame.text.split()))
                if now:
                    _retyped(shape.text_frame, [[as_set(now)]])


def as_of(file: bytes, *, before: Sequence[str], after: str) -> bytes:
    """Return the file with the date of its data updated on the opening page and among the sources."""
    deck = _opened(file)
    dates = "|".join(re.escape(name) for name in before)
    date = re.compile(rf"(?<=^Data as of )({dates})$|(?<=^Data release )({dates})(?=\.)")
    for page in deck.slides:
        if tags_of(page) is not None or not dates:
            continue
        for shape in with_text(page):
            for paragraph in shape.text_frame._txBody.iter(f"{{{A}}}t"):
                paragraph.text = date.sub(after, paragraph.text or "")
    saved = io.BytesIO()
    deck.save(saved)
    return saved.getvalue()


def _retyped(frame: TextFrame, texts: Sequence[Sequence[str]]) -> None:
    """Replace a frame's paragraphs with others, given as runs. Each word takes the style of the word it replaces."""
    body = frame._txBody
    while len(frame.paragraphs) < len(texts):
        body.append(copy.deepcopy(frame.paragraphs[-1]._p))
    for paragraph in frame.paragraphs[max(len(texts), 1) :]:
        body.remove(paragraph._p)
    for paragraph, runs in zip(frame.paragraphs, texts, strict=False):
        _retype(paragraph._p, runs)


def _retype(paragraph: Any, runs: Sequence[str]) -> None:
    for child in list(paragraph):
        if child.tag in (f"{{{A}}}br", f"{{{A}}}fld"):
            paragraph.remove(child)
    there = paragraph.findall(f"{{{A}}}r")
    texts = [run.find(f"{{{A}}}t") for run in there]
    if not there:
        paragraph.add_r("".join(runs))
        return
    before = [text.text or "" for text in texts]
    new = list(runs) if len(there) == len(runs) else _shared(before, "".join(runs))
    for text, words in zip(texts, new, strict=True):
        text.text = words


def _shared(before: Sequence[str], after: str) -> list[str]:
    """Return a text in as many runs as the previous text. Each word is in the run of the word it replaces."""
    old: list[tuple[str, int]] = [(word, k) for k, text in enumerate(before) for word in _words(text)]
    new = _words(after)
    cut = [""] * len(before)
    last = 0
    for _, start, end, first, stop in SequenceMatcher(
        None, [word for word, _ in old], new, autojunk=False
    ).get_opcodes():
        for k, word in enumerate(new[first:stop]):
            if start + k < end:
                last = old[start + k][1]
            cut[last] += word
        if end > start:
            last = max(last, old[end - 1][1]) if stop == first else last
    return cut


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|[^\s]+", text)
