"""Whatever the settings: page, panel, picture, slide and files of a view carry the numbers of its result."""

import csv
import io
import json
import math
from dataclasses import replace
from typing import Any

import lxml.etree as etree
import numpy as np
import pytest
from matplotlib.collections import PathCollection

from charts.chart import Band, BarChart, Chart, Line, MapChart, Points, XYChart
from charts.matplotlib import draw
from charts.plotly import figure
from panel.answer import PanelSettings, answer_of
from panel.cells import cell_text as shown_text
from tests.charts import test_same_numbers as charts_alike
from tests.charts.powerpoint_examples import parts
from tests.length import at_length
from tests.views.links import corpus
from tests.web.served import DAY, HOST
from views.registry import VIEWS
from views.result import Result, as_json
from views.view import ReleaseSettings, View, answer, read
from web.forms import FORMS, Order
from web.forms.numbers import cell_text
from web.forms.picture import PictureSettings
from web.panels import as_bytes

two_renderers_agree = charts_alike.test_every_mark_of_any_chart_is_drawn_in_its_numbers_and_order_by_all
check_xy = two_renderers_agree.hypothesis.inner_test  # pyright: ignore[reportFunctionMemberAccess]


def order(result: Result, *, exhibit: int = 1) -> Order:
    return Order(result=result, options=PictureSettings(exhibit=exhibit), origin=HOST, today=DAY)


def cached(series: etree._Element, tag: str) -> list[float]:
    return [float(v.text) for v in series.iterfind(f"{{*}}{tag}/{{*}}numRef/{{*}}numCache/{{*}}pt/{{*}}v")]


def drawn_on_slide(file: bytes) -> list[tuple[list[float], list[float]]]:
    """Return x and y of every series of the slide's own chart."""
    root = etree.fromstring(parts(file)["ppt/charts/chart1.xml"])
    found = []
    for series in root.iter("{*}ser"):
        found.append((cached(series, "xVal"), cached(series, "yVal") or cached(series, "val")))
    return found


def check_slide(chart: Chart, file: bytes) -> None:
    series = drawn_on_slide(file)
    if isinstance(chart, MapChart):
        cells = [cell for row in chart.cells for cell in row]
        drawn = {len(x) for x, _ in series}
        assert all(cells.count(k) in drawn for k in range(len(chart.choices)) if k in cells)
        return
    if isinstance(chart, BarChart):
        numbers = [value for _, values in series for value in values]
        ends = [bar.value for bar in chart.bars]
        lengths = [bar.value - chart.base for bar in chart.bars]
        for end, length in zip(ends, lengths, strict=True):
            assert any(
                math.isclose(number, wanted, rel_tol=1e-9, abs_tol=1e-12)
                for number in numbers
                for wanted in (end, length, -length)
            )
        return
    for mark in chart.marks:
        if isinstance(mark, Points | Line):
            assert (list(mark.x), list(mark.y)) in series, mark.series
        elif isinstance(mark, Band):
            heights = [y for _, y in series]
            assert list(mark.low) in heights and list(mark.high) in heights, mark.series


def check_figure(shown: Any, chart: Chart) -> None:
    """Check trace by trace that a figure that came as JSON has the numbers of the one that plotly has checked."""
    traces: Any = figure(chart).data
    for got, own in zip(shown["data"], traces, strict=True):
        assert got["type"] == own.type
        for name in ("x", "y", "z", "base", "error_x", "error_y"):
            for one in ("array", "arrayminus") if name.startswith("error") else ("",):
                given, kept = (got.get(name), getattr(own, name, None))
                given, kept = (given and given.get(one), getattr(kept, one, None)) if one else (given, kept)
                assert (given is None) == (kept is None), (got["type"], name)
                if given is not None:
                    np.testing.assert_array_equal(np.asarray(given, float), np.asarray(kept, float))


def check_panel(view: View, settings: ReleaseSettings, *, result: Result) -> None:
    """Check that the answers to the open page have the charts and the tables of the result, as JSON carries them."""

    def told(**wanted: Any) -> Any:
        return json.loads(as_bytes(answer_of(view, settings, wanted=PanelSettings(**wanted))))

    finding = told()
    assert finding["link"] == result.link
    charts = [finding["chart"], *(one["chart"] for one in told(part="further")["exhibits"])]
    for number, (shown, exhibit) in enumerate(zip(charts, result.exhibits, strict=True), start=1):
        check_figure(shown["figure"], exhibit.chart)
        assert shown["alt"] == exhibit.chart.alt
        table = told(part="table", exhibit=number)
        columns = exhibit.table.columns
        assert len(table["columns"]) == len(columns)
        for keys, texts, row in zip(table["keys"], table["rows"], exhibit.table.rows, strict=True):
            assert texts == [shown_text(cell, column) for cell, column in zip(row, columns, strict=True)]
            for key, cell in zip(keys, row, strict=True):
                if isinstance(cell, int | float):
                    assert key == (cell if math.isfinite(cell) else None)
                else:
                    assert key is None or key == cell


def check_bars(chart: BarChart) -> None:
    if not chart.bars:
        return
    if chart.dots:
        check_dots(chart)
        return
    values = [bar.value for bar in chart.bars]
    trace: Any = figure(chart).data[0]
    x = np.asarray(trace.x, dtype=float) + np.asarray(trace.base, dtype=float)
    np.testing.assert_allclose(x, values, rtol=1e-9)
    drawn: Any = draw(chart).axes[0].patches
    patches = sorted((patch.get_y(), patch.get_x() + patch.get_width()) for patch in drawn)
    np.testing.assert_allclose([end for _, end in patches], values, rtol=1e-9)


def check_dots(chart: BarChart) -> None:
    """A dot, and the hollow one of a start, stand at the values of their row, in the page and in the picture."""
    seen = {row: bar.value for row, bar in enumerate(chart.bars) if not bar.absent}
    starts = {
        row: bar.start for row, bar in enumerate(chart.bars) if not bar.absent and bar.start is not None
    }
    drawing: Any = figure(chart)
    traces = [trace for trace in drawing.data if trace.mode == "markers"]
    dots = [trace for trace in traces if trace.marker.opacity != 0]
    hollow = [trace for trace in dots if trace.marker.line.width]
    begun = {row: x for trace in hollow for row, x in zip(trace.y, trace.x, strict=True)}
    assert begun == starts
    on_page = {
        row: x for trace in dots if trace not in hollow for row, x in zip(trace.y, trace.x, strict=True)
    }
    assert on_page.keys() == seen.keys()
    np.testing.assert_allclose([on_page[row] for row in seen], list(seen.values()), rtol=1e-9)
    groups = [one for one in draw(chart).axes[0].collections if isinstance(one, PathCollection)]
    assert len(groups) == 1 + bool(starts)
    begun, in_picture = (
        {round(float(y)): float(x) for x, y in np.asarray(group.get_offsets())}
        for group in (groups[0], groups[-1])
    )
    np.testing.assert_allclose([begun[row] for row in starts], list(starts.values()), rtol=1e-9)
    np.testing.assert_allclose([in_picture[row] for row in seen], list(seen.values()), rtol=1e-9)


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
@pytest.mark.parametrize("number", range(at_length(40, few=5)))
def test_page_panel_picture_slide_and_files_carry_the_same_numbers(view: View, number: int):
    chosen = read(view, corpus(view)[number])[0]
    result = answer(view, chosen)
    check_panel(view, chosen, result=result)
    for place, exhibit in enumerate(result.exhibits, start=1):
        chart = exhibit.chart
        if isinstance(chart, XYChart):
            check_xy(chart)
        elif isinstance(chart, BarChart):
            check_bars(chart)
        elif isinstance(chart, MapChart):
            charts_alike.check_map(chart)
        check_slide(chart, FORMS["pptx"].write(order(result, exhibit=place)))
        text = FORMS["csv"].write(order(result, exhibit=place)).decode()
        rows = list(csv.reader(io.StringIO(text, newline="")))[1:]
        assert [[cell.removeprefix("'") for cell in row] for row in rows] == [
            [cell_text(cell).removeprefix("'") for cell in row] for row in exhibit.table.rows
        ]
    told = json.loads(FORMS["json"].write(order(result)))
    assert told == json.loads(json.dumps(as_json(result)))
    for figure_told, own in zip(told["figures"], result.figures, strict=True):
        assert figure_told["value"] == (own.value if own.value is None or math.isfinite(own.value) else None)


def test_the_slide_of_a_correction_is_dated_by_the_release_it_corrects():
    result = replace(answer(VIEWS["/growth-gap"], VIEWS["/growth-gap"].settings()), release="2026-07.1")
    made = parts(FORMS["pptx"].write(order(result)))["docProps/core.xml"].decode()
    assert "2026-07-01T00:00:00Z" in made
