"""A map of choices as Plotly traces: cells, borders, text for three widths, and the key."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from charts.chart import MapChart
from charts.colours import Palette, tile_of
from charts.layout import Plot, at, ticks_shown
from charts.map_words import KeyItem, MapWords, key_rows, map_words, marked_place, ring_radius, words_and_key
from charts.plotly.axes import FONT, HEIGHT, NARROWEST, SIZE, escaped, layout_of, plot_height, room_for
from charts.plotly.words import MAP_WIDTHS, text_trace
from charts.regions import cells_of, outline
from charts.text_width import text_width

_KEY_ROW = 20  # px
_placed = lru_cache(maxsize=16)(map_words)
"""The text of a map, computed once for both themes."""


def map_figure(
    chart: MapChart, palette: Palette, *, size: tuple[float, float] | None = None
) -> dict[str, Any]:
    """Return the traces and layout of a map. The key below the plot adds to the height, except in a picture."""
    left = room_for([tick.label for tick in ticks_shown(chart.y)])
    last = max((text_width(tick.label, size=SIZE) for tick in ticks_shown(chart.x)[-1:]), default=0.0)
    sides = {"left": left, "right": max(14.0, 6 + last / 2)}
    width, height = size or (NARROWEST, HEIGHT)
    layout = layout_of(x=chart.x, y=chart.y, palette=palette, **sides, width=width, height=height)
    margin, lead = layout["margin"], 1.3 * SIZE
    kinds = MAP_WIDTHS if size is None else ((MAP_WIDTHS[-1][0], width),)

    def plot(width: float, rows: int = 0) -> Plot:
        high = plot_height(layout) - _KEY_ROW * rows
        return Plot(width=width - left - margin["r"], height=high, clearance=8.0)

    if size is None:
        plots = tuple(plot(width) for _, width in kinds)
        words = _placed(chart, plots=plots)
        keys = [
            key_rows(chart, own, width=width - 12, size=SIZE, lead=lead)
            for own, (_, width) in zip(words, kinds, strict=True)
        ]
    else:
        one, own, rows = words_and_key(
            chart, plot_with=lambda rows: plot(width, rows), width=width - 12, size=SIZE, lead=lead
        )
        plots, words, keys = (one,), (own,), [rows]
    room = _KEY_ROW * max(map(len, keys))
    layout["height"] += 0 if size else room
    margin["b"] += room
    layout["yaxis"] |= {"showgrid": False, "ticks": "outside", "ticklen": 4, "tickcolor": palette.axis}
    layout["yaxis"]["fixedrange"] = layout["xaxis"]["fixedrange"] = True
    layout["xaxis"]["showline"] = False
    below = margin["b"] - room + 2
    layout.setdefault("annotations", []).extend(
        _key(chart, rows, palette=palette, kind=kind, left=left, below=below)
        for rows, (kind, _) in zip(keys, kinds, strict=True)
        if rows
    )
    return {
        "data": [
            _cells(chart, palette),
            *_outlines(chart, palette),
            *(
                trace
                for plot, own, (kind, _) in zip(plots, words, kinds, strict=True)
                for trace in _labels(chart, own, palette=palette, plot=plot, kind=kind)
            ),
            *_marked(chart, words[0], palette=palette, plot=plots[0]),
        ],
        "layout": layout,
    }


def _cells(chart: MapChart, palette: Palette) -> dict[str, Any]:
    fills = [tile_of(choice, palette).fill for choice in chart.choices]
    n = max(1, len(fills))
    scale = [[(k + step) / n, fill] for k, fill in enumerate(fills) for step in (0, 1)]
    names = [escaped(choice.label) for choice in chart.choices]
    details = [["<br>".join(map(escaped, cell.splitlines())) for cell in row] for row in chart.details]
    return {
        "type": "heatmap",
        "x": np.array(chart.x_edges, dtype=float),
        "y": np.array(chart.y_edges, dtype=float),
        "z": np.where(np.array(chart.cells) < 0, np.nan, np.array(chart.cells)),
        "zmin": -0.5,
        "zmax": n - 0.5,
        "colorscale": scale or [[0, palette.background], [1, palette.background]],
        "showscale": False,
        "zsmooth": False,
        "hoverongaps": False,
        "text": [["" if cell < 0 else names[cell] for cell in row] for row in chart.cells],
        "hovertext": details,
        "hovertemplate": "<b>%{text}</b>" + "<br>%{hovertext}" * bool(details) + "<extra></extra>",
        "hoverlabel": {"bordercolor": palette.quiet},
    }


def _around(chart: MapChart, choice: int) -> tuple[list[float], list[float]]:
    """Return x and y of closed loops around the cells of a choice, with gaps between the loops."""
    x: list[float] = []
    y: list[float] = []
    for loop in outline(cells_of(chart, choice)):
        x += [*(chart.x_edges[k] for k, _ in (*loop, loop[0])), math.nan]
        y += [*(chart.y_edges[r] for _, r in (*loop, loop[0])), math.nan]
    return x, y


def _outlines(chart: MapChart, palette: Palette) -> list[dict[str, Any]]:
    """Return the hatching of hatched choices, and the borders between all choices."""
    hatching, x, y = [], [], []
    for number, choice in enumerate(chart.choices):
        tile = tile_of(choice, palette)
        own_x, own_y = _around(chart, number)
        x, y = x + own_x, y + own_y
        if tile.hatch and own_x:
            pattern = {"shape": "/", "fgcolor": tile.hatch, "bgcolor": tile.fill, "size": 9, "solidity": 0.12}
            look = {"fill": "toself", "fillpattern": pattern, "line": {"width": 0}}
            hatching.append(_path(own_x, own_y) | look)
    return [*hatching, _path(x, y) | {"line": {"width": 1.6, "color": palette.background}}]


def _path(x: Sequence[float], y: Sequence[float]) -> dict[str, Any]:
    where = {"x": np.array(x, dtype=float), "y": np.array(y, dtype=float)}
    return {"type": "scatter", "mode": "lines", "name": "", **where, "hoverinfo": "skip"}


def _labels(
    chart: MapChart, words: MapWords, *, palette: Palette, plot: Plot, kind: str
) -> list[dict[str, Any]]:
    if not words.labels:
        return []
    places = [
        (
            at(chart.x, label.x / plot.width),
            at(chart.y, 1 - label.y / plot.height),
            "<b>" + "<br>".join(map(escaped, label.lines)) + "</b>",
            "middle center",
        )
        for label in words.labels
    ]
    trace = text_trace(places, palette, size=plot.size, kind=kind)
    trace["textfont"]["color"] = [tile_of(chart.choices[label.choice], palette).ink for label in words.labels]
    trace["textfont"]["shadow"] = "none"
    return [trace | _seen(kind)]


def _seen(kind: str) -> dict[str, Any]:
    """Return trace settings that show only the text for a wide chart, unless a style sheet applies."""
    return {} if kind == MAP_WIDTHS[-1][0] else {"opacity": 0}


def _marked(chart: MapChart, words: MapWords, *, palette: Palette, plot: Plot) -> list[dict[str, Any]]:
    where = marked_place(chart, plot)
    if where is None or chart.marked is None:
        return []
    x, y = chart.marked.x, chart.marked.y
    size = 2 * ring_radius(plot)
    ring = {"type": "scatter", "mode": "markers", "name": "", "x": [x], "y": [y], "hoverinfo": "skip"}
    traces = []
    for wide, colour in ((5, palette.background), (2, palette.text)):
        line = {"width": wide, "color": colour}
        traces.append(
            ring | {"marker": {"symbol": "circle-open", "size": size, "color": colour, "line": line}}
        )
    if words.marked is not None:
        label = (x, y, f"<b>{escaped(chart.marked.label)}</b>", words.marked)
        traces.append(text_trace([label], palette, size=plot.size, kind="marked"))
        traces[-1]["marker"]["size"] = size + 4
    return traces


def _key(
    chart: MapChart,
    rows: Sequence[Sequence[KeyItem]],
    *,
    palette: Palette,
    kind: str,
    left: float,
    below: float,
) -> dict[str, Any]:
    lines = []
    for row in rows:
        items = []
        for item in row:
            tile = tile_of(chart.choices[item.choice], palette)
            sign, colour = ("▨", palette.quiet) if tile.hatch else ("■", tile.fill)
            items.append(f'<span style="color:{colour}">{sign}</span> {escaped(item.text)}')
        lines.append("   ".join(items))
    return {
        "text": "<br>".join(lines),
        "font": {"family": f"{FONT}, {kind}", "size": SIZE, "color": palette.text},
        **{"xref": "paper", "yref": "paper", "x": 0, "y": 0, "xanchor": "left", "yanchor": "top"},
        **{"xshift": 4 - left, "yshift": -below, "showarrow": False, "align": "left"},
        **_seen(kind),
    }
