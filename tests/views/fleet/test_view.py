"""All chips: Epoch AI's published sum, what the window does, and every choice has its picture."""

import re
from dataclasses import replace
from typing import Any

import pytest

from data import standing
from data.releases import load
from tests.views.reading import rows
from views.chips.shipments import MAKER_ROLES
from views.fleet.answer import FleetAnswer
from views.fleet.outlook import frontier_exhibit, limits, outlook_exhibit, percent
from views.fleet.settings import FleetSettings
from views.fleet.view import build
from views.fleet.words import amount, headline

RELEASE = load("2026-07")


def test_all_chips_read_as_much_as_published():
    """Epoch AI, "HBM bandwidth shipped with AI chips": 70 million TB/s at the end of 2025."""
    result = build(FleetSettings(), RELEASE)
    figures = {figure.name: figure for figure in result.figures}
    assert figures["total"].value == pytest.approx(70e18, rel=0.02)
    assert figures["growth"].value == pytest.approx(3.20, rel=0.01)
    labels = [figure.label for figure in result.figures]
    assert labels[:3] == ["Total in use, Q4 2025", "Growth since 2023, NVIDIA", "FLOP per byte, all chips"]
    assert labels[3:] == ["Growth of FLOP per byte", "Growth in the last year, all vendors"]
    assert figures["growth_last_year"].value == pytest.approx(69.19 / 27.74, rel=0.001)
    assert figures["balance"].value == pytest.approx(270, rel=0.01)
    assert result.headline == "Chips in use offer 69 million TB/s, up 2.5-fold in a year"


def test_the_window_decides_and_the_published_rate_stands_beside():
    exhibit = build(FleetSettings(), RELEASE).exhibits[-1]
    spread = exhibit.table
    title, rates = exhibit.chart.title, {str(row[0]): float(str(row[1])) for row in spread.rows}
    assert "4.1× a year; a constant set of vendors gives 2.8× to 3.4×" in title
    assert rates["Published by Epoch AI, 2022–2025"] == 4.1
    assert rates["All vendors as they join"] == pytest.approx(3.55, rel=0.01), "vendors that join add to it"
    assert rates["Since 2024"] < rates["As chosen: since 2023"]
    assert rates["If all H100s from Q4 2024 were H200s"] == pytest.approx(3.276, abs=0.005)


def test_the_words_of_each_exhibit_are_its_numbers():
    result: Any = build(FleetSettings(), RELEASE)
    totals, chips, frontier, *_ = result.exhibits
    series = [mark.series for mark in totals.chart.marks[1:]]
    assert series == ["NVIDIA", "Google", "Amazon", "AMD", "All four vendors", "A year before"]
    name, _, _, share = chips.table.rows[0]
    assert chips.chart.title.startswith(f"The {name} makes up {100 * share:.0f}% of the memory bandwidth")
    shares = [row[3] for row in chips.table.rows]
    assert [bar.value / 100 for bar in chips.chart.bars] == pytest.approx(shares)
    assert result.changes[-1].startswith("Within one chip, 16-bit compute")
    in_table = {row["run"]: row["share_of_year"] or row["share_of_chips"] for row in rows(frontier)}
    drawn = {bar.label.partition(": ")[2] or bar.label: bar.value / 100 for bar in frontier.chart.bars}
    assert drawn == pytest.approx({name: in_table[name] for name in drawn})


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
    assert drift.low < 1.10 < drift.value < 1.114 < drift.high, "1.104 to 1.113 with a maker's off together"


def test_the_note_says_from_when_each_maker_is_counted():
    note = build(FleetSettings(), RELEASE).notes[-1]
    assert "NVIDIA chips shipped before 2022, Google chips shipped before 2023, and AMD" in note


def test_growth_needs_a_few_quarters_of_some_chip_and_data_without_chips_say_so():
    few = RELEASE.accelerators.loc[RELEASE.accelerators["name"] == "NVIDIA H800 SXM5"]
    result = build(FleetSettings(since=2024), replace(RELEASE, accelerators=few))
    assert result.headline == "This release describes too few of the chips that are counted"
    assert result.subtitle.startswith("growth needs three quarters or more; 2024 to 2024 has 0.")
    assert build(FleetSettings(), replace(RELEASE, accelerators=few)).figures[1].value
    none = replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0])
    result = build(FleetSettings(), none)
    assert result.headline == "This release describes none of the chips that are counted"
    assert result.exhibits[0].table.rows == ()


@pytest.mark.parametrize("vendor", MAKER_ROLES)
@pytest.mark.parametrize("count", ["in-use", "shipped"])
def test_one_vendors_chips_have_their_pictures_and_no_word_of_others(*, vendor, count):
    own = RELEASE.accelerators.loc[RELEASE.accelerators["vendor"] == vendor]
    result = build(FleetSettings(since=2024, count=count), replace(RELEASE, accelerators=own))
    if not result.figures:
        assert "too few" in result.headline
        return
    charts = [exhibit.chart for exhibit in result.exhibits]
    titles = [text for chart in charts for text in (chart.title, chart.subtitle)]
    for text in (result.headline, result.subtitle, *(f.label for f in result.figures), *titles):
        assert not re.search(r"four vendors|all vendors|All four|all (AI )?chips|All chips", text), text
    assert vendor in result.headline
    assert vendor in result.subtitle
    others = "|".join(set(MAKER_ROLES) - {vendor})
    assert not re.search(others, " ".join((result.headline, result.subtitle)))


def test_makers_add_up_to_all_and_kinds_too():
    answer = fleet_answer()
    series = answer.total.total
    assert sum(answer.by_kind.values()) == pytest.approx(series[0, -1])
    assert sum(answer.by_vendor.values()) == pytest.approx(series[0])
    assert list(answer.by_vendor) == list(MAKER_ROLES)


def fleet_answer(**settings):
    return FleetAnswer(settings=FleetSettings(**settings), release=RELEASE)


def runs(**settings) -> dict[str, Any]:
    return {run.name: run for run in fleet_answer(**settings).leading_runs}


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


def test_the_title_names_the_newest_largest_run_and_the_subtitle_how_sure_its_share_is():
    exhibit: Any = frontier_exhibit(fleet_answer(), source="")
    chart, grok = exhibit.chart, runs()["Grok 4"]
    assert chart.title.endswith("used 1.5% of all AI chips and 0.13% of what they can compute in a year")
    assert (percent(grok.of_chips.value), percent(grok.of_year.value)) == ("1.5%", "0.13%")
    assert chart.subtitle.endswith(
        "speculative, so its share of the year's compute may be anywhere from 0.0040% to 4.1%."
    )
    shares = [column.label for column in exhibit.table.columns][:5]
    assert shares[:2] == ["Run", "Of all chips"], "a phone shows two columns or three"


def by_name(**settings):
    answer = FleetAnswer(settings=FleetSettings(**settings), release=RELEASE)
    return {limit.name: limit for limit in limits(answer)}


def outlooks(**settings):
    return {name: limit.outlook for name, limit in by_name(**settings).items()}


def test_forecasts_of_hbm_and_power_allow_less_than_the_trend():
    trend, hbm, power = outlooks().values()
    assert hbm.flop_per_s.value < trend.flop_per_s.value / 5
    assert power.flop_per_s.value < trend.flop_per_s.value / 5
    for outlook in (trend, hbm, power):
        for estimate in (outlook.flop_per_s, outlook.yearly_growth):
            assert estimate.low < estimate.value < estimate.high


def test_the_trend_grows_as_shipments_do():
    """Shipments of a quarter grow 3.0x (bandwidth) to 3.3x (FLOP/s) a year since 2023, less since 2024."""
    trends = (outlooks(since=year)["Trend of shipments"] for year in (2022, 2023, 2024))
    early, usual, late = (trend.yearly_growth.value for trend in trends)
    assert usual == pytest.approx(2.7, abs=0.1)
    assert early > late


def test_the_forecasts_are_those_of_their_sources():
    rows = standing.rows("published", "row_id")
    assert [float(rows[name]["value"]) for name in ("p069", "p070", "p071", "p072")] == [1.3, 1.4, 3, 10]
    assert "HBM sales grow 1.30–1.40× a year" in by_name()["HBM supply"].assumed
    assert "power for AI is 3.0–10× that of 2025" in by_name()["Power"].assumed
    assert "FLOP/s per dollar of HBM grow 1.00–" in by_name()["HBM supply"].assumed


def test_the_tightest_limit_stands_out_and_the_chart_is_its_table_the_fastest_first():
    answer = FleetAnswer(settings=FleetSettings(), release=RELEASE)
    exhibit: Any = outlook_exhibit(answer, limits(answer), source="S")
    bars = exhibit.chart.bars
    runs = {row[0]: row[4] for row in exhibit.table.rows}
    assert {bar.label: bar.value for bar in bars} == runs
    assert [bar.value for bar in bars] == sorted(runs.values(), reverse=True)
    assert [bar.emphasised for bar in bars] == [False, False, True]
    assert all(part in exhibit.chart.title for part in (bars[0].text, bars[-1].text))


@pytest.mark.parametrize(
    ("value", "offers", "words"),
    [
        (69.2e18, "bandwidth", "69 million TB/s"),
        (8.5e17, "bandwidth", "850,000 TB/s"),
        (1.87e22, "fp16", "19 million PFLOP/s"),
        (1.5e18, "memory", "1.5 million TB"),
        (11.2e9, "power", "11 GW"),
        (2.3e6, "units", "2.3 million"),
    ],
)
def test_amounts_are_in_units_that_readers_know(*, value, offers, words):
    assert amount(value, offers) == words


def test_headlines_say_what_chips_do():
    answer = FleetAnswer(settings=FleetSettings(offers="units", count="shipped"), release=load("2026-07"))
    assert headline(answer).endswith(" million AI chips ship a quarter, up 1.02-fold in a year")
    answer.__dict__["last_year"] = None
    assert headline(answer).endswith("growing 1.84× a year")
