"""The key of a chart: what is drawn hollow, which no hover tells on a slide."""

from collections.abc import Sequence

from charts.chart import Chart, Points, XYChart
from charts.colours import MARKERS
from charts.powerpoint.boxes import Run
from charts.powerpoint.paint import Paint

KEY_POINTS = 12.0

_HOLLOW = {"circle": "○", "square": "□", "diamond": "◇", "triangle": "△", "cross": "✕"}


def key_runs(chart: Chart, paint: Paint) -> Sequence[Run]:
    """Return one line that names each hollow series whose points are not all named; there is no other legend."""
    runs: list[Run] = []
    for mark in chart.marks if isinstance(chart, XYChart) else ():
        if not isinstance(mark, Points) or not mark.hollow or len(mark.marked) == len(mark.x):
            continue
        lead = "      " if runs else ""
        sign = _HOLLOW[MARKERS[mark.role]]
        runs.append(Run(text=f"{lead}{sign} ", size=KEY_POINTS, ink=paint.mark[mark.role], bold=True))
        runs.append(Run(text=mark.series, size=KEY_POINTS, ink=paint.text))
    return runs
