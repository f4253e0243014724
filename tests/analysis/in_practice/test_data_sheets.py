"""Data sheets: at the precision of the weights, or the next wider one; of devices at 16 bits."""

import pytest

from analysis.in_practice.data_sheets import accelerator_sheets, device_sheets
from data import standing
from data.releases import load

ACCELERATORS = load("2026-07").accelerators
DEVICES = device_sheets(standing.table("edge_devices"))


def test_a_chip_without_narrow_products_multiplies_in_the_next_wider():
    sheets = accelerator_sheets(ACCELERATORS, device=False)
    assert sheets["A100 80 GB"].flop_per_s == {bits: pytest.approx(312e12) for bits in (16, 8, 4)}
    h200 = sheets["NVIDIA H200 SXM"].flop_per_s
    assert h200[4] == h200[8] == pytest.approx(2 * h200[16], rel=0.01)


def test_devices_compute_in_16_bits_at_any_precision_and_go_by_their_matrix_units():
    assert len(set(accelerator_sheets(ACCELERATORS, device=True)["B200"].flop_per_s.values())) == 1
    assert len(set(DEVICES["NVIDIA RTX 4090"].flop_per_s.values())) == 1
    assert DEVICES["NVIDIA RTX 4090"].flop_per_s[16] == pytest.approx(165e12, rel=0.01)
    assert DEVICES["Apple M1 Max"].flop_per_s[16] == pytest.approx(10.4e12)
    assert not DEVICES["NVIDIA DGX Spark (GB10)"].flop_per_s[16] > 0
