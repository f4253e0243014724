"""The view asked for its defaults or others, and what of its answer the tests read."""

from charts.chart import XYChart
from data.releases import latest, load
from views.compute_to_memory.settings import ComputeToMemorySettings
from views.compute_to_memory.view import VIEW
from views.view import answer

RELEASE = load(latest())


def ask(**settings):
    return answer(VIEW, ComputeToMemorySettings(**settings))


def marks(result, number):
    chart = result.exhibits[number].chart
    assert isinstance(chart, XYChart)
    return chart.marks


def number(cell: object) -> float:
    assert isinstance(cell, int | float)
    return float(cell)


def part(product):
    parts = RELEASE.accelerators
    row = parts.loc[(parts["product"] == product) & parts["representative"]]
    assert len(row) == 1
    return row
