import io
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from charts.colours import contrast
from charts.powerpoint import Slide, presentation
from charts.powerpoint.boxes import Box
from charts.powerpoint.drawingml import EMU_PER_POINT
from charts.powerpoint.frame import frame_of
from charts.powerpoint.template import company_base, placeholder_kind
from charts.powerpoint.words import LINE_HEIGHT, lines_needed
from tests.charts.map_examples import places, tornado
from tests.charts.powerpoint_examples import WITH_LIBREOFFICE, by_libreoffice, growth_chart, ranking, slide

SIX = {path.stem: path.read_bytes() for path in sorted(Path(__file__).with_name("templates").glob("*.pptx"))}
"""Presentations as companies, LibreOffice and Google Slides make them."""
EVERY_TEMPLATE = pytest.mark.parametrize("template", SIX.values(), ids=list(SIX))
SLACK = 1.0  # pt
LONG = "Like for like, the memory of a chip falls behind its compute by 1.39× a year, and never by 3.6×"


def drawn() -> list[Slide]:
    words = {"verdict": "Wrong", "tone": "bad", "reason": "Off by more than a factor of two."}
    judged = slide(ranking(), **words, headline=LONG)
    named = slide(growth_chart(), headline=LONG)
    return [slide(), judged, slide(places()), slide(tornado(), figures=()), named]


@cache
def opened(template: bytes) -> Any:
    words: Any = {"title": "For the board", "sources": ["Epoch AI"], "as_of": "2026-07"}
    made = presentation(drawn(), contents=True, template=template, **words)
    return Presentation(io.BytesIO(made))


def box_of(shape: Any) -> Box:
    sides = (shape.left, shape.top, shape.width, shape.height)
    left, top, width, height = (side / EMU_PER_POINT for side in sides)
    return Box(left=left, top=top, width=width, height=height)


def meet(one: Box, other: Box) -> bool:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return across > SLACK and down > SLACK


def of_theirs(page: Any, *, area: float) -> list[Box]:
    """Return the title, footers, logos, bars and small places of a page's layout, without what lies behind it all."""
    layout = page.slide_layout
    kept = [
        shape
        for shape in layout.shapes
        if placeholder_kind(shape._element) not in ("obj", "body") or shape.width * shape.height < 0.12 * area
    ]
    kept += [shape for shape in layout.slide_master.shapes if placeholder_kind(shape._element) is None]
    return [box_of(shape) for shape in kept if shape.width * shape.height < 0.5 * area]


@EVERY_TEMPLATE
def test_nothing_of_ours_meets_anything_the_layout_shows_or_leaves_the_slide(template) -> None:
    deck = opened(template)
    width, height = deck.slide_width, deck.slide_height
    whole = Box(left=0, top=0, width=width / EMU_PER_POINT, height=height / EMU_PER_POINT)
    for page in list(deck.slides)[1:]:
        theirs = of_theirs(page, area=width * height)
        for shape in page.shapes:
            if shape.is_placeholder:
                continue
            box = box_of(shape)
            assert box.left >= 0 and box.top >= 0, shape.name
            assert box.right <= whole.right and box.bottom <= whole.bottom, shape.name
            assert not [other for other in theirs if meet(box, other)], shape.name


@EVERY_TEMPLATE
def test_chart_figures_words_and_source_keep_clear_of_one_another(template) -> None:
    for page in list(opened(template).slides)[2:-1]:
        ours = {shape.name: box_of(shape) for shape in page.shapes if shape.name != "Rule"}
        for (one, first), (other, second) in combinations(ours.items(), 2):
            assert not meet(first, second), (one, other)


@EVERY_TEMPLATE
def test_the_headline_fits_the_title_of_the_layout_where_the_layout_has_it(template) -> None:
    for page, ours in zip(list(opened(template).slides)[2:-1], drawn(), strict=True):
        title = page.shapes.title
        assert title is not None and title.text_frame.text == ours.headline
        assert title._element.spPr.find("{*}xfrm") is None  # its place is the layout's
        size = title.text_frame.paragraphs[0].runs[0].font.size.pt
        width = title.width / EMU_PER_POINT - 14.4
        lines = lines_needed(title.text_frame.text, size=size, width=width, bold=True)
        assert lines * size * LINE_HEIGHT <= title.height / EMU_PER_POINT


@EVERY_TEMPLATE
def test_text_can_be_read_on_the_background_and_the_chart_has_room(template) -> None:
    base = company_base(template)
    body, paint = frame_of(base).body, base.paint
    area = (base.deck.slide_width or 0) * (base.deck.slide_height or 0) / EMU_PER_POINT**2
    assert body.width * body.height >= 0.4 * area
    for ink in (paint.text, paint.quiet, *paint.words.values()):
        assert contrast(ink.rgb, paint.background) >= 4.5


@pytest.mark.parametrize(
    ("name", "background"), [("dark_title_below", "#0f223f"), ("as_google_slides_exports", "#202124")]
)
def test_a_gradient_or_a_rectangle_over_the_page_is_what_slides_lie_on(name: str, background: str) -> None:
    assert company_base(SIX[name]).paint.background == background


@WITH_LIBREOFFICE
def test_a_template_saved_by_libreoffice_serves_as_well(tmp_path: Path) -> None:
    saved = by_libreoffice(SIX["classic"], tmp_path)
    test_nothing_of_ours_meets_anything_the_layout_shows_or_leaves_the_slide(saved)
    test_chart_figures_words_and_source_keep_clear_of_one_another(saved)
