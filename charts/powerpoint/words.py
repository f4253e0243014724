"""Text inside a native chart: paragraphs, labels on single points, and text widths."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from charts.powerpoint.drawingml import Element, a, c, unseen, vals
from charts.powerpoint.paint import Ink
from charts.text_width import text_width

Side = Literal["t", "b", "l", "r", "ctr", "outEnd"]
Align = Literal["l", "ctr", "r"]

TICK_POINTS = 12.0
NAME_POINTS = 12.0
END_POINTS = 14.0
LINE_HEIGHT = 1.2
WIDER_THAN_OURS = 1.1
"""Width of Arial and similar fonts relative to Source Sans. [1]"""
LANGUAGE = "en-GB"


@dataclass(frozen=True, kw_only=True)
class Text:
    """Lines of text in one colour. ``bold`` is the index of the bold line, "all" or None. ``size`` is in points."""

    lines: Sequence[str]
    size: float
    ink: Ink
    bold: int | Literal["all"] | None = None

    def heavy(self, line: int) -> bool:
        """Return whether the line at an index is bold."""
        return self.bold in (line, "all")

    @property
    def width(self) -> float:
        """Return the width of the widest line in Arial and similar fonts. [pt]"""
        widths = (room(line, size=self.size, bold=self.heavy(k)) for k, line in enumerate(self.lines))
        return max(widths, default=0.0)

    @property
    def height(self) -> float:
        """Return the height of all lines. [pt]"""
        return LINE_HEIGHT * self.size * len(self.lines)


def room(text: str, *, size: float, bold: bool = False) -> float:
    """Return the width of a line of text in Arial and similar fonts. [pt]"""
    return WIDER_THAN_OURS * text_width(text, size=size, bold=bold)


def lines_needed(text: str, *, size: float, width: float, bold: bool = False) -> int:
    """Return how many lines a text takes at this width, with breaks only between words."""
    wide = room(text, size=size, bold=bold)
    return 1 if wide <= width else int(wide / (0.94 * width)) + 1


def paragraph_defaults(*, size: float, ink: Ink) -> Element:
    """Return the txPr element of a chart or an axis, the default style of its text."""
    look = a("defRPr", ink.fill(), a("latin", typeface="+mn-lt"), sz=round(size * 100), b=0)
    return c("txPr", a("bodyPr"), a("lstStyle"), a("p", a("pPr", look), a("endParaRPr", lang=LANGUAGE)))


def paragraphs(text: Text, *, align: Align, default: bool = False) -> list[Element]:
    """Return one paragraph per line. With ``default``, text typed in later has the same style."""
    made = []
    for k, line in enumerate(text.lines):
        look = {"sz": round(text.size * 100), "b": int(text.heavy(k))}
        run = a("rPr", text.ink.fill(), a("latin", typeface="+mn-lt"), lang=LANGUAGE, **look)
        typed = a("defRPr", text.ink.fill(), **look) if default else None
        made.append(a("p", a("pPr", typed, algn=align), a("r", run, a("t", line))))
    return made


def _rich(text: Text, *, align: Align = "ctr", rotation: int | None = None) -> Element:
    """Return the rich text of a title or label. It never wraps."""
    body = a("bodyPr", rot=rotation, wrap="none"), a("lstStyle")
    return c("rich", *body, *paragraphs(text, align=align, default=True))


def point_label(index: int, text: Text, *, side: Side, down: float = 0.0) -> Element:
    """Return the label of one point of a series. ``down`` shifts it by a share of the chart's height."""
    layout = c("layout", c("manualLayout", *vals(x="0.00000", y=f"{down:.5f}"))) if down else None
    align: Align = "r" if side == "l" else "l" if side == "r" else "ctr"
    words = c("tx", _rich(text, align=align))
    return c("dLbl", c("idx", val=index), layout, words, unseen(), c("dLblPos", val=side), *_shown(value=1))


def labels(of_points: Sequence[Element]) -> Element | None:
    """Return the labels of a series, given those of some of its points. The other points have none."""
    return c("dLbls", *of_points, *_shown(value=0)) if of_points else None


def title(text: Text, *, x: float, y: float) -> Element:
    """Return an axis title whose top-left corner is at these shares of the chart's width and height."""
    place = c("manualLayout", *vals(xMode="edge", yMode="edge", x=f"{x:.5f}", y=f"{y:.5f}"))
    return c("title", c("tx", _rich(text, align="l", rotation=0)), c("layout", place), c("overlay", val=1))


def _shown(*, value: int) -> list[Element]:
    others = vals(showCatName=0, showSerName=0, showPercent=0, showBubbleSize=0)
    return [*vals(showLegendKey=0, showVal=value), *others]
