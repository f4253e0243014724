import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.hardware.device_makers import chip, gpu_makers, maker
from analysis.measured.decode import fit_decode
from analysis.measured.decode_cases import DecodeCases
from analysis.measured.fitted_times import Columns, Part, fit
from analysis.measured.prefill import PrefillCases, fit_prefill
from analysis.serving.cases import ServingCases
from analysis.serving.model import fit_serving
from data import standing


def made(overhead_s, efficiency, *, wild=0):
    """Return measured times of a device with a known overhead and efficiency, some of them wild."""
    size = np.geomspace(0.5e9, 50e9, 40)
    time = overhead_s + size / (efficiency * 400e9)
    time[:wild] *= 4.0
    columns = Columns()
    columns.add("overhead", mean=np.log(2e-3), spread=3.0)
    columns.add("loss", mean=0.25, spread=3.0)
    parts = (
        Part(size=np.ones(40), design=columns.design(40, overhead=1.0)),
        Part(size=size / 400e9, design=columns.design(40, loss=1.0)),
    )
    return parts, time, columns.prior()


@settings(max_examples=25, deadline=None)
@given(overhead=st.floats(5e-4, 2e-2), efficiency=st.floats(0.3, 0.95))
def test_a_known_overhead_and_efficiency_are_recovered(overhead, efficiency):
    parts, time, prior = made(overhead, efficiency)
    found = fit(parts, time, prior=prior, noise=0.02, degrees=4.0)
    assert np.exp(found[0]) == pytest.approx(overhead, rel=0.01)
    assert np.exp(-found[1]) == pytest.approx(efficiency, rel=0.01)


def test_a_few_wild_rows_move_the_fit_little():
    parts, time, prior = made(3e-3, 0.8, wild=4)
    found = fit(parts, time, prior=prior, noise=0.05, degrees=2.0)
    assert np.exp(-found[1]) == pytest.approx(0.8, rel=0.05)


def test_a_level_without_rows_stays_at_its_prior():
    columns = Columns()
    columns.add("level", ("seen", "unseen"), mean=0.5, spread=0.3)
    part = Part(size=np.ones(10), design=columns.design(10, level=["seen"] * 10))
    found = fit([part], np.full(10, np.exp(1.0)), prior=columns.prior(), noise=0.05, degrees=4.0)
    effect = columns.factors("level", found)
    assert effect["unseen"] == pytest.approx(0.5)
    assert effect["seen"] == pytest.approx(1.0, abs=0.02)


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


def test_fits_without_enough_rows_say_how_many_came():
    none = np.array([])
    decode = DecodeCases(
        device=(),
        device_class=(),
        backend=(),
        format_family=(),
        memory_bandwidth_byte_per_s=none,
        weights_read_byte=none,
        kv_read_byte=none,
        mixture=none.astype(bool),
    )
    with pytest.raises(ValueError, match="one or more cases; got 2 speeds for 0 cases"):
        fit_decode(decode, np.ones(2))
    prefill = PrefillCases(
        device=(),
        device_class=(),
        backend=(),
        memory_bandwidth_byte_per_s=none,
        peak_flop_per_s=none,
        n_active_parameters=none,
        prompt_tokens=none,
    )
    with pytest.raises(ValueError, match="prefill fit needs five rows or more; got 0"):
        fit_prefill(prefill, none)
    numbers = {name: none for name in ServingCases.__dataclass_fields__}
    serving = ServingCases(**{**numbers, "accelerator": (), "model": (), "precision": ()})
    with pytest.raises(ValueError, match="serving fit needs ten rows or more; got 0"):
        fit_serving(serving, none)
