import io
import re
import time
import zipfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import lxml.etree as etree
import pytest
from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.util import Pt

from charts.chart import Points
from charts.colours import PALETTES
from charts.mark import LINES
from charts.powerpoint.template import house_base
from tests.charts.powerpoint_examples import (
    WITH_LIBREOFFICE,
    by_libreoffice,
    company_template,
    deck,
    growth_chart,
    parts,
    ranking,
    single,
    slide,
)


def pages_of(file: bytes) -> list[Any]:
    return list(Presentation(io.BytesIO(file)).slides)


def page_of(chart: Any = None, **changes: Any) -> Any:
    """Return the page made of one view."""
    (page,) = pages_of(deck([slide(chart, **changes)], title=None, contents=False, sources=[]))
    return page


def named(page: Any, name: str) -> Any:
    return next((shape for shape in page.shapes if shape.name == name), None)


def titles(file: bytes) -> list[str]:
    return [page.shapes.title.text_frame.text for page in pages_of(file)]


def test_a_view_is_one_wide_slide_headline_on_top_chart_two_thirds_and_three_figures_beside() -> None:
    made: Any = Presentation(io.BytesIO(single()))
    (page,) = made.slides
    assert abs(made.slide_width / made.slide_height - 16 / 9) < 1e-3
    title = page.shapes.title
    assert title.text_frame.text == "A frontier run needs 4.7× more compute each year"
    assert title.text_frame.paragraphs[0].runs[0].font.size == Pt(28)
    assert page.notes_slide.notes_text_frame.text == "Method: least squares.\nCaveat: run against chip."
    chart = named(page, "Chart")
    assert chart._element.nvGraphicFramePr.cNvPr.get("descr") == growth_chart().alt
    figures = [shape for shape in page.shapes if shape.name.startswith("Key figure")]
    body = figures[0].left + figures[0].width - chart.left
    assert 0.66 <= chart.width / body <= 0.75
    assert [shape.text_frame.text for shape in figures] == [
        "Compute per run\n4.7× a year\n4.5 to 5.0, 90% interval",
        "Bandwidth per chip\n1.30× a year\n1.27 to 1.33",
        "Gap\n3.6× a year",
    ]
    assert all(shape.left > chart.left + chart.width for shape in figures)
    assert named(page_of(figures=()), "Chart").width > 1.35 * chart.width
    runs = named(page, "Source").text_frame.paragraphs[0].runs
    assert {run.font.size for run in runs} == {Pt(10)}
    assert runs[-1].text == "example.org/v/1r52924mc1jcc"
    assert runs[-1].hyperlink.address == "https://example.org/growth-gap?release=2026-07&since=2012"


def test_long_headlines_are_set_smaller_and_long_sources_take_their_room_from_the_chart() -> None:
    long = ("Compute grows faster than memory " * 9, "Top-10 runs by compute at release. " * 12)
    page = page_of(headline=long[0], source=long[1])
    title, chart, source = page.shapes.title, named(page, "Chart"), named(page, "Source")
    assert title.text_frame.paragraphs[0].runs[0].font.size == Pt(20)
    assert chart.top >= title.top + 3 * Pt(20) * 1.2
    assert source.height >= 3 * Pt(12) and chart.top + chart.height <= source.top


def test_a_deck_has_title_contents_views_changes_and_sources_in_that_order() -> None:
    file = deck(changes=[("Growth gap", "3.5× a year", "3.6× a year")])
    pages = pages_of(file)
    assert titles(file) == [
        *("Is memory falling behind compute?", "Contents"),
        *["A frontier run needs 4.7× more compute each year"] * 2,
        *("What moved", "Sources"),
    ]
    assert any(shape.text_frame.text == "Data as of 2026-07-31" for shape in pages[0].placeholders)
    cells = [[cell.text_frame.text for cell in row.cells] for row in named(pages[4], "What moved").table.rows]
    assert cells == [["View", "Before", "After"], ["Growth gap", "3.5× a year", "3.6× a year"]]
    for shape in (shape for page in pages for shape in page.shapes if not shape.is_placeholder):
        assert shape.left >= 0 and shape.left + shape.width <= 12_192_000 + 1, shape.name
        assert shape.top >= 0 and shape.top + shape.height <= 6_858_000 + 1, shape.name
    entries = [shape for shape in pages[1].shapes if shape.name.startswith("Entry")]
    targets = [shape.click_action.target_slide.slide_id for shape in entries]
    assert targets == [pages[2].slide_id, pages[3].slide_id]
    numbers = [s.text_frame.text for s in pages[1].shapes if s.name.startswith("Slide of entry")]
    assert numbers == ["3", "4"]
    runs = named(pages[-1], "Sources").text_frame.paragraphs[0].runs
    address = "https://epoch.ai/data"
    assert [(run.text, run.hyperlink.address) for run in runs] == [
        *(("Epoch AI, ", None), (address, address), (", release 2026-07.", None))
    ]


def test_long_contents_changes_and_sources_run_on_over_further_slides() -> None:
    made = deck([slide()] * 13, sources=[f"Source {k}" for k in range(25)], changes=[("v", "a", "b")] * 13)
    for title, times in (("Contents", 1), ("What moved", 1), ("Sources", 2)):
        assert titles(made).count(f"{title}, continued") == times


def test_a_key_names_marks_that_neither_a_line_end_nor_their_own_names_explain() -> None:
    chart = growth_chart()
    assert named(page_of(), "Key").text_frame.text == "□ Announced chips"
    assert named(page_of(growth_chart(marks=chart.marks[4:])), "Key") is None
    marks = tuple(
        replace(mark, marked=tuple(enumerate(mark.names))) if isinstance(mark, Points) else mark
        for mark in chart.marks
    )
    assert named(page_of(growth_chart(marks=marks)), "Key") is None


def test_the_same_input_gives_the_same_bytes_whatever_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    first = deck()
    later = time.localtime(time.time() + 400_000_000)
    monkeypatch.setattr(time, "localtime", lambda *_: later)
    assert deck() == first
    assert deck(template=company_template("7A0019")) == deck(template=company_template("7A0019"))
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.testzip() is None


@pytest.mark.parametrize(("as_of", "day"), [("2026-07-31", "2026-07-31"), ("2026-07", "2026-07-01")])
def test_the_file_bears_the_date_of_the_data(as_of: str, day: str) -> None:
    properties: Any = Presentation(io.BytesIO(deck(as_of=as_of))).core_properties
    assert properties.created.date().isoformat() == properties.modified.date().isoformat() == day
    assert properties.title == "Is memory falling behind compute?"


def test_text_from_data_never_becomes_markup() -> None:
    hostile = '<a:t>&amp;"]]>\x00\ud800 ${x} {{y}}\u202e'
    chart = growth_chart(subtitle=hostile, alt=hostile)
    made = deck(
        [slide(chart, headline=hostile, notes=hostile, source=hostile, figures=((hostile,) * 3,))],
        title=hostile,
        sources=[hostile],
        changes=[(hostile, hostile, hostile)],
    )
    for name, part in parts(made).items():
        if name.endswith((".xml", ".rels")):
            etree.fromstring(part)
    assert titles(made)[2] == '<a:t>&amp;"]]> ${x} {{y}}\u202e'


@pytest.mark.parametrize("link", ["/growth-gap?since=2018", "javascript:alert(1)", "https://", ""])
def test_a_link_that_is_not_an_absolute_web_address_is_refused(link: str) -> None:
    with pytest.raises(ValueError, match=r"A slide's link is an absolute web address, .*; got ") as caught:
        slide(link=link)
    assert repr(link) in str(caught.value)


@pytest.mark.parametrize("as_of", ["today", "2026-13", "2026-02-30", "2026"])
def test_a_date_that_is_none_and_a_presentation_of_nothing_are_refused(as_of: str) -> None:
    with pytest.raises(ValueError, match=rf"as_of is the date of the data, .*; got '{as_of}'"):
        deck(as_of=as_of)
    with pytest.raises(ValueError, match=r"needs at least one slide; got none. Choose a view first"):
        deck([])


@WITH_LIBREOFFICE
def test_libreoffice_shows_every_slide(tmp_path: Path) -> None:
    pdf = by_libreoffice(deck(), tmp_path, to="pdf")
    assert pdf.count(b"/Type/Page\n") + pdf.count(b"/Type/Page/") == 5
    assert len(pdf) > 20_000


def test_a_verdict_stands_above_the_figures_with_a_sign_and_its_reason_below_them_if_there_is_room() -> None:
    facts = (("Claimed", "6×", ""), ("Ours", "1.7×", "90%: 1.5–1.9×"))
    judged: dict[str, Any] = {"figures": facts, "verdict": "Wrong", "tone": "bad"}
    page = page_of(**judged, reason="Off by more than a factor of two.")
    column = [named(page, name) for name in ("Verdict", "Key figure 1", "Key figure 2", "Reason")]
    assert column[0].text_frame.text == "✕ Wrong"
    assert column[-1].text_frame.text == "Off by more than a factor of two."
    for above, below in pairwise(column):
        assert above.top + above.height <= below.top
        assert above.left == below.left >= named(page, "Chart").left + named(page, "Chart").width
    assert named(page_of(**judged, reason="Because of this and that. " * 40), "Reason") is None


def test_our_own_slides_bear_the_mark_clear_of_number_and_source_and_a_company_s_do_not() -> None:
    wordy = slide(source="Settings and sources, " * 40)
    page = page_of(source=wordy.source)
    strokes = [shape for shape in page.slide_layout.shapes if shape.name.startswith("Mark, ")]
    inks = [stroke._element.spPr.find(".//{*}srgbClr").get("val") for stroke in strokes]
    assert inks == [PALETTES["light"].mark[role][1:].upper() for role in LINES]
    number = next(shape for shape in page.placeholders if shape.name.startswith("Slide Number"))
    source = named(page, "Source")
    assert source.left + source.width < min(stroke.left for stroke in strokes)
    assert max(stroke.left + stroke.width for stroke in strokes) <= number.left
    theirs = pages_of(deck([wordy], template=company_template()))[1]
    assert not any(shape.name.startswith("Mark, ") for shape in theirs.slide_layout.shapes)


def test_the_theme_of_our_own_slides_has_our_colours_and_font() -> None:
    theme = house_base().deck.slide_master.part.part_related_by(RT.THEME).blob.decode()
    palette = PALETTES["light"]
    colours = dict(re.findall(r"<a:(\w+)><a:srgbClr val=\"(\w+)\"/>", theme))
    accents = {f"accent{n}": colour for n, colour in enumerate([*palette.mark.values(), palette.quiet], 1)}
    wanted = accents | {"dk1": palette.text, "lt1": palette.background, "hlink": palette.words["compute"]}
    assert {name: f"#{colours[name].lower()}" for name in wanted} == wanted
    assert re.findall(r'<a:latin typeface="([^"]+)"', theme) == ["Arial", "Arial"]


def test_figures_stand_below_bars_whose_names_and_words_leave_no_room_beside_them() -> None:
    chart = ranking()
    long = replace(chart.bars[0], label="Serving: first token: Benchmarks of DeepSeek-R1 on H200 and MI300X")
    crowded = replace(chart, bars=(replace(long, text="half within 29%, 30 rows"), *chart.bars[1:]))
    (beside, right), (below, under) = (
        (named(page, "Chart"), named(page, "Key figure 1")) for page in map(page_of, (chart, crowded))
    )
    assert right.left > beside.left + beside.width
    assert under.top > below.top + below.height
    assert below.width > 1.3 * beside.width
