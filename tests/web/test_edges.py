"""Links at the edge of what they may say have every form: few rows, empty windows, smallest and largest numbers."""

from datetime import date

import pytest

from charts.svg import svg
from tests.views.links import corpus
from views.registry import VIEWS
from views.view import answer, read
from web.forms import FORMS, Order

FELL = (
    "/training-compute?until=2014&rule=records",
    "/training-compute?since=2029",
    "/compute-to-memory?vendor=amd&since=2024&rule=all",
    "/accelerators?until=2024&estimator=theil-sen&to=2050&memory=sram",
)
"""Ordinary links that had no answer: bands wider than any rule for ticks, too few chips left for a second trend."""


def answered(path, query):
    return answer(VIEWS[path], read(VIEWS[path], query)[0])


@pytest.mark.parametrize("link", FELL)
@pytest.mark.parametrize("form", FORMS)
def test_an_ordinary_link_with_hardly_any_rows_has_every_form(*, link, form):
    path, _, query = link.partition("?")
    order = Order(
        result=answered(path, query),
        options=FORMS[form].options(),
        origin="https://gap.example",
        today=date(2026, 11, 22),
    )
    assert len(FORMS[form].write(order)) > 20


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_every_exhibit_of_a_link_at_the_edge_is_drawn_and_says_its_numbers(view):
    for query in corpus(view):
        result = answered(view.path, query)
        for exhibit in result.exhibits:
            assert "<svg" in svg(exhibit.chart), query
            assert all(len(row) == len(exhibit.table.columns) for row in exhibit.table.rows), query
