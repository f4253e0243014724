from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.model.flop import training_flop_per_token
from analysis.training_run.layer_time import SUSTAINED
from analysis.training_run.plans import Plans
from analysis.training_run.step_time import least_step_s, step_time
from tests.analysis.training_run.runs import H100, LONG, MIXTURE, MODEL, plans, seconds


@given(plans)
def test_every_part_of_a_step_is_zero_or_more_and_they_add_up(plan):
    step = step_time(MODEL, H100, plans=plan, global_batch=512)
    parts = [float(part) for part in step.parts().values()]
    assert min(parts) >= -1e-12
    assert sum(parts) == pytest.approx(float(step.total_s))
    assert len(parts) == len(fields(step))
    assert float(step.paced(1.5).total_s) == pytest.approx(sum(parts) / 1.5)


def test_the_optimizer_reads_and_writes_what_adam_keeps_of_each_parameter():
    """It moves 28 bytes a parameter, as analysis/hardware/roofline.py counts them."""
    step = step_time(MODEL, H100, plans=Plans(), global_batch=8)
    rate = H100.chip.memory_bandwidth_byte_per_s * SUSTAINED.memory
    assert float(step.optimizer_s) == pytest.approx(28 * MODEL.parameters.total / rate)


@given(plans)
def test_stages_wait_for_each_other_s_pieces_and_all_for_the_slowest(plan):
    """Narayanan et al., arXiv:2104.04473, section 2.2: (p - 1) / (v m) of the time that all compute."""
    step = step_time(MODEL, H100, plans=replace(plan, overlap=1.0), global_batch=512)
    waits = ("pipeline_s", "data_s", "bubble_s", "optimizer_s", "jitter_s")
    busy = sum(float(part) for name, part in step.parts().items() if name not in waits)
    pieces = plan.interleave * 512 / (plan.data_parallel * plan.micro_batch)
    assert float(step.bubble_s) == pytest.approx((plan.pipeline_parallel - 1) / pieces * busy)
    spread = H100.jitter * np.sqrt(2 * np.log(plan.accelerators))
    assert float(step.jitter_s) == pytest.approx(spread * (busy + float(step.bubble_s)))


@given(plans, st.floats(0, 1))
@example(Plans(), 1e-12)  # what hides is then no more than the rounding of what is exchanged
def test_exchange_between_experts_hides_behind_computing_and_nowhere_else(plan, overlap):
    """As DualPipe hides it: never longer, never more than is exchanged or computed, nothing without experts."""
    hiding = replace(H100, expert_overlap=overlap)
    assert seconds(hiding, plan) == seconds(H100, plan)
    plan = replace(plan, expert_parallel=8)
    plain, less = (step_time(MIXTURE, chip, plans=plan, global_batch=512) for chip in (H100, hiding))
    hidden = float(plain.expert_s - less.expert_s)
    computing = float(plain.matrix_s + plain.attention_s + plain.memory_bound_s)
    rounding = 1e-12 * float(plain.expert_s)
    assert -rounding <= hidden <= min(overlap * float(plain.expert_s), computing) + rounding
    assert float(less.total_s) <= float(plain.total_s) * (1 + 1e-9)


@given(plans)
def test_no_step_beats_the_best_measured_matrix_rate(plan):
    flop = 512 * MODEL.sequence_length * training_flop_per_token(MODEL, causal=True)
    assert flop / seconds(H100, plan) / float(plan.accelerators) < H100.matmul_flop_per_s


@given(
    plan=plans,
    expert=st.sampled_from([1, 2, 8]),
    fused=st.booleans(),
    expert_overlap=st.floats(0, 1),
    model=st.sampled_from([MODEL, MIXTURE, LONG]),
)
def test_no_step_is_shorter_than_its_split_allows(*, plan, expert, fused, expert_overlap, model):
    """A search leaves out splits by this bound, whatever they recompute and however they spread experts."""
    machine = replace(H100, fused_attention=fused, expert_overlap=expert_overlap)
    plan = replace(plan, expert_parallel=expert)
    took = float(step_time(model, machine, plans=plan, global_batch=512).total_s)
    assert float(least_step_s(model, machine, plans=plan, global_batch=512)) <= took * (1 + 1e-12)
