"""Published tables of training at scale, reproduced: each test names paper, table and tolerance."""

import math

import numpy as np
import pytest

from analysis.cost import run_energy_j
from analysis.hardware.collectives import reduce_scatter_s, ring_all_reduce_s, torus_bisection_byte_per_s
from analysis.training_run.critical_batch import Ramp, critical_batch_token
from analysis.training_run.pipeline import bubble_over_ideal, bubble_over_total
from analysis.training_run.reliability import (
    LLAMA_3_HOURS_PER_FAILURE,
    checkpoint_byte,
    time_between_failures_s,
    young_interval_s,
    young_overhead,
)


@pytest.mark.parametrize(
    ("p", "m", "v", "ideal", "total"),
    [
        (4, 8, 1, 0.375, 0.27273),
        (8, 64, 1, 0.10938, 0.09859),
        (64, 512, 1, 0.12305, 0.10957),
        (64, 512, 2, 0.06152, 0.05796),
        (35, 315, 1, 0.10794, 0.09742),
        (12, 60, 4, 0.04583, 0.04382),
        (16, 32, 1, 0.46875, 0.31915),
    ],
)
def test_pipeline_bubble(*, p, m, v, ideal, total):
    """Narayanan et al., arXiv:2104.04473, section 2.2, to five digits."""
    assert float(bubble_over_ideal(pipeline_parallel=p, micro_batches=m, interleave=v)) == pytest.approx(
        ideal, abs=1e-5
    )
    assert float(bubble_over_total(pipeline_parallel=p, micro_batches=m, interleave=v)) == pytest.approx(
        total, abs=1e-5
    )


@pytest.mark.parametrize(
    ("size", "ranks", "rate", "all_reduce", "half"),
    [
        (1e9, 2, 50e9, 0.02, 0.01),
        (1e9, 8, 450e9, 0.00388889, 0.00194444),
        (14e9, 64, 50e9, 0.55125, 0.275625),
        (350e9, 1024, 50e9, 13.9863, 6.99316),
        (1e9, 1024, 25e9, 0.0799219, 0.0399609),
    ],
)
def test_ring_all_reduce(*, size, ranks, rate, all_reduce, half):
    assert float(ring_all_reduce_s(size, ranks=ranks, bandwidth=rate)) == pytest.approx(all_reduce, rel=1e-5)
    assert float(reduce_scatter_s(size, ranks=ranks, bandwidth=rate)) == pytest.approx(half, rel=1e-5)


def test_bisection_of_a_tpu_v4_pod():
    """Google Cloud, TPU v4: 24 TB/s; counted by links 23.04 TB/s, within 5 %."""
    assert torus_bisection_byte_per_s((16, 16, 16), link_byte_per_s=45e9) == pytest.approx(23.04e12)
    assert torus_bisection_byte_per_s((16, 16, 16), link_byte_per_s=45e9) == pytest.approx(24e12, rel=0.05)
    assert torus_bisection_byte_per_s((2,), link_byte_per_s=45e9) == 45e9


def test_llama_3_reliability():
    """Llama Team, arXiv:2407.21783, section 3.3.4 and table 5: one interruption in 3.1 h on 16,384."""
    assert pytest.approx(50677, rel=1e-4) == LLAMA_3_HOURS_PER_FAILURE
    hours = time_between_failures_s([8192, 16384, 100000], hours_per_failure=LLAMA_3_HOURS_PER_FAILURE) / 3600
    np.testing.assert_allclose(hours, [6.19, 3.093, 0.507], rtol=2e-3)
    m = float(hours[1]) * 3600
    assert float(young_interval_s(checkpoint_s=60, between_failures_s=m)) == pytest.approx(1156, abs=1)
    assert float(young_interval_s(checkpoint_s=40, between_failures_s=m)) == pytest.approx(944, abs=1)
    assert float(young_overhead(checkpoint_s=60, between_failures_s=m)) == pytest.approx(0.1038, abs=1e-4)


def test_checkpoint_sizes():
    """Megatron-LM 1T 13.8 TB (arXiv:2104.04473, section 5.10), BLOOM 2.3 TB, within 8 %."""
    assert checkpoint_byte(1.008e12) == pytest.approx(13.8e12, rel=0.03)
    assert checkpoint_byte(176.247e9) == pytest.approx(2.3e12, rel=0.08)


@pytest.mark.parametrize(
    ("loss", "million"),
    [(3.5, 0.513), (3.0, 1.069), (2.5, 2.547), (2.2, 4.682), (2.0, 7.371), (1.9, 9.411), (1.7, 15.983)],
)
def test_critical_batch(loss, million):
    """Kaplan et al., arXiv:2001.08361, equation 1.4."""
    assert float(critical_batch_token(loss)) / 1e6 == pytest.approx(million, abs=6e-4)


def test_gpt_3_ramps_its_batch_in_few_steps():
    """Brown et al., arXiv:2005.14165, appendix B: 32 k to 3.2 M tokens over 4 to 12 billion tokens."""
    ramp = Ramp(first=32e3, full=3.2e6, tokens=12e9)
    assert ramp.steps(300e9) == pytest.approx(12e9 / 3.168e6 * math.log(100) + 288e9 / 3.2e6, rel=1e-9)
    assert Ramp(first=4e6, full=4e6, tokens=0).steps(2e12) == 5e5


def test_gpt_4_energy_estimates():
    """Published estimates: 25,000 / 8 servers of 6.5 kW for 2,400 h are 48.75 GWh, at PUE 1.18 57.5 GWh."""
    for pue, gwh in ((1.0, 48.75), (1.18, 57.525)):
        joule = run_energy_j(
            accelerators=25000, power_w_per_accelerator=6500 / 8, seconds=2400 * 3600, pue=pue
        )
        assert joule / 3.6e12 == pytest.approx(gwh, rel=1e-12)
