"""The chart as an interactive plotly figure, for the page: the plot alone, since the page sets title and source."""

import html
import math
from collections.abc import Sequence
from typing import Any, assert_never

import numpy as np
import plotly.graph_objects as go

from charts.chart import Axis, Band, BarChart, Chart, Line, Points, Span, XYChart
from charts.colours import (
    BAND_OPACITY,
    FADED,
    MARKERS,
    PALETTES,
    POINT_OPACITY,
    QUIET_BAR_OPACITY,
    Marker,
    Palette,
    Theme,
    translucent,
)
from charts.labels import boxes
from charts.layout import (
    Name,
    Plot,
    along,
    at,
    end_label_boxes,
    end_labels,
    label,
    names,
    place_names,
    span_label,
)
from charts.text_width import text_width, wrapped

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

NARROW = 640
"""Up to this width of the window the chart is drawn as on a phone. [px]"""

_FONT = '"Source Sans", sans-serif'

STYLE = (
    f"@media (max-width: {NARROW}px) {{"
    '.js-plotly-plot text[style*="wide-only"] {display: none}'
    '.js-plotly-plot text[style*="line-end"] {text-anchor: end; transform: translate(34px, -26px)}'
    ".xaxislayer-above:has(.xtick text):has(.xtick:nth-of-type(7)) .xtick:nth-of-type(even) text {display: none}"
    "}"
)
"""CSS of the page: on a phone lesser point labels and every other tick go, and line labels stand above the line.

A text is known by the last name in its list of fonts, since plotly keeps no other name of ours in the drawing.
"""

HEIGHT = 460
_SIZE, _LABEL_SIZE, _END_SIZE = 13, 12, 14
_NARROW_PLOT, _WIDE_PLOTS = 290.0, (560.0, 1000.0, 1700.0)
_SYMBOLS: dict[Marker, str] = {
    "circle": "circle",
    "square": "square",
    "diamond": "diamond",
    "triangle": "triangle-up",
    "cross": "x",
}
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def figure(chart: Chart, *, theme: Theme = "light") -> go.Figure:
    """Return the chart as a figure 460 px high and as wide as the page, labelled so that it needs no legend."""
    palette = PALETTES[theme]
    drawn = _bars(chart, palette) if isinstance(chart, BarChart) else _xy(chart, palette)
    return go.Figure(drawn)


def _xy(chart: XYChart, palette: Palette) -> dict[str, Any]:
    layout = _layout(chart.x, chart.y, palette, left=_left([t.label for t in _ticks(chart.y)]))
    height = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    traces = [trace for mark in chart.marks for trace in _mark(mark, palette)]
    return {"data": traces + _words(chart, palette, height=height), "layout": layout}


def _layout(
    x: Axis, y: Axis | None, palette: Palette, *, left: float, height: float = HEIGHT
) -> dict[str, Any]:
    y_title = y.title if y else ""
    layout: dict[str, Any] = {
        "height": height,
        "autosize": True,
        "margin": {"l": left, "r": 14, "t": 30 if y_title else 10, "b": 50 if x.title else 30, "pad": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": _FONT, "size": _SIZE, "color": palette.quiet},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": palette.background,
            "font": {"family": _FONT, "size": 14, "color": palette.text},
            "align": "left",
            "namelength": -1,
        },
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": palette.axis, "activecolor": palette.quiet},
        "xaxis": _axis(x, palette)
        | {"showgrid": False, "showline": True, "ticks": "outside", "ticklen": 5, "tickcolor": palette.axis},
    }
    if y:
        layout["yaxis"] = _axis(y, palette) | {"showgrid": True, "gridcolor": palette.grid}
    if x.title:
        layout["xaxis"]["title"] = {"text": _escaped(x.title), "standoff": 8, "font": {"size": _SIZE}}
    if y_title:
        layout["annotations"] = [
            {
                "text": _escaped(y_title),
                **{"xref": "paper", "yref": "paper", "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom"},
                **{"xshift": -left, "yshift": 8, "showarrow": False, "align": "left"},
            }
        ]
    return layout


def _axis(axis: Axis, palette: Palette) -> dict[str, Any]:
    log = axis.scale == "log"
    low, high = (math.log10(axis.low), math.log10(axis.high)) if log else (axis.low, axis.high)
    ticks = _ticks(axis)
    return {
        "type": axis.scale,
        "range": [low, high],
        "autorange": False,
        "tickmode": "array",
        "tickvals": [tick.value for tick in ticks],
        "ticktext": [_escaped(tick.label) for tick in ticks],
        "tickangle": 0,
        "automargin": False,
        "zeroline": False,
        "showline": False,
        "linecolor": palette.axis,
    }


def _ticks(axis: Axis) -> list[Any]:
    return [tick for tick in axis.ticks if axis.low <= tick.value <= axis.high]


def _left(labels: Sequence[str]) -> float:
    return 10 + max((text_width(text, size=_SIZE) for text in labels), default=0)


def _mark(mark: Points | Line | Band | Span, palette: Palette) -> list[dict[str, Any]]:
    match mark:
        case Points():
            return [_points(mark, palette)]
        case Line():
            return [_line(mark, palette)]
        case Band():
            return [_band(mark, palette)]
        case Span():
            return [_span(mark, palette)]
        case _:
            assert_never(mark)


def _points(points: Points, palette: Palette) -> dict[str, Any]:
    colour, symbol = palette.mark[points.role], _SYMBOLS[MARKERS[points.role]]
    marker = {"symbol": symbol, "size": 7.5, "color": colour, "opacity": POINT_OPACITY}
    if points.hollow:
        marker |= {"symbol": f"{symbol}-open", "opacity": 1, "line": {"width": 1.6, "color": colour}}
    else:
        marker["line"] = {"width": 0.7, "color": palette.background}
    return _hovering(_lines_of(points.names, points.details), colour) | {
        "type": "scatter",
        "mode": "markers",
        "name": _escaped(points.series),
        "x": np.asarray(points.x, dtype=float),
        "y": np.asarray(points.y, dtype=float),
        "marker": marker,
    }


def _lines_of(titles: Sequence[str], details: Sequence[Sequence[str]]) -> list[str]:
    return [
        "<br>".join([f"<b>{_escaped(title)}</b>", *map(_escaped, lines)])
        for title, lines in zip(titles, details, strict=True)
    ]


def _hovering(texts: list[str], colour: str) -> dict[str, Any]:
    return {
        "hovertext": texts,
        "hovertemplate": "%{hovertext}<extra></extra>",
        "hoverlabel": {"bordercolor": colour},
    }


def _line(line: Line, palette: Palette) -> dict[str, Any]:
    words = line.hover or [_number(value) for value in line.y]
    titles = [line.series] * len(words)
    return _hovering(_lines_of(titles, [(w,) for w in words]), palette.mark[line.role]) | {
        "type": "scatter",
        "mode": "lines",
        "name": _escaped(line.series),
        "x": np.asarray(line.x, dtype=float),
        "y": np.asarray(line.y, dtype=float),
        "opacity": FADED if line.faded else 1,
        "line": {
            "color": palette.mark[line.role],
            "width": 2.6,
            "dash": "2px,4px" if line.dash == "dotted" else "solid",
        },
    }


def _number(value: float) -> str:
    """Return a value in three significant digits: 3.35, 12,400, 5.01 × 10²⁶."""
    if not math.isfinite(value) or value == 0 or 1e-3 <= abs(value) < 1e6:
        digits = 2 - math.floor(math.log10(abs(value))) if math.isfinite(value) and value else 0
        return f"{round(value, digits):,.{max(0, digits)}f}" if math.isfinite(value) else str(value)
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{mantissa} × 10{str(int(exponent)).translate(_SUPERSCRIPT)}"


def _band(band: Band, palette: Palette) -> dict[str, Any]:
    opacity = BAND_OPACITY[band.strength] * (FADED if band.faded else 1)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": _escaped(band.series),
        "x": np.concatenate([band.x, band.x[::-1]]),
        "y": np.concatenate([band.high, band.low[::-1]]),
        "fill": "toself",
        "fillcolor": translucent(palette.mark[band.role], opacity=opacity),
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _span(span: Span, palette: Palette) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [span.x, span.x],
        "y": [span.low, span.high],
        "line": {"color": palette.text, "width": 1.2},
        "marker": {"symbol": "line-ew", "size": 8, "line": {"color": palette.text, "width": 1.2}},
        "hoverinfo": "skip",
    }


def _words(chart: XYChart, palette: Palette, *, height: float) -> list[dict[str, Any]]:
    """Return the labels as traces: of line ends, of measures, of points always named, of points named on wide."""
    narrow = Plot(width=_NARROW_PLOT, height=height, size=_LABEL_SIZE)
    wide = [Plot(width=width, height=height, size=_LABEL_SIZE) for width in _WIDE_PLOTS]
    end_plots = [Plot(width=plot.width, height=height, size=_END_SIZE) for plot in (narrow, *wide)]
    ends = [end_labels(chart, plot=plot) for plot in end_plots]
    taken = [end_label_boxes(e, plot=plot) for e, plot in zip(ends, end_plots, strict=True)]
    if ends[0]:  # STYLE: on a phone they end 34 px right of the line's end, and stand above it
        right = np.array([e.x for e in ends[0]]) + 34
        taken[0] = np.stack(
            [right - [e.width for e in ends[0]], taken[0][:, 1] - 26, right, taken[0][:, 3] - 26], axis=1
        )
    texts: list[dict[str, Any]] = []
    for span in (m for m in chart.marks if isinstance(m, Span) and m.label):
        y, side = span_label(chart, span, plots=end_plots, taken=taken)
        bold_last = [*map(_escaped, span.label[:-1]), f"<b>{_escaped(span.label[-1])}</b>"]
        texts.append(
            _text([span.x], [y], ["<br>".join(bold_last)], [side], palette, size=_END_SIZE, kind="measure")
        )
    known = names(chart)
    first = place_names(chart, known, plots=[narrow, *wide], taken=taken)
    always = [(name, where) for name, where in zip(known, first, strict=True) if where]
    for number, plot in enumerate(wide, start=1):
        box = [
            boxes([label(n.text, plot=plot)], _anchor(chart, n, plot), [where])[0, 0] for n, where in always
        ]
        taken[number] = np.concatenate([taken[number], np.reshape(box, (-1, 4))])
    rest = [name for name, where in zip(known, first, strict=True) if not where]
    second = place_names(chart, rest, plots=wide, taken=taken[1:])
    more = [(name, where) for name, where in zip(rest, second, strict=True) if where]
    for kind, chosen in (("point", always), ("wide-only", more)):
        if chosen:
            texts.append(
                _text(
                    [n.x for n, _ in chosen],
                    [n.y for n, _ in chosen],
                    [_escaped(n.text) for n, _ in chosen],
                    [where for _, where in chosen],
                    palette,
                    size=_LABEL_SIZE,
                    kind=kind,
                )
            )
    if ends[0]:
        texts.append(_end_words(chart, palette, height=height))
    return texts


def _anchor(chart: XYChart, name: Name, plot: Plot) -> Any:
    x, y = along(chart.x, [name.x])[0], along(chart.y, [name.y])[0]
    return np.array([[x * plot.width, (1 - y) * plot.height]])


def _end_words(chart: XYChart, palette: Palette, *, height: float) -> dict[str, Any]:
    ends = end_labels(chart, plot=Plot(width=1000, height=height, size=_END_SIZE))
    trace = _text(
        [e.line_end for e in ends],
        [at(chart.y, 1 - e.middle / height) for e in ends],
        ["<br>".join([f"<b>{_escaped(e.lines[0])}</b>", *map(_escaped, e.lines[1:])]) for e in ends],
        ["middle right"] * len(ends),
        palette,
        size=_END_SIZE,
        kind="line-end",
    )
    trace["textfont"]["color"] = [palette.words[e.role] for e in ends]
    return trace


def _text(
    x: Sequence[float],
    y: Sequence[float],
    texts: Sequence[str],
    positions: Sequence[str],
    palette: Palette,
    *,
    size: float,
    kind: str,
) -> dict[str, Any]:
    halo = ", ".join([f"0 0 3px {palette.background}"] * 4)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": list(x),
        "y": list(y),
        "text": list(texts),
        "textposition": list(positions),
        "textfont": {"family": f"{_FONT}, {kind}", "size": size, "color": palette.text, "shadow": halo},
        "marker": {"size": 8, "opacity": 0},  # unseen: it only keeps the text at a distance from its point
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _bars(chart: BarChart, palette: Palette) -> dict[str, Any]:
    bars, rows = chart.bars, list(range(len(chart.bars)))
    named = [wrapped(bar.label, width=150, size=_SIZE) for bar in bars]
    left = 4 + _left([line for lines in named for line in lines])
    layout = _layout(chart.x, None, palette, left=left, height=max(420, 60 + 38 * len(bars)))
    any_emphasised = any(bar.emphasised for bar in bars)
    loud = [bar.emphasised or not any_emphasised for bar in bars]
    ends = [max(chart.base, bar.value, bar.value if bar.high is None else bar.high) for bar in bars]
    layout["margin"]["r"] = 14 + max(
        [
            float(along(chart.x, [end])[0] - 1) * _NARROW_PLOT
            + text_width(bar.text, size=_END_SIZE, bold=True)
            + 8
            for end, bar in zip(ends, bars, strict=True)
        ]
        + [0.0]
    )
    layout["xaxis"] |= {"showgrid": True, "gridcolor": palette.grid}
    layout["yaxis"] = {
        "type": "linear",
        "range": [len(bars) - 0.5, -0.5],
        "autorange": False,
        "tickmode": "array",
        "tickvals": rows,
        "ticktext": ["<br>".join(map(_escaped, lines)) for lines in named],
        "tickfont": {"color": palette.text},
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": False,
    }
    layout["shapes"] = [
        {
            **{"type": "line", "xref": "x", "yref": "paper", "y0": 0, "y1": 1, "layer": "above"},
            **{"x0": chart.base, "x1": chart.base, "line": {"color": palette.quiet, "width": 1.2}},
        }
    ]
    details = [(bar.text, *bar.detail) for bar in bars]
    trace = _hovering(_lines_of([bar.label for bar in bars], details), palette.quiet) | {
        "type": "bar",
        "orientation": "h",
        "y": rows,
        "base": [chart.base] * len(bars),
        "x": np.array([bar.value - chart.base for bar in bars], dtype=float),
        "width": 0.62,
        "marker": {
            "color": [
                translucent(palette.mark[bar.role], opacity=1 if strong else QUIET_BAR_OPACITY)
                for bar, strong in zip(bars, loud, strict=True)
            ],
            "line": {"width": 0},
        },
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [0.0 if bar.high is None else bar.high - bar.value for bar in bars],
            "arrayminus": [0.0 if bar.low is None else bar.value - bar.low for bar in bars],
            "color": palette.text,
            "thickness": 1.2,
            "width": 4,
        },
    }
    texts = [
        f"<b>{_escaped(bar.text)}</b>" if strong else _escaped(bar.text)
        for bar, strong in zip(bars, loud, strict=True)
    ]
    words = _text(ends, rows, texts, ["middle right"] * len(bars), palette, size=_END_SIZE, kind="bar")
    return {"data": [trace, words], "layout": layout}


def _escaped(text: str) -> str:
    """Return text that plotly shows as it is: neither its pseudo-HTML nor TeX."""
    return html.escape(" ".join(text.split()), quote=False).replace("$", "&#36;")
