from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.parameters import ParameterCounts
from analysis.techniques.setup import with_heads
from analysis.techniques.work import activations, attention, decode, peak_32_bit_flop_per_s
from analysis.techniques.worth import bill, bills
from tests.analysis.small_models import CHIP, DENSE, IN_EVERY_FORMAT, setup


def test_unfused_attention_moves_the_published_bytes():
    """FlashAttention, figure 2: 40.3 GB forward and backward, GPT-2 medium, one layer; tolerance 2 %."""
    narrow = replace(DENSE, n_layers=1, n_heads=16, head_size=64, hidden_size=1024)
    medium = with_heads(narrow, key_value_heads=16)
    start = replace(setup(medium, tokens=1024, batch=64), fused_attention=False)
    assert attention(start, passes=3.5).byte == pytest.approx(40.3e9, rel=0.02)
    fused = attention(replace(start, fused_attention=True), passes=3.5)
    assert fused.byte == pytest.approx(1.61e9, rel=0.02)
    assert fused.byte < 4.4e9
    assert fused.flop > attention(start, passes=3.5).flop


def test_zero_splits_states_as_published():
    """ZeRO, table 1, 7.5 B parameters on 64 devices: 120, 31.4, 16.6, 1.9 GB; activations left out; 2 %."""
    small = replace(DENSE, stated=ParameterCounts(total=7.5e9, active=7.5e9))
    start = setup(small, tokens=1)
    got = [bills(start, [name], phase="training")[1].memory_byte for name in ("zero-1", "zero-2", "zero-3")]
    kept = bill(start, "training").memory_byte - 120e9
    assert [value - kept for value in got] == pytest.approx([31.4e9, 16.6e9, 1.9e9], rel=0.02)


def test_stage_3_sends_half_as_much_again():
    """ZeRO, section 7.2.2: 3 Psi instead of 2 Psi."""
    before, after = bills(setup(), ["zero-3"], phase="training")
    assert after.link_byte / before.link_byte == pytest.approx(1.5)


def test_a_chip_without_a_rate_for_32_bits_works_on_them_at_half_that_of_16():
    assert peak_32_bit_flop_per_s(CHIP) == 989e12 / 2
    assert peak_32_bit_flop_per_s(IN_EVERY_FORMAT) == 494e12


def test_with_recomputation_a_layer_keeps_its_input_alone():
    """Korthikanti et al., arXiv:2205.05198, table 2: 2 s b h bytes a layer."""
    again = activations(replace(setup(batch=2), recompute=True))
    assert again == pytest.approx(2 * 8192 * 2 * DENSE.hidden_size * DENSE.n_layers)
    assert again < activations(setup(batch=2))


@given(st.integers(1, 256))
def test_a_pass_yields_a_token_for_every_request_and_reads_dense_weights_once(batch):
    memory, kernels, tokens = decode(setup(batch=batch, tokens=1))
    assert tokens == batch
    moving = 2 * 2 * DENSE.hidden_size * DENSE.n_layers * batch
    assert kernels[0].byte - moving == pytest.approx(2 * DENSE.n_parameters, rel=0.03)
    assert memory > 2 * DENSE.n_parameters
