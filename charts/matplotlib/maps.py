"""A map of choices drawn by matplotlib: one path a choice, words inside, key above."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Ellipse, PathPatch, Rectangle
from matplotlib.path import Path

from charts.chart import Axis, MapChart
from charts.colours import tile_of
from charts.layout import LINE_HEIGHT, Plot, along, ticks_shown
from charts.map_words import KeyItem, MapWords, label_box, marked_place, ring_radius, words_and_key
from charts.matplotlib.sheet import Page, room_below
from charts.regions import cells_of, outline
from charts.text_width import text_width

_KEY_ROW = 1.55  # height of a row of the key, in units of the text size


def draw_map(page: Page, chart: MapChart) -> None:
    """Draw the map on the page: cells by choice, axes, the words and the marked point, and below all the key."""
    sheet, text = page.sheet, page.sheet.text
    left = page.left + 0.9 * text + page.room_left(chart.y)
    right = page.right - _beyond(chart.x, text, width=page.right - left)
    top = page.top + (1.7 * text if chart.y.title else 0)
    lowest = page.bottom - room_below(chart.x, sheet)

    def plot_with(rows: int) -> Plot:
        bottom = lowest - (_KEY_ROW * rows + 0.5 if rows else 0) * text
        return Plot(width=right - left, height=bottom - top, size=0.95 * text, clearance=0.6 * text)

    plot, words, rows = words_and_key(
        chart, plot_with=plot_with, width=page.right - page.left, size=text, lead=1.2 * text
    )
    bottom = top + plot.height
    _key(page, chart, rows=rows)
    axes = page.plot(left=left, right=right, top=top, bottom=bottom, x=chart.x, y=chart.y)
    page.y_ticks(chart.y, left=left, top=top, bottom=bottom, gap=0.6 * text)
    for up in along(chart.y, [tick.value for tick in ticks_shown(chart.y)]).tolist():
        _dash(axes, x=[-0.35 * text / plot.width, 0], y=[up, up], page=page)
    for x in along(chart.x, [tick.value for tick in ticks_shown(chart.x)]).tolist():
        _dash(axes, x=[x, x], y=[-0.35 * text / plot.height, 0], page=page)
    page.x_ticks(chart.x, left=left, right=right, bottom=bottom)
    _cells(axes, chart, page=page)
    _words(page, chart, words=words, plot=plot, left=left, top=top)


def _beyond(axis: Axis, text: float, *, width: float) -> float:
    """Return how far the label of a tick at the right end would stand out of a plot this wide. [px]"""
    reach = [
        (float(along(axis, [tick.value])[0]) - 1) * width + text_width(tick.label, size=text) / 2
        for tick in ticks_shown(axis)
    ]
    return max([0.0, *reach])


def _dash(axes: Axes, *, x: list[float], y: list[float], page: Page) -> None:
    """Draw the dash of a tick, in shares of the plot."""
    axes.plot(
        x,
        y,
        transform=axes.transAxes,
        color=page.palette.axis,
        linewidth=page.sheet.text / 16,
        clip_on=False,
        zorder=0,
    )


def _cells(axes: Axes, chart: MapChart, *, page: Page) -> None:
    """Draw the cells of each choice as one path, its borders in the colour of the sheet."""
    for number, choice in enumerate(chart.choices):
        corners, codes = [], []
        for loop in outline(cells_of(chart, number)):
            corners += [(chart.x_edges[k], chart.y_edges[r]) for k, r in (*loop, loop[0])]
            codes += [Path.MOVETO, *[Path.LINETO] * (len(loop) - 1), Path.CLOSEPOLY]
        if not corners:
            continue
        tile = tile_of(choice, page.palette)
        path = Path(corners, codes)
        patch = PathPatch(path, label=choice.label, facecolor=tile.fill, linewidth=0, zorder=1)
        axes.add_patch(patch)
        if tile.hatch:
            axes.add_patch(
                PathPatch(path, facecolor="none", edgecolor=tile.hatch, hatch="//", linewidth=0, zorder=1)
            )
        border = {"edgecolor": page.palette.background, "linewidth": 0.09 * page.sheet.text}
        axes.add_patch(PathPatch(path, facecolor="none", zorder=2, **border))


def _key(page: Page, chart: MapChart, *, rows: Sequence[Sequence[KeyItem]]) -> None:
    text, sheet = page.sheet.text, page.sheet
    for number, row in enumerate(rows):
        y = page.bottom - (_KEY_ROW * (len(rows) - number) - 1.1) * text
        for item in row:
            tile, x = tile_of(chart.choices[item.choice], page.palette), page.left + item.x
            box = (x / sheet.width, 1 - (y + 0.1 * text) / sheet.height)
            page.figure.add_artist(
                Rectangle(
                    box,
                    0.85 * text / sheet.width,
                    0.85 * text / sheet.height,
                    facecolor=tile.fill,
                    edgecolor=tile.hatch or tile.fill,
                    hatch="///" if tile.hatch else None,
                    linewidth=0,
                )
            )
            page.words(x=x + 1.2 * text, y=y, text=item.text, size=text)


def _words(page: Page, chart: MapChart, *, words: MapWords, plot: Plot, left: float, top: float) -> None:
    for label in words.labels:
        ink = tile_of(chart.choices[label.choice], page.palette).ink
        for number, line in enumerate(label.lines):
            y = label.y + (number - (len(label.lines) - 1) / 2) * LINE_HEIGHT * plot.size + 0.34 * plot.size
            page.words(
                x=left + label.x, y=top + y, text=line, size=plot.size, bold=True, ha="center", color=ink
            )
    where = marked_place(chart, plot)
    if where is None or chart.marked is None:
        return
    radius, sheet = ring_radius(plot), page.sheet
    x, y = where
    for colour, wide in ((page.palette.background, 0.42), (page.palette.text, 0.16)):
        page.figure.add_artist(
            Ellipse(
                ((left + x) / sheet.width, 1 - (top + y) / sheet.height),
                2 * radius / sheet.width,
                2 * radius / sheet.height,
                facecolor="none",
                edgecolor=colour,
                linewidth=wide * plot.size,
                zorder=4,
            )
        )
    if words.marked is not None:
        box = label_box(chart.marked.label, words.marked, where=where, plot=plot)
        middle, baseline = left + (box[0] + box[2]) / 2, top + (box[1] + box[3]) / 2 + 0.34 * plot.size
        halo = page.halo()
        page.words(
            x=middle,
            y=baseline,
            text=chart.marked.label,
            size=plot.size,
            bold=True,
            ha="center",
            path_effects=halo,
        )
