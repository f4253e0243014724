"""What /training-run answers to a link, kept for the tests that read the same answer."""

from functools import cache

from charts.chart import Line, XYChart
from tests.views.reading import columns as columns
from tests.views.reading import value as value
from views.result import Exhibit
from views.training_run.view import VIEW
from views.view import answer, read


@cache
def ask(query=""):
    """Return the answer to a link whose every setting holds."""
    settings, ignored = read(VIEW, query)
    assert ignored == ()
    return answer(VIEW, settings)


@cache
def ask_the_impossible(query):
    """Return the answer to a link that need not hold."""
    return answer(VIEW, read(VIEW, query)[0])


def lines(exhibit: Exhibit) -> dict[str, Line]:
    """Return the lines of a chart by their name."""
    assert isinstance(exhibit.chart, XYChart)
    return {mark.series: mark for mark in exhibit.chart.marks if isinstance(mark, Line)}
