import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.kv_cache import numbers_per_token_and_layer
from analysis.techniques.catalogue import TECHNIQUES, before_and_after, clash
from analysis.techniques.setup import PHASES
from analysis.techniques.worth import bills
from tests.analysis.small_models import DENSE, EXPERTS, setup

NAMES = st.sampled_from(sorted(TECHNIQUES))
PHASE = st.sampled_from(PHASES)


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


def test_checkpointing_costs_about_a_third_more_operations():
    """Chen et al., 2016: one more forward pass, 33 %."""
    before, after = bills(setup(), ["checkpointing"], phase="training")
    assert after.flop / before.flop == pytest.approx(4 / 3, rel=0.02)
    assert after.memory_byte < before.memory_byte


def test_grouped_heads_save_the_cache_by_the_ratio_of_heads():
    before, after = before_and_after(setup(), ["grouped-query"], phase="decode")
    assert numbers_per_token_and_layer(before.model) / numbers_per_token_and_layer(after.model) == 8


@given(PHASE)
def test_the_order_of_techniques_does_not_matter(phase):
    names = ["int4-weights", "8-bit-cache", "experts"]
    assert bills(setup(), names, phase=phase) == bills(setup(), names[::-1], phase=phase)


def test_two_techniques_for_the_same_part_are_refused():
    assert clash(["fp8-weights", "int4-weights"]) == ("fp8-weights", "int4-weights")
    assert clash(["fp8-weights", "8-bit-cache"]) is None
    with pytest.raises(ValueError, match=r"fp8-weights and qlora fix the same part.*Choose one of the two"):
        before_and_after(setup(), ["fp8-weights", "qlora"], phase="training")
