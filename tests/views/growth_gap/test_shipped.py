"""How fast the bandwidth of all chips together grew, as published."""

import pytest

from data import sources
from views.growth_gap.shipped import SHIPPED_GROWTH, shipped_figure, shipped_note
from views.sources import HBM_SHIPPED


def test_the_growth_is_that_of_its_source():
    """Epoch AI, "Total AI chip memory bandwidth has grown 4.1x per year", 24 March 2026."""
    assert pytest.approx(4.1) == SHIPPED_GROWTH
    assert "4.1x per year (24 March 2026)" in HBM_SHIPPED.title
    assert HBM_SHIPPED.url in {row["url"] for row in sources.rows().values()}


def test_the_note_and_the_figure_say_the_same():
    assert "grew 4.1× a year from 2022 to 2025 (Epoch AI, 24 March 2026)" in shipped_note()
    figure = shipped_figure(key=True)
    assert (figure.value, figure.text, figure.key) == (SHIPPED_GROWTH, "4.1× a year", True)
    assert figure.low is None and not shipped_figure(key=False).key
