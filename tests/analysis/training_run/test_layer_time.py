"""What lies between datasheet and run: kernels of fused attention, gradients as they are exchanged."""

from dataclasses import replace

import pytest

from analysis.hardware.chip import Chip
from analysis.hardware.machine import Machine, machine_of
from analysis.hardware.matmul_rates import MatmulRates
from analysis.model.architecture import Architecture
from analysis.training_run.exchange_time import exchange_time
from analysis.training_run.layer_time import SUSTAINED, layer_time
from analysis.training_run.plans import Plans

A100 = Machine(
    chip=Chip(
        peak_fp16_flop_per_s=312e12,
        memory_bandwidth_byte_per_s=2.039e12,
        memory_capacity_byte=80e9,
        link_bandwidth_byte_per_s=300e9,
        network_bandwidth_byte_per_s=25e9,
    ),
    matmul_flop_per_s=271.2e12,
    before_hopper=True,
)
RATES = MatmulRates(shares={"fp16": {"A100": 0.87}}, same_die={})
MODEL = Architecture(n_layers=32, hidden_size=4096, n_heads=32, vocabulary_size=50368, sequence_length=32768)


def test_fused_attention_on_an_a100_stays_within_what_its_first_kernels_reached():
    """Dao, "FlashAttention-2", arXiv:2307.08691, abstract: 25 to 40 % of the peak of an A100."""
    plan = Plans(data_parallel=8, zero_stage=3)
    seconds = float(layer_time(MODEL, A100, plans=plan).attention_s)
    rate = 3.5 * 4 * 32768 * 32768 * 4096 / 2 / seconds
    assert 0.25 < rate / A100.peak_flop_per_s < 0.40
    newer = replace(A100, before_hopper=False)
    assert float(layer_time(MODEL, newer, plans=plan).attention_s) == pytest.approx(
        seconds * SUSTAINED.fused_attention_before_hopper / SUSTAINED.fused_attention
    )


def test_chips_from_before_fused_attention_run_its_first_kernels():
    row = {
        "product": "A100 80 GB",
        "peak_fp16_dense_flop_per_s": 312e12,
        "memory_bandwidth_byte_per_s": 2.039e12,
        "memory_capacity_byte": 80e9,
    }
    old, new = (Chip.from_row(row, links={}, released_year=year) for year in (2020.9, 2022.8))
    assert machine_of(old, RATES).before_hopper
    assert not machine_of(new, RATES).before_hopper


def test_gradients_are_exchanged_in_32_bits():
    """Llama Team, arXiv:2407.21783, section 3.3.2: gradients are reduced in FP32 between data-parallel workers."""
    found = exchange_time(MODEL, A100, plans=Plans(data_parallel=64))
    assert float(found.gradient_s) == pytest.approx(2 * float(found.gather_s), rel=0.01)
