"""Sanity of the released numbers: products, flagships, known traps and lines of curation; see laws.toml for ratios."""

import numpy as np
import pytest

from data import curation_tables, releases
from data.releases import load

RELEASES = releases.names()


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


def test_the_right_sides_of_known_traps():
    frame = load("2026-07").accelerators.set_index("name")
    assert frame.loc["NVIDIA B200", "peak_fp4_dense_flop_per_s"] == 9e15  # 18e15 is with sparsity
    assert frame.loc["NVIDIA H100 SXM5 80GB", "peak_int8_dense_op_per_s"] == 1.979e15
    assert frame.loc["NVIDIA GeForce RTX 4090", "peak_fp16_dense_flop_per_s"] == 165.2e12
    assert frame.loc["NVIDIA H100 SXM5 80GB", "chip_link_bandwidth_byte_per_s"] == 450e9
    assert frame.loc["NVIDIA GB200", "peak_fp16_dense_flop_per_s"] == 2.5e15
    assert np.isnan(frame.loc["NVIDIA GB200", "peak_fp16_shader_dense_flop_per_s"])
    assert frame.loc["NVIDIA P40", "memory_bandwidth_byte_per_s"] == 347.1e9


@pytest.mark.parametrize("name", RELEASES)
def test_nothing_was_published_after_the_release(name):
    latest = load(name).training_runs["published_on"].to_numpy("datetime64[M]")
    assert latest[~np.isnat(latest)].max() <= np.datetime64(name)


@pytest.mark.parametrize("name", RELEASES)
def test_rows_have_products_and_runs_known_hardware_of_the_power_they_drew(name):
    runs, parts = load(name).training_runs, load(name).accelerators
    assert set(parts["product"]) == set(parts.loc[parts["representative"], "product"])
    assert set(parts["name"]) <= {line["name"] for line in curation_tables.read().products}
    strangers = {line["alias"] for line in curation_tables.read().hardware_aliases if not line["name"]}
    assert set(runs["hardware"].str.split(";").explode()) - {""} <= set(parts["name"]) | strangers
    power_w = load("2026-07").accelerators.set_index("name")["power_w"]
    rated_w = runs["hardware"].str.split(";").str[0].map(power_w) * runs["hardware_quantity"]
    assert (runs["training_power_w"] / rated_w).dropna().between(0.5, 4.6).all()


def test_every_curation_line_is_of_use_to_some_release():
    lines, loaded = curation_tables.read(), [load(name) for name in RELEASES]
    rows = {
        table: {name for release in loaded for name in getattr(release, table)["name"]}
        for table in ("training_runs", "accelerators")
    }
    key = ("table", "row", "field", "was")
    applied = {tuple(row) for release in loaded for row in release.corrections[list(key)].to_numpy()}
    useless = [line for line in lines.corrections if tuple(line[part] for part in key) not in applied]
    useless += [line for line in lines.products if line["name"] not in rows["accelerators"]]
    useless += [line for line in lines.active_parameters if line["name"] not in rows["training_runs"]]
    useless += [line for line in lines.exclusions if line["row"] not in rows[line["table"]]]
    useless += [line for line in lines.renames if line["now"] not in rows[line["table"]]]
    useless += [line for line in lines.hardware_aliases if line["name"] not in {"", *rows["accelerators"]}]
    assert useless == []
