import dataclasses
import io
import re
import threading
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from charts.chart import Axis, BarChart, Chart, MapChart, Tick, XYChart
from charts.colours import PALETTES
from charts.mark import LINES, SIDE
from charts.picture import drawn, render
from charts.picture.outlines import settable
from charts.plotly.axes import SIZE
from charts.text_width import text_width
from tests.charts.svg import drawing
from tests.charts.svg.drawing import Words

SIZES = {"slide": (1920, 1080), "wide": (1200, 630), "square": (1080, 1080), "print": (2160, 1440)}
LEAST_TEXT = {"slide": 20, "wide": 14, "square": 18, "print": 8.5}
SVG = "{http://www.w3.org/2000/svg}"


def words_of(chart: Chart, **choices: Any) -> list[Words]:
    return list(drawing.words(ElementTree.fromstring(drawn(chart, **choices)[0])))


@pytest.mark.parametrize("size", SIZES)
def test_a_png_has_the_pixels_of_its_size_and_says_what_it_shows(size: Any, xy_chart: XYChart) -> None:
    picture = Image.open(io.BytesIO(render(xy_chart, format="png", size=size)))
    picture.load()
    assert picture.size == SIZES[size]
    assert (picture.info["Title"], picture.info["Description"]) == (xy_chart.title, xy_chart.alt)


def test_many_threads_get_the_pictures_that_one_gets(
    xy_chart: XYChart, *, bar_chart: BarChart, map_chart: MapChart
) -> None:
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    jobs: list[dict[str, Any]] = [
        {"chart": chart, "format": format, "size": size, "theme": theme, "footer": "example.org/growth-gap"}
        for chart in (xy_chart, bar_chart, map_chart)
        for format in starts
        for size, theme in (("print", "light"), ("wide", "dark"))
    ]
    together: list[bytes] = [b""] * len(jobs)

    def work(number: int) -> None:
        together[number] = render(**jobs[number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [render(**job) for job in jobs]
    assert len(set(together)) == len(jobs)
    assert all(made.startswith(starts[job["format"]]) for made, job in zip(together, jobs, strict=True))


@pytest.mark.parametrize("format", ["svg", "pdf"])
def test_the_footer_leads_to_the_link(xy_chart: XYChart, format: Any) -> None:
    address = b"https://example.org/growth-gap?since=2018&level=90"
    made = render(xy_chart, format=format, footer="example.org/v/1r52924mc1jcc", link=address.decode())
    plain = render(xy_chart, format=format, footer="example.org/v/1r52924mc1jcc")
    assert (address in made.replace(b"&amp;", b"&"), address in plain) == (True, False)
    for box in re.findall(rb"/Rect ?\[([^\]]+)\]", made):  # from the lower left corner [pt]
        left, bottom, right, top = map(float, box.split())
        assert 30 < left < right < 400 and 20 < bottom < top < 70


def test_a_pdf_has_its_headline_as_title_and_its_text_in_the_packaged_fonts(xy_chart: XYChart) -> None:
    made = render(dataclasses.replace(xy_chart, subtitle="10⁻⁹ s"), format="pdf")
    fonts = set(re.findall(rb"/BaseFont\s*/\w{6}\+([\w-]+)", made))
    assert fonts == {b"SourceSansPro-Regular", b"SourceSansPro-Bold", b"DejaVuSans"}
    assert f"/Title({xy_chart.title})".encode() in made and b"/Subtype/Image" not in made


def test_the_picture_says_headline_subtitle_source_footer_and_labels(xy_chart: XYChart) -> None:
    text = " ".join(words.text for words in words_of(xy_chart, footer="example.org/x"))
    for expected in (xy_chart.title, xy_chart.subtitle, xy_chart.source, "example.org/x", xy_chart.y.title):
        assert expected in text
    words = ("PaLM", "Grok", "Compute per run", "4.7× a year", "30 million ×", "2012", "10 thousand ×")
    for expected in words:
        assert expected in text


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["xy_chart", "bar_chart", "map_chart", "tornado", "log_tornado", "dots"])
def test_no_word_leaves_the_sheet_lies_on_another_or_is_too_small(*, size, kind, request):
    chart = request.getfixturevalue(kind)
    every = words_of(chart, size=size, footer="example.org/x")
    width, height = (720, 480) if size == "print" else SIZES[size]
    for one in every:
        assert one.left >= 0 and one.right <= width and one.top >= 0 and one.bottom <= height, one
        assert one.size >= LEAST_TEXT[size], one
    assert drawing.overlapping(every) == []


def test_many_bars_become_smaller_rather_than_leave_the_sheet(bar_chart: BarChart) -> None:
    long = dataclasses.replace(bar_chart.bars[0], label="Server room with eight accelerators in it")
    many = dataclasses.replace(bar_chart, bars=(long,) * 40)
    rows = [one for one in words_of(many, size="wide") if one.text == many.bars[0].label]
    assert len(rows) == 40 and max(one.bottom for one in rows) < 580
    assert all(below.top >= above.bottom - 0.2 * above.size for above, below in pairwise(rows))


def test_the_key_of_a_map_has_its_room_below_the_axis(map_chart: MapChart) -> None:
    edges = tuple(1e9 * 2 ** (k / 20) for k in range(41))
    keyed = dataclasses.replace(map_chart, x_edges=edges, marked=None)
    every = words_of(keyed, size="wide")
    (key,) = (one for one in every if "■ " in one.text)
    (title,) = (one for one in every if one.text == keyed.x.title)
    assert title.bottom < key.top and key.bottom <= drawn(keyed, size="wide")[1].bottom
    assert drawing.overlapping(every) == []


def test_names_along_a_picture_stand_in_two_rows_where_they_would_touch(xy_chart: XYChart) -> None:
    ticks = tuple(Tick(value=place, label=f"Time of chip {place:c}") for place in range(65, 72))
    names = dataclasses.replace(xy_chart, x=Axis(title="", low=64, high=72, ticks=ticks), marks=())
    every = words_of(names, size="square")
    along = [one for one in every if one.text.startswith("Time of chip")]
    assert len(along) == 7 and len({one.top for one in along}) == 2
    assert drawing.overlapping(every) == []


def test_hostile_text_is_drawn_as_it_is_written(hostile_chart: XYChart, hostile_map: MapChart) -> None:
    for chart in (hostile_chart, hostile_map):
        tree = ElementTree.fromstring(render(chart, format="svg", link='https://x.org/"><script>'))
        tags = ("title", "desc", "defs", "rect", "path", "line", "circle", "use", "pattern", "clipPath")
        assert {element.tag.removeprefix(SVG) for element in tree.iter()} <= {"svg", "g", *tags}
        assert render(chart, format="png") and render(chart, format="pdf")
    assert any("$\\frac{1}{0}$" in words.text for words in words_of(hostile_chart))


def test_a_character_without_a_glyph_becomes_a_box() -> None:
    assert settable("模 10⁻⁹ é") == "□ 10⁻⁹ é"


def test_an_svg_draws_each_text_with_the_outlines_of_its_letters(bar_chart: BarChart) -> None:
    chart = dataclasses.replace(bar_chart, title="AVA ⁻", subtitle="", source="", bars=())
    tree = ElementTree.fromstring(render(chart, format="svg", size="slide"))
    outlines = {path.get("id"): path.get("d", "") for path in tree.findall(f"{SVG}defs/{SVG}path")}
    bold, rare = (
        group
        for group in tree.iter(f"{SVG}g")
        if any("Bold" in use.get("href", "") or "DejaVu" in use.get("href", "") for use in group)
    )
    names = [use.attrib["href"] for use in bold]
    assert names == [f"#SourceSansPro-Bold-{name}" for name in ("A", "V", "A", "space")]
    places = [float(use.attrib["x"]) for use in bold]
    assert places == [text_width("AVA"[:n], size=1000, bold=True) for n in range(4)]
    assert outlines["SourceSansPro-Bold-A"].startswith("M") and outlines["SourceSansPro-Bold-space"] == ""
    assert [use.attrib["href"] for use in rare] == ["#DejaVuSans-uni207B"]
    scales = [float(group.attrib["transform"].split("scale(")[1].split()[0]) for group in (bold, rare)]
    assert scales == [pytest.approx(1.9 * 24 / 1000, rel=1e-3), pytest.approx(1.9 * 24 / 2048, rel=1e-3)]


def test_outlines_of_words_beside_an_axis_end_where_the_words_do(xy_chart: XYChart) -> None:
    tree = ElementTree.fromstring(render(xy_chart, format="svg"))
    (ticks,) = (group for group in tree.iter(f"{SVG}g") if group.get("text-anchor") == "end")
    starts = [float(re.findall(r"-?[\d.]+", label[0].attrib["transform"])[0]) for label in ticks]
    widths = [text_width(tick.label, size=SIZE) for tick in xy_chart.y.ticks]
    ends = [start + width for start, width in zip(starts, widths, strict=True)]
    assert ends == [pytest.approx(float(ends[0]), abs=0.1)] * len(ends) and -12 < ends[0] < 0
    edges = [
        float(run.get("stroke-width", 0)) * float(run.attrib["transform"].split("scale(")[1].split()[0])
        for group in tree.iter(f"{SVG}g")
        if group.get("paint-order") == "stroke"
        for run in group.iter(f"{SVG}g")
        if "scale(" in run.get("transform", "")
    ]
    assert len(edges) > 5 and edges == pytest.approx([3] * len(edges), rel=0.01)  # the ground around words


def test_an_empty_chart_is_still_a_picture(bar_chart: BarChart, *, xy_chart: XYChart, map_chart: MapChart):
    bare = dataclasses.replace(map_chart, cells=((-1,) * 40,) * 40, choices=())
    for empty in (dataclasses.replace(bar_chart, bars=()), dataclasses.replace(xy_chart, marks=()), bare):
        assert render(empty, format="png", size="wide").startswith(b"\x89PNG")


@pytest.mark.parametrize("size", SIZES)
def test_an_endless_headline_and_source_leave_room_for_the_chart(size: Any, xy_chart: XYChart) -> None:
    endless = "compute and memory drift apart " * 60
    chart = dataclasses.replace(xy_chart, title=endless, subtitle=endless, source=endless)
    _, frame = drawn(chart, size=size, footer=endless)
    assert frame.bottom - frame.top > 0.3 * (480 if size == "print" else SIZES[size][1])
    assert any(words.text.endswith("…") for words in words_of(chart, size=size, footer=endless))


@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, ("light", "dark") * 2, strict=True)))
def test_the_mark_stands_small_beside_the_credit_and_touches_no_words(*, size, theme, bar_chart: BarChart):
    choices = {"size": size, "theme": theme, "footer": "example.org/v/" + "long " * 90}
    tree = ElementTree.fromstring(drawn(bar_chart, **choices)[0])
    (moved,) = (
        group
        for group in tree
        if group.get("transform")
        and group.find(f"{SVG}g/{SVG}path") is not None
        and group[0].get("stroke-linecap") == "round"
    )
    assert [line.get("stroke") for line in moved[0]] == [PALETTES[theme].mark[role] for role in LINES]
    left, top, scale = (float(value) for value in re.findall(r"-?[\d.]+", moved.attrib["transform"]))
    side = SIDE * scale
    assert side < 0.05 * float(tree.attrib["height"])
    for words in words_of(bar_chart, **choices):
        assert words.right < left or words.bottom < top or words.top > top + side, words
