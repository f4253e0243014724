"""Text inside a native chart: paragraphs, labels on single points, and how much room words take."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from charts.powerpoint.drawingml import Element, a, c, no_edge
from charts.powerpoint.paint import Ink
from charts.text_width import text_width

Side = Literal["t", "b", "l", "r", "ctr", "outEnd"]

TICK_POINTS = 12.0
NAME_POINTS = 12.0
END_POINTS = 14.0
LINE_HEIGHT = 1.2
WIDER_THAN_OURS = 1.1
"""Arial and its like run wider than the Source Sans that text_width knows."""
_LANGUAGE = "en-GB"


@dataclass(frozen=True, kw_only=True)
class Text:
    """Lines of text in one colour; ``bold`` is the index of the line set bold, if any. Sizes in points."""

    lines: Sequence[str]
    size: float
    ink: Ink
    bold: int | None = None

    @property
    def width(self) -> float:
        """The room the widest line takes in any common font. [pt]"""
        widths = (room(line, size=self.size, bold=k == self.bold) for k, line in enumerate(self.lines))
        return max(widths, default=0.0)

    @property
    def height(self) -> float:
        """The room all lines take. [pt]"""
        return LINE_HEIGHT * self.size * len(self.lines)


def room(text: str, *, size: float, bold: bool = False) -> float:
    """Return the width of one line of text in any common font. [pt]"""
    return WIDER_THAN_OURS * text_width(text, size=size, bold=bold)


def lines_needed(text: str, *, size: float, width: float, bold: bool = False) -> int:
    """Return how many lines a text takes in this width; lines break at words, so none is quite full."""
    wide = room(text, size=size, bold=bold)
    return 1 if wide <= width else int(wide / (0.94 * width)) + 1


def body(*, wrap: bool = False, rotation: int | None = None) -> Element:
    """Return the properties of a text body; labels keep their lines rather than wrap."""
    return a("bodyPr", rot=rotation, wrap="square" if wrap else "none")


def paragraph_defaults(*, size: float, ink: Ink, bold: bool = False) -> Element:
    """Return the txPr of a chart or an axis: the look of text that has no look of its own."""
    look = a("defRPr", ink.fill(), a("latin", typeface="+mn-lt"), sz=round(size * 100), b=int(bold))
    return c("txPr", a("bodyPr"), a("lstStyle"), a("p", a("pPr", look), a("endParaRPr", lang=_LANGUAGE)))


def rich(text: Text, *, align: Literal["l", "ctr", "r"] = "ctr", rotation: int | None = None) -> Element:
    """Return the rich text of a title or label, one paragraph a line."""
    paragraphs = []
    for k, line in enumerate(text.lines):
        look = {"sz": round(text.size * 100), "b": int(k == text.bold)}
        default = a("defRPr", text.ink.fill(), **look)
        run = a("rPr", text.ink.fill(), a("latin", typeface="+mn-lt"), lang=_LANGUAGE, **look)
        paragraphs.append(a("p", a("pPr", default, algn=align), a("r", run, a("t", line))))
    return c("rich", body(rotation=rotation), a("lstStyle"), *paragraphs)


def point_label(index: int, text: Text, *, side: Side, shift: tuple[float, float] | None = None) -> Element:
    """Return the label of one point of a series.

    ``shift`` moves it from where PowerPoint would put it, as shares of the chart's width and height.
    """
    layout = None
    if shift is not None:
        x, y = shift
        layout = c("layout", c("manualLayout", c("x", val=f"{x:.5f}"), c("y", val=f"{y:.5f}")))
    align: Literal["l", "ctr", "r"] = "ctr"
    if side in ("l", "r"):
        align = "r" if side == "l" else "l"
    return c(
        "dLbl",
        c("idx", val=index),
        layout,
        c("tx", rich(text, align=align)),
        c("spPr", a("noFill"), no_edge()),
        c("dLblPos", val=side),
        *_shown(value=True),
    )


def labels(of_points: Sequence[Element]) -> Element | None:
    """Return the labels of a series: those of the points given, and none on the others."""
    return c("dLbls", *of_points, *_shown(value=False)) if of_points else None


def title(text: Text, *, x: float, y: float) -> Element:
    """Return an axis title with its top-left corner at these shares of the chart's width and height."""
    place = c(
        "manualLayout",
        c("xMode", val="edge"),
        c("yMode", val="edge"),
        c("x", val=f"{x:.5f}"),
        c("y", val=f"{y:.5f}"),
    )
    return c("title", c("tx", rich(text, align="l", rotation=0)), c("layout", place), c("overlay", val=1))


def _shown(*, value: bool) -> tuple[Element, ...]:
    names = ("showLegendKey", "showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize")
    return tuple(c(name, val=int(value and name == "showVal")) for name in names)
