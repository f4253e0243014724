"""A map on a slide: a native chart with its numbers, and inside it shapes that anyone can edit."""

import dataclasses
import re
from typing import Any

import lxml.etree as etree
import numpy as np
import pytest

from charts.chart import MapChart
from charts.colours import PALETTES, tile_of
from tests.charts.conftest import HOSTILE
from tests.charts.map_examples import hostile_places, places, tornado
from tests.charts.powerpoint_examples import company_template, parts, sheets, single

WORKBOOK = "ppt/embeddings/Microsoft_Excel_Sheet1.xlsx"
DRAWING = "ppt/drawings/drawing1.xml"


def series(file: bytes) -> dict[str, tuple[list[float], list[float]]]:
    """Return x and y of each series of the slide's chart by name."""
    found = {}
    for one in etree.fromstring(parts(file)["ppt/charts/chart1.xml"]).iter("{*}ser"):
        name = one.findtext("{*}tx/{*}strRef/{*}strCache/{*}pt/{*}v")
        x, y = (
            [float(v.text) for v in one.iterfind(f"{{*}}{tag}/{{*}}numRef/{{*}}numCache/{{*}}pt/{{*}}v")]
            for tag in ("xVal", "yVal")
        )
        found[name] = (x, y)
    return found


def shapes(file: bytes) -> dict[str, etree._Element]:
    return {
        shape.find(".//{*}cNvPr").get("name"): shape
        for shape in etree.fromstring(parts(file)[DRAWING]).iter("{*}sp")
    }


def plot_box(file: bytes) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the plot as shares of the chart."""
    layout = etree.fromstring(parts(file)["ppt/charts/chart1.xml"]).find(
        ".//{*}plotArea/{*}layout/{*}manualLayout"
    )
    x, y, w, h = (float(layout.find(f"{{*}}{tag}").get("val")) for tag in "xywh")
    return x, y, w, h


def covered(shape: etree._Element, *, box: tuple[float, float, float, float], m: int, n: int) -> np.ndarray:
    """Return which cells of an even grid over the plot a shape covers, shape (m, n), lowest row first."""
    anchor = shape.getparent()
    ends = [[float(anchor.findtext(f"{{*}}{end}/{{*}}{axis}")) for axis in "xy"] for end in ("from", "to")]
    path = shape.find(".//{*}path")
    width, height = float(path.get("w")), float(path.get("h"))
    loops: list[list[tuple[float, float]]] = []
    for step in path:
        if step.tag.endswith("moveTo"):
            loops.append([])
        for point in step:
            x = ends[0][0] + float(point.get("x")) / width * (ends[1][0] - ends[0][0])
            y = ends[0][1] + float(point.get("y")) / height * (ends[1][1] - ends[0][1])
            loops[-1].append(((x - box[0]) / box[2] * n, m - (y - box[1]) / box[3] * m))
    times = np.zeros((m, n), dtype=int)
    for loop in loops:
        for (x0, y0), (x1, y1) in zip(loop, [*loop[1:], loop[0]], strict=True):
            if abs(x0 - x1) < 1e-2:
                rows = slice(round(min(y0, y1)), round(max(y0, y1)))
                times[rows, : round(x0)] += 1 if y1 > y0 else -1
    return times


def test_the_chart_carries_the_middle_of_every_cell_under_the_name_of_its_choice() -> None:
    chart = places(12, 9)
    drawn = series(single(chart))
    for number, choice in enumerate(chart.choices):
        rows, columns = np.nonzero(np.array(chart.cells) == number)
        if not len(rows):
            assert choice.label not in drawn
            continue
        x, y = drawn[choice.label]
        at_x = np.sqrt(np.array(chart.x_edges[1:]) * np.array(chart.x_edges[:-1]))
        at_y = np.sqrt(np.array(chart.y_edges[1:]) * np.array(chart.y_edges[:-1]))
        np.testing.assert_allclose(x, at_x[columns], rtol=1e-9)
        np.testing.assert_allclose(y, at_y[rows], rtol=1e-9)
    assert drawn["this work"] == ([8e9], [2e4])


def test_the_workbook_says_where_each_cell_begins_and_ends_and_what_holds_there() -> None:
    chart = places(3, 2)
    data = sheets(parts(single(chart))[WORKBOOK])["Data"]
    heads = {text for place, text in data.items() if place.rstrip("0123456789") + "2" == place}
    assert {
        "Model size (parameters)",
        "From: Requests a day",
        "To: Model size (parameters)",
        "Details",
    } <= heads
    numbers = {value for value in data.values() if isinstance(value, float)}
    assert set(chart.x_edges) | set(chart.y_edges) <= numbers
    assert "1e+09 parameters; 10 requests a day" in data.values()


@pytest.mark.parametrize("chart", [places(), places(7, 5), places(1, 1)], ids=["40", "7 by 5", "1"])
def test_the_shapes_of_the_choices_cover_every_cell_exactly_once_in_the_colours_of_the_page(
    chart: MapChart,
) -> None:
    file = single(chart)
    m, n = len(chart.cells), len(chart.cells[0])
    drawn, box = shapes(file), plot_box(file)
    for number, choice in enumerate(chart.choices):
        wins = np.array(chart.cells) == number
        assert (choice.label in drawn) == wins.any()
        if wins.any():
            np.testing.assert_array_equal(covered(drawn[choice.label], box=box, m=m, n=n), wins)
            tile = tile_of(choice, PALETTES["light"])
            look = drawn[choice.label].find("{*}spPr")[2]
            fill = [colour.get("val").lower() for colour in look.iter("{*}srgbClr")]
            assert [f"#{rgb}" for rgb in fill] == ([tile.hatch, tile.fill] if tile.hatch else [tile.fill])


def test_every_shape_has_its_own_name_and_stays_inside_the_chart() -> None:
    for file in (single(places()), single(places(), template=company_template("7A0019", dark=True))):
        root = etree.fromstring(parts(file)[DRAWING])
        names = [found.get("name") for found in root.iter("{*}cNvPr")]
        assert len(names) == len(set(names)) and len(names) < 45
        for value in root.iterfind(".//{*}relSizeAnchor/*/*"):
            if value.tag.endswith(("}x", "}y")):
                assert -1e-6 <= float(value.text) <= 1 + 1e-6


def test_the_chart_says_its_finding_and_its_words_as_text() -> None:
    drawn = shapes(single(places()))
    words = {name: "|".join(p for p in shape.itertext()) for name, shape in drawn.items()}
    assert words["Label: Phone"] == "Phone" and words["Label: this work"] == "this work"
    assert words["Tick: 30 billion"] == "30 billion"


def test_what_has_no_room_for_its_name_bears_a_number_and_stands_in_the_key() -> None:
    cells = [list(row) for row in places().cells]
    for row in cells:
        row[17:20] = [6] * 3
    drawn = shapes(single(places(cells=tuple(map(tuple, cells)))))
    number = "".join(drawn["Label: Never the cheapest"].itertext())
    assert number in ("1", "2")
    assert "".join(drawn["Key text: Never the cheapest"].itertext()) == f"{number} Never the cheapest"
    assert "Key: Never the cheapest" in drawn


def test_words_from_data_stay_words_on_a_map() -> None:
    file = single(hostile_places(HOSTILE))
    text = parts(file)[DRAWING].decode()
    assert "<script" not in text and "&lt;script&gt;" in text
    assert not re.search("[\x00-\x08]", text)


def test_a_map_where_nothing_wins_still_makes_a_slide() -> None:
    file = single(dataclasses.replace(places(), cells=((-1,) * 40,) * 40, marked=None))
    assert "Phone" not in shapes(file)


def _bars(file: bytes) -> list[list[float | None]]:
    """Return the length of each bar in each series of a bar chart."""
    drawn: list[list[float | None]] = []
    for one in etree.fromstring(parts(file)["ppt/charts/chart1.xml"]).iter("{*}ser"):
        values: dict[int, float] = {
            int(point.get("idx")): float(point.findtext("{*}v"))
            for point in one.iterfind("{*}val/{*}numRef/{*}numCache/{*}pt")
        }
        drawn.append([values.get(k) for k in range(6)])
    return drawn


def test_a_bar_with_a_start_is_two_bars_from_the_base_the_inner_on_top() -> None:
    outer, inner, words = _bars(single(tornado()))
    assert outer == [1.3, 0.42, 0.9, 0.95, 0.45, 0.7]
    assert inner == [0.35, 1.1, 0.8, 0.75, 0.6, 0.7]
    assert words[:4] == [1.3, 1.1, 0.9, 0.95]
    assert words[4:] == [pytest.approx(0.7, abs=1e-4)] * 2


def test_the_inner_bar_shows_where_the_base_lies_within_and_else_hides_the_rest() -> None:
    file = single(tornado())
    inner: Any = list(etree.fromstring(parts(file)["ppt/charts/chart1.xml"]).iter("{*}ser"))[1]
    fills = [point.find(".//{*}srgbClr").get("val") for point in inner.iterfind("{*}dPt")]
    assert [fill == "FFFFFF" for fill in fills] == [False, False, True, True, True, False]


def test_the_base_of_a_tornado_is_a_line_and_the_workbook_has_start_and_value() -> None:
    file = single(tornado())
    assert "Base" in shapes(file)
    data = sheets(parts(file)[WORKBOOK])["Data"]
    column = next(
        place.rstrip("2") for place, text in data.items() if text == "Start: USD per 1,000 requests"
    )
    assert [data[f"{column}{row}"] for row in range(3, 9)] == [0.35, 1.1, 0.8, 0.95, 0.45, 0.7]


def test_on_a_log_axis_ticks_and_words_are_shapes_beyond_the_bars() -> None:
    drawn = shapes(single(tornado(scale="log")))
    assert {"Tick: 0.25", "Tick: 0.5", "Words: Price of a GPU hour", "Base"} <= set(drawn)
    starts = {
        name: float(shape.getparent().findtext("{*}from/{*}x"))
        for name, shape in drawn.items()
        if name.startswith("Words")
    }
    base = float(drawn["Base"].getparent().findtext("{*}from/{*}x"))
    assert all(start > base for start in starts.values())
    assert starts["Words: Price of a GPU hour"] == max(starts.values())
