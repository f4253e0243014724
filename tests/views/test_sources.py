"""Every source has its credit, leads somewhere, and is named by a view."""

import pytest

from views import sources
from views.registry import VIEWS
from views.result import Source
from views.view import answer

EVERY = {name: value for name, value in vars(sources).items() if isinstance(value, Source)}
OWN_PAGES = {*VIEWS, "/methods"}


@pytest.mark.parametrize("name", EVERY)
def test_a_source_has_title_publisher_licence_and_an_address_that_leads_somewhere(name):
    source = EVERY[name]
    assert source.title and source.publisher and source.licence
    assert source.url.startswith("https://") or source.url in OWN_PAGES


def test_every_source_is_named_by_a_view_and_no_two_are_the_same():
    named = {source for view in VIEWS.values() for source in answer(view, view.settings()).sources}
    assert [name for name, source in EVERY.items() if source not in named] == []
    assert len({source.title for source in EVERY.values()}) == len(EVERY)
