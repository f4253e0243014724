"""Horizontal bars with whiskers, as Plotly traces."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from charts.chart import Bar, BarChart
from charts.colours import Palette, bar_colour
from charts.layout import along, at, far_end, reach, share, start_of, ticks_shown
from charts.plotly.axes import NARROWEST, SIZE, escaped, layout_of, room_for
from charts.plotly.marks import hover_texts, hovering
from charts.plotly.words import END_SIZE, NARROW, text_trace
from charts.text_width import text_width, wrapped

_NAMES, _APART = 200, 4  # px: line width of the names left of the bars, and their distance from the bars
_NAMES_SHARE = 0.28  # of the width of a wide picture
_LEAST_PLOT = 110.0  # px of a narrow chart for the bars themselves
_CLEAR = 16  # px between a bar's end, its words and the edge, together
_BESIDE_DOT = 9.0  # px from the middle of a dot to its words
_THICK, _HIGHEST = 0.62, 22.0  # thickness of a bar: share of its row, and maximum px on a narrow chart
_LINE, _AIR = 17.0, 33.0  # px of a narrow chart: a line of a name, and the rest of the row
_UNDER_TICKS = 20.0  # px from the plot down to the title of its axis
_AT_THE_LEFT = 0.08  # share of the axis: if the base is no further in, names are to its right
_HAIR = 1e-6  # share of the axis: plotly omits what rounding puts before its start
_NEAR = 3.0  # px between a name and the bar below it


def bars_figure(
    chart: BarChart, palette: Palette, *, size: tuple[float, float] | None = None
) -> dict[str, Any]:
    """Return the figure of a bar chart: bars from the base, their whiskers, and text beyond both.

    Names are left of the bars, or above them on a narrow chart, where bars use the full width. A picture, with a
    ``size`` [px], has no narrow chart.
    """
    if size is not None:
        return {
            "data": _traces(chart, palette, thick=_THICK),
            "layout": _layout(chart, palette, size=size, narrowest=size[0]),
        }
    names = [wrapped(bar.label, width=NARROWEST - 2 * _CLEAR, size=SIZE) for bar in chart.bars]
    most = max(map(len, names), default=1)
    height = max(300.0, 60 + (_AIR + _LINE * most) * len(names))
    layout = _narrow_layout(chart, palette, height=height)
    row = (layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]) / max(1, len(names))
    thick = min(_HIGHEST, 0.42 * row)
    down = _LINE * most / 2  # px by which a bar is below the middle of its row
    layout["yaxis"]["range"] = [len(names) - 0.5 - down / row, -0.5 - down / row]
    above = _name_trace(chart, palette, names=names, up=(thick / 2 + _NEAR) / row, line=_LINE / row)
    return {
        "data": _traces(chart, palette, thick=_THICK),
        "layout": _layout(chart, palette, size=(NARROW, max(420, 60 + 38 * len(names)))),
        "narrow": {
            "most": NARROW,
            "shared": 0,
            "data": [*_traces(chart, palette, thick=thick / row), *above],
            "layout": layout,
        },
    }


def _traces(chart: BarChart, palette: Palette, *, thick: float) -> list[dict[str, Any]]:
    if chart.dots:
        return [
            _whiskers(chart, colour=palette.quiet, thickness=2, width=0),
            *_dots(chart, palette, hollow=True),
            *_dots(chart, palette),
            _texts(chart, palette),
        ]
    return [
        _bars(chart, palette, thick=thick),
        _whiskers(chart, colour=palette.background, thickness=4, width=5),  # a halo
        _whiskers(chart, colour=palette.text, thickness=1.4, width=4),
        _texts(chart, palette),
    ]


def _layout(
    chart: BarChart, palette: Palette, *, size: tuple[float, float], narrowest: float = NARROWEST
) -> dict[str, Any]:
    """Return the layout of a chart at least this wide and high [px]. Long names make it higher.

    The labels of the x axis do not touch at widths from ``narrowest``.
    """
    names = max(_NAMES, _NAMES_SHARE * size[0])
    named = [wrapped(bar.label, width=names, size=SIZE) for bar in chart.bars]
    left = _APART + room_for([line for lines in named for line in lines])
    right = _room_right(chart, plot=size[0] - left)
    lines = max((len(one) + len(other) for one, other in pairwise(named)), default=2) / 2
    height = max(size[1], 60 + (_LINE * lines + 2) * len(named))
    layout = _around(chart, palette, left=left, right=right, height=height, width=narrowest)
    layout["yaxis"] |= {
        "range": [len(named) - 0.5, -0.5],
        **{"ticks": "outside", "ticklen": _APART, "tickcolor": "rgba(0,0,0,0)"},
        "tickvals": list(range(len(named))),
        "ticktext": ["<br>".join(map(escaped, lines)) for lines in named],
    }
    layout["shapes"] = [_base_line(chart, palette)]
    return layout


def _narrow_layout(chart: BarChart, palette: Palette, *, height: float) -> dict[str, Any]:
    ticks = ticks_shown(chart.x)
    share = along(chart.x, [tick.value for tick in ticks]).tolist()
    half = [text_width(tick.label, size=SIZE) / 2 for tick in ticks]
    plot = NARROWEST - 2 * _CLEAR
    left = 2 + max([0.0, *(h - s * plot for h, s in zip(half, share, strict=True))])
    right = 2 + max([6.0, *(h - (1 - s) * plot for h, s in zip(half, share, strict=True))])
    right = max(right, _room_right(chart, plot=NARROWEST - left))
    layout = _around(chart, palette, left=left, right=right, height=height, width=NARROWEST)
    layout["yaxis"] |= {"tickvals": [], "ticktext": []}
    layout["shapes"] = [_base_line(chart, palette) | {"layer": "between"}]
    if title := layout["xaxis"].pop("title", None):
        # In the middle of a plot narrower than the label it would be clipped.
        lines = wrapped(chart.x.title, width=NARROWEST - _CLEAR, size=SIZE)
        layout["annotations"] = [
            {
                "text": "<br>".join(map(escaped, lines)),
                "font": title["font"],
                **{"xref": "paper", "yref": "paper", "x": 0, "y": 0, "xanchor": "left", "yanchor": "top"},
                **{"xshift": -left, "yshift": -_UNDER_TICKS, "showarrow": False, "align": "left"},
            }
        ]
        more = _LINE * (len(lines) - 1)
        layout["margin"]["b"] += more
        layout["height"] += more
    return layout


def _around(
    chart: BarChart, palette: Palette, *, left: float, right: float, height: float, width: float
) -> dict[str, Any]:
    layout = layout_of(x=chart.x, y=None, palette=palette, left=left, right=right, height=height, width=width)
    layout["xaxis"] |= {"showgrid": True, "gridcolor": palette.grid, "showline": False, "ticks": ""}
    layout["yaxis"] = {
        "type": "linear",
        "autorange": False,
        "fixedrange": True,
        "tickmode": "array",
        "tickfont": {"color": palette.text},
        "showgrid": False,
        "zeroline": False,
        "automargin": False,
    }
    return layout


def _base_line(chart: BarChart, palette: Palette) -> dict[str, Any]:
    return {
        **{"type": "line", "x0": chart.base, "x1": chart.base, "yref": "paper", "y0": 0, "y1": 1},
        "line": {"color": palette.quiet, "width": 1.2},
    }


def _room_right(chart: BarChart, *, plot: float) -> float:
    """Return the margin to the right of the plot for the bars' text. [px]

    ``plot`` is the width of the chart without its left margin. [px]
    """
    right = 24.0
    for bar in chart.bars:
        end = share(chart.x, far_end(chart, bar))
        words = text_width(bar.text, size=END_SIZE, bold=bar.emphasised)
        if end > 0:
            clear = _CLEAR + (_BESIDE_DOT if chart.dots else 0)
            right = max(right, (clear + words - (1 - end) * plot) / end)
    return min(right, max(24.0, plot - _LEAST_PLOT))


def _name_trace(
    chart: BarChart, palette: Palette, *, names: Sequence[Sequence[str]], up: float, line: float
) -> list[dict[str, Any]]:
    """Return the names above the bars. ``up`` is the distance from the bar, ``line`` the line height.

    Both are in rows.
    """
    at_the_base = 0 < share(chart.x, chart.base) < _AT_THE_LEFT
    places = [
        (
            chart.base if at_the_base else at(chart.x, _HAIR),
            row - up - line * len(lines) / 2,
            "<br>".join(map(escaped, lines)),
            "middle right",
        )
        for row, lines in enumerate(names)
    ]
    trace = text_trace(places, palette, size=SIZE, kind="bar-name")
    # Names start where bars do, to the right of the base line, which would cross their first letters.
    trace["marker"] = trace["marker"] | {"size": 4 if at_the_base else 0.1}
    return [trace]


def _dots(chart: BarChart, palette: Palette, *, hollow: bool = False) -> list[dict[str, Any]]:
    """Return the dots, grouped by colour. If ``hollow``, these are the dots at the starts of bars."""
    groups: dict[tuple[str, bool], list[tuple[int, Bar]]] = {}
    for row, bar in enumerate(chart.bars):
        if not bar.absent and (bar.start is not None or not hollow):
            groups.setdefault((palette.mark[bar.role], bar.emphasised), []).append((row, bar))
    return [
        hovering(
            hover_texts([bar.label for _, bar in rows], [(bar.text, *bar.detail) for _, bar in rows]),
            palette.quiet,
        )
        | {
            "type": "scatter",
            "mode": "markers",
            "x": np.array([start_of(chart, bar) if hollow else bar.value for _, bar in rows], dtype=float),
            "y": [row for row, _ in rows],
            "marker": {"color": palette.background, "size": 9, "line": {"width": 2, "color": colour}}
            if hollow
            else {"color": colour, "size": 13 if strong else 10, "line": {"width": 0}},
            "cliponaxis": False,
        }
        for (colour, strong), rows in groups.items()
    ]


def _bars(chart: BarChart, palette: Palette, *, thick: float) -> dict[str, Any]:
    bars = chart.bars
    quiet = any(bar.emphasised for bar in bars)
    texts = hover_texts([bar.label for bar in bars], [(bar.text, *bar.detail) for bar in bars])
    return hovering(texts, palette.quiet) | {
        "type": "bar",
        "orientation": "h",
        "y": list(range(len(bars))),
        "base": [start_of(chart, bar) for bar in bars],
        "x": np.array([bar.value - start_of(chart, bar) for bar in bars], dtype=float),
        "width": thick,
        "marker": {"color": [bar_colour(bar, palette, quiet=quiet) for bar in bars], "line": {"width": 0}},
    }


def _whiskers(chart: BarChart, *, colour: str, thickness: float, width: float) -> dict[str, Any]:
    """Return a trace with the whiskers of bars that have an interval. On other bars, Plotly would draw bare caps."""
    known = [(row, bar.value, reach(chart, bar)) for row, bar in enumerate(chart.bars)]
    known = [(row, value, ends) for row, value, ends in known if ends != (None, None)]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": np.array([value for _, value, _ in known], dtype=float),
        "y": [row for row, _, _ in known],
        "marker": {"opacity": 0},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [0.0 if high is None else high - value for _, value, (_, high) in known],
            "arrayminus": [0.0 if low is None else value - low for _, value, (low, _) in known],
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
    trace = text_trace(places, palette, size=END_SIZE, kind="bar")
    if chart.dots:
        trace["marker"] = trace["marker"] | {"size": 2 * _BESIDE_DOT}  # keep the text clear of the dot
    return trace
