"""The bands of published growth rates that the views must land in, on the release of 2026-07."""

import pytest

from views.registry import VIEWS
from views.sources import HBM_SHIPPED
from views.view import answer, read


def rate(path, query):
    view = VIEWS[path]
    chosen, ignored = read(view, f"{query}&release=2026-07")
    assert not ignored
    return answer(view, chosen).figure("yearly_growth")


@pytest.mark.parametrize(
    ("path", "query", "low", "high"),
    [
        # Epoch AI: 5x a year for language models since 2020.
        ("/training-compute", "since=2020&domain=language", 4.2, 6.0),
        # Epoch AI: 4.5-4.7x a year for notable models since 2010.
        ("/training-compute", "rule=notable&since=2010", 4.0, 5.2),
        # Epoch AI: 4-5x a year for frontier models since 2010.
        ("/training-compute", "since=2010", 4.4, 5.2),
        # Epoch AI, May 2024: up to 9x a year for notable language models, June 2017 to May 2024.
        ("/training-compute", "domain=language&since=2017-06&until=2024-05", 6.5, 11.5),
        ("/training-compute", "rule=notable&domain=language&since=2017-06&until=2024-05", 6.5, 11.5),
        # The "28 % a year" of memory bandwidth per chip, every listing.
        ("/accelerators", "rule=all&curation=as-exported", 1.24, 1.32),
    ],
)
def test_a_rate_lies_where_others_published_it(*, path, query, low, high):
    found = rate(path, query)
    assert found.value is not None and low <= found.value <= high
    assert found.low is not None and found.high is not None
    assert found.low < found.value < found.high


def test_the_start_page_sets_its_own_growth_of_bandwidth_beside_the_published_one():
    result = answer(VIEWS["/"], read(VIEWS["/"], "")[0])
    assert any(
        "3.2× a year since 2023" in note and "Epoch AI's own figure for 2022 to 2025 is 4.1×" in note
        for note in result.notes
    )
    assert HBM_SHIPPED in result.sources
    assert "4.1x" in HBM_SHIPPED.title
