"""The words at the ends of lines: beside each end, or in a column where a line would run through them."""

from charts.chart import Line, XYChart
from charts.labels import spread
from charts.layout import LEAST_TOUCH
from charts.powerpoint.boxes import Box
from charts.powerpoint.paint import Paint
from charts.powerpoint.plot import GAP, EndLabel, Plot, end_text, paths, plot_of, within

_APART = 4.0  # between the words of one line and of the next, one above the other [pt]


def plot_and_ends(
    chart: XYChart, paint: Paint, *, width: float, height: float
) -> tuple[Plot, dict[int, EndLabel]]:
    """Return the plot box, and the words at the end of each line by its place among the marks.

    The words of a line stand at the last of its points that the plot shows; where a line would cross the words of
    any, all stand in a column to the right of every line.
    """
    for column in (False, True):
        plot = plot_of(chart, paint, width=width, height=height, column=column)
        ends = _end_labels(chart, plot=plot, paint=paint, column=column)
        if column or not _crossed(ends, chart, plot=plot):
            break
    return plot, ends


def _end_labels(chart: XYChart, *, plot: Plot, paint: Paint, column: bool) -> dict[int, EndLabel]:
    found: list[tuple[int, Line, float, float]] = []
    furthest = 0.0
    for k, mark in enumerate(chart.marks):
        if not isinstance(mark, Line):
            continue
        shown = [place for place in plot.at(mark.x, mark.y) if within(plot, place)]
        furthest = max([furthest, *(float(place[0]) for place in shown)])
        if shown and mark.end_label:
            x, y = shown[-1]
            found.append((k, mark, float(x), float(y)))
    texts = [end_text(line, paint) for _, line, _, _ in found]
    middles = spread(
        [y for *_, y in found], [text.height + _APART for text in texts], low=0, high=plot.bottom
    )
    return {
        k: EndLabel(
            text=text,
            box=Box(
                left=(furthest if column else x) + GAP,
                top=middle - text.height / 2,
                width=text.width,
                height=text.height,
            ),
        )
        for (k, _, x, _), text, middle in zip(found, texts, middles, strict=True)
    }


def _crossed(ends: dict[int, EndLabel], chart: XYChart, *, plot: Plot) -> bool:
    """Return whether a line or a measure passes through the words at the end of a line."""
    x, y = paths(chart, plot).T
    boxes = (end.box for end in ends.values())
    return any(
        bool(
            (
                (box.left < x)
                & (x < box.right)
                & (box.top + LEAST_TOUCH < y)
                & (y < box.bottom - LEAST_TOUCH)
            ).any()
        )
        for box in boxes
    )
