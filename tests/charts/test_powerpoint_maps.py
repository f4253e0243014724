import lxml.etree as etree
import numpy as np
import pytest

from charts.chart import MapChart
from charts.colours import PALETTES, tile_of
from tests.charts.map_examples import places, tornado
from tests.charts.powerpoint_examples import (
    cached,
    chart_of,
    company_template,
    parts,
    place_of,
    series_of,
    shapes_of,
    single,
    workbook_of,
)


def covered(shape: etree._Element, chart: etree._Element, *, m: int, n: int) -> np.ndarray:
    """Return which cells of an even grid over the plot a shape covers, shape (m, n), lowest row first."""
    layout = chart.find(".//{*}plotArea/{*}layout/{*}manualLayout")
    left, top, wide, high = (float(layout.find(f"{{*}}{side}").get("val")) for side in "xywh")
    start_x, start_y, end_x, end_y = place_of(shape)
    path = shape.find(".//{*}path")
    width, height = float(path.get("w")), float(path.get("h"))
    loops: list[list[tuple[float, float]]] = []
    for step in path:
        if step.tag.endswith("moveTo"):
            loops.append([])
        for point in step:
            x = start_x + float(point.get("x")) / width * (end_x - start_x)
            y = start_y + float(point.get("y")) / height * (end_y - start_y)
            loops[-1].append(((x - left) / wide * n, m - (y - top) / high * m))
    times = np.zeros((m, n), dtype=int)
    for loop in loops:
        for (x0, y0), (x1, y1) in zip(loop, [*loop[1:], loop[0]], strict=True):
            if abs(x0 - x1) < 1e-2:
                rows = slice(round(min(y0, y1)), round(max(y0, y1)))
                times[rows, : round(x0)] += 1 if y1 > y0 else -1
    return times


def test_the_chart_carries_the_middle_of_every_cell_under_the_name_of_its_choice() -> None:
    chart = places(12, 9)
    drawn = series_of(single(chart))
    edges = (np.array(chart.x_edges), np.array(chart.y_edges))
    at_x, at_y = (np.sqrt(one[1:] * one[:-1]) for one in edges)
    for number, choice in enumerate(chart.choices):
        rows, columns = np.nonzero(np.array(chart.cells) == number)
        assert (choice.label in drawn) == bool(len(rows))
        if len(rows):
            np.testing.assert_allclose(cached(drawn[choice.label], "xVal"), at_x[columns], rtol=1e-9)
            np.testing.assert_allclose(cached(drawn[choice.label], "yVal"), at_y[rows], rtol=1e-9)
    assert [cached(drawn["this work"], tag) for tag in ("xVal", "yVal")] == [[8e9], [2e4]]


def test_the_workbook_says_where_each_cell_begins_and_ends_and_what_holds_there() -> None:
    chart = places(3, 2)
    data = workbook_of(single(chart))["Data"]
    heads = {text for place, text in data.items() if place.rstrip("0123456789") + "2" == place}
    assert {"From: Requests a day", "To: Model size (parameters)", "Details"} <= heads
    assert set(chart.x_edges) | set(chart.y_edges) <= set(data.values())
    assert "1e+09 parameters; 10 requests a day" in data.values()


@pytest.mark.parametrize("chart", [places(), places(7, 5), places(1, 1)], ids=["40", "7 by 5", "1"])
def test_the_shapes_of_choices_cover_every_cell_once_in_the_colours_of_the_page(chart: MapChart) -> None:
    file = single(chart)
    m, n = len(chart.cells), len(chart.cells[0])
    drawn, root = shapes_of(file), chart_of(file)
    for number, choice in enumerate(chart.choices):
        wins = np.array(chart.cells) == number
        assert (choice.label in drawn) == wins.any()
        if wins.any():
            np.testing.assert_array_equal(covered(drawn[choice.label], root, m=m, n=n), wins)
            tile = tile_of(choice, PALETTES["light"])
            look = drawn[choice.label].find("{*}spPr")[2]
            fill = [f"#{colour.get('val').lower()}" for colour in look.iter("{*}srgbClr")]
            assert fill == ([tile.hatch, tile.fill] if tile.hatch else [tile.fill])


@pytest.mark.parametrize("template", [None, company_template("7A0019", dark=True)], ids=["ours", "theirs"])
def test_every_shape_has_its_own_name_stays_inside_the_chart_and_says_its_words(template: bytes | None):
    file = single(places(), template=template)
    drawn = shapes_of(file)
    names = etree.fromstring(parts(file)["ppt/drawings/drawing1.xml"]).iter("{*}cNvPr")
    assert len(list(names)) == len(drawn) < 45
    for shape in drawn.values():
        assert all(-1e-6 <= side <= 1 + 1e-6 for side in place_of(shape))
    for kind, words in (("Label", "Phone"), ("Label", "this work"), ("Tick", "30 billion")):
        assert "".join(drawn[f"{kind}: {words}"].itertext()) == words
    assert drawn["Label: this work"].find(".//{*}pPr").get("algn") == "l"  # from the ring


def test_what_has_no_room_for_its_name_bears_a_number_and_stands_in_the_key() -> None:
    cells = [list(row) for row in places().cells]
    for row in cells:
        row[17:20] = [6] * 3
    drawn = shapes_of(single(places(cells=tuple(map(tuple, cells)))))
    number = "".join(drawn["Label: Never the cheapest"].itertext())
    assert number in ("1", "2") and "Key: Never the cheapest" in drawn
    assert "".join(drawn["Key text: Never the cheapest"].itertext()) == f"{number} Never the cheapest"


def test_a_bar_with_a_start_is_two_bars_from_the_base_the_inner_on_top_and_the_base_a_line() -> None:
    file = single(tornado())
    outer, inner, words = series_of(file).values()
    assert cached(outer, "val") == [1.3, 0.42, 0.9, 0.95, 0.45, 0.7]
    assert cached(inner, "val") == [0.35, 1.1, 0.8, 0.75, 0.6, 0.7]
    assert cached(words, "val") == pytest.approx([1.3, 1.1, 0.9, 0.95, 0.7, 0.7], abs=1e-4)
    # the inner bar shows where the base lies within, and else hides what the outer one has too much
    fills = [point.find(".//{*}srgbClr").get("val") for point in inner.iterfind("{*}dPt")]
    assert [fill == "FFFFFF" for fill in fills] == [False, False, True, True, True, False]
    assert "Base" in shapes_of(file)
    data = workbook_of(file)["Data"]
    (column,) = (at.rstrip("2") for at, text in data.items() if text == "Start: USD per 1,000 requests")
    assert [data[f"{column}{row}"] for row in range(3, 9)] == [0.35, 1.1, 0.8, 0.95, 0.45, 0.7]


def test_on_a_log_axis_ticks_and_words_are_shapes_beyond_the_bars() -> None:
    drawn = shapes_of(single(tornado(scale="log")))
    assert {"Tick: 0.25", "Tick: 0.5"} <= set(drawn)
    starts = {name: place_of(shape)[0] for name, shape in drawn.items() if name.startswith("Words: ")}
    assert min(starts.values()) > place_of(drawn["Base"])[0]
    assert max(starts, key=starts.__getitem__) == "Words: Price of a GPU hour"
