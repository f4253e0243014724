from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from data.releases import latest, load, names
from views.accelerators import VIEW
from views.chips import rows as chip_rows
from views.chips.choice import MEMORY_KINDS, SEGMENTS, VENDORS, AcceleratorSettings
from views.chips.metrics import METRICS, PARTS
from views.settings import definitions
from views.view import answer

RELEASES = pytest.mark.parametrize("release", names())


def values(release, column):
    return set(load(release).accelerators[column])


@RELEASES
def test_every_vendor_memory_kind_and_market_of_the_settings_is_in_the_data(release):
    assert set(VENDORS.values()) <= values(release, "vendor")
    assert set(MEMORY_KINDS.values()) <= values(release, "memory_kind")
    assert set(SEGMENTS.values()) <= values(release, "segment")


def test_every_vendor_with_four_chips_or_more_can_be_chosen():
    counts = Counter(load(latest()).accelerators["vendor"])
    assert {vendor for vendor, count in counts.items() if count >= 4} == set(VENDORS.values())


def test_every_memory_kind_of_the_data_can_be_chosen():
    assert values(latest(), "memory_kind") - {""} == set(MEMORY_KINDS.values())


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("rule", ["all", "flagships", "frontier", "records"])
def test_every_quantity_under_every_rule_has_a_headline_that_reads_as_a_sentence(metric, rule):
    for vendor in ("all", "nvidia", "google"):
        settings = AcceleratorSettings(metric=metric, rule=rule, vendor=vendor, interval="classical")
        headline = answer(VIEW, settings).headline
        assert headline[0].isupper() or headline[0].isdigit()
        assert headline.count(" per chip") <= 1 and "per watt per" not in headline
        assert "a NVIDIA" not in headline and "a AMD" not in headline
        assert "× a year" in headline or headline.endswith("no trend can be fitted")


@pytest.mark.parametrize("metric", METRICS)
def test_every_quantity_is_positive_wherever_it_is_known(metric):
    chips = chip_rows.candidates(load(latest()), AcceleratorSettings(metric=metric))
    assert len(chips) >= 5
    assert np.all(chips["value"] > 0)


def test_throughput_is_in_a_sane_range_for_a_chip_everyone_knows():
    chips = load(latest()).accelerators
    h100 = chips.loc[chips["product"] == "H100 SXM"].iloc[:1]
    assert METRICS["fp16"].of(h100).iloc[0] == pytest.approx(989e12, rel=0.01)
    assert METRICS["memory-bandwidth"].of(h100).iloc[0] == pytest.approx(3.35e12, rel=0.01)
    assert METRICS["flop-per-watt"].of(h100).iloc[0] == pytest.approx(989e12 / 700, rel=0.01)


def test_announced_and_excluded_chips_and_listings_of_the_same_product_stay_out_of_a_fit():
    release = load(latest())
    chips = chip_rows.candidates(release, AcceleratorSettings())
    assert np.all(chips["status"] == "shipped")
    assert np.all(chips["excluded"] == "")
    assert not chips["product"].duplicated().any()
    assert np.all(chips["memory_kind"] != "SRAM")
    with_sram = chip_rows.candidates(release, AcceleratorSettings(memory="any"))
    assert np.any(with_sram["memory_kind"] == "SRAM")


def test_announced_chips_are_drawn_hollow_and_never_in_the_table():
    result = answer(VIEW, AcceleratorSettings())
    chart = result.exhibits[0].chart
    hollow = [mark for mark in getattr(chart, "marks", ()) if getattr(mark, "hollow", False)]
    assert hollow
    assert all("(announced)" in detail[0] for mark in hollow for detail in mark.details)
    assert "Hollow: announced, not fitted." in chart.subtitle
    fitted = {row[0] for row in result.table.rows}
    release = load(latest())
    assert not fitted & set(release.accelerators.loc[release.accelerators["status"] == "announced", "name"])


def test_as_exported_takes_every_listing_and_no_announcement():
    release = load(latest())
    settings = AcceleratorSettings(curation="as-exported")
    assert len(chip_rows.candidates(release, settings)) > len(
        chip_rows.candidates(release, AcceleratorSettings())
    )
    assert chip_rows.announced(release, settings).empty


@pytest.mark.parametrize("rule", ["all", "flagships"])
def test_each_filter_leaves_only_what_it_names(rule):
    release = load(latest())
    base = AcceleratorSettings(rule=rule)
    everything = chip_rows.candidates(release, base)
    for name, column, known in (
        ("vendor", "vendor", VENDORS),
        ("memory", "memory_kind", MEMORY_KINDS),
        ("kind", "segment", SEGMENTS),
    ):
        for slug, meaning in known.items():
            kept = chip_rows.candidates(release, replace(base, **{name: slug}))
            assert set(kept[column]) <= {meaning}
            if slug != "sram":
                assert len(kept) == (everything[column] == meaning).sum()


def test_the_ranking_names_slowest_and_fastest_among_parts_with_five_years_of_history():
    result = answer(VIEW, AcceleratorSettings(metric="fp4", interval="classical"))
    ranking = result.exhibits[1]
    rates = {str(row[0]): float(row[1] or 0) for row in ranking.table.rows}
    assert "FP4" not in ranking.chart.title
    parts = [label for label in rates if label in PARTS and label != "FP4 throughput"]
    slowest = min(parts, key=rates.__getitem__)
    fastest = max(parts, key=rates.__getitem__)
    assert f"Slowest part of a chip: {PARTS[slowest]} (" in ranking.chart.title
    assert f"fastest: {PARTS[fastest]} (" in ranking.chart.title


def test_the_ranking_says_which_quantities_it_cannot_rank():
    result = answer(VIEW, AcceleratorSettings())
    ranked = {row[0] for row in result.exhibits[1].table.rows}
    assert "Too few points or years for " in result.exhibits[1].chart.subtitle
    assert "FP4 throughput" in result.exhibits[1].chart.subtitle
    assert "FP4 throughput" not in ranked


def test_every_choice_of_quantity_has_a_unit_and_a_meaning():
    options = definitions(AcceleratorSettings)["metric"]
    for name, metric in METRICS.items():
        assert metric.unit and metric.noun and metric.meaning in getattr(options, "options", {})[name]
