import re
import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any

import pytest

from charts import plotly
from charts.chart import Chart
from charts.colours import PALETTES
from charts.labels import sampled
from charts.plotly import shaped, spec
from charts.plotly.words import DESK_FROM, MAP_WIDTHS, NARROW, ROOMY
from charts.svg import STYLE, sized, svg
from charts.svg.both import Colours, combined
from charts.svg.scale import plot_of
from tests.charts import map_examples
from tests.charts.conftest import HOSTILE
from tests.charts.svg import drawing
from tests.charts.svg.dialect import unknown
from tests.charts.svg.drawing import Words
from views.registry import VIEWS
from views.view import answer

EACH = ("xy_chart", "bar_chart", "map_chart", "tornado", "log_tornado", "dots")
KINDS = (*EACH, "hostile_chart", "hostile_map")


def parsed(chart: Chart) -> ET.Element:
    return drawing.parsed(svg(chart))


def worded(chart: Chart) -> list[str]:
    """Return every text of the plotly figure of a chart, and of the narrow one what is not the same there."""
    figure = spec(chart)
    if "narrow" not in figure:
        return words_of(figure)
    wide, narrow = (words_of(shaped(figure, width=width)) for width in (1200, 322))
    return wide + list((Counter(narrow) - Counter(wide)).elements())


def words_of(figure: dict[str, Any]) -> list[str]:
    axes = (figure["layout"]["xaxis"], figure["layout"]["yaxis"])
    result = [said for axis in axes for said in (*axis["ticktext"], axis.get("title", {}).get("text", ""))]
    result += [note["text"] for note in figure["layout"].get("annotations", ())]
    scatters = [trace for trace in figure["data"] if trace["type"] == "scatter"]
    result += [said for trace in scatters for said in trace.get("text", ())]
    return [said for said in result if said]


def bare(said: str) -> str:
    without = re.sub(r"</?b>|</?span[^>]*>", "", said).replace("<br>", "\n")
    return without.replace("&lt;", "<").replace("&gt;", ">").replace("&#36;", "$").replace("&amp;", "&")


@pytest.mark.parametrize("path", VIEWS)
def test_every_exhibit_of_every_view_is_drawn_with_every_word_of_its_figure(path: str) -> None:
    result = answer(VIEWS[path], VIEWS[path].settings())
    for exhibit in result.exhibits:
        root = parsed(exhibit.chart)
        drawn, wanted = Counter(drawing.texts(root)), Counter(map(bare, worded(exhibit.chart)))
        assert drawn >= wanted and drawn.keys() == wanted.keys()
        assert root[0][0].get("aria-label") == exhibit.chart.alt and root[0][0].get("role") == "img"
        figure = spec(exhibit.chart)
        for kind, width in (("w", 1200), ("n", 322)):
            high = shaped(figure, width=width)["layout"]["height"]
            assert unknown(shaped(figure, width=width)) == []
            assert f"--{kind}h:{high:g}px" in root[0].attrib["style"]
        assert len(svg(exhibit.chart)) < 60_000


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_text_holds_is_said_and_does_nothing(kind: str, request: pytest.FixtureRequest) -> None:
    root = parsed(request.getfixturevalue(kind))
    known = {"div", "svg", "g", "line", "path", "rect", "circle", "text", "tspan", "pattern", "clipPath"}
    assert {element.tag for element in root.iter()} <= known
    names = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in names if name.startswith("on") or "href" in name]
    if "hostile" in kind:
        said = " ".join(HOSTILE.replace("\x00", "").replace("\x07", "").split())
        assert any(said in " ".join(text.split()) for text in drawing.texts(root))


@pytest.mark.parametrize("kind", KINDS)
def test_every_colour_is_that_of_the_theme_on_light_and_on_dark(kind: str, request) -> None:
    chart = request.getfixturevalue(kind)
    drawing = svg(chart)
    style, _, inside = drawing.partition(">")
    pairs = dict(re.findall(r"(--c\d+):(light-dark\([^;]*\))", style))
    assert pairs and set(re.findall(r"var\((--c\d+)\)", inside)) <= set(pairs)
    inks = [repr(spec(chart, theme=theme)).lower() for theme in ("light", "dark")]
    for pair in pairs.values():
        light, dark = re.findall(r"#[0-9a-f]{6}|rgba\([^)]*\)", pair)
        assert light in inks[0] and dark in inks[1]
    assert f"light-dark({PALETTES['light'].background},{PALETTES['dark'].background})" in pairs.values()


def test_a_name_in_a_drawing_is_its_own_and_leads_somewhere() -> None:
    maps = [svg(map_examples.places(n)) for n in (40, 41)]
    names = [re.findall(r'id="(\w+)"', drawing) for drawing in maps]
    assert not set(names[0]) & set(names[1]) and len(set(names[0])) == len(names[0]) == 2
    used = [set(re.findall(r"url\(#(\w+)\)", drawing)) for drawing in maps]
    assert used == [set(result) for result in names]
    assert svg(map_examples.places(40)) == maps[0]


def test_labels_stay_at_the_axis_of_a_narrow_chart_where_they_have_room(xy_chart: Chart, bar_chart: Chart):
    hidden = [
        [text.text for text in parsed(chart).iter("text") if text.get("class") == "wide-only"]
        for chart in (xy_chart, bar_chart)
    ]
    assert hidden == [["2014", "2018", "2022", "2026", "2030"], []]


@pytest.mark.parametrize("style", [STYLE, plotly.STYLE], ids=["svg", "plotly"])
def test_the_style_sheets_change_where_the_words_are_set_for_another_width(style: str) -> None:
    style = style.replace(": ", ":")
    for rule in (f"max-width:{NARROW}px", f"min-width:{NARROW + 0.01}px", f"max-width:{DESK_FROM}px"):
        assert rule in style
    assert all(kind in style for kind, _ in MAP_WIDTHS)
    assert "chart-svg" not in style or all(f"to-{most}" in style for most in (NARROW, ROOMY))


@pytest.mark.parametrize("pair", [[1, 2], ["#ffffff thin", "#000000 wide"], [None, "#000000"]])
def test_light_and_dark_may_differ_in_colours_alone(pair: list[object]) -> None:
    with pytest.raises(ValueError, match=r"apart from its colours; got .* and .*Let charts/plotly draw both"):
        combined({"a": {"$": pair}}, colours=Colours())
    assert combined({"a": {"$": ["#ffffff", "#000000"]}}, colours=Colours()) == {"a": "var(--c0)"}


def at_width(chart: Chart, width: int) -> tuple[list[Words], ET.Element, float]:
    """Return the words that show on a page where a chart is so wide, its drawing, and the width of its plot. [px]"""
    figure = shaped(spec(chart), width=width)
    if width > NARROW:
        figure["layout"]["xaxis"].pop("tickfont", None)  # which says what labels a narrow chart leaves out
    root = drawing.parsed(sized(figure, width=width))
    kind = max((least, kind) for kind, least in MAP_WIDTHS if least <= width)[1]
    hidden = {other for other, _ in MAP_WIDTHS if other != kind}
    hidden |= {"wide-only"} if width <= NARROW else set()
    return list(drawing.words(root, hidden=hidden)), root, plot_of(figure["layout"], width=width).width or 0


@pytest.mark.parametrize("width", [360, 620, 790, 1280])
@pytest.mark.parametrize("kind", EACH)
def test_words_are_whole_and_lie_neither_on_each_other_nor_on_a_line(*, width: int, kind: str, request):
    every, root, wide = at_width(request.getfixturevalue(kind), width)
    assert len(every) > 8
    assert [one for one in every if one.left < -1 or one.right > width + 1] == []
    assert drawing.overlapping(every) == []
    if kind != "xy_chart":
        return
    moved = [float(value) for value in re.findall(r"[\d.]+", root.attrib["transform"])]
    lines = [run for mark, runs in drawing.marks(root, width=wide) for run in runs if mark == "line"]
    for line in lines:
        x, y = (sampled(line * (wide, 1)) + moved).T
        for one in every:
            on = (one.left + 1 < x) & (x < one.right - 1) & (one.top + 3 < y) & (y < one.bottom - 3)
            assert not on.any(), one
