"""What all chips could compute by 2030: forecasts are rows, limits bind, settings count."""

from dataclasses import replace
from typing import Any

import pytest

from data import standing
from data.releases import load
from views.fleet.answer import FleetAnswer
from views.fleet.outlook import limits, outlook_exhibit
from views.fleet.settings import FleetSettings

RELEASE = load("2026-07")


def by_name(**settings):
    answer = FleetAnswer(settings=FleetSettings(**settings), release=RELEASE)
    return {limit.name: limit for limit in limits(answer)}


def outlooks(**settings):
    return {name: limit.outlook for name, limit in by_name(**settings).items()}


def test_forecasts_of_hbm_and_power_allow_less_than_the_trend():
    trend, hbm, power = outlooks().values()
    assert hbm.run_flop.value < trend.run_flop.value / 5
    assert power.run_flop.value < trend.run_flop.value / 5
    for outlook in (trend, hbm, power):
        for estimate in (outlook.flop_per_s, outlook.yearly_growth, outlook.run_flop):
            assert estimate.low < estimate.value < estimate.high


def test_the_trend_grows_as_shipments_do():
    """Shipments of a quarter grow 3.0x (bandwidth) to 3.3x (FLOP/s) a year since 2023, less since 2024."""
    early, usual, late = (
        outlooks(since=year)["Trend of shipments"].yearly_growth.value for year in (2022, 2023, 2024)
    )
    assert usual == pytest.approx(2.7, abs=0.1)
    assert early > late


def test_the_forecasts_are_those_of_their_sources():
    rows = standing.rows("published", "row_id")
    assert [float(rows[name]["value"]) for name in ("p069", "p070", "p071", "p072")] == [1.3, 1.4, 3, 10]
    assert "HBM sales grow 1.30–1.40× a year" in by_name()["HBM supply"].assumed
    assert "power for AI is 3.0–10× that of 2025" in by_name()["Power"].assumed
    assert "FLOP/s for a dollar of HBM 1.00–" in by_name()["HBM supply"].assumed


def test_the_hbm_supply_of_2025_is_what_micron_says_it_was():
    """Micron: about $35 billion in 2025."""
    supply = standing.table("component_supply")
    year = supply.loc[supply["quarter"].str.startswith("2025"), "hbm_supply_usd"]
    assert float(year.sum()) == pytest.approx(35e9, rel=0.02)


def test_a_wider_level_contains_a_narrower_one():
    narrow, wide = (outlooks(level=level)["HBM supply"].run_flop for level in ("80", "95"))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_data_without_those_chips_have_no_outlook():
    none = replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0])
    assert limits(FleetAnswer(settings=FleetSettings(), release=none)) == ()


def test_the_tightest_limit_stands_out_and_the_chart_is_its_table_the_largest_run_first():
    answer = FleetAnswer(settings=FleetSettings(), release=RELEASE)
    exhibit: Any = outlook_exhibit(answer, limits(answer), source="S")
    *bars, known, published = exhibit.chart.bars
    runs = {row[0]: row[4] for row in exhibit.table.rows}
    assert {bar.label: bar.value for bar in bars} == runs
    assert [bar.value for bar in bars] == sorted(runs.values(), reverse=True)
    assert [bar.emphasised for bar in bars] == [False, False, True]
    assert all(part in exhibit.chart.title for part in (bars[0].text, bars[-1].text))
    assert (known.value, published.value) == (5e26, 2e29)
