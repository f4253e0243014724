"""The part of a presentation that holds one native chart, and what every chart in it shares."""

from collections.abc import Sequence
from dataclasses import dataclass

from charts.powerpoint.axes import native_ticks, value_axis
from charts.powerpoint.drawingml import Element, a, c, no_edge
from charts.powerpoint.paint import Paint
from charts.powerpoint.plot import Plot
from charts.powerpoint.words import TICK_POINTS, paragraph_defaults

X_AXIS, Y_AXIS = 111_111_111, 222_222_222
"""The identities of the two axes of a scatter chart."""


@dataclass(frozen=True, kw_only=True)
class NativeChart:
    """A chart part as a tree, without its link to the workbook, and the workbook.

    ``shapes`` is the drawing inside the chart that moves and grows with it, if there is one.
    """

    part: Element
    workbook: bytes
    shapes: Element | None = None


def chart_space(layout: Element, plotted: Sequence[Element], *, paint: Paint) -> Element:
    """Return the root of a chart part: the plot and the look of its text, on no background of its own."""
    return c(
        "chartSpace",
        c("date1904", val=0),
        c("roundedCorners", val=0),
        c(
            "chart",
            c("autoTitleDeleted", val=1),
            c("plotArea", layout, *plotted, c("spPr", a("noFill"), no_edge())),
            c("plotVisOnly", val=1),
            c("dispBlanksAs", val="gap"),
        ),
        c("spPr", a("noFill"), no_edge()),
        paragraph_defaults(size=TICK_POINTS, ink=paint.text),
    )


def inner_layout(plot: Plot) -> Element:
    """Return the plot box, without its labels, as shares of the chart."""
    shares = {
        "x": plot.left / plot.width,
        "y": plot.top / plot.height,
        "w": (plot.right - plot.left) / plot.width,
        "h": (plot.bottom - plot.top) / plot.height,
    }
    return c(
        "layout",
        c(
            "manualLayout",
            c("layoutTarget", val="inner"),
            c("xMode", val="edge"),
            c("yMode", val="edge"),
            *(c(name, val=f"{value:.6f}") for name, value in shares.items()),
        ),
    )


def axes_of(plot: Plot, paint: Paint, *, x_ticks: bool = True) -> list[Element]:
    """Return the two axes of a chart over this plot, the lower one on demand without labels at its ticks."""
    y_native, x_native = native_ticks(plot.y), native_ticks(plot.x) if x_ticks else None
    below = (plot.bottom + 1.2 * TICK_POINTS + 6) / plot.height
    return [
        value_axis(
            plot.x,
            paint,
            identity=X_AXIS,
            crosses=Y_AXIS,
            position="b",
            heading=(plot.left / plot.width, below),
            ticks=x_native,
            gridlines=False,
            ruled=True,
        ),
        value_axis(
            plot.y,
            paint,
            identity=Y_AXIS,
            crosses=X_AXIS,
            position="l",
            heading=None,
            ticks=y_native,
            gridlines=y_native is not None,
            ruled=False,
        ),
    ]
