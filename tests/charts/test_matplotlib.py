"""The finished picture: its size, its words, the same bytes from every thread, and nothing hostile in it."""

import dataclasses
import io
import struct
import threading
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from charts.chart import BarChart, MapChart, XYChart
from charts.colours import PALETTES
from charts.mark import LINES
from charts.matplotlib import draw, render
from charts.matplotlib.sheet import settable

SIZES = {"slide": (1920, 1080), "wide": (1200, 630), "square": (1080, 1080), "print": (2160, 1440)}


@pytest.mark.parametrize("size", SIZES)
def test_a_png_has_the_pixels_of_its_size_and_says_what_it_shows(size: Any, xy_chart: XYChart) -> None:
    picture = render(xy_chart, format="png", size=size)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == SIZES[size]
    about = Image.open(io.BytesIO(picture)).info
    assert about["Title"] == xy_chart.title and about["Description"] == xy_chart.alt


@pytest.mark.parametrize(("format", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
@pytest.mark.parametrize("kind", ["xy_chart", "bar_chart", "map_chart"])
def test_the_same_chart_has_the_same_bytes(
    *, format: Any, start: bytes, kind: str, request: pytest.FixtureRequest
) -> None:
    chart = request.getfixturevalue(kind)
    first = render(chart, format=format, size="print", footer="example.org/growth-gap")
    assert first.startswith(start)
    assert first == render(chart, format=format, size="print", footer="example.org/growth-gap")
    assert first != render(chart, format=format, size="print", theme="dark", footer="example.org/growth-gap")


def test_many_threads_get_the_pictures_that_one_gets(xy_chart: XYChart, bar_chart: BarChart) -> None:
    jobs: list[dict[str, Any]] = [
        {"chart": chart, "format": format, "size": size, "theme": theme}
        for chart in (xy_chart, bar_chart)
        for format in ("png", "svg", "pdf")
        for size, theme in (("print", "light"), ("wide", "dark"))
    ]
    alone = [render(job["chart"], **{k: v for k, v in job.items() if k != "chart"}) for job in jobs]
    together: list[bytes] = [b""] * len(jobs)

    def work(number: int) -> None:
        job = jobs[number]
        together[number] = render(job["chart"], **{k: v for k, v in job.items() if k != "chart"})

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


@pytest.mark.parametrize("format", ["svg", "pdf"])
def test_the_footer_leads_to_the_link(xy_chart: XYChart, format: Any) -> None:
    address = b"https://example.org/growth-gap?since=2018&level=90"
    made = render(xy_chart, format=format, footer="example.org/v/1r52924mc1jcc", link=address.decode())
    plain = render(xy_chart, format=format, footer="example.org/v/1r52924mc1jcc")
    assert (address in made.replace(b"&amp;", b"&"), address in plain) == (True, False)


def test_the_picture_says_headline_subtitle_source_footer_and_labels(xy_chart: XYChart) -> None:
    words = " ".join(text.get_text() for text in draw(xy_chart, footer="example.org/x").texts)
    for expected in (xy_chart.title, xy_chart.subtitle, xy_chart.source, "example.org/x", xy_chart.y.title):
        assert expected in words
    for expected in (
        "PaLM",
        "Grok",
        "Compute per run",
        "4.7× a year",
        "30 million ×",
        "2012",
        "10 thousand ×",
    ):
        assert expected in words


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["xy_chart", "bar_chart", "map_chart", "tornado", "log_tornado", "dots"])
def test_no_word_leaves_the_sheet_lies_on_another_or_is_too_small(
    *, size: Any, kind: str, request: pytest.FixtureRequest
) -> None:
    figure = draw(request.getfixturevalue(kind), size=size, footer="example.org/x")
    figure.draw_without_rendering()
    width, height = figure.canvas.get_width_height()
    for text in figure.texts:
        if text.get_text():
            box = text.get_window_extent()
            assert box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height, text.get_text()
            assert text.get_fontsize() >= {"slide": 20, "wide": 14, "square": 18, "print": 8.5}[size]
    # ascenders and descenders of neighbouring lines may share a little height
    boxes = [
        (text.get_text(), text.get_window_extent().shrunk(1, 0.6)) for text in figure.texts if text.get_text()
    ]
    for number, (text, box) in enumerate(boxes):
        for other_text, other in boxes[:number]:
            assert not box.overlaps(other), (text, other_text)


def test_hostile_text_is_drawn_as_it_is_written(hostile_chart: XYChart, hostile_map: MapChart) -> None:
    for chart in (hostile_chart, hostile_map):
        tree = ElementTree.fromstring(render(chart, format="svg"))
        tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
        assert not tags & {"script", "foreignObject", "a", "b"}
        render(chart, format="png")
        render(chart, format="pdf")
    assert any("$\\frac{1}{0}$" in text.get_text() for text in draw(hostile_chart).texts)


def test_a_character_without_a_glyph_becomes_a_box() -> None:
    assert settable("模 10⁻⁹ é") == "□ 10⁻⁹ é"
    assert settable("two\nlines\x00") == "two lines"


def test_everything_is_drawn_in_the_packaged_font(xy_chart: XYChart) -> None:
    for text in draw(xy_chart).texts:
        assert text.get_fontproperties().get_family()[0] == "Source Sans Pro"


def test_an_empty_chart_is_still_a_picture(
    bar_chart: BarChart, *, xy_chart: XYChart, map_chart: MapChart
) -> None:
    for empty in (
        dataclasses.replace(bar_chart, bars=()),
        dataclasses.replace(xy_chart, marks=()),
        dataclasses.replace(map_chart, cells=((-1,) * 40,) * 40, choices=()),
    ):
        assert render(empty, format="png", size="wide").startswith(b"\x89PNG")


@pytest.mark.parametrize("size", SIZES)
def test_an_endless_headline_and_source_leave_room_for_the_chart(size: Any, xy_chart: XYChart) -> None:
    endless = "compute and memory drift apart " * 60
    chart = dataclasses.replace(xy_chart, title=endless, subtitle=endless, source=endless)
    figure = draw(chart, size=size, footer=endless)
    assert figure.axes[0].get_position().height > 0.2
    assert any(text.get_text().endswith("…") for text in figure.texts)


@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, ("light", "dark") * 2, strict=True)))
def test_the_mark_stands_small_beside_the_credit_and_touches_no_words(
    *, size: Any, theme: Any, bar_chart: BarChart
) -> None:
    figure = draw(bar_chart, size=size, theme=theme, footer="example.org/v/" + "long " * 90)
    if size == "print":
        figure.set_dpi(3 * figure.get_dpi())  # as it is printed: a screen rounds the width of each letter
    lines: dict[str, Any] = {
        str(line.get_gid()): line for line in figure.get_children() if str(line.get_gid()).startswith("mark-")
    }
    assert [*lines] == [f"mark-{role}" for role in LINES]
    assert [line.get_color() for line in lines.values()] == [PALETTES[theme].mark[role] for role in LINES]
    boxes = [line.get_window_extent() for line in lines.values()]
    for words in figure.texts:
        assert not any(words.get_window_extent().overlaps(box) for box in boxes), words.get_text()
    assert max(box.height for box in boxes) < 0.05 * figure.bbox.height
