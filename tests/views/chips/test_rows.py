"""The rate of a quantity of chips under every sensible rule."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.rent_rates import AS_LAST_YEAR, NEXT_GENERATION, STEADY
from data.releases import latest, load, names
from views.chips import rents
from views.chips import rows as chip_rows
from views.chips.choice import MEMORY_KINDS, SEGMENTS, VENDORS, AcceleratorSettings
from views.chips.linked import CHIPS, DDR5_SERVER, latencies, linked_chip, today, unseen
from views.chips.metrics import METRICS, fp16_engine
from views.chips.shipments import bandwidth_growth, shipment_estimates
from views.wording import beyond_words

RELEASES = pytest.mark.parametrize("release", names())
RELEASE = load(latest())
H100 = "NVIDIA H100 SXM5 80GB"
MEASURED = ((128.0, 32_768.0), (100.0, 32_768.0))
JULY = load("2026-07")


def test_a_fit_takes_shipped_products_once_and_as_exported_every_listing_of_them():
    release = load(latest())
    chips = chip_rows.candidates(release, AcceleratorSettings())
    assert set(chips["status"]) == {"shipped"} and set(chips["excluded"]) == {""}
    assert "SRAM" not in set(chips["memory_kind"])
    assert not chips["product"].duplicated().any()
    with_sram = chip_rows.candidates(release, AcceleratorSettings(memory="any"))
    assert np.any(with_sram["memory_kind"] == "SRAM")
    settings = AcceleratorSettings(curation="as-exported")
    usual, listed = (chip_rows.candidates(release, each) for each in (AcceleratorSettings(), settings))
    assert len(listed) > len(usual)
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


@RELEASES
def test_every_vendor_memory_kind_and_market_of_the_settings_is_in_the_data(release):
    chips = load(release).accelerators
    for known, column in ((VENDORS, "vendor"), (MEMORY_KINDS, "memory_kind"), (SEGMENTS, "segment")):
        assert set(known.values()) <= set(chips[column])


def test_throughput_is_that_of_a_known_chip_and_every_16_bit_peak_has_its_kind_of_units():
    chips = load(latest()).accelerators
    h100 = chips.loc[chips["product"] == "H100 SXM"].iloc[:1]
    assert METRICS["fp16"].of(h100).iloc[0] == pytest.approx(989e12, rel=0.01)
    assert METRICS["memory-bandwidth"].of(h100).iloc[0] == pytest.approx(3.35e12, rel=0.01)
    assert METRICS["flop-per-watt"].of(h100).iloc[0] == pytest.approx(989e12 / 700, rel=0.01)
    any_units, matrix = METRICS["fp16"].of(chips), METRICS["fp16-matrix"].of(chips)
    engine = fp16_engine(chips)
    assert set(engine[any_units.notna()]) == {"matrix", "vector"}
    assert set(engine.loc[matrix.dropna().index]) == {"matrix"}
    both = matrix.dropna()
    np.testing.assert_allclose(any_units.loc[both.index], both)
    by_name = dict(zip(chips["name"], engine, strict=True))
    assert by_name["NVIDIA Tesla P100 SXM2"] == by_name["AMD Radeon Instinct MI60"] == "vector"
    assert by_name["NVIDIA Titan V"] == by_name["NVIDIA A100 SXM4 40 GB"] == "matrix"


@RELEASES
@pytest.mark.parametrize("scenario", rents.RENTS)
def test_every_scenario_has_a_rate_with_its_interval(release, scenario):
    result = rents.rate(release, scenario)
    assert result.low <= result.value <= result.high
    assert (result.n > 40 and result.providers >= 10) == (scenario != STEADY)


def test_a_newer_accelerator_costs_more_and_an_ageing_one_slides_down_the_list():
    newer, falls = rents.newer(latest()), rents.rate(latest(), NEXT_GENERATION)
    assert newer.low > 1.1
    assert falls.value == pytest.approx(1 / newer.value)


def test_rates_in_words():
    assert rents.rate_words(rents.rate(latest(), STEADY)) == "they are assumed not to change"
    words = rents.rate_words(rents.rate(latest(), AS_LAST_YEAR))
    assert words.startswith("1.80× a year (1.26–2.5×; ")
    assert "42 prices of 5 accelerators at 10 providers" in words
    assert words.endswith("providers, May 2026 to Oct 2026)")
    assert rents.scenario_label(STEADY) == "Steady"


def test_the_rent_of_an_h100_is_the_median_of_many_providers():
    result = rents.rent(latest(), H100)
    assert result is not None and result.providers >= 15
    assert result.low < result.middle < result.high
    assert rents.rent(latest(), "no such accelerator") is None


def test_wafers_are_meshes_groq_chips_are_linked_in_pairs_and_the_server_has_twelve_channels():
    wafer, groq, gpu = (linked_chip(word, RELEASE) for word in ("wse-3", "groq-lpu", "h100"))
    assert wafer is not None and wafer.mesh is not None and groq is not None and gpu is not None
    assert (wafer.mesh.cores, wafer.mesh.reductions_per_layer) == (900_000, 8)
    assert wafer.mesh.hop_s == pytest.approx(1 / 1.1e9, rel=1e-4)
    assert (groq.direct_links, groq.domain_size, groq.link_latency_s) == (True, 8, 0.72e-6)
    assert groq.network_latency_s == pytest.approx(3 * 0.72e-6)
    assert groq.link_bandwidth_byte_per_s == pytest.approx(512e9 / 2)
    assert gpu.mesh is None and not gpu.direct_links
    server = linked_chip(DDR5_SERVER, RELEASE)
    assert server is not None
    assert server.memory_bandwidth_byte_per_s == pytest.approx(12 * 8 * 6.4e9)
    assert CHIPS[DDR5_SERVER] == "a server socket with twelve channels of DDR5-6400"


@pytest.mark.parametrize("word", CHIPS)
def test_every_chip_of_a_link_is_known_with_memory_links_and_todays_latencies_not_below_the_least(word):
    met, chip = today(word), linked_chip(word, RELEASE)
    assert chip is not None and (met is None) is (word == DDR5_SERVER)
    assert chip.memory_bandwidth_byte_per_s > 0 and chip.memory_capacity_byte > 0
    assert chip.link_bandwidth_byte_per_s > 0 and chip.domain_size >= 1
    if met is not None and met.link_hop_s is not None:
        assert met.link_hop_s >= chip.link_latency_s
    if met is not None and met.core_hop_s is not None:
        assert chip.mesh is not None and met.core_hop_s >= chip.mesh.hop_s


def test_what_was_not_seen_in_its_source_is_known():
    assert unseen("groq-lpu") == ("link_latency_s",) and unseen("h100") == () and "launch_s" in unseen("b200")
    assert latencies("h100", line="today")["launch_s"] == 1.3e-6 and latencies("h100", line="floor") == {}


def test_what_lies_beyond_is_told():
    def told(prompt, answer):
        return "".join(beyond_words(MEASURED, prompt=prompt, answer=answer, of="price"))

    beyond = "; this price is extrapolated beyond that."
    assert told(128, 100) == told(32_768, 32_768) == ""
    assert told(127, 100) == f"Prompts were measured from 128 to 32,768 tokens{beyond}"
    assert told(128, 99) == f"Answers were measured from 100 to 32,768 tokens{beyond}"
    both = "Prompts were measured from 128 to 32,768 tokens, answers from 100 to 32,768"
    assert told(1_000_000, 1) == f"{both}{beyond}"


def test_chips_whose_data_sheet_does_not_say_it_are_left_out_and_named():
    assert shipment_estimates(JULY, "power").without == ("Trainium1",)
    assert shipment_estimates(JULY, "units").without == shipment_estimates(JULY, "bandwidth").without == ()


def test_where_a_chip_has_no_fp8_its_sixteen_bits_count():
    def a100(offers):
        result = shipment_estimates(JULY, offers)
        return float(result.shipments.offered[result.shipments.kind.index("A100")])

    assert a100("fp8") == a100("fp16") == pytest.approx(312e12, rel=0.01)


def test_bandwidth_grows_as_by_hand_and_not_at_all_without_parts():
    """By hand from units and paper bandwidths: NVIDIA's 3.197x a year, 2023 to 2025; all in the last year 2.4947x."""
    result = bandwidth_growth(JULY, level=0.9)
    assert result and result.vendors == ("NVIDIA",)
    assert result.growth.value == pytest.approx(3.197, rel=0.003)
    assert result.last_year and result.last_year.value == pytest.approx(2.4947, rel=1e-4)
    assert bandwidth_growth(replace(JULY, accelerators=JULY.accelerators.iloc[:0]), level=0.9) is None
