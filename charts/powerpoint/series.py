"""Series of a native chart: references into its workbook, and cached numbers."""

import math
from typing import Literal

import lxml.etree as etree

from charts.chart import Role
from charts.colours import MARKERS, POINT_OPACITY
from charts.powerpoint.drawingml import EMU_PER_POINT, C, Element, a, c, number, vals
from charts.powerpoint.paint import Ink
from charts.powerpoint.workbook import Reference

_SYMBOL_SIZE = {"circle": 6, "square": 6, "diamond": 7, "triangle": 7, "x": 6}
_CROWD = 60  # number of points from which they are drawn smaller


def scatter_series(
    index: int,
    *,
    title: Reference,
    x: Reference,
    y: Reference,
    stroke: Element | None = None,
    marker: Element | None = None,
    labels: Element | None = None,
    error_bars: Element | None = None,
) -> Element:
    """Return one XY series, with elements in the order of the schema (ECMA-376 part 1, CT_ScatterSer)."""
    no_line = a("ln", a("noFill"), w=19_050)
    return c(
        "ser",
        *vals(idx=index, order=index),
        c("tx", strings(title)),
        c("spPr", no_line if stroke is None else stroke),
        c("marker", c("symbol", val="none")) if marker is None else marker,
        labels,
        error_bars,
        c("xVal", numbers(x)),
        c("yVal", numbers(y)),
        c("smooth", val=0),
    )


def numbers(reference: Reference) -> Element:
    """Return a reference to numbers, together with their cache. Numbers that are not finite are blank."""
    # With thousands of points a slide, parsing one string is ten times faster than creating elements.
    points = "".join(
        f'<c:pt idx="{k}"><c:v>{number(value)}</c:v></c:pt>'
        for k, value in enumerate(reference.values)
        if isinstance(value, int | float) and math.isfinite(value)
    )
    head = f'<c:formatCode>General</c:formatCode><c:ptCount val="{len(reference.values)}"/>'
    cache = etree.fromstring(f'<c:numCache xmlns:c="{C}">{head}{points}</c:numCache>')
    return c("numRef", c("f", reference.formula), cache)


def strings(reference: Reference) -> Element:
    """Return a reference to texts, together with their cache."""
    points = [c("pt", c("v", str(value)), idx=k) for k, value in enumerate(reference.values)]
    cache = c("strCache", c("ptCount", val=len(reference.values)), *points)
    return c("strRef", c("f", reference.formula), cache)


def error_bars(
    *lengths: Element, kind: str, values: str, stroke: Element, direction: str | None = None
) -> Element:
    """Return error bars of these lengths (ECMA-376 part 1, CT_ErrBars). ``kind`` is "plus" or "both"."""
    along = vals(errDir=direction) if direction else []
    kinds = vals(errBarType=kind, errValType=values, noEndCap=1)
    return c("errBars", *along, *kinds, *lengths, c("spPr", stroke))


def line(
    ink: Ink, *, points: float, alpha: float = 1.0, dotted: bool = False, cap: Literal["flat", "rnd"] = "flat"
) -> Element:
    """Return a stroke of this width [pt]."""
    dash = a("prstDash", val="sysDot") if dotted else None
    return a("ln", ink.fill(alpha=alpha), dash, a("round"), w=round(points * EMU_PER_POINT), cap=cap)


def marker(role: Role, ink: Ink, *, pale: Ink, ground: Ink, hollow: bool, n: int) -> Element:
    """Return the marker of a role: filled, or for announced points hollow around a ``pale`` fill."""
    symbol = MARKERS[role].replace("cross", "x")
    # A pale fill instead of none: LibreOffice draws only a marker's fill. A cross has no interior.
    fill = pale.fill() if hollow and symbol != "x" else ink.fill(alpha=POINT_OPACITY)
    edge = a("ln", ink.fill(), w=15_875) if hollow or symbol == "x" else a("ln", ground.fill(), w=6_350)
    size = _SYMBOL_SIZE[symbol] - (n > _CROWD)
    return c("marker", *vals(symbol=symbol, size=size), c("spPr", fill, edge))
