"""The sheet of a picture: its sizes, with the headline at the top and the source at the bottom."""

from dataclasses import dataclass
from typing import Literal

from charts import mark
from charts.chart import Chart
from charts.colours import PALETTES, Theme
from charts.layout import LINE_HEIGHT
from charts.svg.scale import number
from charts.svg.text import attribute, plain
from charts.text_width import balanced, cut, text_width, wrapped

Size = Literal["slide", "wide", "square", "print"]

_MARK = 1.5  # side of the logo, in units of the source line's text


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Width and height of a picture, and the size of its main text. [px]"""

    width: int
    height: int
    text: float

    @property
    def source(self) -> float:
        """Return the text size of the source and the link. [px]"""
        return 0.84 * self.text

    @property
    def margin(self) -> float:
        """Return the margin on the left and on the right. [px]"""
        return 1.8 * self.text

    @property
    def room(self) -> float:
        """Return the width between the margins. [px]"""
        return self.width - 2 * self.margin


SHEETS: dict[Size, Sheet] = {
    "slide": Sheet(width=1920, height=1080, text=24),
    "wide": Sheet(width=1200, height=630, text=17.5),
    "square": Sheet(width=1080, height=1080, text=22),
    "print": Sheet(width=720, height=480, text=10.5),
}


@dataclass(frozen=True, kw_only=True)
class Frame:
    """SVG elements around a chart, and the vertical range left for the chart. [px]

    ``links`` are the boxes of the footer's linked lines: left, top, width, height.
    """

    markup: str
    top: float
    bottom: float
    links: tuple[tuple[float, float, float, float], ...]


def frame_of(chart: Chart, *, sheet: Sheet, theme: Theme, footer: str, link: str | None) -> Frame:
    """Return the frame: title, subtitle and note at the top; source, footer and logo at the bottom."""
    palette = PALETTES[theme]
    drawn, y = "", sheet.margin
    for text, size, bold, colour in (
        (chart.title, 1.9 * sheet.text, True, palette.text),
        (chart.subtitle, 1.12 * sheet.text, False, palette.quiet),
        *([(chart.note, sheet.text, False, palette.text)] if chart.note else []),
    ):
        for line in cut(balanced(text, width=0.97 * sheet.room, size=size, bold=bold), most=3):
            drawn += _line(line, x=sheet.margin, y=y + 0.8 * size, size=size, colour=colour, bold=bold)
            y += 1.2 * size
        y += 0.25 * sheet.text
    high = LINE_HEIGHT * sheet.source
    width = 0.98 * sheet.room - 1.5 * _MARK * sheet.source
    lines = [
        (line, where)
        for text, where in ((chart.source, None), (footer, link))
        for line in cut(wrapped(text, width=width, size=sheet.source), most=3)
    ]
    bottom = sheet.height - 0.7 * sheet.margin - high * len(lines)
    links = []
    for row, (line, where) in enumerate(lines):
        top = bottom + row * high
        words = _line(line, x=sheet.margin, y=top + 0.95 * high, size=sheet.source, colour=palette.quiet)
        drawn += words if where is None else f'<a href="{attribute(where)}">{words}</a>'
        if where is not None:
            links.append((sheet.margin, top, text_width(line, size=sheet.source), high))
    if lines:
        drawn += _mark(sheet, theme, middle=bottom + (len(lines) - 0.5) * high)
    return Frame(markup=drawn, top=y + 0.5 * sheet.text, bottom=bottom - 0.3 * sheet.text, links=tuple(links))


def _line(text: str, *, x: float, y: float, size: float, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    look = f'style="font-size:{number(size)}px;fill:{colour}"{weight}'
    return f'<text x="{number(x)}" y="{number(y)}" {look}>{plain(text)}</text>'


def _mark(sheet: Sheet, theme: Theme, *, middle: float) -> str:
    """Return the logo at the right end of the last line, centred at this height [px]."""
    side = _MARK * sheet.source
    left, top = number(sheet.width - sheet.margin - side), number(middle - side / 2)
    moved = f"translate({left} {top}) scale({number(side / mark.SIDE, 4)})"
    return f'<g transform="{moved}">{mark.drawn(theme)}</g>'
