"""All chips: Epoch AI's published sum, what the window does, and every choice has its picture."""

import time
import timeit
from dataclasses import replace
from typing import Any

import pytest

from data.releases import load
from views.fleet.settings import OFFERS, FleetSettings
from views.fleet.view import build

RELEASE = load("2026-07")


def test_all_chips_read_as_much_as_published():
    """Epoch AI, "HBM bandwidth shipped with AI chips": 70 million TB/s at the end of 2025."""
    found = build(FleetSettings(), RELEASE)
    figures = {figure.name: figure for figure in found.figures}
    assert figures["total"].value == pytest.approx(70e18, rel=0.02)
    assert figures["growth"].value == pytest.approx(3.20, rel=0.01)
    assert [figure.label for figure in found.figures] == [
        "In use, Q4 2025",
        "Growth since 2023, NVIDIA",
        "FLOP per byte, all chips",
        "Growth of FLOP per byte",
        "Over a year earlier, all makers",
    ]
    assert figures["growth_last_year"].value == pytest.approx(69.19 / 27.74, rel=0.001)
    assert figures["balance"].value == pytest.approx(270, rel=0.01)
    assert found.headline == "AI chips in use read 69 million TB/s, 2.5× the year before"


def test_the_window_decides_and_the_published_rate_stands_beside():
    exhibit = build(FleetSettings(), RELEASE).exhibits[-1]
    spread = exhibit.table
    assert (
        exhibit.chart.title
        == "Published as 4.1× a year; like for like 3.4× since 2022, 3.2× since 2023 and 2.8× since 2024"
    )
    rates = {str(row[0]): float(str(row[1])) for row in spread.rows}
    assert rates["Published by Epoch AI, 2022–2025"] == 4.1
    assert rates["All makers as they join"] == pytest.approx(3.55, rel=0.01), "makers that join add to growth"
    assert rates["Since 2024"] < rates["As chosen: since 2023"]
    assert rates["If all H100 since Q4 2024 were H200"] == pytest.approx(3.276, abs=0.005)


@pytest.mark.parametrize("offers", OFFERS)
def test_every_choice_has_its_pictures(offers):
    for count, retire, since in (("in-use", "3", 2022), ("shipped", "never", 2024)):
        found = build(FleetSettings(offers=offers, count=count, retire=retire, since=since), RELEASE)
        assert len(found.exhibits) == 6


def test_the_words_of_each_exhibit_are_its_numbers():
    result: Any = build(FleetSettings(), RELEASE)
    totals, balance, chips, frontier, *_ = result.exhibits
    assert [mark.series for mark in totals.chart.marks[1:]] == [
        "NVIDIA",
        "Google",
        "Amazon",
        "AMD",
        "All four makers",
    ]
    name, _, _, share = chips.table.rows[0]
    assert chips.chart.title.startswith(f"The {name} makes up {100 * share:.0f} % of the total")
    assert [bar.value / 100 for bar in chips.chart.bars] == pytest.approx(
        [row[3] for row in chips.table.rows]
    )
    drift = next(figure for figure in result.figures if figure.name == "balance_growth")
    assert drift.text.removesuffix(" a year") in balance.chart.title
    assert "compute outgrows bandwidth by no more than that" in result.notes[0]
    names = [column.name for column in frontier.table.columns]
    of_chips, of_year = names.index("share_of_chips"), names.index("share_of_year")
    in_table = {row[0]: row[of_chips] for row in frontier.table.rows} | {
        row[0]: row[of_year] for row in frontier.table.rows if row[of_year]
    }
    drawn = {bar.label.partition(": ")[2] or bar.label: bar.value / 100 for bar in frontier.chart.bars}
    assert drawn == pytest.approx({name: in_table[name] for name in drawn})


def test_a_view_with_all_its_exhibits_is_made_in_a_moment():
    list(build(FleetSettings(offers="memory"), RELEASE).exhibits)

    def make():
        list(build(FleetSettings(level="80"), RELEASE).exhibits)

    assert min(timeit.repeat(make, timer=time.thread_time, number=1, repeat=3)) < 0.3


def test_growth_is_of_makers_counted_before_the_window_or_through_it():
    def whose(**settings):
        figure = build(FleetSettings(**settings), RELEASE).figures[1]
        return figure.label.partition(", ")[2]

    assert whose(since=2022) == whose(since=2023) == "NVIDIA"
    assert whose(since=2024) == "NVIDIA and Google"
    assert whose(since=2023, count="shipped") == "NVIDIA and Google"
    assert whose(since=2024, count="shipped") == "NVIDIA, AMD, Google and Amazon"


def test_the_interval_holds_chips_that_are_off_by_themselves():
    """All chips of a maker off together cancel in growth: 3.13 to 3.27; each by itself they do not."""
    growth = build(FleetSettings(), RELEASE).figures[1]
    assert growth.low and growth.high
    assert growth.low < 3.0 < 3.4 < growth.high
    drift = next(one for one in build(FleetSettings(), RELEASE).figures if one.name == "balance_growth")
    assert drift.low and drift.value and drift.high
    assert drift.low < 1.10 < drift.value < 1.114 < drift.high, (
        "1.104 to 1.113 with chips of a maker off together"
    )


def test_the_note_says_from_when_each_maker_is_counted():
    note = build(FleetSettings(), RELEASE).notes[-1]
    assert note == (
        "Not counted: other makers, and NVIDIA's before 2022, Google's before 2023 and AMD's and Amazon's before 2024; "
        "the H200 is counted as H100."
    )


def test_an_older_release_has_what_its_parts_state():
    assert build(FleetSettings(release="2025-11"), load("2025-11")).figures[0].value


def test_data_without_those_chips_say_so():
    none = replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0])
    found = build(FleetSettings(), none)
    assert found.headline == "These data have none of the chips whose numbers are known"
    assert found.exhibits[0].table.rows == ()


def test_growth_needs_a_few_quarters_of_some_chip():
    few = RELEASE.accelerators.loc[RELEASE.accelerators["name"] == "NVIDIA H800 SXM5"]
    found = build(FleetSettings(since=2024), replace(RELEASE, accelerators=few))
    assert found.headline == "These data have too few of the chips whose numbers are known"
    assert found.subtitle.startswith("growth needs three quarters or more; 2024 to 2024 has 0.")
    assert build(FleetSettings(), replace(RELEASE, accelerators=few)).figures[1].value
