"""The key of a chart: what its marks stand for, where no words at the end of a line say so."""

from collections.abc import Sequence

from charts.chart import Chart, Line, Points, XYChart
from charts.colours import MARKERS
from charts.powerpoint.boxes import Run
from charts.powerpoint.paint import Paint

KEY_POINTS = 12.0

_FILLED = {"circle": "●", "square": "■", "diamond": "◆", "triangle": "▲", "cross": "✕"}
_HOLLOW = {"circle": "○", "square": "□", "diamond": "◇", "triangle": "△", "cross": "✕"}
_DASHES = {"solid": "—", "dotted": "···"}


def key_runs(chart: Chart, paint: Paint) -> Sequence[Run]:
    """Return one line with the mark and name of each series that no end label of its role explains."""
    runs: list[Run] = []
    for sign, mark in _signs(chart):
        lead = "      " if runs else ""
        runs.append(Run(text=f"{lead}{sign} ", size=KEY_POINTS, ink=paint.mark[mark.role], bold=True))
        runs.append(Run(text=mark.series, size=KEY_POINTS, ink=paint.text))
    return runs


def _signs(chart: Chart) -> list[tuple[str, Points | Line]]:
    if not isinstance(chart, XYChart):
        return []
    labelled = {mark.role for mark in chart.marks if isinstance(mark, Line) and mark.end_label}
    signs: list[tuple[str, Points | Line]] = []
    for mark in chart.marks:
        if isinstance(mark, Points) and mark.x and (mark.hollow or mark.role not in labelled):
            signs.append(((_HOLLOW if mark.hollow else _FILLED)[MARKERS[mark.role]], mark))
        elif isinstance(mark, Line) and mark.x and mark.role not in labelled:
            signs.append((_DASHES[mark.dash], mark))
    return signs
