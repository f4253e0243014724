"""The plot and axes of a native chart, with scales, ranges, tick labels and titles."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from charts.chart import Axis, Tick
from charts.layout import ticks_shown
from charts.powerpoint.drawingml import Element, a, c, no_edge, number, unseen, vals
from charts.powerpoint.paint import Paint
from charts.powerpoint.plot import Plot
from charts.powerpoint.series import line
from charts.powerpoint.words import TICK_POINTS, Text, paragraph_defaults, title

X_AXIS, Y_AXIS = AXES = 111_111_111, 222_222_222
"""Identifiers of a chart's two axes: x and y, or for bars, names and values."""
_LABEL = re.compile(r"(?P<before>[^\d\s.-]*)(?P<number>-?\d[\d,]*(?:\.(?P<decimals>\d+))?)(?P<after>\D*)")


@dataclass(frozen=True, kw_only=True)
class NativeChart:
    """A chart part as an XML tree, and its workbook. They are not linked yet.

    ``shapes`` is the drawing inside the chart that moves and scales with it, if there is one.
    """

    part: Element
    workbook: bytes
    shapes: Element | None = None


def chart_space(plot: Plot, plotted: Sequence[Element], *, paint: Paint) -> Element:
    """Return the root of a chart part, without a background: the plot in its box, and the default text style."""
    width, height = plot.right - plot.left, plot.bottom - plot.top
    shares = {"x": plot.left / plot.width, "y": plot.top / plot.height}
    shares |= {"w": width / plot.width, "h": height / plot.height}
    box = c(
        "manualLayout",
        *vals(layoutTarget="inner", xMode="edge", yMode="edge"),
        *vals(**{name: f"{value:.6f}" for name, value in shares.items()}),
    )
    drawn = c("plotArea", c("layout", box), *plotted, unseen())
    return c(
        "chartSpace",
        *vals(date1904=0, roundedCorners=0),
        c("chart", *vals(autoTitleDeleted=1), drawn, *vals(plotVisOnly=1, dispBlanksAs="gap")),
        unseen(),
        paragraph_defaults(size=TICK_POINTS, ink=paint.text),
    )


@dataclass(frozen=True, kw_only=True)
class NativeTicks:
    """Ticks that PowerPoint can draw, given by their spacing and number format."""

    unit: float
    number_format: str


def native_ticks(axis: Axis, *, verbatim: bool = True) -> NativeTicks | None:
    """Return the PowerPoint settings that give exactly these ticks. None if the ticks need our own labels.

    PowerPoint counts in equal steps from the low end and uses one number format for all labels. Without ``verbatim``,
    5.0× among 10× and 15× may become 5×.
    """
    ticks = ticks_shown(axis)
    number_format = _number_format(ticks, verbatim=verbatim)
    if len(ticks) < 2 or number_format is None or not _same(ticks[0].value, axis.low):
        return None
    places = [math.log10(tick.value) if axis.scale == "log" else tick.value for tick in ticks]
    high = math.log10(axis.high) if axis.scale == "log" else axis.high
    step = (places[-1] - places[0]) / (len(places) - 1)
    equal = all(_same(place, places[0] + k * step) for k, place in enumerate(places))
    complete = places[-1] + step > high + 1e-9 * abs(step)
    whole = axis.scale == "linear" or all(_same(place, round(place)) for place in places)
    if not (equal and complete and whole):
        return None
    unit = 10.0 ** round(step) if axis.scale == "log" else step
    return NativeTicks(unit=unit, number_format=number_format)


def value_axis(
    axis: Axis,
    paint: Paint,
    *,
    ids: tuple[int, int],
    position: str,
    ticks: NativeTicks | None,
    gridlines: bool = False,
    ruled: bool = False,
    title_below: Plot | None = None,
    crosses: str = "min",
) -> Element:
    """Return a value axis, with elements in the order of the schema (ECMA-376 part 1, CT_ValAx).

    ``ids`` are its own identifier and that of the axis it crosses; ``ticks`` None hides PowerPoint's labels, if marks
    carry them instead; ``ruled`` draws the axis line; the title is below a plot, if any.
    """
    heading = None
    if title_below and axis.title:
        text = Text(lines=(axis.title,), size=TICK_POINTS, ink=paint.quiet)
        down = title_below.bottom + 1.2 * TICK_POINTS + 6
        heading = title(text, x=title_below.left / title_below.width, y=down / title_below.height)
    log = c("logBase", val=10) if axis.scale == "log" else None
    ends = vals(orientation="minMax", max=number(axis.high), min=number(axis.low))
    return c(
        "valAx",
        c("axId", val=ids[0]),
        c("scaling", log, *ends),
        *vals(delete=0, axPos=position),
        c("majorGridlines", c("spPr", line(paint.grid, points=0.75))) if gridlines else None,
        heading,
        c("numFmt", formatCode=ticks.number_format if ticks else "General", sourceLinked=0),
        *vals(majorTickMark="none", minorTickMark="none", tickLblPos="nextTo" if ticks else "none"),
        c("spPr", a("noFill"), line(paint.axis, points=0.75) if ruled else no_edge()),
        paragraph_defaults(size=TICK_POINTS, ink=paint.quiet),
        *vals(crossAx=ids[1], crosses=crosses, crossBetween="midCat"),
        c("majorUnit", val=number(ticks.unit)) if ticks else None,
    )


def axes_of(plot: Plot, paint: Paint, *, x_ticks: bool = True) -> list[Element]:
    """Return the two axes of a chart that is laid over this plot. Tick labels on the x axis are optional."""
    below = native_ticks(plot.x) if x_ticks else None
    beside = native_ticks(plot.y)
    return [
        value_axis(plot.x, paint, ids=AXES, position="b", ticks=below, ruled=True, title_below=plot),
        value_axis(
            plot.y, paint, ids=(Y_AXIS, X_AXIS), position="l", ticks=beside, gridlines=beside is not None
        ),
    ]


def from_a_tick(axis: Axis, *, lowest: float) -> Axis:
    """Return a linear axis that begins at a tick at or below ``lowest``, as PowerPoint requires.

    Ticks added below are labelled like those above: 0.8× below 1×, 85 % below 90 %.
    """
    ticks = ticks_shown(axis)
    first = _LABEL.fullmatch(ticks[0].label) if ticks else None
    if axis.scale != "linear" or len(ticks) < 2 or first is None or not math.isfinite(lowest):
        return axis
    step = ticks[1].value - ticks[0].value
    added = max(0, math.ceil((ticks[0].value - lowest) / step - 1e-9))
    factor = _said_per_value(ticks)
    if added and factor is None:
        return axis
    values = [ticks[0].value - k * step for k in range(added, 0, -1)]
    numbers = [value * (factor or 1.0) for value in values]
    places = (next((k for k in range(6) if math.isclose(n, round(n, k), abs_tol=1e-9)), 6) for n in numbers)
    decimals = max([len(first["decimals"] or ""), *places])
    below = tuple(
        Tick(value=value, label=f"{first['before']}{number:.{decimals}f}{first['after']}")
        for value, number in zip(values, numbers, strict=True)
    )
    return replace(axis, low=ticks[0].value - added * step, ticks=(*below, *ticks))


def _said_per_value(ticks: Sequence[Tick]) -> float | None:
    """Return the factor from values to labels, such as 100 for percentages. None if it differs between labels."""
    matches = [_LABEL.fullmatch(tick.label) for tick in ticks]
    ratios = [
        float(match["number"].replace(",", "")) / tick.value
        for match, tick in zip(matches, ticks, strict=True)
        if match is not None and abs(tick.value) > 1e-12
    ]
    if None in matches or not ratios:
        return None
    power = 10.0 ** round(math.log10(ratios[0])) if ratios[0] > 0 else 0.0
    return power if all(math.isclose(ratio, power, rel_tol=0.01) for ratio in ratios) else None


def _number_format(ticks: Sequence[Tick], *, verbatim: bool) -> str | None:
    """Return the number format that turns every value into its label. None if no format does."""
    matches = [_LABEL.fullmatch(tick.label) for tick in ticks]
    whole = "#,##0" if any("," in tick.label for tick in ticks) else "0"
    formats, shortest = set(), True
    for match, tick in zip(matches, ticks, strict=True):
        if (
            match is None
            or '"' in tick.label
            or not _same(float(match["number"].replace(",", "")), tick.value)
        ):
            return None
        digits = whole + ("." + "0" * len(match["decimals"]) if match["decimals"] else "")
        before, after = (f'"{part}"' if part else "" for part in (match["before"], match["after"]))
        formats.add((before, digits, after))
        shortest = shortest and match["number"] == f"{tick.value:g}"
    if len(formats) == 1:
        return "".join(formats.pop())
    around = {(before, after) for before, _, after in formats}
    return "General".join(around.pop()) if len(around) == 1 and (shortest or not verbatim) else None


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
