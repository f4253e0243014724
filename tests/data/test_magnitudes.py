"""Sanity of the released numbers across columns: what a dropped factor of a million would break."""

import numpy as np
import pandas as pd
import pytest

from data import curation_tables, releases
from data.releases import load

RELEASES = releases.names()
GB = 1e9
HIGHEST_BYTE_PER_S = {
    "DDR3": 100,
    "DDR4": 400,
    "GDDR3": 200,
    "GDDR5": 500,
    "GDDR5X": 600,
    "GDDR6": 1000,
    "GDDR6X": 1050,
    "GDDR7": 2000,
    "LPDDR4X": 150,
    "LPDDR5": 700,
    "LPDDR5X": 1000,
    "HBM2": 1600,
    "HBM2e": 3700,
    "HBM3": 5400,
    "HBM3e": 8100,
    "HBM4": 24000,
}


@pytest.fixture(params=RELEASES)
def parts(request: pytest.FixtureRequest) -> pd.DataFrame:
    frame = load(request.param).accelerators
    return frame.loc[frame["representative"] & (frame["excluded"] == "")]


@pytest.fixture(params=RELEASES)
def runs(request: pytest.FixtureRequest) -> pd.DataFrame:
    return load(request.param).training_runs


def outside(frame: pd.DataFrame, *, over: str, under: str = "", low: float, high: float) -> dict[str, float]:
    """Return by name the rows whose value, or ratio of two columns, is known and beyond the bounds."""
    ratio = frame[over].to_numpy(float) / (frame[under].to_numpy(float) if under else 1)
    beyond = (ratio < low) | (ratio > high)
    return dict(zip(frame["name"].to_numpy()[beyond], ratio[beyond], strict=True))


def test_bandwidth_stays_below_what_its_memory_can_do(parts):
    ceiling = [HIGHEST_BYTE_PER_S.get(kind, np.nan) * GB for kind in parts["memory_generation"]]
    checked = parts.assign(ceiling=ceiling)
    assert outside(checked, over="memory_bandwidth_byte_per_s", under="ceiling", low=0.05, high=1.0) == {}


def test_every_bandwidth_has_a_memory_kind(parts):
    bare = parts["memory_bandwidth_byte_per_s"].notna() & (parts["memory_kind"] == "")
    assert set(parts.loc[bare, "name"]) <= {"MT-3000"}  # no source says what its 1.4 TB/s belongs to


def test_memory_is_read_through_in_ten_to_eighty_milliseconds(parts):
    old = ["GeForce GTX 280", "GeForce GTX 580", "TPU v1", "MLU270", "SW26010-Pro", "DGX Spark (GB10)"]
    checked = parts.loc[(parts["memory_kind"] != "SRAM") & ~parts["product"].isin(old)]
    capacity, bandwidth = "memory_capacity_byte", "memory_bandwidth_byte_per_s"
    assert outside(checked, over=capacity, under=bandwidth, low=0.010, high=0.095) == {}


def test_throughput_per_bandwidth_is_that_of_a_chip(parts):
    dram = parts.loc[parts["memory_kind"] != "SRAM"]
    bandwidth = "memory_bandwidth_byte_per_s"
    assert outside(dram, over="peak_fp32_dense_flop_per_s", under=bandwidth, low=3, high=160) == {}
    assert outside(dram, over="peak_fp16_dense_flop_per_s", under=bandwidth, low=30, high=640) == {}


def test_lower_precision_is_faster_by_a_plausible_factor(parts):
    pairs = {
        ("peak_fp8_dense_flop_per_s", "peak_fp16_dense_flop_per_s"): (1, 4.4),
        ("peak_fp4_dense_flop_per_s", "peak_fp8_dense_flop_per_s"): (1, 3.2),
        ("peak_fp16_dense_flop_per_s", "peak_tf32_dense_flop_per_s"): (1, 4),
        ("peak_fp32_dense_flop_per_s", "peak_fp64_dense_flop_per_s"): (1, 80),
    }
    consumer = parts["segment"] == "consumer"
    for (fast, slow), (low, high) in pairs.items():
        assert outside(parts.loc[~consumer], over=fast, under=slow, low=low * 0.999, high=high * 1.001) == {}
        # GeForce cards halve FP8 where sums are kept in 32 bits, and not FP4
        most = 4 if "fp4" in fast else high
        assert outside(parts.loc[consumer], over=fast, under=slow, low=low * 0.999, high=most * 1.001) == {}


def test_power_die_and_price_are_those_of_a_chip(parts):
    assert outside(parts, over="power_w", low=5, high=1500) == {}
    assert outside(parts, over="price_usd", low=100, high=50_000) == {}
    assert outside(parts, over="transistors", under="die_area_mm2", low=1.5e6, high=4e8) == {}


@pytest.mark.parametrize("name", RELEASES)
def test_one_row_stands_for_each_product(name):
    frame = load(name).accelerators
    chosen = frame.loc[frame["representative"], "product"].tolist()
    assert sorted(chosen) == sorted(set(frame["product"]))


@pytest.mark.parametrize("name", RELEASES)
def test_a_vendor_has_one_flagship_a_generation_and_it_stands_for_its_product(name):
    frame = load(name).accelerators
    flagships = frame.loc[frame["flagship"]]
    assert not flagships.duplicated(["vendor", "generation"]).any()
    assert flagships["representative"].all()
    assert (flagships["segment"] == "data-centre").all()
    assert not (flagships["memory_kind"] == "SRAM").any()


def test_the_flagships_of_nvidia_are_these():
    frame = load("2026-07").accelerators
    mine = frame.loc[frame["flagship"] & (frame["vendor"] == "NVIDIA") & (frame["status"] == "shipped")]
    expected = [
        "K20X",
        "K40",
        "M40",
        "P100",
        "V100",
        "A100 40 GB",
        "H100 SXM",
        "B200",
        "H200",
        "B300",
    ]
    assert mine["product"].tolist() == expected


def test_listings_of_one_product_agree_on_bandwidth():
    frame = load("2026-07").accelerators
    usable = frame.loc[frame["excluded"] == ""]
    spread = usable.groupby("product")["memory_bandwidth_byte_per_s"].agg(lambda v: v.max() / v.min())
    assert set(spread.index[spread > 1.06]) <= {"Ascend 910B"}  # B1 to B4 differ and have no dates


def test_undated_parts_are_announced_or_do_not_matter():
    frame = load("2026-07").accelerators
    undated = frame.loc[frame["released_on"].isna() & frame["representative"]]
    assert set(undated["status"]) == {"announced"}


def test_the_right_sides_of_known_traps():
    frame = load("2026-07").accelerators.set_index("name")
    assert frame.loc["NVIDIA B200", "peak_fp4_dense_flop_per_s"] == 9e15  # 18e15 is with sparsity
    assert frame.loc["NVIDIA H100 SXM5 80GB", "peak_int8_dense_op_per_s"] == 1.979e15
    assert frame.loc["NVIDIA GeForce RTX 4090", "peak_fp16_dense_flop_per_s"] == 165.2e12
    assert frame.loc["NVIDIA H100 SXM5 80GB", "chip_link_bandwidth_byte_per_s"] == 450e9
    assert frame.loc["NVIDIA GB200", "peak_fp16_dense_flop_per_s"] == 2.5e15
    assert np.isnan(frame.loc["NVIDIA GB200", "peak_fp16_shader_dense_flop_per_s"])
    assert frame.loc["NVIDIA P40", "memory_bandwidth_byte_per_s"] == 347.1e9


def test_training_power_is_that_of_the_hardware_used(runs):
    power = load("2026-07").accelerators.set_index("name")["power_w"].to_dict()
    first = [power.get(names.split(";")[0], np.nan) for names in runs["hardware"]]
    checked = runs.assign(rated=first * runs["hardware_quantity"])
    assert outside(checked, over="training_power_w", under="rated", low=0.5, high=4.6) == {}


def test_active_parameters_are_fewer_than_all(runs):
    assert outside(runs, over="n_active_parameters", under="n_parameters", low=0.01, high=0.8) == {}


def test_fine_tuning_costs_no_more_than_the_whole(runs):
    assert outside(runs, over="finetune_compute_flop", under="training_compute_flop", low=0, high=1.02) == {}


@pytest.mark.parametrize("name", RELEASES)
def test_nothing_was_published_after_the_release(name):
    latest = load(name).training_runs["published_on"].to_numpy("datetime64[M]")
    assert latest[~np.isnat(latest)].max() <= np.datetime64(name)


@pytest.mark.parametrize("name", RELEASES)
def test_hardware_of_runs_is_a_row_or_a_known_stranger(name):
    release = load(name)
    strangers = {line["alias"] for line in curation_tables.read().hardware_aliases if not line["name"]}
    used = set(release.training_runs["hardware"].str.split(";").explode()) - {""}
    assert used <= set(release.accelerators["name"]) | strangers


def test_every_curation_line_is_of_use_to_some_release():
    lines = curation_tables.read()
    loaded = [load(name) for name in RELEASES]
    parts = {name for release in loaded for name in release.accelerators["name"]}
    rows = {"training_runs": {n for r in loaded for n in r.training_runs["name"]}, "accelerators": parts}
    applied = {
        (line["table"], line["row"], line["field"], line["was"])
        for release in loaded
        for line in release.corrections.to_dict(orient="records")
    }
    assert [
        line
        for line in lines.corrections
        if (line["table"], line["row"], line["field"], line["was"]) not in applied
    ] == []
    assert [line["name"] for line in lines.products if line["name"] not in parts] == []
    assert [
        line["name"] for line in lines.active_parameters if line["name"] not in rows["training_runs"]
    ] == []
    assert [line["row"] for line in lines.exclusions if line["row"] not in rows[line["table"]]] == []
    assert [line["now"] for line in lines.renames if line["now"] not in rows[line["table"]]] == []
    assert [
        line["name"] for line in lines.hardware_aliases if line["name"] and line["name"] not in parts
    ] == []


def test_every_accelerator_has_a_product_line():
    known = {line["name"] for line in curation_tables.read().products}
    assert {name for release in RELEASES for name in load(release).accelerators["name"]} <= known
