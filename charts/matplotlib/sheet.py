"""The sheet a chart is drawn on: its sizes, headline above, source below, and the plot between them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager, get_font
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Text

from charts import mark
from charts.chart import Axis, Chart
from charts.colours import Palette
from charts.layout import LINE_HEIGHT, along, ticks_shown
from charts.text_width import balanced, cut, text_width, wrapped

Size = Literal["slide", "wide", "square", "print"]

_MARK = 1.5  # side of the mark, in units of the source line's text
DPI = 72
"""One point is one pixel."""
_FOLDER = Path(__file__).parent.parent / "fonts"
_FACES = ("SourceSansPro-Regular.ttf", "SourceSansPro-Bold.ttf")
_FAMILIES = ["Source Sans Pro", "DejaVu Sans"]  # the second ships with matplotlib and has the rarer signs
_MISSING = "□"

for _face in _FACES:
    fontManager.addfont(_FOLDER / _face)


@cache
def font(size: float, *, bold: bool = False) -> FontProperties:
    """Return the font at this size. [points]"""
    return FontProperties(family=_FAMILIES, weight=700 if bold else 400, size=size)


@cache
def _known() -> frozenset[int]:
    paths = [
        fontManager.findfont(FontProperties(family=family), fallback_to_default=False) for family in _FAMILIES
    ]
    return frozenset(code for path in paths for code in get_font(path).get_charmap())


def settable(text: str) -> str:
    """Return the text in one line, a box in place of each character that no packaged font has."""
    known = _known()
    return "".join(c if ord(c) in known else _MISSING for c in " ".join(text.split()) if c.isprintable())


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Width and height of a picture, and the size of its text. [px]"""

    width: float
    height: float
    text: float

    @property
    def title(self) -> float:
        """Text size of the headline. [px]"""
        return 1.9 * self.text

    @property
    def end(self) -> float:
        """Text size of the labels of lines, and of the subtitle. [px]"""
        return 1.12 * self.text

    @property
    def source(self) -> float:
        """Text size of the source line. [px]"""
        return 0.84 * self.text


SHEETS: dict[Size, Sheet] = {
    "slide": Sheet(width=1920, height=1080, text=24),
    "wide": Sheet(width=1200, height=630, text=17.5),
    "square": Sheet(width=1080, height=1080, text=22),
    "print": Sheet(width=720, height=480, text=10.5),
}


@dataclass(frozen=True, kw_only=True)
class Page:
    """A sheet with its headline and source already set, and the box left for the chart. [px]"""

    figure: Figure
    sheet: Sheet
    palette: Palette
    left: float
    right: float
    top: float
    bottom: float

    def words(self, *, x: float, y: float, text: str, size: float, bold: bool = False, **style: Any) -> Text:
        """Return one line of text set on the sheet, y at its baseline."""
        return self.figure.text(
            x / self.sheet.width,
            1 - y / self.sheet.height,
            settable(text),
            fontproperties=font(size, bold=bold),
            **({"color": self.palette.text, "va": "baseline", "parse_math": False} | style),
        )

    def plot(self, *, left: float, right: float, top: float, bottom: float, x: Axis, y: Axis | None) -> Axes:
        """Return bare axes over this box of the sheet, with the grid of the axes' ticks behind."""
        width, height = self.sheet.width, self.sheet.height
        box = (left / width, 1 - bottom / height, (right - left) / width, (bottom - top) / height)
        axes = self.figure.add_axes(box)
        axes.set_axis_off()
        for axis, scale, limits in ((x, axes.set_xscale, axes.set_xlim), (y, axes.set_yscale, axes.set_ylim)):
            if axis:
                scale(axis.scale)
                limits(axis.low, axis.high)
        axes.set_autoscale_on(False)
        return axes

    def halo(self) -> list[Any]:
        """Return the effect that keeps text readable over marks."""
        return [withStroke(linewidth=0.2 * self.sheet.text, foreground=self.palette.background, alpha=0.85)]

    def y_ticks(self, axis: Axis, *, left: float, top: float, bottom: float, gap: float) -> None:
        """Set title and tick labels of an upright axis above and left of the plot; ``gap`` parts them from it."""
        size, quiet = self.sheet.text, self.palette.quiet
        self.words(x=self.left, y=self.top + 0.8 * size, text=axis.title, size=size, color=quiet)
        for tick in ticks_shown(axis):
            y = top + (1 - float(along(axis, [tick.value])[0])) * (bottom - top) + 0.33 * size
            self.words(x=left - gap, y=y, text=tick.label, size=size, ha="right", color=quiet)

    def room_left(self, axis: Axis) -> float:
        """Return how wide the widest tick label of an upright axis is. [px]"""
        return max((text_width(tick.label, size=self.sheet.text) for tick in ticks_shown(axis)), default=0)

    def x_ticks(self, axis: Axis, *, left: float, right: float, bottom: float) -> None:
        """Set title and tick labels of a horizontal axis below the plot, without those that would touch."""
        size, beyond = self.sheet.text, -1e9
        quiet: dict[str, Any] = {"ha": "center", "color": self.palette.quiet}
        for tick in ticks_shown(axis):
            place = left + float(along(axis, [tick.value])[0]) * (right - left)
            half = text_width(tick.label, size=size) / 2
            if place - half > beyond + 0.5 * size:
                self.words(x=place, y=bottom + 1.5 * size, text=tick.label, size=size, **quiet)
                beyond = place + half
        middle = (left + right) / 2
        self.words(x=middle, y=bottom + 2.9 * size, text=axis.title, size=size, **quiet)


def room_below(axis: Axis, sheet: Sheet) -> float:
    """Return the room for tick labels and title below a plot. [px]"""
    return (3.3 if axis.title else 1.9) * sheet.text


def compose(
    figure: Figure,
    chart: Chart,
    *,
    sheet: Sheet,
    palette: Palette,
    footer: str | None,
    link: str | None = None,
) -> Page:
    """Return the page with title and subtitle at its top, source and footer, which leads to ``link``, at its bottom."""
    margin = 1.8 * sheet.text
    page = Page(
        figure=figure, sheet=sheet, palette=palette, left=margin, right=sheet.width - margin, top=0, bottom=0
    )
    y = margin
    for text, size, bold, colour in (
        (chart.title, sheet.title, True, palette.text),
        (chart.subtitle, sheet.end, False, palette.quiet),
    ):
        for line in cut(balanced(text, width=0.97 * (page.right - page.left), size=size, bold=bold), most=3):
            page.words(x=margin, y=y + 0.8 * size, text=line, size=size, bold=bold, color=colour)
            y += 1.2 * size
        y += 0.25 * sheet.text
    lines = [
        (line, url)
        for text, url in ((chart.source, None), (footer or "", link))
        for line in _small(text, page)
    ]
    bottom = sheet.height - 0.7 * margin - LINE_HEIGHT * sheet.source * len(lines)
    if lines:
        _mark(page, middle=bottom + (len(lines) - 0.5) * LINE_HEIGHT * sheet.source)
    for number, (line, url) in enumerate(lines):
        below = bottom + (number + 0.95) * LINE_HEIGHT * sheet.source
        page.words(x=margin, y=below, text=line, size=sheet.source, color=palette.quiet, url=url)
    return Page(
        figure=figure,
        sheet=sheet,
        palette=palette,
        left=page.left,
        right=page.right,
        top=y + 0.5 * sheet.text,
        bottom=bottom - 0.3 * sheet.text,
    )


def _small(text: str, page: Page) -> tuple[str, ...]:
    width = 0.98 * (page.right - page.left) - 1.5 * _MARK * page.sheet.source
    return cut(wrapped(text, width=width, size=page.sheet.source), most=3)


def _mark(page: Page, *, middle: float) -> None:
    """Draw the mark at the right of the last line, which has room for it, its middle at this height. [px]"""
    side = _MARK * page.sheet.source
    left, top = page.right - side, middle - side / 2
    for role, ends in mark.LINES.items():
        page.figure.add_artist(
            Line2D(
                [(left + side * x / mark.SIDE) / page.sheet.width for x, _ in ends],
                [1 - (top + side * y / mark.SIDE) / page.sheet.height for _, y in ends],
                color=page.palette.mark[role],
                linewidth=side * mark.WIDTH / mark.SIDE,
                solid_capstyle="round",
                gid=f"mark-{role}",
            )
        )
