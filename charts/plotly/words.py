"""Labels of a Plotly figure as text traces. They move with the plot and are exported with it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from charts.chart import Line, XYChart
from charts.colours import Palette
from charts.layout import Measure, Plot, Words, at, end_labels, words
from charts.plotly.axes import FONT, HEIGHT, NARROWEST, SIZE, escaped
from charts.style_sheet import style_sheet
from charts.text_width import cut, text_width, wrapped

ROOMY, NARROW = 790, 600  # px of the whole chart
DESK_PLOTS = (640.0, 1100.0, 1700.0)
"""Plot widths of a wide chart, ascending. Text is clear at all of them. [px]"""
_TABLET_PLOTS, _PHONE_PLOTS = (480.0, 700.0), (245.0, 285.0, 330.0)  # px, of a narrow chart
_KEY_LINE, _KEY_GAP = 19.0, 14.0  # px between lines of the key, and between entries on one line
_KEY_ABOVE = 8.0  # px between the plot, or its axis title, and the key
_PHONE, _TABLET, _DESK = "map-phone", "map-tablet", "map-desk"
DESK_FROM = 880  # px of the whole chart

MAP_WIDTHS = ((_PHONE, 330.0), (_TABLET, NARROW + 1.0), (_DESK, DESK_FROM + 1.0))
"""The three layouts of text on a map, each with the smallest chart width that it is for. [px]"""

STYLE = style_sheet(Path(__file__).with_name("style.css"))
"""CSS of the page. It hides minor point labels and some tick labels on narrow charts.
Texts are identified by the last name in their list of fonts: plotly retains no other custom name in the drawing."""

END_SIZE = Plot.end_size
NO_LABELS = 14.0
"""Margin to the right of a plot without text there. [px]"""


def word_traces(
    chart: XYChart, palette: Palette, *, height: float, widths: tuple[float, ...] = DESK_PLOTS
) -> list[dict[str, Any]]:
    """Return traces with the labels of measures, points and line ends, free of overlap at these plot widths [px]."""
    placed = words(chart, plots=tuple(Plot(width=width, height=height) for width in widths))
    traces = [_measure_trace(measure, palette) for measure in placed.measures]
    traces += _name_traces(placed, palette)
    traces.append(_end_trace(chart, palette, plot=Plot(width=widths[0], height=height)))
    return [trace for trace in traces if trace["text"]]


def narrow_words(
    chart: XYChart, palette: Palette, *, height: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], float]:
    """Return the text of a narrow chart: traces in the plot, the key above it, and the key's height.

    The key has the labels of lines, and of measures that would cover something. Points are named always, or only if
    there is room. [px]
    """
    tablets, phones = (
        tuple(Plot(width=width, height=height, ends_outside=True) for width in widths)
        for widths in (_TABLET_PLOTS, _PHONE_PLOTS)
    )
    placed = words(chart, plots=tablets, narrow=phones)
    traces = [_measure_trace(measure, palette) for measure in placed.measures if measure.clear]
    traces += _name_traces(placed, palette)
    unnamed = {m.role for m in chart.marks if isinstance(m, Line) and m.dash == "solid" and not m.end_label}
    desk = Plot(width=DESK_PLOTS[0], height=height)
    ends = sorted(end_labels(chart, plot=desk), key=lambda end: end.middle)
    signs = ("—" if end.dash == "solid" or end.role in unnamed else "···" for end in ends)
    entries = [
        (sign, end.lines[0], " ".join(end.lines[1:]), palette.words[end.role])
        for sign, end in zip(signs, ends, strict=True)
    ]
    entries += [
        ("|", measure.span.label[-1], " ".join(measure.span.label[:-1]), palette.text)
        for measure in placed.measures
        if not measure.clear
    ]
    key, high = _key(entries, palette)
    return [trace for trace in traces if trace["text"]], key, high


def _key(
    entries: Sequence[tuple[str, str, str, str]], palette: Palette
) -> tuple[list[dict[str, Any]], float]:
    """Return the key's swatches and texts in lines as wide as a phone's screen, and the key's height."""
    room, lines, x = NARROWEST - 8, 0, float("inf")
    notes = []
    for sign, bold, others, colour in entries:
        whole = cut(wrapped(f"{sign} {bold} {others}", width=room, size=SIZE, bold=True), most=2)
        width = max(text_width(line, size=SIZE, bold=True) for line in whole)
        if x + width > room or len(whole) > 1:
            lines, x = lines + 1, 0.0
        first = f"{sign} <b>{escaped(bold)}</b> {escaped(others)}".rstrip()
        for number, text in enumerate([first] if len(whole) == 1 else map(escaped, whole)):
            lines += number > 0
            notes.append((text, x, lines, colour))
        x = x + width + _KEY_GAP if len(whole) == 1 else float("inf")
    key = [
        {
            "text": text,
            "font": {"family": f"{FONT}, key", "size": SIZE, "color": colour},
            **{"xref": "paper", "yref": "paper", "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom"},
            **{"xshift": x, "yshift": (lines - line) * _KEY_LINE, "showarrow": False, "align": "left"},
        }
        for text, x, line, colour in notes
    ]
    return key, lines * _KEY_LINE + (_KEY_ABOVE if lines else 0)


def _measure_trace(measure: Measure, palette: Palette) -> dict[str, Any]:
    *first, last = map(escaped, measure.span.label)
    place = [(measure.span.x, measure.y, "<br>".join([*first, f"<b>{last}</b>"]), measure.position)]
    return text_trace(place, palette, size=END_SIZE, kind="measure")


def _name_traces(placed: Words, palette: Palette) -> list[dict[str, Any]]:
    return [
        text_trace(
            [(name.x, name.y, escaped(name.text), position) for name, position in named],
            palette,
            size=Plot.size,
            kind=kind,
        )
        for kind, named in (("point", placed.names), ("wide-only", placed.extra))
    ]


def room_right(chart: XYChart, *, width: float = DESK_PLOTS[0], height: float = HEIGHT) -> float:
    """Return the margin to the right of the plot for the labels of lines. [px]"""
    plot = Plot(width=width, height=height)
    ends = end_labels(chart, plot=plot)
    return max([NO_LABELS, *(end.x + 2 * plot.clearance + end.width - plot.width for end in ends)])


def _end_trace(chart: XYChart, palette: Palette, *, plot: Plot) -> dict[str, Any]:
    ends = end_labels(chart, plot=plot)
    places = []
    for end in ends:
        first, *others = map(escaped, end.lines)
        y = at(chart.y, 1 - end.middle / plot.height)
        places.append((end.line_end, y, "<br>".join([f"<b>{first}</b>", *others]), "middle right"))
    trace = text_trace(places, palette, size=END_SIZE, kind="line-end")
    trace["textfont"]["color"] = [palette.words[end.role] for end in ends]
    return trace


def text_trace(
    places: Sequence[tuple[float, float, str, str]], palette: Palette, *, size: float, kind: str
) -> dict[str, Any]:
    """Return texts with halos as one trace. Each is given by x, y, escaped text and textposition."""
    halo = ", ".join([f"0 0 3px {palette.background}"] * 4)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": "",
        "x": [x for x, _, _, _ in places],
        "y": [y for _, y, _, _ in places],
        "text": [text for _, _, text, _ in places],
        "textposition": [position for _, _, _, position in places],
        "textfont": {"family": f"{FONT}, {kind}", "size": size, "color": palette.text, "shadow": halo},
        "marker": {"size": 8, "opacity": 0},  # invisible: it only keeps the text at a distance from its point
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
