"""Which measured speeds the fits learn from, and what a row of them tells."""

import numpy as np
import pandas as pd
import pytest

from analysis.measured.decode_cases import (
    attention_of,
    chip,
    decode_cases,
    format_family,
    gpu_makers,
    maker,
    usable,
)
from analysis.model.kv_cache import kv_cache_byte
from data import standing

ROW = {
    "device": "NVIDIA RTX 4090 24GB",
    "device_class": "desktop_gpu",
    "backend": "GPU",
    "format": "Q4_K_M",
    "software": "llama.cpp",
    "architecture": "made up",
    "memory_bandwidth_byte_per_s": 1008e9,
    "bytes_read_byte": 4.9e9,
    "decode_tokens_per_s": 140.0,
    "context_tokens": 1000.0,
    "n_parameters": 8e9,
    "n_active_parameters": 8e9,
    "n_devices": 1,
    "batch": 1,
    "full_read": True,
    "host_limited": False,
}
ARCHITECTURES = pd.DataFrame(
    [
        {
            "name": "made up",
            "n_layers": 32.0,
            "n_kv_heads": 8.0,
            "head_size": 128.0,
            "kv_latent_size": np.nan,
            "rope_head_size": np.nan,
            "sliding_window_tokens": np.nan,
            "n_sliding_layers": np.nan,
        }
    ]
)


def rows(*changes):
    """Return measured rows, each with some columns changed."""
    return pd.DataFrame([{**ROW, **change} for change in changes])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("RTX 4090 24GB", "RTX 4090"),
        ("NVIDIA RTX 4090", "RTX 4090"),
        ("Apple M1 Max (24-core GPU)", "Apple M1 Max"),
        ("Apple M2 Ultra 76-Core GPU 192GB", "Apple M2 Ultra"),
        ("Jetson Orin Nano 8GB (original)", "Jetson Orin Nano"),
    ],
)
def test_variants_of_a_chip_count_as_one_device(name, expected):
    assert chip(name) == expected


@pytest.mark.parametrize(
    ("device", "made_by"),
    [
        ("Apple M4 Max (40-core GPU)", "Apple"),
        ("RTX 4060 Ti 16GB", "NVIDIA"),
        ("A100 PCIe", "NVIDIA"),
        ("DGX Spark", "NVIDIA"),
        ("Arc A770", "Intel"),
        ("Ryzen AI Max+ 395", "AMD"),
        ("RX 7900 XTX", "AMD"),
        ("Radeon 780M", "AMD"),
        ("Snapdragon 8 Gen 3", "Qualcomm"),
        ("my own board", ""),
    ],
)
def test_the_maker_of_a_gpu_is_told_from_its_name(device, made_by):
    assert maker(device) == made_by
    assert gpu_makers([device, device], ["GPU", "CPU"]) == (made_by, "")


def test_every_gpu_of_the_table_has_a_maker():
    rows = standing.table("measured_decode")
    names = rows.loc[rows["backend"] == "GPU", "device"].map(chip)
    assert [name for name in names.unique() if not maker(name)] == []


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("F16", "16-bit"),
        ("Q8_0", "8-bit"),
        ("FP8", "8-bit"),
        ("Q4_K_M (Ollama default tag)", "block 4-bit"),
        ("IQ4_XS", "block 4-bit"),
        ("Q4_0", "flat block 4-bit"),
        ("Q5_1", "flat block 4-bit"),
        ("INT4 (MLC)", "4-bit"),
        ("MXFP4", "4-bit"),
        ("", ""),
    ],
)
def test_formats_fall_into_families_by_how_they_are_unpacked(name, family):
    assert format_family(name) == family


def test_what_an_architecture_leaves_empty_it_has_none_of():
    attention = attention_of(ARCHITECTURES.to_dict("records")[0])
    assert (attention.n_layers, attention.n_kv_heads, attention.head_size) == (32, 8, 128)
    assert (attention.kv_latent_size, attention.sliding_window_tokens, attention.n_sliding_layers) == (
        0,
        0,
        0,
    )


@pytest.mark.parametrize(
    "change",
    [
        {"n_devices": 2},
        {"batch": 4},
        {"memory_bandwidth_byte_per_s": np.nan},
        {"bytes_read_byte": np.nan},
        {"decode_tokens_per_s": 0.0},
        {"full_read": False},
        {"host_limited": True},
        {"backend": "abacus"},
        {"software": "llama.cpp, sustained"},
    ],
    ids=str,
)
def test_a_row_that_tells_of_something_else_than_reading_weights_is_left_out(change):
    assert usable(rows({}, change)).tolist() == [True, False]


def test_a_row_becomes_a_case_with_the_cache_of_its_architecture():
    known, unknown, short = rows({}, {"architecture": "secret"}, {"context_tokens": 0.0}).pipe(
        lambda table: decode_cases(table, architectures=ARCHITECTURES).kv_read_byte
    )
    attention = attention_of(ARCHITECTURES.to_dict("records")[0])
    assert known == pytest.approx(float(kv_cache_byte(attention, 1000.0))) and known > 1e8
    assert unknown == short == 0


def test_cases_carry_names_without_variants_and_mark_mixtures():
    cases = decode_cases(rows({}, {"n_active_parameters": 1e9}), architectures=ARCHITECTURES)
    assert len(cases) == 2
    assert cases.device == ("RTX 4090", "RTX 4090")
    assert cases.format_family == ("block 4-bit", "block 4-bit")
    assert cases.mixture.tolist() == [False, True]
    assert cases.weights_read_byte.tolist() == [4.9e9, 4.9e9]
