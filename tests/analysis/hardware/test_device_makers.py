"""Who made a device, and which variants of it are one."""

import pytest

from analysis.hardware.device_makers import chip, gpu_makers, maker
from data import standing


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
