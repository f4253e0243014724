"""Published tables of training at scale, reproduced: each test names paper, table and tolerance."""

import math

import numpy as np
import pytest

from analysis.cost import run_energy_j
from analysis.hardware.collectives import reduce_scatter_s, ring_all_reduce_s, torus_bisection_byte_per_s
from analysis.model.activations import (
    further_activation_byte,
    layer_activation_byte,
    stage_activation_byte,
)
from analysis.model.architecture import (
    Architecture,
    iteration_flop,
    megatron_parameters,
    training_flop_per_token,
)
from analysis.model.kv_cache import Attention, kv_cache_byte_per_token
from analysis.model.training_states import training_states
from analysis.training_run.critical_batch import Ramp, critical_batch_token
from analysis.training_run.pipeline import bubble_over_ideal, bubble_over_total
from analysis.training_run.reliability import (
    LLAMA_3_HOURS_PER_FAILURE,
    checkpoint_byte,
    time_between_failures_s,
    young_interval_s,
    young_overhead,
)
from data.standing import table

ZERO_ROWS = table("published_zero").pivot(
    index=["n_parameters", "data_parallel"], columns="stage", values="memory_byte"
)


@pytest.mark.parametrize(("parameters", "devices"), list(ZERO_ROWS.index))
def test_zero_table_1(parameters, devices):
    """Rajbhandari et al., "ZeRO", SC 2020, table 1, stages 1 to 3: 2.5 %, as it prints two or three digits."""
    found = training_states(parameters, data_parallel=devices, zero_stage=[1, 2, 3]).total_byte
    np.testing.assert_allclose(found, ZERO_ROWS.loc[(parameters, devices), [1, 2, 3]], rtol=0.025)
    assert found[1] == pytest.approx((2 + 14 / devices) * parameters, rel=1e-12)


def test_all_eighteen_rows_of_zero_table_1_are_there():
    assert ZERO_ROWS.shape == (18, 3) and not ZERO_ROWS.isna().any(axis=None)


@pytest.mark.parametrize(
    ("sequence_parallel", "t", "recompute", "formula"),
    [
        (False, 1, 0, lambda a, s, h, t: 34 + 5 * a * s / h),
        (False, 8, 0, lambda a, s, h, t: 10 + 24 / t + 5 * a * s / (h * t)),
        (True, 8, 0, lambda a, s, h, t: 34 / t + 5 * a * s / (h * t)),
        (False, 8, 1, lambda a, s, h, t: 10 + 24 / t),
        (True, 8, 1, lambda a, s, h, t: 34 / t),
        (True, 8, 2, lambda a, s, h, t: 2),
    ],
)
def test_korthikanti_table_2(sequence_parallel, t, recompute, formula):
    """Korthikanti et al., arXiv:2205.05198, table 2, exactly, for its 175 billion model."""
    s, b, h, a = 2048, 1, 12288, 96
    found = layer_activation_byte(
        sequence_length=s,
        micro_batch=b,
        hidden_size=h,
        n_heads=a,
        tensor_parallel=t,
        sequence_parallel=sequence_parallel,
        recompute=recompute,
    )
    assert float(found) == pytest.approx(s * b * h * formula(a, s, h, t), rel=1e-12)


def test_korthikanti_equation_5_is_independent_of_pipeline_depth():
    layer = 1e9
    found = stage_activation_byte(layer, n_layers=96, pipeline_parallel=[1, 8, 32])
    np.testing.assert_allclose(found, 96e9)
    interleaved = stage_activation_byte(layer, n_layers=96, pipeline_parallel=8, interleave=3)
    assert float(interleaved) == pytest.approx(96e9 * (1 + 7 / 24), rel=1e-12)


def test_korthikanti_further_terms():
    """Korthikanti et al., section 4.3: s b h L/t (p/L + [p = 1] 4/L (1 + v/h))."""
    s, b, h, v, layers, t = 2048, 1, 12288, 51200, 96, 8
    for p in (1, 8):
        formula = s * b * h * layers / t * (p / layers + (p == 1) * 4 / layers * (1 + v / h))
        found = further_activation_byte(
            sequence_length=s,
            micro_batch=b,
            hidden_size=h,
            vocabulary_size=v,
            tensor_parallel=t,
            pipeline_parallel=p,
        )
        assert float(found) == pytest.approx(formula, rel=1e-12)


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
def test_pipeline_bubble(p, m, v, ideal, total):
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
def test_ring_all_reduce(size, ranks, rate, all_reduce, half):
    assert float(ring_all_reduce_s(size, ranks=ranks, bandwidth=rate)) == pytest.approx(all_reduce, rel=1e-5)
    assert float(reduce_scatter_s(size, ranks=ranks, bandwidth=rate)) == pytest.approx(half, rel=1e-5)


def test_bisection_of_a_tpu_v4_pod():
    """Google Cloud, TPU v4: 24 TB/s; counted by links 23.04 TB/s, within 5 %."""
    assert torus_bisection_byte_per_s((16, 16, 16), link_byte_per_s=45e9) == pytest.approx(23.04e12)
    assert torus_bisection_byte_per_s((16, 16, 16), link_byte_per_s=45e9) == pytest.approx(24e12, rel=0.05)
    assert torus_bisection_byte_per_s((2,), link_byte_per_s=45e9) == 45e9


# What equation 2 (billions of parameters) and equation 3 (FLOP of a step) amount to for the ten models of
# Narayanan et al., arXiv:2104.04473, table 1, counted by hand.
MEGATRON_BILLIONS = (1.65, 3.56, 7.47, 18.45, 39.1, 76.05, 145.62, 310.13, 529.6, 1008.04)
MEGATRON_FLOP = (1.54668e16, 3.26555e16, 6.71846e16, 3.24840e17, 1.02123e18)
MEGATRON_FLOP += (2.30205e18, 5.64168e18, 1.11940e19, 2.22159e19, 5.13905e19)
MEGATRON = table("published_megatron").to_dict("records")


@pytest.mark.parametrize(
    ("row", "billions", "flop"),
    list(zip(MEGATRON, MEGATRON_BILLIONS, MEGATRON_FLOP, strict=True)),
    ids=[f"{row['n_parameters'] / 1e9:g}B" for row in MEGATRON],
)
def test_megatron_equations_2_and_3(row, billions, flop):
    assert (row["vocabulary"], row["sequence_tokens"], row["counts_recompute"]) == (51200, 2048, True)
    layers, hidden = int(row["n_layers"]), int(row["hidden_size"])
    model = Architecture(
        n_layers=layers,
        hidden_size=hidden,
        n_heads=int(row["n_heads"]),
        vocabulary_size=51200,
        sequence_length=2048,
    )
    by_equation = megatron_parameters(
        n_layers=layers, hidden_size=hidden, vocabulary_size=51200, sequence_length=2048
    )
    assert by_equation / 1e9 == pytest.approx(billions, abs=0.006)
    assert model.n_parameters == pytest.approx(by_equation - 2048 * hidden, rel=1e-9)
    assert iteration_flop(model, global_batch=row["global_batch"], recompute="full") == pytest.approx(
        flop, rel=1e-5
    )


def test_korthikanti_hardware_over_model_flops():
    """Korthikanti et al., table 5: 52.8 over 51.4 % for 175 billion, 43.7 over 41.5 % for 22 billion, 1 %."""
    for layers, hidden, heads, ratio in ((96, 12288, 96, 52.8 / 51.4), (48, 6144, 64, 43.7 / 41.5)):
        model = Architecture(
            n_layers=layers, hidden_size=hidden, n_heads=heads, vocabulary_size=51200, sequence_length=2048
        )
        found = training_flop_per_token(model, recompute="selective") / training_flop_per_token(model)
        assert found == pytest.approx(ratio, rel=0.01)


def test_llama_3_405b_has_its_parameters_and_its_cache():
    """Llama Team, arXiv:2407.21783, table 3: 405 billion, 1 %; KV cache 516,096 byte a token."""
    model = Architecture(
        n_layers=126,
        hidden_size=16384,
        n_heads=128,
        n_key_value_heads=8,
        feed_forward_size=53248,
        gated=True,
        vocabulary_size=128256,
        sequence_length=8192,
    )
    assert model.n_parameters == pytest.approx(405e9, rel=0.01)
    cache = Attention(n_layers=126, n_kv_heads=model.key_value_heads, head_size=128)
    assert kv_cache_byte_per_token(cache) == 516_096


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
