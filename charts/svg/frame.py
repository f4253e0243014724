"""Parts of a figure around its marks: grid, axis lines, ticks, titles, base line and map key."""

from collections.abc import Mapping
from typing import Any

from charts.plotly.axes import ONE_IN
from charts.svg.scale import Plot, number
from charts.svg.text import LINE_SPACING, Place, kind_of, paint, text

_MIDDLE = 0.35  # of the text size: from the middle of a line of text down to its baseline
_GAP = 0.2  # of the text size: between tick and label
_CAP = 0.7  # of the text size: height of a capital
_DESCENT = 3.5  # px from the baseline of the axis text to its bottom
_BOX = 2.0  # px around the text of an annotation
_RISE, _DROP = 6.0, 15.0  # px from bottom and top of an annotation to its first baseline
_FINE = 6  # digits of a percentage: a crisp line between two pixels is rounded as in plotly
_EDGE = 1e-3  # of the width: plotly draws no grid line within a pixel of the edge


def grid(layout: Mapping[str, Any], plot: Plot) -> str:
    """Return the grid lines at the ticks, except those on the edges of the plot."""
    drawn = ""
    x, y = layout["xaxis"], layout["yaxis"]
    if x.get("showgrid"):
        at = [plot.x_at(share, _FINE) for share in plot.across(x["tickvals"]) if _EDGE < share < 1 - _EDGE]
        lines = "".join(f'<line x1="{place}" x2="{place}" y2="{plot.height}"/>' for place in at)
        drawn += f'<g class="crisp" style="stroke:{paint(x["gridcolor"])}">{lines}</g>'
    if y.get("showgrid"):
        at = [number(place) for place in plot.down(y["tickvals"]) if 1 < place < plot.height - 1]
        lines = "".join(f'<line x2="{plot.x_at(1)}" y1="{place}" y2="{place}"/>' for place in at)
        drawn += f'<g class="crisp" style="stroke:{paint(y["gridcolor"])}">{lines}</g>'
    return drawn


def axes(layout: Mapping[str, Any], plot: Plot) -> str:
    """Return the axis lines, ticks and tick labels."""
    return _x_axis(layout, plot) + _y_axis(layout, plot)


def _x_axis(layout: Mapping[str, Any], plot: Plot) -> str:
    axis, size, bottom = layout["xaxis"], layout["font"]["size"], plot.height
    at = [plot.x_at(share, _FINE) for share in plot.across(axis["tickvals"])]
    drawn, depth = "", 1.0
    if axis.get("showline"):
        line = f'<line x2="{plot.x_at(1)}" y1="{bottom}.5" y2="{bottom}.5"/>'
        drawn += f'<g class="crisp" style="stroke:{paint(axis["linecolor"])}">{line}</g>'
    if axis.get("ticks"):
        depth += axis["ticklen"]
        ends = f'y1="{bottom + 1}" y2="{number(bottom + depth)}"'
        lines = "".join(f'<line x1="{place}" x2="{place}" {ends}/>' for place in at)
        drawn += f'<g class="crisp" style="stroke:{paint(axis["tickcolor"])}">{lines}</g>'
    if axis.get("ticks") or axis.get("showline"):
        depth += _GAP * size
    base = bottom + depth + size
    _, thinned, step = axis.get("tickfont", {}).get("family", "").partition(ONE_IN)
    every = int(step) if thinned else 1  # of the labels stays on a narrow chart
    labels = "".join(
        text(label, Place(x=place, y=base), extra="" if shown else ' class="wide-only"')
        for k, (place, label) in enumerate(zip(at, axis["ticktext"], strict=True))
        if (shown := k % every == 0) or plot.width is None
    )
    drawn += f'<g class="xticks" style="{_ink(axis, layout)}">{labels}</g>'
    if "title" in axis:
        title = Place(x=plot.x_at(0.5), y=base + _DESCENT + axis["title"]["standoff"] + _CAP * size)
        drawn += f'<g class="xticks">{text(axis["title"]["text"], title)}</g>'
    return drawn


def _y_axis(layout: Mapping[str, Any], plot: Plot) -> str:
    axis, size = layout["yaxis"], layout["font"]["size"]
    at = plot.down(axis["tickvals"]).tolist()
    drawn, depth = "", 1.0
    if axis.get("ticks"):
        ends = f'x1="-1" x2="-{number(depth + axis["ticklen"])}"'
        lines = "".join(f'<line {ends} y1="{number(place)}" y2="{number(place)}"/>' for place in at)
        drawn += f'<g class="crisp" style="stroke:{paint(axis["tickcolor"])}">{lines}</g>'
        depth += axis["ticklen"] + _GAP * size
    labels = "".join(
        text(
            label,
            Place(
                x=number(-depth), y=_MIDDLE * size, down=place - label.count("<br>") * LINE_SPACING / 2 * size
            ),
        )
        for place, label in zip(at, axis["ticktext"], strict=True)
    )
    return drawn + f'<g class="yticks" style="{_ink(axis, layout)}">{labels}</g>'


def _ink(axis: Mapping[str, Any], layout: Mapping[str, Any]) -> str:
    return f"fill:{paint(axis.get('tickfont', layout['font'])['color'])}"


def shapes(layout: Mapping[str, Any], plot: Plot, *, layer: str) -> str:
    """Return the vertical lines of a layout: either those above its marks, or those between marks and grid."""
    drawn = ""
    for shape in layout.get("shapes", ()):
        if shape.get("layer", "above") != layer:
            continue
        place, line = plot.x_at(float(plot.across(shape["x0"]))), shape["line"]
        look = f"stroke:{paint(line['color'])};stroke-width:{number(line['width'])}px"
        drawn += f'<line x1="{place}" x2="{place}" y2="{plot.height}" style="{look}"/>'
    return drawn


def annotations(layout: Mapping[str, Any], plot: Plot) -> str:
    """Return the annotations of a layout: axis titles and the key, of which a map has one for each width."""
    drawn = ""
    for note in layout.get("annotations", ()):
        font = layout["font"] | note.get("font", {})
        x = int(plot.left + note["xshift"] + 0.5) + _BOX - plot.left
        y = (1 - note["y"]) * plot.height - note["yshift"]
        y += -_RISE if note["yanchor"] == "bottom" else _DROP
        look = f"font-size:{number(font['size'])}px;fill:{paint(font['color'])}"
        words = text(note["text"], Place(x=number(x), y=y))
        drawn += f'<g class="{kind_of(font) or "title"}" style="{look}">{words}</g>'
    return drawn
