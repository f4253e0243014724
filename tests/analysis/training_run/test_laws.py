"""Laws of a training run: what must hold for any model, machine and plan."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.hardware.chip import Chip
from analysis.hardware.collectives import (
    all_reduce_traffic_byte,
    all_to_all_s,
    broadcast_to_all_byte,
    ring_all_reduce_s,
    tree_all_reduce_s,
)
from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.model.flop import iteration_flop
from analysis.model.training_states import GRADIENT_BYTE, OPTIMIZER_BYTE, WEIGHT_BYTE, training_states
from analysis.training_run.candidates import NoPlanFits, candidates, zero_stages
from analysis.training_run.device_memory import device_memory, fits
from analysis.training_run.fastest_run import fastest_run
from analysis.training_run.outlook import Circumstances, outlook
from analysis.training_run.plan_search import fastest_of_at_most, fastest_of_each, fastest_plan
from analysis.training_run.plans import Plans
from analysis.training_run.reliability import daly_interval_s, goodput, young_interval_s
from analysis.training_run.step_time import step_time

H100 = Machine(
    chip=Chip(
        peak_fp16_flop_per_s=989e12,
        memory_bandwidth_byte_per_s=3.35e12,
        memory_capacity_byte=80e9,
        link_bandwidth_byte_per_s=450e9,
        network_bandwidth_byte_per_s=50e9,
    ),
    matmul_flop_per_s=794.5e12,
)
MODEL = Architecture(n_layers=48, hidden_size=8192, n_heads=64, vocabulary_size=128000, sequence_length=4096)
MIXTURE = Architecture(
    n_layers=48,
    hidden_size=5120,
    n_heads=40,
    n_key_value_heads=8,
    feed_forward_size=8192,
    gated=True,
    n_experts=128,
    n_active_experts=1,
    n_shared_experts=1,
    vocabulary_size=202048,
    sequence_length=4096,
    tied_embeddings=False,
)
GPT_3 = Architecture(n_layers=96, hidden_size=12288, n_heads=96, vocabulary_size=51200, sequence_length=2048)
degree = st.sampled_from([1, 2, 4, 8])
plans = st.builds(
    Plans,
    tensor_parallel=degree,
    pipeline_parallel=degree,
    data_parallel=st.sampled_from([1, 2, 8, 64]),
    context_parallel=st.sampled_from([1, 2]),
    interleave=st.sampled_from([1, 2, 3]),
    micro_batch=st.sampled_from([1, 2, 4]),
    zero_stage=st.sampled_from([0, 1, 2, 3]),
    recompute=st.sampled_from([0, 1, 2]),
    overlap=st.floats(0, 1),
)
BANDWIDTHS = (
    "memory_bandwidth_byte_per_s",
    "link_bandwidth_byte_per_s",
    "network_bandwidth_byte_per_s",
    "matmul_flop_per_s",
)


def seconds(machine, plan, *, model=MODEL, batch=512):
    return float(step_time(model, machine, plans=plan, global_batch=batch).total_s)


@given(plan=plans, name=st.sampled_from(BANDWIDTHS), times=st.floats(1, 20), fused=st.booleans())
def test_more_bandwidth_never_hurts(*, plan, name, times, fused):
    machine = replace(H100, fused_attention=fused)
    if name == "matmul_flop_per_s":
        faster = replace(machine, matmul_flop_per_s=machine.matmul_flop_per_s * times)
    else:
        faster = machine.with_chip(**{name: getattr(machine.chip, name) * times})
    assert seconds(faster, plan) <= seconds(machine, plan) * (1 + 1e-9)


@given(plans)
def test_every_part_of_a_step_is_zero_or_more_and_they_add_up(plan):
    found = step_time(MODEL, H100, plans=plan, global_batch=512)
    parts = [float(part) for part in found.parts().values()]
    assert min(parts) >= -1e-12
    assert sum(parts) == pytest.approx(float(found.total_s))
    assert len(parts) == len(fields(found))


@given(plans, st.floats(0, 1))
def test_more_overlap_and_less_jitter_never_hurt(plan, less):
    assert seconds(H100, replace(plan, overlap=1.0)) <= seconds(H100, plan) * (1 + 1e-9)
    assert seconds(replace(H100, jitter=H100.jitter * less), plan) <= seconds(H100, plan) * (1 + 1e-9)


@given(plans)
def test_no_step_beats_the_best_measured_matrix_rate(plan):
    flop = iteration_flop(MODEL, global_batch=512, causal=True)
    assert flop / seconds(H100, plan) / float(plan.accelerators) < H100.matmul_flop_per_s


@given(plans)
def test_each_zero_stage_fits_whatever_the_one_before_fits(plan):
    totals = [
        float(training_states(7e9, data_parallel=plan.data_parallel, zero_stage=stage).total_byte)
        for stage in (0, 1, 2, 3)
    ]
    assert totals == sorted(totals, reverse=True)
    second = device_memory(MODEL, H100, plans=replace(plan, zero_stage=2), global_batch=512)
    third = device_memory(MODEL, H100, plans=replace(plan, zero_stage=3), global_batch=512)
    states = ("weight_byte", "gradient_byte", "optimizer_byte", "activation_byte")
    for name in states:
        assert getattr(third, name) <= getattr(second, name) * (1 + 1e-12)


@given(plan=plans, expert=st.sampled_from([1, 2, 8, 64]), dense=st.sampled_from([0, 3, 24]))
def test_all_devices_together_hold_at_least_one_copy_of_the_states(*, plan, expert, dense):
    model = replace(MIXTURE, n_dense_layers=dense)
    found = device_memory(model, H100, plans=replace(plan, expert_parallel=expert), global_batch=512)
    devices = float(plan.accelerators)
    for held, byte in (
        (found.weight_byte, WEIGHT_BYTE),
        (found.gradient_byte, GRADIENT_BYTE),
        (found.optimizer_byte, OPTIMIZER_BYTE),
    ):
        assert float(held) * devices >= byte * model.n_parameters * (1 - 1e-9)


@given(plans)
def test_two_layers_on_the_fullest_stage_take_as_much_memory_however_many_stages_have_them(plan):
    """96 and 128 layers on 64 stages; of 96 the first is left one short, with its embedding."""
    deep = replace(plan, pipeline_parallel=64, interleave=1)
    totals = [
        float(device_memory(replace(GPT_3, n_layers=n), H100, plans=deep, global_batch=512 * 64).total_byte)
        for n in (96, 127, 128)
    ]
    assert totals[1] == pytest.approx(totals[2])
    assert 0.8 < totals[0] / totals[2] <= 1


def test_pieces_that_do_not_divide_the_layers_put_no_more_on_the_fullest_stage():
    """126 layers on 16 stages are eight on the fullest, whether in 4, 7 or 8 pieces."""
    model = replace(MODEL, n_layers=126)
    four, seven, eight = (
        seconds(
            H100, Plans(tensor_parallel=8, pipeline_parallel=16, data_parallel=4, interleave=v), model=model
        )
        for v in (4, 7, 8)
    )
    assert eight < seven < four * 1.02
    assert seven < eight * 1.2


@given(plans)
def test_stage_3_fits_whatever_stage_2_fits(plan):
    machine = H100.with_chip(memory_capacity_byte=60e9)
    if fits(device_memory(MODEL, machine, plans=replace(plan, zero_stage=2), global_batch=512), machine):
        third = device_memory(MODEL, machine, plans=replace(plan, zero_stage=3), global_batch=512)
        assert fits(third, machine)


@given(plans)
def test_more_recomputation_never_keeps_more(plan):
    kept = [
        float(
            device_memory(MODEL, H100, plans=replace(plan, recompute=kind), global_batch=512).activation_byte
        )
        for kind in (0, 1, 2)
    ]
    assert kept == sorted(kept, reverse=True)


def test_many_plans_at_once_give_what_each_gives_alone():
    many = candidates(MODEL, accelerators=64, global_batch=256, overlap=0.5)
    together = step_time(MODEL, H100, plans=many, global_batch=256).total_s
    for index in range(0, together.size, max(together.size // 40, 1)):
        assert float(together[index]) == pytest.approx(seconds(H100, many.at(index), batch=256), rel=1e-12)


def test_every_candidate_uses_all_accelerators_and_splits_the_batch():
    many = candidates(MODEL, accelerators=96, global_batch=384, overlap=0.5)
    np.testing.assert_array_equal(many.accelerators, 96)
    per_rank = 384 / (np.asarray(many.data_parallel) * np.asarray(many.micro_batch))
    np.testing.assert_array_equal(per_rank, np.round(per_rank))
    assert (
        len(
            {
                tuple(np.ravel(getattr(many, f.name))[i] for f in fields(many) if f.init)
                for i in range(many.shape[0])
            }
        )
        == many.shape[0]
    )


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([64, 96, 256, 1024]), st.floats(1, 4))
def test_the_fastest_plan_is_no_slower_on_a_machine_with_more_memory(number, times):
    first = fastest_plan(MODEL, H100, accelerators=number, global_batch=768)
    more = H100.with_chip(memory_capacity_byte=H100.chip.memory_capacity_byte * times)
    assert fastest_plan(MODEL, more, accelerators=number, global_batch=768).step_s <= first.step_s
    assert bool(fits(first.memory, H100))
    assert 0 < first.fitted <= first.tried


def test_an_awkward_number_of_accelerators_leaves_a_few_idle():
    _, used = fastest_of_at_most(MODEL, H100, accelerators=1031, global_batch=1024)
    assert 960 <= used <= 1031


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([64, 4096, 65_536, 1_000_000]), st.sampled_from([500.0, 50_677.0, 1e8]))
def test_a_run_ends_no_sooner_on_fewer_accelerators(number, hours):
    given = Circumstances(tokens=1e12, hours_per_failure=hours)
    found, used, run = fastest_run(MODEL, H100, accelerators=number, global_batch=1024, circumstances=given)
    _, fewer, half = fastest_run(
        MODEL, H100, accelerators=number // 2, global_batch=1024, circumstances=given
    )
    assert used <= number and fewer <= number // 2
    assert run.seconds <= half.seconds * (1 + 1e-9)
    assert float(found.plan.accelerators) == used


def test_a_run_that_fits_on_no_number_says_so_of_the_number_asked_for():
    with pytest.raises(NoPlanFits, match="no plan of 16 accelerators fits"):
        fastest_run(GPT_3, H100, accelerators=16, global_batch=64, circumstances=Circumstances(tokens=1e12))


def test_only_plans_without_a_pipeline_split_gradients_or_weights():
    many = candidates(MODEL, accelerators=64, global_batch=256, overlap=0.5)
    stages = {
        p: set(np.asarray(many.zero_stage)[np.asarray(many.pipeline_parallel) == p].tolist()) for p in (1, 4)
    }
    assert stages == {1: {0, 1, 2, 3}, 4: {0, 1}} == {p: set(zero_stages(p)) for p in (1, 4)}


def test_a_search_over_sixteen_thousand_accelerators_takes_under_a_second():
    import time

    start = time.process_time()
    found = fastest_plan(GPT_3, H100, accelerators=16384, global_batch=4096)
    assert time.process_time() - start < 1.0
    assert found.tried > 500


@given(st.integers(2, 100_000), st.floats(1e3, 1e11))
def test_an_all_reduce_moves_linearly_and_never_with_the_square(ranks, size):
    assert float(all_reduce_traffic_byte(size, ranks=ranks)) <= 2 * ranks * size
    assert float(broadcast_to_all_byte(size, ranks=ranks)) == pytest.approx(ranks * (ranks - 1) * size)
    ring = float(ring_all_reduce_s(size, ranks=ranks, bandwidth=1e9))
    assert ring < float(tree_all_reduce_s(size, ranks=ranks, bandwidth=1e9)) * (1 + 1e-9)
    assert float(all_to_all_s(size, ranks=ranks, bandwidth=1e9)) < size / 1e9


def test_one_device_exchanges_nothing():
    for function in (ring_all_reduce_s, tree_all_reduce_s, all_to_all_s):
        assert float(function(1e9, ranks=1, bandwidth=1e9, latency_s=1e-5)) == 0


@given(st.floats(1, 600), st.floats(3e3, 1e7))
def test_youngs_interval_wastes_least_among_its_neighbours(saving, between):
    best = float(young_interval_s(checkpoint_s=saving, between_failures_s=between))
    waste = {k: saving / (k * best) + k * best / (2 * between) for k in (0.8, 1.0, 1.25)}
    assert waste[1.0] == min(waste.values())
    daly = float(daly_interval_s(checkpoint_s=saving, between_failures_s=between))
    assert 0 < daly <= best * 1.1


@given(number=st.integers(8, 100_000), saving=st.floats(1, 300), restart=st.floats(0, 1800))
def test_goodput_falls_with_more_accelerators_and_shares_add_up(*, number, saving, restart):
    both = goodput([number, number * 2], hours_per_failure=50677, checkpoint_s=saving, restart_s=restart)
    assert both.work[0] >= both.work[1] - 1e-12
    np.testing.assert_allclose(both.work + both.checkpoint + both.failure, 1.0, atol=1e-9)
    behind = goodput(
        number,
        hours_per_failure=50677,
        checkpoint_s=saving,
        restart_s=restart,
        asynchronous=True,
        spare_share=0.02,
    )
    assert 0 <= float(behind.work) <= 1


@settings(deadline=None)
@given(plan=plans, ramp=st.sampled_from([0.0, 100e9]), sites=st.sampled_from([1, 4]))
def test_the_shares_of_the_wall_clock_add_up_to_one(*, plan, ramp, sites):
    found = outlook(
        MODEL,
        H100,
        plan=plan,
        global_batch=512,
        circumstances=Circumstances(
            tokens=1e12, ramp_from=32, ramp_tokens=ramp, sites=sites, local_steps=100
        ),
    )
    assert sum(found.shares.values()) == pytest.approx(1, abs=1e-6)
    assert min(found.shares.values()) >= -1e-9
    assert (found.shares["wide_area"] > 0) == (sites > 1)
    assert found.steps >= 1e12 / (512 * 4096) * (1 - 1e-9)


def test_many_runs_searched_at_once_get_the_plans_they_get_alone():
    wanted = [(8, 64), (1031, 1024), (64, 1024), (3, 7), (64, 64)]
    together = fastest_of_each(MODEL, H100, wanted=wanted)
    for accelerators, batch in wanted:
        try:
            alone, used = fastest_of_at_most(MODEL, H100, accelerators=accelerators, global_batch=batch)
        except NoPlanFits as problem:
            assert str(together[accelerators, batch]) == str(problem)
        else:
            answer = together[accelerators, batch]
            assert not isinstance(answer, NoPlanFits) and answer[1] == used
            assert (answer[0].plan.at(0), answer[0].step_s) == (alone.plan.at(0), alone.step_s)
            assert (answer[0].tried, answer[0].fitted) == (alone.tried, alone.fitted)
