import io
import random
import re
import time
import zipfile
from pathlib import Path
from typing import Any

import lxml.etree as etree
import pytest
from pptx import Presentation
from pptx.oxml.shapes.picture import CT_Picture
from pptx.util import Emu, Inches

from charts.chart import Role
from charts.colours import PALETTES
from charts.powerpoint import TemplateError, template
from charts.powerpoint.paint import Ink, contrast, theme_paint
from tests.charts.powerpoint_examples import company_template, deck, parts, ranking, rezipped, single
from tests.length import LONG

ICON = next((Path(__file__).parents[2] / "web" / "icons").glob("*.png"))
PRESENTATION = b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"


def _as(file: bytes, kind: bytes) -> bytes:
    types = parts(file)["[Content_Types].xml"]
    return rezipped(file, **{"[Content_Types].xml": types.replace(PRESENTATION, kind)})


def _in_the_directory(offset: int, *, value: int, size: int) -> bytes:
    """Return a template with a number changed in what its zip says of the first part."""
    file = bytearray(company_template())
    with zipfile.ZipFile(io.BytesIO(bytes(file))) as archive:
        start = archive.start_dir + offset
    file[start : start + size] = value.to_bytes(size, "little")
    return bytes(file)


def _with_layouts(*kept: str) -> bytes:
    """Return a template with no other layouts."""
    made = Presentation()
    for layout in list(made.slide_layouts):
        if layout.name not in kept:
            made.slide_layouts.remove(layout)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def test_no_slide_note_chart_or_picture_of_the_template_is_left() -> None:
    content = parts(deck(template=company_template(slides=3)))
    assert not [name for name, part in content.items() if b"SECRET" in part]
    assert sum(name.startswith("ppt/slides/slide") for name in content) == 5
    assert sum(name.startswith("ppt/charts/chart") for name in content) == 2
    assert sum(name.startswith("ppt/embeddings/") for name in content) == 2


def test_what_pointed_at_the_slides_of_the_template_is_gone() -> None:
    file = company_template()
    presentation = parts(file)["ppt/presentation.xml"]
    show = (
        b'<p:custShowLst><p:custShow name="n" id="0"><p:sldLst><p:sld r:id="rId7"/></p:sldLst></p:custShow>'
        b"</p:custShowLst>"
    )
    end = presentation.index(b"<p:defaultTextStyle")
    changed = presentation[:end] + show + presentation[end:]
    made = parts(single(template=rezipped(file, **{"ppt/presentation.xml": changed})))
    assert b"custShow" not in made["ppt/presentation.xml"]
    assert "docProps/app.xml" not in made
    assert "docProps/thumbnail.jpeg" not in made


def test_master_fonts_and_size_are_the_company_s() -> None:
    file = company_template(font="Georgia")
    made = Presentation(io.BytesIO(single(template=file)))
    assert (made.slide_width, made.slide_height) == (9_144_000, 6_858_000)
    content = parts(single(template=file))
    assert b'typeface="Georgia"' in content["ppt/theme/theme1.xml"]
    chart = content["ppt/charts/chart1.xml"]
    assert b'typeface="+mn-lt"' in chart and b"Arial" not in chart


def test_charts_follow_the_theme_s_accents() -> None:
    content = parts(single(template=company_template("7A0019", "003C71", "00A3AD")))
    chart = etree.fromstring(content["ppt/charts/chart1.xml"])
    slots = {result.get("val") for result in chart.iter("{*}schemeClr")}
    assert {"accent1", "accent2", "tx1"} <= slots
    ours = PALETTES["light"].mark["compute"][1:].upper()
    assert ours not in {result.get("val") for result in chart.iter("{*}srgbClr")}


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_on_a_picture_words_and_chart_get_a_ground_of_the_theme(share: float) -> None:
    made: Any = Presentation(io.BytesIO(company_template(slides=0)))
    master, picture = made.slide_master, ICON.read_bytes()
    _, relation = master.part.get_or_add_image_part(io.BytesIO(picture))
    size = (int(share * made.slide_width), int(share * made.slide_height))
    master.shapes._spTree.append(CT_Picture.new_pic(99, "Ground", "", relation, 0, 0, *size))
    file = io.BytesIO()
    made.save(file)
    shapes = Presentation(io.BytesIO(deck(template=file.getvalue()))).slides[2].shapes
    plates = [shape for shape in shapes if shape.name == "Plate"]
    assert len(plates) == (share > 0.8)
    for plate in plates:
        inside = [shape for shape in shapes if shape.name in ("Subtitle", "Source") or shape.has_chart]
        assert len(inside) == 3
        bottom = plate.top + plate.height
        assert all(plate.top <= one.top and one.top + one.height <= bottom for one in inside)


def test_the_headline_keeps_the_company_s_font_and_colour_at_28_points() -> None:
    page = Presentation(io.BytesIO(single(template=company_template()))).slides[0]
    assert page.shapes.title is not None
    look = page.shapes.title._element.find(".//{*}rPr")
    assert look.get("sz") == "2800"
    assert look.find("{*}solidFill") is None and look.get("b") is None


def test_a_template_without_title_layouts_still_works() -> None:
    pages: list[Any] = list(Presentation(io.BytesIO(deck(template=_with_layouts("Blank")))).slides)
    texts = [[s.text_frame.text for s in page.shapes if s.has_text_frame] for page in pages]
    assert "Is memory falling behind compute?" in texts[0]
    assert "A frontier run needs 4.7× more compute each year" in texts[2]


@pytest.mark.parametrize("kind", ["template", "slideshow"])
def test_a_potx_and_a_show_become_an_ordinary_presentation(kind: str) -> None:
    stored = PRESENTATION.replace(b"presentation.main", kind.encode() + b".main")
    made = parts(single(template=_as(company_template(), stored)))
    assert PRESENTATION in made["[Content_Types].xml"]
    assert stored not in made["[Content_Types].xml"]


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (b"", "The template is not a PowerPoint file. Save it in PowerPoint as .pptx or .potx and upload that."),
        (b"%PDF-1.7", "The template is not a PowerPoint file."),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "The template is an old .ppt or a password-protected file."),
        (rezipped(b"PK\x05\x06" + bytes(18), a=b""), "The template is a zip file, but not a PowerPoint file."),
        (rezipped(b"PK\x05\x06" + bytes(18), **{"[Content_Types].xml": b"<Types/>"}),
         "The template is an Office file, but not a presentation."),
        (_as(company_template(), b"application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml"),
         "The template holds macros, which are not taken over."),
        (rezipped(company_template(), **{"ppt/vbaProject.bin": b"x"}),
         "The template holds macros, which are not taken over."),
        (rezipped(company_template(), **{"ppt/presentation.xml": b'<!DOCTYPE x [<!ENTITY a "b">]><x/>'}),
         "The template declares a document type, which Office files never do."),
        (rezipped(company_template(), **{"ppt/presentation.xml": b"<broken"}), "The template is damaged: "),
        (rezipped(company_template(), **{"ppt/theme/theme1.xml": b"<broken"}), "The template is damaged: "),
        (_in_the_directory(24, value=10, size=4), "The template is damaged: "),
        (_in_the_directory(8, value=1, size=2), "The template is encrypted."),
        (_with_layouts(), "The template has no slide layouts"),
        (rezipped(company_template(), **{f"ppt/p{k}.xml": b"" for k in range(5_001)}),
         r"The template unpacks to 50\d\d parts and \d MB; at most 5000 parts"),
    ],
    ids=[
        *("empty", "pdf", "old", "zip", "office", "macro type", "macro part", "doctype", "broken", "theme"),
        *("a part longer than declared", "encrypted", "no layouts", "too many parts"),
    ],
)  # fmt: skip
def test_what_is_no_template_is_refused_with_what_to_do(file: bytes, message: str) -> None:
    with pytest.raises(TemplateError, match=f"^{message}") as caught:
        single(template=file)
    assert "upload that" in str(caught.value)


def test_a_template_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "LARGEST_TEMPLATE_BYTE", 20_000)
    words = r"The template has 0 MB; at most 0 MB are read. Remove large pictures and slides"
    with pytest.raises(TemplateError, match=words):
        single(template=company_template())


def test_a_template_that_unpacks_to_too_much_is_refused_before_it_is_unpacked() -> None:
    file = io.BytesIO(company_template())
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as made, made.open("ppt/bomb.xml", "w") as bomb:
        for _ in range(210):
            bomb.write(bytes(1_000_000))
    assert len(file.getvalue()) < 1_000_000
    with pytest.raises(TemplateError, match=r"The template unpacks to \d+ parts and 21\d MB; at most"):
        single(template=file.getvalue())


@pytest.mark.parametrize(
    "junk", [b"<p:sp/>", b"<a/>", b"<a " + b" ".join(b'a%d="1"' % k for k in range(99)) + b"/>"]
)
def test_a_template_of_too_many_elements_is_refused_before_it_is_parsed(junk: bytes) -> None:
    master = "ppt/slideMasters/slideMaster1.xml"
    whole = parts(company_template())[master]
    filled = whole.replace(b"</p:spTree>", junk * (1_300_000 // (1 + junk.count(b"="))) + b"</p:spTree>")
    file = rezipped(company_template(), **{master: filled})
    start = time.process_time()
    with pytest.raises(TemplateError, match="holds more than 1,200,000 elements and attributes"):
        single(template=file)
    assert time.process_time() - start < 2


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_template_that_holds_a_part_twice_is_refused() -> None:
    file = io.BytesIO(company_template())
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("ppt/presentation.xml", b"<x/>")
    with pytest.raises(TemplateError, match="The template holds the same part twice"):
        single(template=file.getvalue())


def test_a_damaged_template_is_used_or_refused_but_never_breaks() -> None:
    content = parts(company_template())
    chance = random.Random(7)
    names = [name for name in content if name.endswith((".xml", ".rels"))]
    damaged = [{other: part for other, part in content.items() if other != name} for name in names]
    for _ in range(25):
        name = chance.choice(names)
        part = bytearray(content[name])
        start = chance.randrange(len(part))
        part[start : start + chance.randrange(1, 400)] = b""
        damaged.append(content | {name: bytes(part)})
    for kept in damaged if LONG else damaged[::3]:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name, part in kept.items():
                archive.writestr(name, part)
        try:
            single(ranking(), template=file.getvalue())
        except TemplateError as refused:
            assert "upload that" in str(refused)


@pytest.mark.parametrize(
    ("accents", "role", "slot"),
    [
        (("1f4e79", "20507a", "ffffee"), "compute", "accent1"),
        (("1f4e79", "20507a", "ffffee"), "memory", None),  # too alike, and too pale: ours
        (("555555", "003c71"), "compute", "accent2"),  # grey is left to what is context
        (("f0a04b",), "compute", "accent1"),
    ],
)
def test_a_role_takes_the_next_accent_that_can_be_told_from_the_others(*, accents, role: Role, slot):
    slots = {f"accent{n}": f"#{rgb}" for n, rgb in enumerate(accents, start=1)}
    paint = theme_paint(slots={"tx1": "#000000", "bg1": "#ffffff"} | slots, background="#ffffff")
    assert paint.mark[role].slot == slot
    assert slot or paint.mark[role] == Ink(rgb=PALETTES["light"].mark[role])
    assert paint.words["compute"].slot == ("tx1" if accents == ("f0a04b",) else paint.mark["compute"].slot)
    assert all(contrast(ink.rgb, "#ffffff") >= 4.5 for ink in (paint.text, paint.quiet))


def _wide_template(times: float) -> bytes:
    """Return a template in 16:9, so many times as large as our slides."""
    made = Presentation()
    made.slide_width, made.slide_height = Inches(13.333 * times), Inches(7.5 * times)
    wider = 4 / 3 * times
    for holder in (*made.slide_masters, *made.slide_masters[0].slide_layouts):
        for shape in holder.shapes:
            if shape._element.find(".//{*}xfrm") is not None:
                shape.left, shape.width = Emu(round(shape.left * wider)), Emu(round(shape.width * wider))
                shape.top, shape.height = Emu(round(shape.top * times)), Emu(round(shape.height * times))
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def _sizes(file: bytes) -> dict[str, list[int]]:
    """Return the sizes of the texts in each part of a slide [hundredths of a point], in their order."""
    content = parts(file)
    drawn = r"(slides/slide|charts/chart|drawings/drawing)\d+\.xml$"
    names = [name for name in content if re.search(drawn, name)]
    return {
        name: [
            int(result.get("sz"))
            for result in etree.fromstring(content[name]).iter("{*}rPr", "{*}defRPr")
            if result.get("sz")
        ]
        for name in names
    }


def test_slides_twice_as_large_have_words_and_places_twice_as_large() -> None:
    """Keynote makes slides 1920 points wide: on the wall they are as large as ours."""
    usual, large = (single(template=_wide_template(times)) for times in (1, 2))
    sizes, doubled = _sizes(usual), _sizes(large)
    assert sizes and sizes.keys() == doubled.keys()
    for name, before in sizes.items():
        assert before and doubled[name] == [2 * size for size in before], name
    pages: list[Any] = [Presentation(io.BytesIO(file)).slides[0] for file in (usual, large)]
    for one, other in zip(*(page.shapes for page in pages), strict=True):
        for side in ("left", "top", "width", "height"):
            assert getattr(other, side) == pytest.approx(2 * getattr(one, side), abs=25_400), one.name
    widths = [
        [
            int(line.get("w"))
            for line in etree.fromstring(parts(file)["ppt/charts/chart1.xml"]).iter("{*}ln")
            if line.get("w")
        ]
        for file in (usual, large)
    ]
    assert widths[1] == pytest.approx([2 * width for width in widths[0]], rel=0.01)
