"""How much of all chips one leading run used: by hand, by choice, and where parts are missing."""

from dataclasses import replace
from typing import Any

import pytest

from data.releases import load
from views.fleet.answer import FleetAnswer
from views.fleet.frontier import frontier_exhibit, percent
from views.fleet.settings import FleetSettings

RELEASE = load("2026-07")


def answer(**settings):
    return FleetAnswer(settings=FleetSettings(**settings), release=RELEASE)


def runs(**settings) -> dict[str, Any]:
    return {run.name: run for run in answer(**settings).leading_runs}


def test_llama_is_where_it_is_by_hand():
    """16,384 of the 5.7 million chips counted in use in mid 2024 (6.2 at the end of June, 4.5 of March)."""
    llama = runs()["Llama 3.1-405B"]
    assert llama.of_chips.value == pytest.approx(16384 / 5.7e6, rel=0.03)
    assert llama.of_flop_per_s.value > llama.of_chips.value, "an H100 computes more than the mean chip"
    assert llama.year == 2024
    """3.8e25 of the 1.1e29 FLOP that a year of all chips came to: 3.6e21 FLOP/s on average."""
    assert llama.of_year.value == pytest.approx(3.8e25 / 1.13e29, rel=0.03)


def test_the_value_lies_within_its_interval_and_a_wider_level_is_wider():
    for name, run in runs().items():
        for share in (run.of_chips, run.of_flop_per_s, run.of_year):
            assert share is None or share.low < share.value < share.high, name
    narrow, wide = (runs(level=level)["GPT-4 (Mar 2023)"].of_chips for level in ("80", "95"))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_runs_that_are_not_known_well_or_not_their_own():
    grok = runs()["Grok 4"]
    assert grok.of_chips and grok.of_flop_per_s is None and grok.year == 2025, "its kind of chip is unknown"
    assert runs(retire="3")["Grok 4"].of_chips.value > grok.of_chips.value
    assert not {"Minerva (540B)", "GPT-4 (Jun 2023)"} & set(runs()), "built on another run"
    assert answer().largest_known == ("Grok 4", 5e26)


def test_data_without_those_chips_have_no_shares():
    none = replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0])
    assert FleetAnswer(settings=FleetSettings(), release=none).leading_runs == ()


def test_the_title_names_the_newest_largest_run_and_the_subtitle_how_sure_its_share_is():
    exhibit: Any = frontier_exhibit(answer(), source="")
    chart, grok = exhibit.chart, runs()["Grok 4"]
    assert (
        chart.title
        == "The largest run of 2025, Grok 4, took 1.5 % of all AI chips, 0.13 % of a year's compute"
    )
    assert (percent(grok.of_chips.value), percent(grok.of_year.value)) == ("1.5 %", "0.13 %")
    assert chart.subtitle.endswith("The compute of Grok 4 is graded speculative: 0.0040–4.1 % of the year's.")
    shares = [column.label for column in exhibit.table.columns][:5]
    assert shares[:2] == ["Run", "Of all chips"], "a phone shows two columns or three"
