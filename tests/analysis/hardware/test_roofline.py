import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hardware import roofline
from tests.analysis.refusals import refusals

H100 = roofline.Roof(peak_flop_per_s=989.4e12, memory_bandwidth_byte_per_s=3.35e12)
LAYER = {"inner": 8192, "columns": 28672, "weight_byte": 2.0, "activation_byte": 2.0}
EXPERT = {"inner": 7168, "columns": 2048, "weight_byte": 2.0, "activation_byte": 2.0}
sizes = st.floats(1, 1e5)


@given(peak=st.floats(1e9, 1e18), bandwidth=st.floats(1e6, 1e15), intensity=st.floats(1e-6, 1e9))
def test_attainable_throughput_exceeds_neither_peak_nor_what_memory_feeds(*, peak, bandwidth, intensity):
    roof = roofline.Roof(peak_flop_per_s=peak, memory_bandwidth_byte_per_s=bandwidth)
    result = float(roofline.attainable_flop_per_s(roof, intensity))
    assert result <= peak and result <= bandwidth * intensity
    assert result == peak or result == pytest.approx(bandwidth * intensity)


@given(tokens=st.floats(1, 1e6), more=st.floats(1.01, 100))
def test_the_intensity_of_a_linear_layer_rises_with_tokens_up_to_its_limit(tokens, more):
    few, many = roofline.matrix_intensity(rows=[tokens, tokens * more], **LAYER)
    limit = 2 * 8192 * 28672 / (2.0 * (8192 + 28672))
    assert few < many < limit
    assert roofline.matrix_intensity(rows=1e12, **LAYER) == pytest.approx(limit, rel=1e-6)


@pytest.mark.parametrize(("rows", "published"), [(8192, 2730), (128, 124.1), (1, 1.0)])
def test_products_of_a_given_shape_have_the_intensity_of_the_formula_in_nvidias_guide(rows, published):
    # M x N x K = rows x 8192 x 8192 at 16 bits: M N K / (M K + N K + M N)
    result = roofline.matrix_intensity(rows=rows, inner=8192, columns=8192, weight_byte=2, activation_byte=2)
    assert result == pytest.approx(published, rel=0.001)


def test_reading_the_cache_takes_one_operation_a_byte_at_16_bits_and_more_when_heads_share():
    assert roofline.decode_attention_intensity(query_heads=64, key_value_heads=64, cache_byte=2) == 1
    assert roofline.decode_attention_intensity(query_heads=64, key_value_heads=8, cache_byte=2) == 8
    assert roofline.decode_attention_intensity(query_heads=64, key_value_heads=1, cache_byte=2) == 64
    assert roofline.decode_attention_intensity(query_heads=64, key_value_heads=8, cache_byte=1) == 16


def test_fused_attention_moves_at_least_as_many_times_less_as_the_flashattention_paper_measured():
    # Dao et al. 2022, fig. 2 left: 40.3 GB against 4.4 GB, GPT-2 medium, N = 1024, d = 64, forward and
    # backward; with K and V read once, forward alone saves more.
    shape = {"tokens": 1024, "head_size": 64, "activation_byte": 2}
    plain, fused = roofline.unfused_attention_intensity(**shape), roofline.fused_attention_intensity(**shape)
    assert fused / plain > 40.3 / 4.4
    # One pass over the scores of 64 x 16 heads is 2.147 GB; four of them and Q, K, V, O forward.
    assert 4 * 1024**2 * 64 / plain * 64 * 16 == pytest.approx(4 * 2.147e9 + 4 * 0.1342e9, rel=0.001)


@given(tokens=st.integers(1, 200_000), head=st.sampled_from([64, 128, 256]))
def test_keeping_the_scores_on_the_chip_moves_less(tokens, head):
    shape = {"tokens": tokens, "head_size": head, "activation_byte": 2.0}
    unfused = roofline.unfused_attention_intensity(**shape)
    assert unfused < roofline.fused_attention_intensity(**shape) == pytest.approx(tokens / 2)
    assert unfused < head / 2  # however long, four score passes for 4 d operations a score


def test_an_optimizer_step_does_half_an_operation_a_byte():
    assert roofline.optimizer_intensity() == pytest.approx(14 / 28)


@given(tokens=st.floats(1, 1e5))
def test_experts_are_less_intense_than_one_dense_layer_and_equal_it_when_all_are_active(tokens):
    sparse = roofline.expert_layer_intensity(tokens=tokens, experts=256, active=8, **EXPERT)
    assert sparse <= roofline.matrix_intensity(rows=tokens, **EXPERT) * (1 + 1e-9)
    single = roofline.expert_layer_intensity(tokens=tokens, experts=1, active=1, **EXPERT)
    assert single == pytest.approx(float(roofline.matrix_intensity(rows=tokens, **EXPERT)))


@given(balance=st.floats(0.1, 5000), weight=st.sampled_from([0.5, 1.0, 2.0, 4.0]), inner=sizes, columns=sizes)
def test_the_tokens_that_fill_a_chip_have_its_balance_as_intensity(*, balance, weight, inner, columns):
    shape = {"inner": inner, "columns": columns, "weight_byte": weight, "activation_byte": max(weight, 1.0)}
    tokens = float(roofline.tokens_to_fill(balance, **shape))
    if math.isfinite(tokens):
        assert roofline.matrix_intensity(rows=tokens, **shape) == pytest.approx(balance, rel=1e-5)
    else:
        assert roofline.matrix_intensity(rows=1e30, **shape) <= balance * (1 + 1e-6)


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "peak_flop_per_s is a positive number; got 0.0. Take it from the chip's datasheet.":
            lambda: roofline.Roof(peak_flop_per_s=0.0, memory_bandwidth_byte_per_s=1e12),
        "memory_bandwidth_byte_per_s is a positive number; got nan. Take it from":
            lambda: roofline.Roof(peak_flop_per_s=1e15, memory_bandwidth_byte_per_s=math.nan),
        "arithmetic intensity is positive and finite, in FLOP per byte; got 0. Leave that work out: what moves no byte":
            lambda: roofline.attainable_flop_per_s(H100, [10.0, 0.0]),
        "arithmetic intensity is positive and finite, in FLOP per byte; got inf.":
            lambda: roofline.attainable_flop_per_s(H100, [10.0, math.inf]),
        "got 64 query heads and 3 key-value heads. Choose a divisor of 64.":
            lambda: roofline.decode_attention_intensity(query_heads=64, key_value_heads=3, cache_byte=2),
        "every key-value head serves the same number of query heads; got 64 query heads and 0 key-value heads.":
            lambda: roofline.decode_attention_intensity(query_heads=64, key_value_heads=0, cache_byte=2),
    }
)  # fmt: skip
