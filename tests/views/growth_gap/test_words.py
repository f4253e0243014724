"""The gap in words: what is clear, what is mostly arithmetic, what is left open."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from data import sources
from data.releases import load
from tests.views.growth_gap.answers import found_levels
from views.chips.shipments import bandwidth_growth, published_growth
from views.growth_gap import words
from views.growth_gap.figures import shipped_figures
from views.growth_gap.levels import Level, Unknown
from views.growth_gap.words import shipped_notes
from views.sources import HBM_SHIPPED

RELEASE = load("2026-07")


def level(name: str, low: float, *, growth: float, high: float) -> Level:
    gap: Any = Mock(yearly_growth=growth, low=low, high=high, level=0.9)
    return replace(found_levels()[name], gap=gap)


def test_a_gap_is_said_as_its_interval_allows():
    assert words.finding(level("run-chip", 3.2, growth=3.6, high=3.9)) == (
        "Run against chip, the gap widens 3.6× a year"
    )
    assert words.finding(level("run-run", 0.9, growth=1.1, high=1.3)) == (
        "Run against its chips: no clear change (1.10× a year)"
    )
    assert words.finding(level("chip-chip", 0.7, growth=0.8, high=0.9)) == (
        "Chip against chip, the gap narrows 20 % a year"
    )


@pytest.mark.parametrize(
    ("quoted", "like", "mostly"),
    [(3.6, 1.19, True), (3.6, 1.89, True), (3.6, 1.91, False), (1.5, 2.0, False), (3.6, 0.8, True)],
)
def test_a_gap_is_mostly_arithmetic_while_two_years_like_for_like_are_less_than_one_of_it(
    *, quoted, like, mostly
):
    gap = level("run-chip", 1.2, growth=quoted, high=5.0)
    fair = [level("chip-chip", 0.5, growth=like, high=3.0)]
    assert words.is_mostly_arithmetic(gap, fair) == mostly
    assert not words.is_mostly_arithmetic(level("run-chip", 0.9, growth=quoted, high=5.0), fair)
    assert not words.is_mostly_arithmetic(gap, [])


def test_rates_come_with_their_intervals_and_what_is_open_is_said_in_one_sentence():
    three = [*found_levels().values()]
    assert words.rates_words(three[:1]) == "3.6× run against chip (3.0–4.1×)"
    assert words.unsettled(three) == (
        "The data leave open whether the gap widens or narrows chip against chip.",
    )
    assert words.unsettled(three[:1]) == ()
    assert words.missing([]) == ()
    unknown = Unknown(name="run-run", title="Run against its chips", problem="p")
    assert words.missing([unknown]) == ("Too few rows for a trend: run against its chips.",)


def test_a_paragraph_about_a_level_names_its_rows_and_what_is_left_out():
    told = words.about(found_levels()["run-run"])
    assert told.startswith("Run against its chips: what a run computed in a second")
    assert "34 of 116 joined to their chips." in told
    assert "Not joined: 33 no chip named" in told


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
