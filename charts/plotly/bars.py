"""Horizontal bars with whiskers as plotly traces."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from charts.chart import Bar, BarChart
from charts.colours import Palette, bar_colour
from charts.layout import along, far_end, start_of
from charts.plotly.axes import SIZE, escaped, layout_of, room_for
from charts.plotly.marks import hover_texts, hovering
from charts.plotly.words import END_SIZE, text_trace
from charts.text_width import text_width, wrapped

_NARROW_PLOT = 220.0
_NARROWEST = 320.0  # px of a whole chart in a section of a page, on a phone
_LEAST_PLOT = 80.0  # px of it for the bars themselves
_CLEAR = 16  # px between a bar's end, its words and the edge, together


def bars_figure(chart: BarChart, palette: Palette) -> dict[str, Any]:
    """Return traces and layout of a bar chart: each bar from the base, its whisker, its words beyond both."""
    bars = chart.bars
    if chart.dots:
        return {
            "data": [
                _whiskers(bars, colour=palette.quiet, thickness=2, width=0),
                *_dots(chart, palette),
                _texts(chart, palette),
            ],
            "layout": _layout(chart, palette),
        }
    return {
        "data": [
            _bars(chart, palette),
            _whiskers(bars, colour=palette.background, thickness=4, width=5),  # a halo
            _whiskers(bars, colour=palette.text, thickness=1.4, width=4),
            _texts(chart, palette),
        ],
        "layout": _layout(chart, palette),
    }


def _layout(chart: BarChart, palette: Palette) -> dict[str, Any]:
    named = [wrapped(bar.label, width=150, size=SIZE) for bar in chart.bars]
    left = room_for([line for lines in named for line in lines])
    right, height = _room_right(chart, left=left), max(420, 60 + 38 * len(named))
    layout = layout_of(x=chart.x, y=None, palette=palette, left=left, right=right, height=height)
    layout["xaxis"] |= {"showgrid": True, "gridcolor": palette.grid, "showline": False, "ticks": ""}
    layout["yaxis"] = {
        "type": "linear",
        "range": [len(named) - 0.5, -0.5],
        "autorange": False,
        "fixedrange": True,
        "tickmode": "array",
        "tickvals": list(range(len(named))),
        "ticktext": ["<br>".join(map(escaped, lines)) for lines in named],
        "tickfont": {"color": palette.text},
        "showgrid": False,
        "zeroline": False,
        "automargin": False,
    }
    base: dict[str, Any] = {
        "type": "line",
        "x0": chart.base,
        "x1": chart.base,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
    }
    layout["shapes"] = [base | {"line": {"color": palette.quiet, "width": 1.2}}]
    return layout


def _room_right(chart: BarChart, *, left: float) -> float:
    """Return the margin right of the plot in which the words of the bars have room, on a phone too. [px]"""
    right = 24.0
    for bar in chart.bars:
        end = float(along(chart.x, [far_end(chart, bar)])[0])
        words = text_width(bar.text, size=END_SIZE)
        right = max(right, 24 + words - (1 - end) * _NARROW_PLOT)
        if end > 0:
            needed = (_CLEAR + words - (1 - end) * (_NARROWEST - left)) / end
            right = max(right, min(needed, _NARROWEST - left - _LEAST_PLOT))
    return right


def _dots(chart: BarChart, palette: Palette) -> list[dict[str, Any]]:
    """Return the dots, those of one colour together."""
    quiet = any(bar.emphasised for bar in chart.bars)
    groups: dict[tuple[str, bool], list[tuple[int, Bar]]] = {}
    for row, bar in enumerate(chart.bars):
        if not bar.absent:
            groups.setdefault((bar_colour(bar, palette, quiet=quiet), bar.emphasised), []).append((row, bar))
    return [
        hovering(
            hover_texts([bar.label for _, bar in rows], [(bar.text, *bar.detail) for _, bar in rows]),
            palette.quiet,
        )
        | {
            "type": "scatter",
            "mode": "markers",
            "x": np.array([bar.value for _, bar in rows], dtype=float),
            "y": [row for row, _ in rows],
            "marker": {"color": colour, "size": 13 if strong else 10, "line": {"width": 0}},
            "cliponaxis": False,
        }
        for (colour, strong), rows in groups.items()
    ]


def _bars(chart: BarChart, palette: Palette) -> dict[str, Any]:
    bars = chart.bars
    quiet = any(bar.emphasised for bar in bars)
    texts = hover_texts([bar.label for bar in bars], [(bar.text, *bar.detail) for bar in bars])
    return hovering(texts, palette.quiet) | {
        "type": "bar",
        "orientation": "h",
        "y": list(range(len(bars))),
        "base": [start_of(chart, bar) for bar in bars],
        "x": np.array([bar.value - start_of(chart, bar) for bar in bars], dtype=float),
        "width": 0.62,
        "marker": {"color": [bar_colour(bar, palette, quiet=quiet) for bar in bars], "line": {"width": 0}},
    }


def _whiskers(bars: Sequence[Bar], *, colour: str, thickness: float, width: float) -> dict[str, Any]:
    """Return the whiskers of the bars that have an interval: plotly draws caps even on one without length."""
    known = [(row, bar) for row, bar in enumerate(bars) if bar.low is not None or bar.high is not None]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": np.array([bar.value for _, bar in known], dtype=float),
        "y": [row for row, _ in known],
        "marker": {"opacity": 0},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [0.0 if bar.high is None else bar.high - bar.value for _, bar in known],
            "arrayminus": [0.0 if bar.low is None else bar.value - bar.low for _, bar in known],
            "color": colour,
            "thickness": thickness,
            "width": width,
        },
        "hoverinfo": "skip",
    }


def _texts(chart: BarChart, palette: Palette) -> dict[str, Any]:
    places = []
    for row, bar in enumerate(chart.bars):
        text = f"<b>{escaped(bar.text)}</b>" if bar.emphasised else escaped(bar.text)
        places.append((far_end(chart, bar), row, text, "middle right"))
    return text_trace(places, palette, size=END_SIZE, kind="bar")
