"""A deck made here last quarter, changed by hand, comes back on today's numbers with what people changed kept."""

import io
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Emu, Pt

from charts.powerpoint import Slide, TemplateError
from charts.powerpoint.renew import renewed, slides_of_ours
from data.releases import names
from panel.deck_file import deck_file
from tests.charts.powerpoint_examples import (
    WITH_LIBREOFFICE,
    by_libreoffice,
    company_template,
    deck,
    growth_chart,
    parts,
    rezipped,
    slide,
)
from views.deck import AS_LINKED, parse_deck, release_on_slide, renewed_words

OLD, NEW = names()[0], names()[-1]
ORIGIN = "https://example.org"
VIEWS = ("/growth-gap?{}", "/accelerators?{}&level=50", "/claims?{}&statement=S2-02")
VIEWS = [view.format(f"release={OLD}") for view in VIEWS]


def made(release: str, template: bytes | None = None) -> bytes:
    chosen, ignored = parse_deck({"view": VIEWS, "release": [release], "title": ["For the board"]})
    assert not ignored
    return deck_file(chosen, origin=ORIGIN, template=template)


def now(result: Any) -> Slide | None:
    return renewed_words(result.link, exhibit=result.exhibit, origin=ORIGIN)


def then(result: Any) -> Slide | None:
    return renewed_words(result.link, exhibit=result.exhibit, origin=ORIGIN, release=AS_LINKED)


def pages(file: bytes) -> list[Any]:
    return list(Presentation(io.BytesIO(file)).slides)


def named(page: Any, name: str) -> Any:
    return next(shape for shape in page.shapes if shape.name == name)


def saved(opened: Any) -> bytes:
    file = io.BytesIO()
    opened.save(file)
    return file.getvalue()


def texts(file: bytes) -> list[dict[str, str]]:
    return [{s.name: s.text_frame.text for s in page.shapes if s.has_text_frame} for page in pages(file)]


def values(page: Any) -> list[list[str]]:
    space = named(page, "Chart").chart_part._element
    result = [[v.text for v in ser.iter("{*}v")] for ser in space.iter("{*}ser")]
    return [ser for ser in result if not ser[0].startswith("Ticks: ") and not ser[0].endswith("(fill)")]


@pytest.fixture(scope="module", params=["ours", "company"])
def old(request: pytest.FixtureRequest) -> bytes:
    return made(OLD, None if request.param == "ours" else company_template("7A0019", "003C71"))


def test_every_slide_knows_its_view_and_its_release(old: bytes) -> None:
    result = slides_of_ours(old)
    assert [one.number for one in result] == [3, 4, 5]
    assert all(release_on_slide(one.link) == OLD for one in result)
    assert all(one.link.startswith(ORIGIN) for one in result)


def test_an_untouched_deck_says_what_a_new_one_would_say(old: bytes) -> None:
    company = None if pages(old)[2].slide_layout.name == "Finding" else company_template("7A0019", "003C71")
    got, fresh = renewed(old, now), made(NEW, company)
    for number in (3, 4, 5):
        after, wanted = texts(got.file)[number - 1], texts(fresh)[number - 1]
        for name in wanted.keys() - {"Slide Number Placeholder 2"}:
            assert " ".join(after.get(name, "").split()) == " ".join(wanted[name].split()), name
        assert values(pages(got.file)[number - 1]) == values(pages(fresh)[number - 1])
    assert [one.number for one in got.slides] == [3, 4, 5]
    again = renewed(got.file, now)
    assert not any(one.changes for one in again.slides)
    assert texts(again.file)[2] == texts(got.file)[2]


def test_what_a_person_changed_stays_and_the_numbers_are_new(old: bytes) -> None:
    fresh = texts(renewed(old, now).file)
    place, key = next(
        (place, name)
        for place, said in enumerate(texts(old))
        for name, text in said.items()
        if name.startswith("Key figure") and fresh[place][name] != text
    )
    opened = Presentation(io.BytesIO(old))
    page: Any = opened.slides[place]
    figure, chart = named(page, key), named(page, "Chart")
    before = figure.text_frame.text
    run = figure.text_frame.paragraphs[1].runs[0]
    run.font.name, run.font.size, run.font.color.rgb = "Georgia", Pt(41), RGBColor(0x12, 0x34, 0x56)
    figure.left, chart.width = Emu(figure.left + 99_000), Emu(chart.width - 500_000)
    series = next(iter(chart.chart.plots)).series[0]
    name = series.name
    series.format.line.color.rgb = RGBColor(0xAB, 0xCD, 0xEF)
    mine = page.shapes.add_textbox(Emu(0), Emu(0), Emu(99), Emu(99))
    mine.text_frame.text = "Our own words, 2025: 4.2×"
    other: Any = opened.slides.add_slide(opened.slide_layouts[0])
    left, width = figure.left, chart.width
    got = renewed(saved(opened), now)
    page = pages(got.file)[place]
    figure, chart = named(page, key), named(page, "Chart")
    run = figure.text_frame.paragraphs[1].runs[0]
    assert figure.text_frame.text != before
    font = run.font
    assert (font.name, font.size, font.color.rgb) == ("Georgia", Pt(41), RGBColor(0x12, 0x34, 0x56))
    assert (figure.left, chart.width) == (left, width)
    kept = next(one for one in next(iter(chart.chart.plots)).series if one.name == name)
    assert kept.format.line.color.rgb == RGBColor(0xAB, 0xCD, 0xEF)
    assert mine.text_frame.text in [s.text_frame.text for s in page.shapes if s.has_text_frame]
    assert len(pages(got.file)) == len(opened.slides)
    assert other.slide_id in [page.slide_id for page in pages(got.file)]
    link = named(page, "Source").text_frame.paragraphs[0].runs[-1].hyperlink.address
    assert release_on_slide(link) == NEW


def test_every_number_that_changed_is_listed_in_the_notes(old: bytes) -> None:
    got = renewed(old, now)
    for one in got.slides:
        before, after = texts(old)[one.number - 1], texts(got.file)[one.number - 1]
        notes = pages(got.file)[one.number - 1].notes_slide.notes_text_frame.text
        assert notes.startswith("Renewed: ")
        for name in before:
            if before[name] != after[name]:
                said = next(line for line in one.changes if line.startswith(f"{name}: "))
                assert " ".join(after[name].split()) in said and said in notes
        if values(pages(old)[one.number - 1]) != values(pages(got.file)[one.number - 1]):
            assert any(line.startswith("Chart, ") for line in one.changes)
        assert "\nSources: " in notes


def test_a_headline_someone_rewrote_stays_and_the_notes_say_ours() -> None:
    opened = Presentation(io.BytesIO(made(OLD)))
    page: Any = opened.slides[2]
    page.shapes.title.text_frame.paragraphs[0].runs[0].text = "Buy memory"
    page.notes_slide.notes_text_frame.text = "Say hello first."
    got = renewed(saved(opened), now)
    page = pages(got.file)[2]
    assert page.shapes.title.text_frame.text == "Buy memory"
    notes = page.notes_slide.notes_text_frame.text
    assert "Headline was written by hand and stays" in notes and got.slides[0].headline in notes
    assert notes.endswith("Say hello first.")
    page = pages(renewed(got.file, now).file)[2]
    assert page.shapes.title.text_frame.text == "Buy memory"
    assert page.notes_slide.notes_text_frame.text.endswith("Say hello first.")


def test_a_word_set_apart_keeps_its_look_in_a_new_sentence() -> None:
    opened = Presentation(io.BytesIO(deck([slide()], title=None, contents=False, sources=[])))
    paragraph = opened.slides[0].shapes.title.text_frame.paragraphs[0]  # type: ignore[union-attr]
    whole = paragraph.runs[0].text
    paragraph.runs[0].text = "A frontier run needs "
    bold, rest = paragraph.add_run(), paragraph.add_run()
    bold.text, rest.text = "4.7×", whole.split("4.7×")[1]
    bold.font.italic = True
    got = renewed(saved(opened), lambda _: slide(headline=whole.replace("4.7×", "5.1×")))
    runs = pages(got.file)[0].shapes.title.text_frame.paragraphs[0].runs
    assert [run.text for run in runs] == ["A frontier run needs ", "5.1×", whole.split("4.7×")[1]]
    assert [run.font.italic for run in runs] == [None, True, None]


def test_a_slide_that_lost_its_tags_is_known_by_its_source_line() -> None:
    content = parts(deck([slide()], title=None, contents=False, sources=[]))
    page = next(name for name in content if name.startswith("ppt/slides/slide"))
    rels = page.replace("slides/", "slides/_rels/") + ".rels"
    start, end = content[page].index(b"<p:custDataLst"), content[page].index(b"</p:custDataLst>") + 16
    file = rezipped(
        deck([slide()], title=None, contents=False, sources=[]),
        **{
            page: content[page][:start] + content[page][end:],
            rels: content[rels].replace(b"relationships/tags", b"relationships/elsewhere"),
        },
    )
    (result,) = slides_of_ours(file)
    assert result.link == slide().link
    other = slide(headline="Another headline", chart=growth_chart(alt="new"))
    got = renewed(file, lambda _: other, original=lambda _: slide())
    assert pages(got.file)[0].shapes.title.text_frame.text == "Another headline"
    opened = Presentation(io.BytesIO(file))
    title: Any = opened.slides[0].shapes.title
    title.text_frame.text = "Buy memory"
    got = renewed(saved(opened), lambda _: slide(headline="Another headline"), original=lambda _: slide())
    page = pages(got.file)[0]
    assert page.shapes.title.text_frame.text == "Buy memory"
    assert "Headline was written by hand and stays" in page.notes_slide.notes_text_frame.text
    unknown = renewed(file, lambda _: slide(headline="Another headline"))
    assert pages(unknown.file)[0].shapes.title.text_frame.text == slide().headline


@WITH_LIBREOFFICE
def test_a_deck_saved_again_by_libreoffice_keeps_what_a_person_wrote_and_nothing_else(tmp_path: Path) -> None:
    opened = Presentation(io.BytesIO(made(OLD)))
    title: Any = opened.slides[2].shapes.title
    title.text_frame.paragraphs[0].runs[0].text = "Buy memory"
    got = renewed(by_libreoffice(saved(opened), tmp_path), now, original=then)
    fresh = pages(made(NEW))
    for number, page in enumerate(pages(got.file)[2:5], start=2):
        headline = named(page, "Headline").text_frame.text
        assert headline == ("Buy memory" if number == 2 else fresh[number].shapes.title.text_frame.text)


@pytest.mark.parametrize("link", ["https://[half", "", "https://company.com/", "https://example.org/nothing"])
def test_an_address_that_is_no_view_has_no_slide_and_no_release(link: str) -> None:
    assert renewed_words(link, exhibit=1, origin=ORIGIN) is None
    assert release_on_slide(link) == ""


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (b"", "not a PowerPoint file"),
        (b"\xd0\xcf\x11\xe0 old or locked", "password-protected"),
        (rezipped(company_template(), **{"ppt/vbaProject.bin": b"x"}), "macros"),
        (company_template(), "No slide of this presentation was made here"),
    ],
)
def test_a_file_that_cannot_be_renewed_is_refused_with_what_to_do(file: bytes, words: str) -> None:
    with pytest.raises(TemplateError, match=words) as refusal:
        renewed(file, now)
    assert "template" not in str(refusal.value)
