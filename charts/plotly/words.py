"""The labels of a plotly figure as text traces: they move with the plot and export with it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from charts.chart import XYChart
from charts.colours import Palette
from charts.layout import ABOVE_END, Plot, Words, at, end_labels, words
from charts.plotly.axes import FONT, HEIGHT, ONE_IN, THINNINGS, escaped

_RIGHT, _UP = ABOVE_END
ROOMY, NARROW = 790, 600  # px of the whole chart
_ROOMY_PLOT, _NARROW_PLOT = 640.0, 215.0
_PHONE, _TABLET, _DESK = "map-phone", "map-tablet", "map-desk"
DESK_FROM = 880  # px of the whole chart

MAP_WIDTHS = ((_PHONE, 330.0), (_TABLET, NARROW + 1.0), (_DESK, DESK_FROM + 1.0))
"""The words on a map are set three times, each by its kind for charts from this width. [px]"""


def _only(kind: str) -> str:
    """Return the style that shows the words of a map for one width and hides those for the others."""
    others = ", ".join(f'.js-plotly-plot text[style*="{other}"]' for other, _ in MAP_WIDTHS if other != kind)
    shown = f'.js-plotly-plot :is(.trace, .annotation):has(text[style*="{kind}"])'
    return f"{others} {{display: none}} {shown} {{opacity: 1 !important}}"


_THINNED = "".join(
    f'.js-plotly-plot .xtick:not(:nth-of-type({step}n + 1)) text[style*="{ONE_IN}{step}"] {{display: none}}'
    for step in THINNINGS
)

STYLE = (
    ".js-plotly-plot {container-type: inline-size}"
    f"@container (max-width: {ROOMY}px) {{"
    '.js-plotly-plot text[style*="line-end"] '
    f"{{text-anchor: end; transform: translate({_RIGHT:.0f}px, {_UP:.0f}px)}}"
    "}"
    f"@container (max-width: {NARROW}px) {{"
    '.js-plotly-plot text[style*="wide-only"] {display: none}'
    f"{_THINNED}"
    "}"
    f"@container (max-width: {NARROW}px) {{{_only(_PHONE)}}}"
    f"@container (min-width: {NARROW + 0.01}px) and (max-width: {DESK_FROM}px) {{{_only(_TABLET)}}}"
    f"@container (min-width: {DESK_FROM + 0.01}px) {{{_only(_DESK)}}}"
)
"""CSS of the page: where a chart is narrow, labels of lines stand above the lines' ends instead of beside,
and lesser point labels go, and so many of the ticks' labels that the others do not touch.

A text is known by the last name in its list of fonts: plotly keeps no other name of ours in the drawing.
"""

END_SIZE = Plot.end_size


def word_traces(chart: XYChart, palette: Palette, *, height: float) -> list[dict[str, Any]]:
    """Return the labels of measures, of points always named, of points named only with room, and of lines."""
    placed = _placed(chart, height)
    traces = []
    for measure in placed.measures:
        *first, last = map(escaped, measure.span.label)
        place = [(measure.span.x, measure.y, "<br>".join([*first, f"<b>{last}</b>"]), measure.position)]
        traces.append(text_trace(place, palette, size=END_SIZE, kind="measure"))
    for kind, named in (("point", placed.names), ("wide-only", placed.extra)):
        places = [(name.x, name.y, escaped(name.text), position) for name, position in named]
        traces.append(text_trace(places, palette, size=Plot.size, kind=kind))
    traces.append(_end_trace(chart, palette, height=height))
    return [trace for trace in traces if trace["text"]]


@lru_cache(maxsize=16)
def _placed(chart: XYChart, height: float) -> Words:
    """Return where the labels stand, which no theme changes. [px]"""
    return words(
        chart,
        plots=[
            *(Plot(width=width, height=height) for width in (_ROOMY_PLOT, 1100.0, 1700.0)),
            Plot(width=460.0, height=height, ends_above=True),
        ],
        narrow=Plot(width=_NARROW_PLOT, height=height, ends_above=True),
    )


def room_right(chart: XYChart) -> float:
    """Return the margin right of the plot in which the labels of the lines have room. [px]"""
    roomy, narrow = (Plot(width=width, height=HEIGHT) for width in (_ROOMY_PLOT, _NARROW_PLOT))
    beside = [e.x + 2 * roomy.clearance + e.width - roomy.width for e in end_labels(chart, plot=roomy)]
    above = [e.x + _RIGHT + 2 - narrow.width for e in end_labels(chart, plot=narrow)]
    return max([14.0, *beside, *above])


def _end_trace(chart: XYChart, palette: Palette, *, height: float) -> dict[str, Any]:
    ends = end_labels(chart, plot=Plot(width=_ROOMY_PLOT, height=height))
    places = []
    for end in ends:
        first, *others = map(escaped, end.lines)
        y = at(chart.y, 1 - end.middle / height)
        places.append((end.line_end, y, "<br>".join([f"<b>{first}</b>", *others]), "middle right"))
    trace = text_trace(places, palette, size=END_SIZE, kind="line-end")
    trace["textfont"]["color"] = [palette.words[end.role] for end in ends]
    return trace


def text_trace(
    places: Sequence[tuple[float, float, str, str]], palette: Palette, *, size: float, kind: str
) -> dict[str, Any]:
    """Return texts as one trace, each by x, y, escaped text and textposition, with a halo behind it."""
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
        "marker": {"size": 8, "opacity": 0},  # unseen: it only keeps the text at a distance from its point
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
