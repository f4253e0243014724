"""Text on a map: labels inside regions, numbers where no label fits, and the key."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from charts.chart import MapChart
from charts.labels import Label, Position, Scene, boxes, place
from charts.layout import LINE_HEIGHT, Plot, along, share
from charts.regions import Region, regions, room_inside
from charts.text_width import balanced, text_width

RING = 7.0
"""Radius of the ring around the marked point, at a text size of 12 px. [px]"""

_LEAST_SHARE = 0.03  # of the map: another region of the same choice gets a label from this size
_MOST_LINES = 3
_KEY_GAP = 1.4  # between two entries of the key, in units of the text size
_MOST_TRIED = 6  # regions of a choice, the largest first
_SIDES: tuple[Position, ...] = (
    "middle right",
    "middle left",
    "top center",
    "bottom center",
    "top right",
    "top left",
    "bottom right",
    "bottom left",
)

Box = tuple[float, float, float, float]


@dataclass(frozen=True, kw_only=True)
class RegionLabel:
    """Text inside a choice's region, and the text's centre, with x rightwards and y downwards. [px]"""

    choice: int
    lines: tuple[str, ...]
    x: float
    y: float


@dataclass(frozen=True, kw_only=True)
class KeyEntry:
    """A choice whose name fits in none of its regions, and the number shown instead, if the number fits."""

    choice: int
    number: int | None


@dataclass(frozen=True, kw_only=True)
class KeyItem:
    """An entry of the key, with the choice's number first if it has one, and the entry's position in its row. [px]"""

    choice: int
    text: str
    x: float


@dataclass(frozen=True, kw_only=True)
class MapWords:
    """All text in one drawing of a map. ``marked`` is the position of the marked point's label."""

    labels: tuple[RegionLabel, ...]
    key: tuple[KeyEntry, ...]
    marked: Position | None


def map_words(chart: MapChart, *, plots: Sequence[Plot]) -> tuple[MapWords, ...]:
    """Return the text for each plot size. The marked point's label is on the same side at all sizes."""
    areas = regions(chart.cells)
    side = _marked_side(chart, plots=plots)
    return tuple(_words(chart, plot, areas=areas, side=side) for plot in plots)


def marked_place(chart: MapChart, plot: Plot) -> tuple[float, float] | None:
    """Return the position of the marked point. None if no point is marked within the axes. [px]"""
    if chart.marked is None:
        return None
    x, y = share(chart.x, chart.marked.x), share(chart.y, chart.marked.y)
    return (x * plot.width, (1 - y) * plot.height) if 0 <= x <= 1 and 0 <= y <= 1 else None


def ring_radius(plot: Plot) -> float:
    """Return the radius of the ring around the marked point. [px]"""
    return RING * plot.size / 12


def _marked_label(text: str, *, plot: Plot) -> Label:
    return Label(width=plot.room(text, bold=True), height=1.1 * plot.size, clearance=ring_radius(plot) + 3)


def _marked_side(chart: MapChart, *, plots: Sequence[Plot]) -> Position | None:
    places = [(plot, marked_place(chart, plot)) for plot in plots]
    if chart.marked is None or not chart.marked.label:
        return None
    scenes = [
        Scene(anchors=np.array([where]), frame=(0.0, 0.0, plot.width, plot.height))
        for plot, where in places
        if where is not None
    ]
    if not scenes:
        return None
    # the same text at every size: the smallest room decides
    label = _marked_label(chart.marked.label, plot=max(plots, key=lambda plot: plot.size))
    (placement,) = place([label], scenes, positions=_SIDES)
    return None if placement is None else placement.position


def label_box(text: str, side: Position, *, where: tuple[float, float], plot: Plot) -> Box:
    """Return the left, top, right and bottom edges of the marked point's label. [px]"""
    label = _marked_label(text, plot=plot)
    left, top, right, bottom = boxes([label], np.array([where]), positions=[side])[0, 0].tolist()
    return left, top, right, bottom


def key_rows(
    chart: MapChart, words: MapWords, *, width: float, size: float, lead: float, wider: float = 1.0
) -> tuple[tuple[KeyItem, ...], ...]:
    """Return the key in rows no wider than ``width`` [px]. ``lead`` is the width of the swatch before each text.

    An entry too long for its own row ends in an ellipsis.
    """
    rows: list[list[KeyItem]] = []
    x = width + 1
    for entry in words.key:
        number = f"{entry.number} " if entry.number is not None else ""
        text = _shortened(number + chart.choices[entry.choice].label, width=(width - lead) / wider, size=size)
        wide = lead + wider * text_width(text, size=size)
        if x + wide > width:
            rows.append([])
            x = 0.0
        rows[-1].append(KeyItem(choice=entry.choice, text=text, x=x))
        x += wide + _KEY_GAP * size
    return tuple(map(tuple, rows))


def words_and_key(
    chart: MapChart, *, plot_with: Callable[[int], Plot], width: float, size: float, lead: float
) -> tuple[Plot, MapWords, tuple[tuple[KeyItem, ...], ...]]:
    """Return the plot, its text and its key. The rows of the key reduce the plot's height.

    ``plot_with`` returns the plot for a number of key rows: a lower plot may need a longer key.
    """
    rows: tuple[tuple[KeyItem, ...], ...] = ()
    while True:
        plot = plot_with(len(rows))
        (words,) = map_words(chart, plots=[plot])
        before, rows = len(rows), key_rows(chart, words, width=width, size=size, lead=lead, wider=plot.wider)
        if len(rows) <= before:
            return plot, words, rows


def _shortened(text: str, *, width: float, size: float) -> str:
    if text_width(text, size=size) <= width:
        return text
    while text and text_width(f"{text}…", size=size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _taken(chart: MapChart, plot: Plot, *, side: Position | None) -> list[Box]:
    where = marked_place(chart, plot)
    if where is None or chart.marked is None:
        return []
    x, y = where
    ring = ring_radius(plot) + 2
    taken = [(x - ring, y - ring, x + ring, y + ring)]
    if side is not None:
        taken.append(label_box(chart.marked.label, side, where=where, plot=plot))
    return taken


def _words(chart: MapChart, plot: Plot, *, areas: Sequence[Region], side: Position | None) -> MapWords:
    x_edges = along(chart.x, chart.x_edges) * plot.width
    y_edges = (1 - along(chart.y, chart.y_edges)) * plot.height
    taken = _taken(chart, plot, side=side)

    def room(region: Region, lines: Sequence[str]) -> tuple[float, float] | None:
        width = max(plot.room(line, bold=True) for line in lines)
        return room_inside(
            region.mask,
            x_edges=x_edges,
            y_edges=y_edges,
            width=width + plot.clearance,
            height=plot.size * (1 + LINE_HEIGHT * (len(lines) - 1)) + plot.clearance,
            taken=taken,
        )

    cells = sum(region.size for region in areas)
    labels: list[RegionLabel] = []
    named: set[int] = set()
    for choice in sorted({region.choice for region in areas}):
        ways = _broken(chart.choices[choice].label, plot.size)
        for region in [region for region in areas if region.choice == choice][:_MOST_TRIED]:
            if choice in named and region.size < _LEAST_SHARE * cells:
                break
            fits = ((lines, room(region, lines)) for lines in ways)
            lines, where = next(((lines, where) for lines, where in fits if where), ((), None))
            if where is not None:
                labels.append(RegionLabel(choice=choice, lines=lines, x=where[0], y=where[1]))
                named.add(choice)
    key: list[KeyEntry] = []
    unnamed = sorted({region.choice for region in areas} - named)
    for choice in unnamed:
        number = sum(entry.number is not None for entry in key) + 1
        largest = next(region for region in areas if region.choice == choice)
        where = room(largest, [str(number)])
        if where is not None:
            labels.append(RegionLabel(choice=choice, lines=(str(number),), x=where[0], y=where[1]))
        key.append(KeyEntry(choice=choice, number=number if where else None))
    return MapWords(labels=tuple(labels), key=tuple(key), marked=side)


def _broken(text: str, size: float) -> list[tuple[str, ...]]:
    """Return the text in one line, and in two and three lines if it has enough words."""
    wide = text_width(text, size=size, bold=True)
    longest = max((text_width(word, size=size, bold=True) for word in text.split()), default=0.0)
    ways: list[tuple[str, ...]] = []
    for most in range(1, _MOST_LINES + 1):
        lines = balanced(text, width=max(1.02 * longest, 1.12 * wide / most), size=size, bold=True)
        if lines and lines not in ways:
            ways.append(lines)
    return ways
