"""The chart as an interactive plotly figure: the plot alone, the page sets title and source."""

from functools import cached_property
from typing import Any

import plotly.graph_objects as go

from charts.chart import BarChart, Chart, MapChart, XYChart
from charts.colours import PALETTES, Palette, Theme
from charts.plotly.axes import layout_of, room_for, ticks_shown
from charts.plotly.bars import bars_figure
from charts.plotly.maps import map_figure
from charts.plotly.marks import mark_trace
from charts.plotly.words import STYLE, room_right, word_traces

__all__ = ["CONFIG", "STYLE", "Theme", "figure"]

CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "responsive": True,
    "scrollZoom": False,
    "doubleClick": "reset",
    "typesetMath": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
    "toImageButtonOptions": {
        "format": "png",
        "width": 1280,
        "height": 560,
        "scale": 2,
        "filename": "scaling-gap",
    },
}
"""What the page passes to plotly beside the figure."""


class Finished(go.Figure):
    """A figure that changes no more: what is sent of it is made once, however often a page sends it."""

    @cached_property
    def _sent(self) -> dict[str, Any]:
        return super().to_dict()

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain values; the same dict each time, not to be changed."""
        return self._sent


def figure(chart: Chart, *, theme: Theme = "light") -> Finished:
    """Return the chart as a figure as wide as the page, labelled so that it needs no legend.

    It is 460 px high, and a map higher by its key; bars at least 420 px. The page adds STYLE once and passes
    CONFIG with each figure.
    """
    return Finished(_drawn(chart, PALETTES[theme]))


def _drawn(chart: Chart, palette: Palette) -> dict[str, Any]:
    match chart:
        case BarChart():
            return bars_figure(chart, palette)
        case MapChart():
            return map_figure(chart, palette)
        case _:
            return _xy_figure(chart, palette)


def _xy_figure(chart: XYChart, palette: Palette) -> dict[str, Any]:
    left = room_for([tick.label for tick in ticks_shown(chart.y)])
    layout = layout_of(x=chart.x, y=chart.y, palette=palette, left=left, right=room_right(chart))
    height = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    traces = [mark_trace(mark, palette) for mark in chart.marks]
    return {"data": traces + word_traces(chart, palette, height=height), "layout": layout}
