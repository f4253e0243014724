import math
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.kv_cache import numbers_per_token_and_layer
from analysis.model.parameters import ParameterCounts
from analysis.techniques.catalogue import TECHNIQUES, before_and_after, clash
from analysis.techniques.setup import PHASES, with_heads
from analysis.techniques.work import attention
from analysis.techniques.worth import bill, bills, years_of_growth
from tests.analysis.small_models import DENSE, EXPERTS, setup

NAMES = st.sampled_from(sorted(TECHNIQUES))
PHASE = st.sampled_from(PHASES)


def test_a_quarter_of_the_bytes_is_worth_the_published_years():
    """4x at 28 % a year: log 4 / log 1.28 = 5.6 years."""
    assert years_of_growth(4, yearly_growth=1.28) == pytest.approx(5.616, abs=0.001)
    assert years_of_growth(1, yearly_growth=1.28) == 0


@given(saving=st.floats(1.01, 1e6), growth=st.floats(1.01, 5), power=st.floats(0.1, 10))
def test_years_scale_with_the_logarithm_of_the_saving(*, saving, growth, power):
    assert years_of_growth(saving**power, yearly_growth=growth) == pytest.approx(
        power * years_of_growth(saving, yearly_growth=growth)
    )
    assert years_of_growth(1 / saving, yearly_growth=growth) == pytest.approx(
        -years_of_growth(saving, yearly_growth=growth)
    )


def test_without_growth_no_number_of_years_is_enough():
    assert years_of_growth(2, yearly_growth=1) == math.inf
    assert years_of_growth(0.5, yearly_growth=0.9) == -math.inf


@given(name=NAMES, phase=PHASE, batch=st.integers(1, 64), tokens=st.sampled_from([512, 8192, 131072]))
def test_every_technique_gives_positive_finite_bills_in_every_phase(*, name, phase, batch, tokens):
    for model in (DENSE, EXPERTS):
        for item in bills(setup(model, batch=batch, tokens=tokens), [name], phase=phase):
            for value in (item.memory_byte, item.moved_byte, item.flop, item.time_s):
                assert value > 0 and math.isfinite(value)


@given(NAMES, PHASE)
def test_a_technique_changes_nothing_outside_its_phases(name, phase):
    before, after = bills(setup(), [name], phase=phase)
    if phase not in TECHNIQUES[name].phases:
        assert before == after


@given(st.sampled_from(["int4-weights", "fp8-weights", "memory-generation"]), st.integers(1, 512))
def test_smaller_weights_and_faster_memory_never_cost_time(name, batch):
    for phase in ("decode", "prefill"):
        before, after = bills(setup(batch=batch), [name], phase=phase)
        assert after.time_s <= before.time_s * (1 + 1e-12)


def test_sixteen_bits_do_not_halve_adams_training_state():
    short = setup(tokens=1, devices=1)
    before, after = bills(short, ["mixed-precision"], phase="training")
    assert before.memory_byte == pytest.approx(16 * 70e9, rel=0.01)
    assert after.memory_byte == pytest.approx(before.memory_byte, rel=0.01)
    before, after = bills(setup(), ["mixed-precision"], phase="decode")
    assert before.memory_byte / after.memory_byte == pytest.approx(2)


def test_experts_do_not_shrink_resident_memory_but_save_reading():
    for model in (DENSE, EXPERTS):
        before, after = bills(setup(model), ["experts"], phase="decode")
        assert after.memory_byte == pytest.approx(before.memory_byte)
        assert before.time_s / after.time_s > 2


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


def test_unfused_attention_moves_the_published_bytes():
    """FlashAttention, figure 2: 40.3 GB forward and backward, GPT-2 medium, one layer; tolerance 2 %."""
    medium = with_heads(
        replace(DENSE, n_layers=1, n_heads=16, head_size=64, hidden_size=1024), key_value_heads=16
    )
    start = replace(setup(medium, tokens=1024, batch=64), fused_attention=False)
    assert attention(start, passes=3.5).byte == pytest.approx(40.3e9, rel=0.02)
    fused = attention(replace(start, fused_attention=True), passes=3.5)
    assert fused.byte == pytest.approx(1.61e9, rel=0.02)
    assert fused.byte < 4.4e9
    assert fused.flop > attention(start, passes=3.5).flop


def test_checkpointing_costs_about_a_third_more_operations():
    """Chen et al., 2016: one more forward pass, 33 %."""
    before, after = bills(setup(), ["checkpointing"], phase="training")
    assert after.flop / before.flop == pytest.approx(4 / 3, rel=0.02)
    assert after.memory_byte < before.memory_byte


def test_grouped_heads_save_the_cache_by_the_ratio_of_heads():
    before, after = before_and_after(setup(), ["grouped-query"], phase="decode")
    assert numbers_per_token_and_layer(before.model) / numbers_per_token_and_layer(after.model) == 8


def test_the_combination_is_computed_not_multiplied():
    start = setup(tokens=131072, batch=8)
    alone = [bills(start, [name], phase="decode") for name in ("int4-weights", "8-bit-cache")]
    product = math.prod(before.moved_byte / after.moved_byte for before, after in alone)
    before, after = bills(start, ["int4-weights", "8-bit-cache"], phase="decode")
    together = before.moved_byte / after.moved_byte
    assert together > max(was.moved_byte / now.moved_byte for was, now in alone)
    assert together != pytest.approx(product, rel=0.01)


def test_savings_of_the_same_bytes_do_not_multiply():
    start = setup(batch=8)
    names = ("speculative", "batching")
    alone = [bills(start, [name], phase="decode") for name in names]
    product = math.prod(before.time_s / after.time_s for before, after in alone)
    before, after = bills(start, names, phase="decode")
    assert before.time_s / after.time_s <= product * (1 + 1e-9)


@given(PHASE)
def test_the_order_of_techniques_does_not_matter(phase):
    names = ["int4-weights", "8-bit-cache", "experts"]
    assert bills(setup(), names, phase=phase) == bills(setup(), names[::-1], phase=phase)


def test_two_techniques_for_the_same_part_are_refused():
    assert clash(["fp8-weights", "int4-weights"]) == ("fp8-weights", "int4-weights")
    assert clash(["fp8-weights", "8-bit-cache"]) is None
    with pytest.raises(ValueError, match=r"fp8-weights and qlora fix the same part.*Choose one of the two"):
        before_and_after(setup(), ["fp8-weights", "qlora"], phase="training")


def test_refusals_say_what_came():
    with pytest.raises(ValueError, match="phase is one of decode, prefill, training; got 'sleep'"):
        bill(setup(), cast(Any, "sleep"))
    with pytest.raises(ValueError, match=r"saving and yearly_growth are positive factors; got 0 and 1\.3"):
        years_of_growth(0, yearly_growth=1.3)
