"""The chart as an interactive Plotly figure. The page, not the figure, shows the chart's title and source."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from charts.chart import BarChart, Chart, MapChart, XYChart
from charts.colours import PALETTES, Palette, Theme
from charts.layout import ticks_shown
from charts.plotly.axes import in_two_rows, layout_of, plot_height, room_for
from charts.plotly.bars import bars_figure
from charts.plotly.maps import map_figure
from charts.plotly.marks import mark_trace
from charts.plotly.words import NO_LABELS, ROOMY, STYLE, narrow_words, room_right, word_traces

__all__ = ["STYLE", "Theme", "figure", "plain_figure", "shaped", "spec"]

if TYPE_CHECKING:
    import plotly.graph_objects as go


def figure(chart: Chart, *, theme: Theme = "light", width: float = math.inf) -> "go.Figure":
    """Return the chart as a figure of the page's width, validated by Plotly, with labels instead of a legend.

    ``width`` is that of its container [px], if known: a narrow chart has another figure. It is 460 px high, with a
    map's key added; bars are at least 420 px high. The page includes STYLE once.
    """
    import plotly.graph_objects as go  # slow to import; pages use plain_figure instead

    return go.Figure(shaped(spec(chart, theme=theme), width=width))


def plain_figure(chart: Chart) -> dict[str, Any]:
    """Return the chart's figure as plain data and layout, for a page to pass to Plotly.

    One figure serves both themes: values that differ, such as colours, are {"$": [light, dark]}. It includes ``narrow``
    as in ``spec``. Unlike ``figure`` it is not validated against plotly's schema, which takes longer than drawing it.
    """
    return _paired(spec(chart, theme="light"), spec(chart, theme="dark"))


def _paired(light: Any, dark: Any) -> Any:
    """Return two structures of the same shape merged into one. Values that differ become pairs."""
    match light:
        case dict():
            return {name: _paired(value, dark[name]) for name, value in light.items()}
        case np.ndarray() | np.generic():  # numbers, which no theme changes
            return np.where(np.isfinite(light), light, np.array(None)).tolist()
        case [str(), *_] if light == dark:
            return light
        case list() | tuple():
            return [_paired(*pair) for pair in zip(light, dark, strict=True)]
        case float() if not math.isfinite(light):
            return None
    return light if light == dark else {"$": [light, dark]}


def spec(chart: Chart, *, theme: Theme = "light", size: tuple[float, float] | None = None) -> dict[str, Any]:
    """Return the traces and layout of a figure as plain values, not validated by Plotly.

    ``size`` is width and height of a chart in a picture [px]; the chart is higher if its rows need it.

    If a narrow chart differs, ``narrow`` has its maximum width [px] as ``most``, its layout, the number of traces
    ``shared`` with the wide chart (the first ones), and its other traces.
    """
    palette = PALETTES[theme]
    match chart:
        case BarChart():
            return bars_figure(chart, palette, size=size)
        case MapChart():
            return map_figure(chart, palette, size=size)
        case _:
            return _xy_figure(chart, palette, size=size)


def shaped(figure: Mapping[str, Any], *, width: float) -> dict[str, Any]:
    """Return the traces and layout of a figure from ``spec``, adapted to a container's width [px]."""
    narrow = figure.get("narrow")
    if narrow is None or width > narrow["most"]:
        return {"data": figure["data"], "layout": figure["layout"]}
    return {"data": [*figure["data"][: narrow["shared"]], *narrow["data"]], "layout": narrow["layout"]}


def _xy_figure(chart: XYChart, palette: Palette, *, size: tuple[float, float] | None) -> dict[str, Any]:
    left = room_for([tick.label for tick in ticks_shown(chart.y)])
    marks = [mark_trace(mark, palette) for mark in chart.marks]
    if size is not None:
        return _sized(chart, palette, size=size, left=left, marks=marks)
    layout = layout_of(x=chart.x, y=chart.y, palette=palette, left=left, right=room_right(chart))
    height = plot_height(layout)
    words, key, high = narrow_words(chart, palette, height=height)
    narrow = layout_of(
        x=chart.x, y=chart.y, palette=palette, left=left, right=NO_LABELS, height=layout["height"] + high
    )
    in_two_rows(narrow, chart.x)
    above = narrow["margin"]["t"] if chart.y.title else 0
    narrow["margin"]["t"] += high
    notes = [note | {"xshift": note["xshift"] - left, "yshift": note["yshift"] + above} for note in key]
    narrow["annotations"] = [*narrow.get("annotations", ()), *notes]
    return {
        "data": marks + word_traces(chart, palette, height=height),
        "layout": layout,
        "narrow": {"most": ROOMY, "shared": len(marks), "data": words, "layout": narrow},
    }


def _sized(
    chart: XYChart, palette: Palette, *, size: tuple[float, float], left: float, marks: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return the figure for a picture, with text laid out for one size."""
    width, height = size
    right = room_right(chart, width=width - left, height=height)
    layout = layout_of(
        x=chart.x, y=chart.y, palette=palette, left=left, right=right, height=height, width=width
    )
    in_two_rows(layout, chart.x)
    layout["height"] = height
    words = word_traces(chart, palette, height=plot_height(layout), widths=(width - left - right,))
    return {"data": marks + words, "layout": layout}
