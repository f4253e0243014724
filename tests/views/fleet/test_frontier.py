"""How much of all chips one leading run used: by hand, by choice, and where parts are missing."""

from dataclasses import replace

import pytest

from data.releases import load
from views.fleet.frontier import frontier_exhibit, largest_known, leading_runs, percent
from views.fleet.settings import FleetSettings

RELEASE = load("2026-07")


def runs(**settings):
    return {run.name: run for run in leading_runs(RELEASE, settings=FleetSettings(**settings))}


def test_llama_is_where_it_is_by_hand():
    """16,384 of the 5.7 million chips counted in use in mid 2024 (6.2 at the end of June, 4.5 of March)."""
    llama = runs()["Llama 3.1-405B"]
    assert llama.of_chips and llama.of_flop_per_s and llama.of_year
    assert llama.of_chips[0] == pytest.approx(16384 / 5.7e6, rel=0.03)
    assert llama.of_flop_per_s[0] > llama.of_chips[0], "an H100 computes more than the mean chip"
    assert llama.year == 2024
    """3.8e25 of the 1.1e29 FLOP that a year of all chips came to: 3.6e21 FLOP/s on average."""
    assert llama.of_year[0] == pytest.approx(3.8e25 / 1.13e29, rel=0.03)


def test_the_value_lies_within_its_interval_and_a_wider_level_is_wider():
    for name, run in runs().items():
        for share in (run.of_chips, run.of_flop_per_s, run.of_year):
            assert share is None or share[1] < share[0] < share[2], name
    narrow, wide = (runs(level=level)["GPT-4 (Mar 2023)"].of_chips for level in ("80", "95"))
    assert narrow and wide and wide[1] < narrow[1] < narrow[2] < wide[2]


def test_a_kind_of_chip_that_is_not_known_leaves_the_share_of_flop_per_s_open():
    grok = runs()["Grok 4"]
    assert grok.of_chips and grok.of_flop_per_s is None and grok.year == 2025


def test_runs_built_on_another_are_left_out():
    assert not {"Minerva (540B)", "GPT-4 (Jun 2023)"} & set(runs())


def test_retired_chips_make_the_share_larger():
    kept, fewer = (runs(retire=retire)["Grok 4"].of_chips for retire in ("never", "3"))
    assert kept and fewer and fewer[0] > kept[0]


def test_the_largest_run_known_is_of_2025():
    assert largest_known(RELEASE) == ("Grok 4", 5e26)


def test_data_without_those_chips_have_no_shares():
    none = replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0])
    assert leading_runs(none, settings=FleetSettings()) == ()


def test_the_title_names_the_newest_largest_run_and_the_subtitle_how_sure_its_share_is():
    exhibit = frontier_exhibit(leading_runs(RELEASE, settings=FleetSettings()), FleetSettings(), source="")
    assert exhibit
    chart, grok = exhibit.chart, runs()["Grok 4"]
    assert (
        chart.title
        == "The largest run of 2025, Grok 4, took 1.5 % of all AI chips, 0.13 % of a year's compute"
    )
    assert grok.of_chips and grok.of_year
    assert (percent(grok.of_chips[0]), percent(grok.of_year[0])) == ("1.5 %", "0.13 %")
    assert chart.subtitle.endswith("The compute of Grok 4 is graded speculative: 0.0040–4.1 % of the year's.")
    shares = [column.label for column in exhibit.table.columns][:5]
    assert shares[:2] == ["Run", "Of all chips"], "a phone shows two columns or three"
