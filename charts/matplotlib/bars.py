"""Horizontal bars with whiskers, drawn by matplotlib in the numbers of the description."""

import numpy as np

from charts.chart import BarChart
from charts.colours import bar_colour
from charts.layout import along, far_end, reach, start_of, ticks_shown
from charts.matplotlib.sheet import Page, room_below
from charts.text_width import text_width, wrapped


def draw_bars(page: Page, chart: BarChart) -> None:
    """Draw the chart on the page: labels left, bars from the base, whiskers, and words beyond them."""
    sheet, palette, text, bars = page.sheet, page.palette, page.sheet.text, chart.bars
    size = min(sheet.end, 0.8 * (page.bottom - page.top) / max(1, len(bars)) / 2)
    labels = [wrapped(bar.label, width=0.28 * sheet.width, size=size) for bar in bars]
    widths = [text_width(line, size=size) for lines in labels for line in lines]
    left = page.left + max(widths, default=0) + text
    bottom = page.bottom - room_below(chart.x, sheet)
    far = [far_end(chart, bar) for bar in bars]
    right = page.right
    for end, bar in zip(far, bars, strict=True):
        fraction = max(float(along(chart.x, [end])[0]), 0.05)
        words = text_width(bar.text, size=size, bold=True) + text
        right = min(right, left + (page.right - left - words) / fraction)
    axes = page.plot(left=left, right=right, top=page.top, bottom=bottom, x=chart.x, y=None)
    axes.set_ylim(max(1, len(bars)) - 0.5, -0.5)
    for tick in ticks_shown(chart.x):
        axes.axvline(tick.value, color=palette.grid, linewidth=text / 20, zorder=0)
    quiet = any(bar.emphasised for bar in bars) and not chart.dots
    values = np.array([bar.value for bar in bars])
    starts = np.array([start_of(chart, bar) for bar in bars])
    colours = [bar_colour(bar, palette, quiet=quiet) for bar in bars]
    if chart.dots:
        seen = [number for number, bar in enumerate(bars) if not bar.absent]
        hollow = [number for number in seen if bars[number].start is not None]
        if hollow:
            edges = [colours[number] for number in hollow]
            look = {"facecolor": palette.background, "edgecolor": edges, "linewidth": text / 8}
            axes.scatter(starts[hollow], hollow, s=text * 4, zorder=3, **look)
        axes.scatter(values[seen], seen, s=text * 5, color=[colours[number] for number in seen], zorder=3)
    else:
        axes.barh(range(len(bars)), values - starts, left=starts, height=0.62, color=colours, zorder=1)
    whiskers = [reach(chart, bar) for bar in bars]
    ends = [
        (_or(low, bar.value), _or(high, bar.value)) for bar, (low, high) in zip(bars, whiskers, strict=True)
    ]
    middle_of = np.array([(low + high) / 2 for low, high in ends])
    half = np.abs([(high - low) / 2 for low, high in ends])
    # Without an interval there is no whisker, not even the caps of one without length.
    half[[whisker == (None, None) for whisker in whiskers]] = np.nan
    for colour, thick, cap in ((palette.background, 0.2, 0.24), (palette.text, 0.08, 0.2)):
        axes.errorbar(
            middle_of,
            range(len(bars)),
            xerr=half,
            fmt="none",
            ecolor=colour,
            elinewidth=thick * text,
            capsize=cap * text,
            capthick=thick * text,
            zorder=2,
        )
    axes.axvline(chart.base, color=palette.quiet, linewidth=text / 14, zorder=3)
    row = (bottom - page.top) / max(1, len(bars))
    for number, (bar, lines, end) in enumerate(zip(bars, labels, far, strict=True)):
        middle = page.top + (number + 0.5) * row + 0.33 * size
        for index, line in enumerate(lines):
            y = middle + (index - (len(lines) - 1) / 2) * 1.15 * size
            page.words(x=left - 0.7 * text, y=y, text=line, size=size, ha="right")
        x = left + float(along(chart.x, [end])[0]) * (right - left) + 0.6 * text
        page.words(x=x, y=middle, text=bar.text, size=size, bold=bar.emphasised, path_effects=page.halo())
    page.x_ticks(chart.x, left=left, right=right, bottom=bottom)


def _or(end: float | None, value: float) -> float:
    """Return the end of an interval, or the value itself where that side has none."""
    return value if end is None else end
