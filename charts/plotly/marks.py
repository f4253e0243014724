"""Points, lines, bands and measures, as Plotly traces."""

import math
from collections.abc import Sequence
from typing import Any, assert_never

import numpy as np

from charts.chart import Band, Line, Mark, Points, Span
from charts.colours import BAND_OPACITY, FADED, MARKERS, POINT_OPACITY, Marker, Palette, translucent
from charts.plotly.axes import escaped

_SYMBOLS: dict[Marker, str] = {
    "circle": "circle",
    "square": "square",
    "diamond": "diamond",
    "triangle": "triangle-up",
    "cross": "x",
}
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def mark_trace(mark: Mark, palette: Palette) -> dict[str, Any]:
    """Return the single trace that draws this mark."""
    match mark:
        case Points():
            return _points(mark, palette)
        case Line():
            return _line(mark, palette)
        case Band():
            return _band(mark, palette)
        case Span():
            return _span(mark, palette)
        case _:
            assert_never(mark)


def _points(points: Points, palette: Palette) -> dict[str, Any]:
    colour, symbol = palette.mark[points.role], _SYMBOLS[MARKERS[points.role]]
    marker = {"symbol": symbol, "size": 7.5, "color": colour, "opacity": POINT_OPACITY}
    if points.hollow:
        marker |= {"symbol": f"{symbol}-open", "opacity": 1, "line": {"width": 1.6, "color": colour}}
    else:
        marker["line"] = {"width": 0.7, "color": palette.background}
    return hovering(hover_texts(points.names, points.details), colour) | {
        "type": "scatter",
        "mode": "markers",
        "name": escaped(points.series),
        **({"meta": points.rows} if points.rows else {}),
        "x": np.asarray(points.x, dtype=float),
        "y": np.asarray(points.y, dtype=float),
        "marker": marker,
    }


def hover_texts(titles: Sequence[str], details: Sequence[Sequence[str]]) -> list[str]:
    """Return escaped hover texts, each with a bold title above its lines."""
    return [
        "<br>".join([f"<b>{escaped(title)}</b>", *map(escaped, lines)])
        for title, lines in zip(titles, details, strict=True)
    ]


def hovering(texts: list[str], colour: str) -> dict[str, Any]:
    """Return trace settings that show these texts on hover in a frame of this colour."""
    return {
        "hovertext": texts,
        "hovertemplate": "%{hovertext}<extra></extra>",
        "hoverlabel": {"bordercolor": colour},
    }


def _line(line: Line, palette: Palette) -> dict[str, Any]:
    words = line.hover or [_number(value) for value in line.y]
    titles = [line.series] * len(words)
    return hovering(hover_texts(titles, [(w,) for w in words]), palette.mark[line.role]) | {
        "type": "scatter",
        "mode": "lines",
        "name": escaped(line.series),
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
    """Return a value as text with three significant digits, such as 3.35 or 5.01 × 10²⁶."""
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
        "name": escaped(band.series),
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
        "name": "",
        "x": [span.x, span.x],
        "y": [span.low, span.high],
        "line": {"color": palette.text, "width": 1.2},
        "marker": {"symbol": "line-ew", "size": 8, "line": {"color": palette.text, "width": 1.2}},
        "hoverinfo": "skip",
    }
