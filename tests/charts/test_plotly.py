import dataclasses
import json
import math
import re
from typing import Any

import plotly.io
import pytest
from hypothesis import given
from hypothesis import strategies as st

import charts.plotly
from charts.chart import Axis, BarChart, Chart, Line, MapChart, Points, Span, Tick, XYChart
from charts.colours import PALETTES
from charts.plotly import STYLE, figure, plain_figure
from charts.plotly.axes import NARROWEST, ONE_IN, SIZE, THINNINGS, TICK_GAP, layout_of, narrow_step
from charts.text_width import text_width


def spec(chart: Chart, theme: Any = "light") -> dict[str, Any]:
    return json.loads(str(plotly.io.to_json(figure(chart, theme=theme))))


def traces_of(chart: Chart) -> Any:
    return figure(chart).data


def texts_of(trace: dict[str, Any]) -> list[str]:
    return [*trace.get("text", []), *trace.get("hovertext", []), trace.get("name", "")]


def of_kind(drawn: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(t for t in drawn["data"] if t.get("textfont", {}).get("family", "").endswith(kind))


def test_points_say_on_hover_their_name_and_every_detail(xy_chart: XYChart) -> None:
    cloud = next(trace for trace in spec(xy_chart)["data"] if trace["name"] == "Runs")
    assert cloud["hovertext"][1] == "<b>=1+1</b><br>2016<br>confident"
    assert cloud["hovertemplate"] == "%{hovertext}<extra></extra>"
    assert spec(xy_chart)["layout"]["hoverlabel"]["namelength"] == -1


def test_fit_is_solid_projection_dotted_and_announced_hollow(xy_chart: XYChart) -> None:
    traces = spec(xy_chart)["data"]
    solid, dotted = (t for t in traces if t["name"].startswith("Compute, "))
    assert solid["line"]["dash"] == "solid" and solid["opacity"] == 1
    assert "px" in dotted["line"]["dash"] and dotted["opacity"] < 0.6
    assert next(t for t in traces if t["name"] == "Announced chips")["marker"]["symbol"].endswith("-open")


def test_the_labels_of_lines_stand_at_their_ends_in_their_colours(xy_chart: XYChart) -> None:
    ends = of_kind(spec(xy_chart), "line-end")
    words = ("<b>Compute per run</b><br>4.7× a year", "<b>Bandwidth per chip</b><br>1.3× a year")
    assert ends["text"] == [*words]
    words = PALETTES["light"].words
    assert ends["textfont"]["color"] == [words["compute"], words["memory"]]
    assert ends["x"] == [2030, 2030]
    assert not spec(xy_chart)["layout"]["showlegend"]


def test_on_a_narrow_chart_the_labels_of_lines_are_a_key_above_the_plot(xy_chart: XYChart) -> None:
    narrow = json.loads(str(plotly.io.to_json(figure(xy_chart, width=322))))
    title, *key = narrow["layout"]["annotations"]
    names = [note["text"] for note in key[:2]]
    assert names == ["— <b>Compute per run</b> 4.7× a year", "— <b>Bandwidth per chip</b> 1.3× a year"]
    words = PALETTES["light"].words
    assert [note["font"]["color"] for note in key[:2]] == [words["compute"], words["memory"]]
    assert all(note["y"] == 1 and note["yshift"] >= title["yshift"] + SIZE for note in key)
    assert len({note["yshift"] for note in key}) == len(key)  # each in its own line
    assert not [t for t in narrow["data"] if t.get("textfont", {}).get("family", "").endswith("line-end")]
    wide, margin = spec(xy_chart)["layout"], narrow["layout"]["margin"]
    assert max(note["yshift"] for note in key) + SIZE < margin["t"] and margin["r"] < 20
    assert narrow["layout"]["height"] - margin["t"] == wide["height"] - wide["margin"]["t"]  # the same plot


def test_short_labels_stand_side_by_side_in_the_key_and_an_endless_one_is_cut(xy_chart: XYChart) -> None:
    labels: Any = (("phone",), ("cloud",), ("word " * 60,))
    ends: Any = zip(labels, (1e28, 1e26, 1e18), ("dotted", "solid", "dotted"), strict=True)
    whole: Any = {"series": "one", "role": "compute", "x": (2012, 2030)}
    lines = tuple(Line(y=(1e20, high), end_label=one, dash=dash, **whole) for one, high, dash in ends)
    chart = dataclasses.replace(xy_chart, marks=lines)
    drawn: Any = figure(chart, width=322)
    phone, cloud, *endless = drawn.layout.annotations[1:]
    assert phone.text == "··· <b>phone</b>" and cloud.text == "— <b>cloud</b>"
    assert phone.yshift == cloud.yshift
    assert cloud.xshift > phone.xshift + text_width("··· phone", size=SIZE, bold=True)
    assert len(endless) == 2 and endless[1].text.endswith("…")


def test_a_measure_that_would_lie_on_something_stands_in_the_key(xy_chart: XYChart) -> None:
    x, y = [2012 + (i % 60) / 3 for i in range(2400)], [10 ** (11 * (i // 60) / 40) for i in range(2400)]
    of_points: Any = {"names": ("n",) * 2400, "details": ((),) * 2400}
    crowd = Points(series="Crowd", role="context", x=tuple(x), y=tuple(y), **of_points)
    measure = Span(x=2026, low=1e3, high=1e8, label=("gap since 2012", "126 million x"))
    for marks, keyed in (((measure,), False), ((crowd, measure), True)):
        narrow: Any = figure(dataclasses.replace(xy_chart, marks=marks), width=322)
        said = [note.text for note in narrow.layout.annotations[1:]]
        assert said == (["| <b>126 million x</b> gap since 2012"] if keyed else [])
        assert keyed != any("gap since" in text for trace in narrow.data for text in trace.text or ())


def test_text_from_data_never_becomes_markup(hostile_chart: XYChart, hostile_map: MapChart) -> None:
    for chart in (hostile_chart, hostile_map):
        drawn = spec(chart)
        texts = [text for trace in drawn["data"] if trace["type"] != "heatmap" for text in texts_of(trace)]
        if chart is hostile_map:
            texts += [*drawn["data"][0]["text"][0], *drawn["data"][0]["hovertext"][0]]
        texts += drawn["layout"]["yaxis"]["ticktext"] + [a["text"] for a in drawn["layout"]["annotations"]]
        assert any("&lt;b&gt;x&lt;/b&gt; &amp; &lt;script&gt;" in text for text in texts)
        for text in texts:
            bare = re.sub(r"</?b>|<br>|<span style=\"color:#[0-9a-f]{6}\">|</span>", "", text)
            assert "<" not in bare and ">" not in bare and "$" not in bare


def test_bars_start_at_the_base_their_words_beyond_whiskers_and_grow_with_their_number(bar_chart: BarChart):
    drawn = spec(bar_chart)
    assert of_kind(drawn, "bar")["x"] == pytest.approx([1.66, 1.33, 1.1])
    assert drawn["layout"]["shapes"][0]["x0"] == 1
    assert spec(dataclasses.replace(bar_chart, bars=bar_chart.bars * 10))["layout"]["height"] > 1000
    assert spec(dataclasses.replace(bar_chart, bars=()))["layout"]["height"] == 420


def test_the_emphasised_bars_are_full_and_the_others_pale_unless_none_is(bar_chart: BarChart) -> None:
    colours = traces_of(bar_chart)[0].marker.color
    light = PALETTES["light"].mark
    assert colours[1] == light["memory"] and colours[0] != light["compute"]
    bars = tuple(dataclasses.replace(bar, emphasised=False) for bar in bar_chart.bars)
    plain = dataclasses.replace(bar_chart, bars=bars)
    assert list(traces_of(plain)[0].marker.color) == [light[bar.role] for bar in bar_chart.bars]


@pytest.mark.parametrize("kind", ["bar_chart", "tornado", "log_tornado", "dots"])
def test_on_a_narrow_chart_the_bars_have_its_width_and_their_names_stand_above(*, kind, request):
    chart = request.getfixturevalue(kind)
    narrow = json.loads(str(plotly.io.to_json(figure(chart, width=322))))
    wide, margin = spec(chart), narrow["layout"]["margin"]
    assert margin["l"] < 24 and NARROWEST - margin["l"] - margin["r"] >= 110
    assert narrow["layout"]["yaxis"]["ticktext"] == []
    names = of_kind(narrow, "bar-name")
    said = [name.replace("<br>", " ") for name in names["text"]]
    assert said == [name.replace("<br>", " ") for name in wide["layout"]["yaxis"]["ticktext"]]
    low, high = narrow["layout"]["yaxis"]["range"]
    row = (narrow["layout"]["height"] - margin["t"] - margin["b"]) / (low - high)
    thick = next((trace["width"] for trace in narrow["data"] if trace["type"] == "bar"), 0)
    for number, (at, name) in enumerate(zip(names["y"], names["text"], strict=True)):
        half = (name.count("<br>") + 1) * 1.3 * SIZE / 2
        assert (at - high) * row - half > -1  # within the plot
        assert at * row + half <= (number - thick / 2) * row + 2  # above its bar
        assert number == 0 or at * row - half >= (number - 1 + thick / 2) * row + 2  # below the one before
    (begin,) = set(names["x"])
    """Plotly leaves out a text that rounding puts before its axis, as it did at 3.3e26 on a log scale."""
    assert chart.x.low < begin < chart.x.low + 1e-4 * (chart.x.high - chart.x.low)
    assert of_kind(narrow, "bar")["text"] == of_kind(wide, "bar")["text"]


def test_on_a_narrow_chart_names_stand_right_of_a_base_a_little_inside_the_plot(bar_chart: BarChart) -> None:
    """Its line ran through their first letters."""
    low, high = bar_chart.x.low, bar_chart.x.high
    for share, beside in ((0.0, False), (0.03, True), (0.5, False)):
        base = low + share * (high - low)
        chart = dataclasses.replace(bar_chart, base=base)
        names = of_kind(json.loads(str(plotly.io.to_json(figure(chart, width=322)))), "bar-name")
        (begin,) = set(names["x"])
        assert begin == pytest.approx(base if beside else low, rel=1e-4)
        assert (names["marker"]["size"] >= 4) == beside  # which moves the words clear of the line


def test_dots_have_the_full_colour_of_their_role_and_the_emphasised_one_is_larger(dots: BarChart) -> None:
    strong, others = (one.marker for one in traces_of(dots) if one.mode == "markers" and one.hovertemplate)
    assert strong.color == others.color == PALETTES["light"].mark["compute"]
    words = of_kind(spec(dataclasses.replace(dots, base=0.1)), "bar")
    assert words["marker"]["size"] > strong.size > others.size  # clear of their dot
    assert words["x"][-1] == dots.x.low  # of a bar that is absent


@pytest.mark.parametrize(("place", "theme"), [(0, "light"), (1, "dark")])
def test_the_plain_figure_is_both_themes_in_one_without_numbers_json_has_not(xy_chart, *, place, theme):
    gap = Line(series="With a gap", role="edge", x=(2018.0, 2020.0, 2024.0), y=(1e20, math.nan, 1e26))
    chart = dataclasses.replace(xy_chart, marks=(*xy_chart.marks, gap))

    def of_theme(value: Any) -> Any:
        if isinstance(value, dict):
            if "$" in value:
                return value["$"][place]
            return {name: of_theme(item) for name, item in value.items()}
        return [of_theme(item) for item in value] if isinstance(value, list) else value

    sent = of_theme(json.loads(json.dumps(plain_figure(chart), allow_nan=False)))
    own = json.dumps(charts.plotly.spec(chart, theme=theme), default=lambda array: array.tolist())
    assert sent == json.loads(own.replace("NaN", "null"))
    assert [1e20, None, 1e26] in [trace["y"] for trace in sent["data"]]


def test_a_cell_says_on_hover_its_choice_and_its_details(map_chart: MapChart) -> None:
    cells = traces_of(map_chart)[0]
    assert cells.text[0][0] == "Phone" and cells.text[39][0] == ""
    assert cells.hovertext[0][0] == "1e+09 parameters<br>10 requests a day"
    assert cells.hovertemplate == "<b>%{text}</b><br>%{hovertext}<extra></extra>"
    plain = traces_of(dataclasses.replace(map_chart, details=()))[0]
    assert plain.hovertemplate == "<b>%{text}</b><extra></extra>"


@given(count=st.integers(2, 12), letters=st.integers(1, 14), room=st.floats(90, 400))
def test_the_labels_of_ticks_that_a_narrow_chart_keeps_do_not_touch(*, count: int, letters: int, room: float):
    ticks = tuple(Tick(value=float(place), label="0" * letters) for place in range(count))
    axis = Axis(title="", low=0.0, high=float(count - 1), ticks=ticks)
    step = narrow_step(axis, room=room)
    apart, width = room / (count - 1), text_width("0" * letters, size=SIZE)
    assert step * apart >= width or step == max(THINNINGS) or step >= count
    assert step == 1 or (step - 1) * apart < width + TICK_GAP


def test_names_along_a_narrow_chart_stand_in_two_rows_and_none_is_left_out(xy_chart: XYChart):
    names = ("Number of chips", "Training time", "Speed of a chip", "Utilization", "Total")
    ticks = tuple(Tick(value=place, label=name) for place, name in enumerate(names))
    chart = dataclasses.replace(xy_chart, x=Axis(title="", low=-0.5, high=4.5, ticks=ticks), marks=())
    narrow: Any = figure(chart, width=322)
    assert [text.removeprefix("<br>") for text in narrow.layout.xaxis.ticktext] == [*names]
    broken = [text.startswith("<br>") for text in narrow.layout.xaxis.ticktext]
    assert broken == [False, True, False, True, False]
    assert ONE_IN not in (narrow.layout.xaxis.tickfont.family or "")
    assert spec(chart)["layout"]["xaxis"]["ticktext"] == [*names]


def test_the_style_of_the_page_knows_every_thinning_of_labels(bar_chart: BarChart):
    ticks = tuple(Tick(value=1 + place / 10, label="1,000,000") for place in range(6))
    axis = dataclasses.replace(bar_chart.x, ticks=ticks, high=1.6, low=0.9)
    font = layout_of(x=axis, y=None, palette=PALETTES["light"], left=100, right=100)["xaxis"]["tickfont"]
    assert font["family"].endswith(f"{ONE_IN}{narrow_step(axis, room=122.0)}")
    assert all(f'nth-of-type({step}n + 1)) text[style*="{ONE_IN}{step}"]' in STYLE for step in THINNINGS)


def test_a_line_says_its_words_on_hover_or_else_its_value(xy_chart: XYChart) -> None:
    line = Line(series="Trend", role="compute", x=(1, 2, 3, 4), y=(5.014e26, 3.346, 12_345, 0.0))
    chart = dataclasses.replace(xy_chart, marks=(line, dataclasses.replace(line, hover=("a", "b", "c", "d"))))
    plain, worded = spec(chart)["data"]
    said = [text.removeprefix("<b>Trend</b><br>") for text in plain["hovertext"]]
    assert said == ["5.01 × 10²⁶", "3.35", "12,300", "0"]
    assert worded["hovertext"][3] == "<b>Trend</b><br>d"
