"""Axes, margins, fonts and texts of a Plotly figure."""

import html
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from charts.chart import Axis
from charts.colours import Palette, translucent
from charts.layout import along, ticks_shown
from charts.text_width import text_width

FONT = '"Source Sans", sans-serif'
HEIGHT = 460
SIZE = 13
NARROWEST, LEAST_PLOT = 322.0, 90.0  # px of a chart on a phone, and of its plot
TICK_GAP = 6.0  # minimum px between two labels
ROW = 17.0  # px between rows of labels
THINNINGS = (2, 3, 4)
ONE_IN = "one-in-"
"""Prefix of a tick label's last font name, followed by n, if a narrow chart shows one label in n."""


def layout_of(
    *,
    x: Axis,
    y: Axis | None,
    palette: Palette,
    left: float,
    right: float,
    height: float = HEIGHT,
    width: float = NARROWEST,
) -> dict[str, Any]:
    """Return a figure's layout with these margins left and right of the plot [px]. ``y`` is None without a y axis.

    ``width`` is the smallest at which the labels of the x axis must not touch.
    """
    y_title = y.title if y else ""
    layout: dict[str, Any] = {
        "template": "none",  # no plotly template, which would add kilobytes
        "height": height,
        "autosize": True,
        "margin": {"l": left, "r": right, "t": 30 if y_title else 10, "b": 50 if x.title else 30, "pad": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": SIZE, "color": palette.quiet},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": palette.background,
            "font": {"family": FONT, "size": 14, "color": palette.text},
            "align": "left",
            "namelength": -1,
        },
        "modebar": {
            "bgcolor": translucent(palette.background, opacity=0.85),
            "color": palette.axis,
            "activecolor": palette.quiet,
        },
        "xaxis": _axis(x, palette)
        | {"showgrid": False, "showline": True, "ticks": "outside", "ticklen": 5, "tickcolor": palette.axis},
    }
    step = narrow_step(x, room=max(LEAST_PLOT, width - left - right))
    if step > 1:
        layout["xaxis"]["tickfont"] = {"family": f"{FONT}, {ONE_IN}{step}", "color": palette.quiet}
    if y:
        layout["yaxis"] = _axis(y, palette) | {"showgrid": True, "gridcolor": palette.grid}
    if x.title:
        layout["xaxis"]["title"] = {"text": escaped(x.title), "standoff": 8, "font": {"size": SIZE}}
    if y_title:
        layout["annotations"] = [
            {
                "text": escaped(y_title),
                **{"xref": "paper", "yref": "paper", "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom"},
                **{"xshift": -left, "yshift": 8, "showarrow": False, "align": "left"},
            }
        ]
    return layout


def plot_height(layout: Mapping[str, Any]) -> float:
    """Return the height of the plot in a layout. [px]"""
    return layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]


def in_two_rows(layout: dict[str, Any], axis: Axis) -> None:
    """Alternate the names below a narrow chart between two rows. Names cannot be omitted as numbers can."""
    labels = [tick.label for tick in ticks_shown(axis)]
    family = layout["xaxis"].get("tickfont", {}).get("family", "")
    if ONE_IN in family and not any(letter.isdigit() for label in labels for letter in label):
        del layout["xaxis"]["tickfont"]
        layout["xaxis"]["ticktext"] = [
            "<br>" * (place % 2) + escaped(label) for place, label in enumerate(labels)
        ]
        layout["margin"]["b"] += ROW
        layout["height"] += ROW


def _axis(axis: Axis, palette: Palette) -> dict[str, Any]:
    log = axis.scale == "log"
    low, high = (math.log10(axis.low), math.log10(axis.high)) if log else (axis.low, axis.high)
    ticks = ticks_shown(axis)
    return {
        "type": axis.scale,
        "range": [low, high],
        "autorange": False,
        "tickmode": "array",
        "tickvals": [tick.value for tick in ticks],
        "ticktext": [escaped(tick.label) for tick in ticks],
        "tickangle": 0,
        "automargin": False,
        "zeroline": False,
        "showline": False,
        "linecolor": palette.axis,
    }


def narrow_step(axis: Axis, *, room: float) -> int:
    """Return n such that tick labels fit side by side in this room [px] if only every n-th is shown."""
    ticks = ticks_shown(axis)
    middles = along(axis, [tick.value for tick in ticks]) * room
    halves = [text_width(tick.label, size=SIZE) / 2 for tick in ticks]
    for step in (1, *THINNINGS[:-1]):
        kept = range(0, len(ticks), step)
        if all(middles[j] - middles[i] >= halves[i] + halves[j] + TICK_GAP for i, j in pairwise(kept)):
            return step
    return THINNINGS[-1]


def room_for(labels: Sequence[str]) -> float:
    """Return the margin for the widest of these tick labels. [px]"""
    return 10 + max((text_width(text, size=SIZE) for text in labels), default=0)


@lru_cache(maxsize=8192)
def escaped(text: str) -> str:
    """Return text escaped for Plotly, so that it is not read as pseudo-HTML or TeX."""
    return html.escape(" ".join(text.split()), quote=False).replace("$", "&#36;")
