"""Shapes inside a native chart. They move and scale with the chart and can be edited one by one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from charts.powerpoint.boxes import Box
from charts.powerpoint.drawingml import EMU_PER_POINT, Element, a, c, cdr, no_edge
from charts.powerpoint.paint import Ink, Paint
from charts.powerpoint.plot import Plot, spaced_ticks
from charts.powerpoint.words import TICK_POINTS, Align, Text, paragraphs, room

Path = Sequence[tuple[float, float]]


@dataclass(kw_only=True)
class ChartShapes:
    """The shapes drawn so far inside a chart. Coordinates are in points from the chart's top-left corner."""

    width: float
    height: float
    anchors: list[Element] = field(default_factory=list)

    def finished(self) -> Element:
        """Return the drawing, with the first shape at the bottom (ECMA-376 part 1, CT_Drawing of chartDrawing)."""
        return c("userShapes", *self.anchors)

    def area(self, name: str, loops: Sequence[Path], *, fill: Element, border: Ink, points: float) -> None:
        """Draw a shape from these closed outlines. An outline inside another one is a hole."""
        corners = [corner for loop in loops for corner in loop]
        left, top = (min(corner[k] for corner in corners) for k in (0, 1))
        right, bottom = (max(corner[k] for corner in corners) for k in (0, 1))
        box = Box(left=left, top=top, width=right - left, height=bottom - top)
        steps: list[Element] = []
        for loop in loops:
            for number, (x, y) in enumerate(loop):
                point = a("pt", x=_emu(x - left), y=_emu(y - top))
                steps.append(a("lnTo" if number else "moveTo", point))
            steps.append(a("close"))
        path = a("path", *steps, w=_emu(box.width), h=_emu(box.height))
        nothing = (a(name) for name in ("avLst", "gdLst", "ahLst", "cxnLst"))
        geometry = a("custGeom", *nothing, a("rect", l="0", t="0", r="r", b="b"), a("pathLst", path))
        line = a("ln", border.fill(), a("miter", lim=800_000), w=_emu(points))
        self._add(name, box, geometry=geometry, fill=fill, line=line)

    def shape(
        self,
        name: str,
        box: Box,
        *,
        kind: Literal["ellipse", "rect"],
        fill: Element,
        line: Element | None = None,
    ) -> None:
        """Draw a preset PowerPoint shape. It has no outline unless ``line`` is given."""
        self._add(name, box, geometry=a("prstGeom", a("avLst"), prst=kind), fill=fill, line=line)

    def text(
        self, name: str, text: Text, *, box: Box, align: Align = "ctr", fill: Element | None = None
    ) -> None:
        """Write centred lines of text into a box. The box is moved to stay inside the chart.

        LibreOffice drops shapes that extend beyond it.
        """
        left = max(0.0, min(box.left, self.width - box.width))
        top = max(0.0, min(box.top, self.height - box.height))
        box = Box(left=left, top=top, width=min(box.width, self.width), height=box.height)
        properties = a("bodyPr", wrap="none", lIns=0, tIns=0, rIns=0, bIns=0, anchor="ctr")
        body = cdr("txBody", properties, a("lstStyle"), *paragraphs(text, align=align))
        rectangle = a("prstGeom", a("avLst"), prst="rect")
        self._add(name, box, geometry=rectangle, fill=a("noFill") if fill is None else fill, body=body)

    def heading(self, plot: Plot, paint: Paint) -> None:
        """Write the y axis's title above the plot, at its left edge. PowerPoint would wrap a native title."""
        if plot.y.title:
            size = TICK_POINTS
            while size > 8 and room(plot.y.title, size=size) > self.width:
                size -= 0.5
            text = Text(lines=(plot.y.title,), size=size, ink=paint.quiet)
            self.text(
                "Axis title", text, box=Box(left=0, top=0, width=text.width, height=text.height), align="l"
            )

    def ticks_below(self, plot: Plot, paint: Paint, *, gap: float) -> None:
        """Write as many tick labels of the x axis as fit below a plot, each under its tick mark."""
        for tick in spaced_ticks(plot.x, room=plot.right - plot.left):
            x, text = plot.x_at(tick.value), Text(lines=(tick.label,), size=TICK_POINTS, ink=paint.quiet)
            dash = Box(left=x - 0.375, top=plot.bottom, width=0.75, height=gap - 1)
            self.shape(f"Dash: {tick.label}", dash, kind="rect", fill=paint.axis.fill())
            box = Box(left=x - text.width / 2, top=plot.bottom + gap, width=text.width, height=text.height)
            self.text(f"Tick: {tick.label}", text, box=box)

    def _add(
        self,
        name: str,
        box: Box,
        *,
        geometry: Element,
        fill: Element,
        line: Element | None = None,
        body: Element | None = None,
    ) -> None:
        left, top, width, height = box.emu
        place = a("xfrm", a("off", x=left, y=top), a("ext", cx=width, cy=height))
        kind = cdr("cNvSpPr", txBox=None if body is None else 1)
        known = cdr("nvSpPr", cdr("cNvPr", id=len(self.anchors) + 2, name=name), kind)
        look = cdr("spPr", place, geometry, fill, no_edge() if line is None else line)
        shape = cdr("sp", known, look, body, macro="", textlink="")
        corners = self._corner("from", x=box.left, y=box.top), self._corner("to", x=box.right, y=box.bottom)
        self.anchors.append(cdr("relSizeAnchor", *corners, shape))

    def _corner(self, tag: str, *, x: float, y: float) -> Element:
        return cdr(tag, cdr("x", f"{x / self.width:.6f}"), cdr("y", f"{y / self.height:.6f}"))


def _emu(points: float) -> int:
    return round(points * EMU_PER_POINT)
