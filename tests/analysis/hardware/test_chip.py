import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hardware.chip import LINK_LATENCY_S, Chip, CoreMesh, link_of
from tests.analysis.refusals import refusals

WAFER = CoreMesh(cores=900_000, hop_s=1 / 1.1e9, reductions_per_layer=8)


def test_a_layer_waits_for_as_many_hops_as_its_cores_are_wide_and_high():
    """40,000 cores are 200 by 200: 2 (200 + 200)/2 hops, eight times."""
    assert float(WAFER.layer_wait_s(40_000 / 900_000)) == pytest.approx(8 * 400 / 1.1e9)


@given(reading=st.floats(1e-9, 1e-2), layers=st.integers(1, 200), least=st.floats(1e-6, 1.0))
def test_no_other_share_of_the_cores_is_faster(*, reading, layers, least):
    def taken(share):
        return max(reading / share, layers * float(WAFER.layer_wait_s(share)))

    best = float(WAFER.best_share(reading, layers=layers, least=least))
    assert least <= best <= 1
    for other in (least, (least + best) / 2, (1 + best) / 2, 1.0):
        assert taken(best) <= taken(other) * (1 + 1e-9)


def test_hops_that_take_no_time_spread_a_layer_over_all_cores_and_every_latency_is_scaled_alike():
    assert float(WAFER.slowed(0).best_share(1e-6, layers=80, least=0.01)) == 1
    slow = replace(CHIP, mesh=WAFER).with_latencies(3.0)
    assert slow.mesh == replace(WAFER, hop_s=3 * WAFER.hop_s)
    for name in ("link_latency_s", "network_latency_s", "step_latency_s"):
        assert getattr(slow, name) == 3 * getattr(CHIP, name)


NAMES = {"product": "H100 SXM", "name": "NVIDIA H100 SXM5 80GB"}
MEMORY: Any = {"memory_bandwidth_byte_per_s": 3.35e12, "memory_capacity_byte": 80e9}
ROW = {**NAMES, "peak_fp16_dense_flop_per_s": 989e12, **MEMORY}
LINKS: Any = {"link_bandwidth_byte_per_s": 450e9, "network_bandwidth_byte_per_s": 50e9}
CHIP = Chip(peak_fp16_flop_per_s=989e12, peak_fp8_flop_per_s=1979e12, **MEMORY, **LINKS)


def chip_of(row, *, links=None, year=2023.0, needed=None):
    return Chip.from_row(row, links=links or {}, released_year=year, needed=needed)


def test_chips_of_the_same_numbers_are_one_key_of_a_cache_also_where_a_peak_is_unknown():
    again = replace(CHIP)
    assert again is not CHIP and math.isnan(CHIP.peak_tf32_flop_per_s)
    assert {CHIP: "kept"}[again] == "kept"
    assert replace(CHIP, power_w=700.0) != CHIP


def test_what_a_row_leaves_open_is_assumed_and_said():
    chip = chip_of({**ROW, "product": "Abacus 1"}, year=2021.0)
    link = "chip link 300 GB/s per direction"
    assert chip.assumed == (link, "network 200 Gbit/s per accelerator", "power 500 W")
    assert [chip.domain_size, chip.torus, chip.link_latency_s] == [8, 0, LINK_LATENCY_S]


def test_the_table_of_links_counts_where_the_row_is_silent_by_product_or_its_first_word():
    links = {
        "H800": {"chip_link_bandwidth_byte_per_s": 200e9, "assumed": False, "domain_size": math.nan},
        "TPU v4": {"chip_link_bandwidth_byte_per_s": 270e9, "assumed": True, "domain_size": 4096.0},
    }
    chip = chip_of({**ROW, "product": "H800 SXM"}, links=links)
    assert [chip.link_bandwidth_byte_per_s, chip.domain_size] == [200e9, 8]
    assert not any("link" in words for words in chip.assumed)
    torus = chip_of({**ROW, "product": "TPU v4"}, links=links)
    assert torus.domain_size == 4096
    assert torus.assumed[0] == "chip link 270 GB/s per direction"
    stated = {**ROW, "product": "TPU v4", "chip_link_bandwidth_byte_per_s": 300e9}
    assert chip_of(stated, links=links).link_bandwidth_byte_per_s == 300e9
    assert link_of({**ROW, "product": "Abacus 1"}, links) is None


def test_numbers_are_computed_in_their_own_format_or_at_16_bits():
    wide = CHIP.with_peak("tf32", 494e12)
    assert [wide.usable_peak(byte) for byte in (4.0, 2.0, 1.0, 0.5)] == [494e12, 989e12, 1979e12, 989e12]
    assert CHIP.usable_peak(4.0) == 989e12
    silent = replace(CHIP, peak_fp16_flop_per_s=math.nan, peak_fp8_flop_per_s=math.nan)
    assert silent.usable_peak(2.0) == math.inf


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "cores is a count of at least 1; got 0": lambda: CoreMesh(cores=0, hop_s=1e-9, reductions_per_layer=8),
        "reductions_per_layer is a count": lambda: CoreMesh(cores=1, hop_s=1e-9, reductions_per_layer=0),
        "hop_s is a time in seconds, 0 or more; got -1": lambda: CoreMesh(cores=1, hop_s=-1.0, reductions_per_layer=8),
        "got nan": lambda: CoreMesh(cores=1, hop_s=float("nan"), reductions_per_layer=8),
        "H100 SXM has no memory capacity in this release; choose another accelerator.":
            lambda: chip_of({**ROW, "memory_capacity_byte": None}),
        "H100 SXM has no FP8 rate in this release; choose another accelerator or 16-bit matmuls.":
            lambda: chip_of(ROW, needed="fp8"),
        "memory_bandwidth_byte_per_s is a positive number; got 0. Take it from the datasheet.":
            lambda: replace(CHIP, memory_bandwidth_byte_per_s=0),
        "is a positive number; got inf.": lambda: replace(CHIP, link_bandwidth_byte_per_s=math.inf),
        "peak_fp16_flop_per_s is a positive number, or NaN where nobody": lambda: CHIP.with_peak("fp16", 0),
        "torus is 0 or more; got -1.": lambda: replace(CHIP, torus=-1),
        "a precision is one of fp8, fp16, tf32, fp32; got 'int4'.": lambda: CHIP.stated_peak("int4"),
    }
)  # fmt: skip
