"""How fast the bandwidth of all chips together grows: computed, with what was published beside it."""

from dataclasses import replace

import pytest

from data import sources
from data.releases import load
from views.chips.shipments import bandwidth_growth, published_growth
from views.growth_gap.shipped import shipped_figures, shipped_notes
from views.sources import HBM_SHIPPED

RELEASE = load("2026-07")


def test_the_published_growth_is_that_of_its_source():
    """Epoch AI, "Total AI chip memory bandwidth has grown 4.1x per year", 24 March 2026."""
    assert pytest.approx(4.1) == published_growth()
    assert "4.1x per year (24 March 2026)" in HBM_SHIPPED.title
    assert HBM_SHIPPED.url in {row["url"] for row in sources.rows().values()}


def test_the_note_and_the_figure_say_the_same():
    (note,), (figure,) = shipped_notes(RELEASE, level=0.9), shipped_figures(RELEASE, level=0.9)
    assert note == (
        "The memory bandwidth of NVIDIA's chips in use grows 3.2× a year since 2023 (90 %: 3.0–3.4×), that of all four "
        "makers' 2.5× in the last one; Epoch AI's own figure for 2022 to 2025 is 4.1×: most new bandwidth comes from "
        "more chips, not faster ones."
    )
    assert figure.value == pytest.approx(3.20, rel=0.01)
    assert figure.interval_text == "90 %: 3.0–3.4×; published: 4.1×, 2022–2025"
    assert figure.low and figure.value and figure.high
    assert figure.low < figure.value < figure.high < published_growth()


def test_a_wider_level_contains_a_narrower_one():
    narrow, wide = (bandwidth_growth(RELEASE, level=level) for level in (0.8, 0.95))
    assert narrow and wide
    assert wide.growth.low < narrow.growth.low < narrow.growth.high < wide.growth.high


def test_data_without_those_chips_say_nothing():
    none = replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0])
    assert shipped_notes(none, level=0.9) == shipped_figures(none, level=0.9) == ()
