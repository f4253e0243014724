"""Every refusal of the training formulas, by its words."""

from typing import Any

import pytest

from analysis.cost import run_cost, run_energy_j
from analysis.hardware.chip import Chip
from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.critical_batch import Ramp, critical_batch_token, loss_estimate
from analysis.training_run.local_steps import exchange_s, waiting_share
from analysis.training_run.pipeline import bubble_over_ideal
from analysis.training_run.plan_search import fastest_of_at_most, fastest_plan
from analysis.training_run.plans import Plans, refuse_impossible
from analysis.training_run.reliability import checkpoint_s, goodput, time_between_failures_s

SHAPE: dict[str, Any] = {
    "n_layers": 2,
    "hidden_size": 256,
    "n_heads": 4,
    "vocabulary_size": 1000,
    "sequence_length": 128,
}
MODEL = Architecture(**SHAPE)
CHIP: dict[str, Any] = {
    "peak_fp16_flop_per_s": 1e15,
    "memory_bandwidth_byte_per_s": 3e12,
    "memory_capacity_byte": 80e9,
    "link_bandwidth_byte_per_s": 4e11,
    "network_bandwidth_byte_per_s": 5e10,
}
H100 = Machine(chip=Chip(**CHIP), matmul_flop_per_s=8e14)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: bubble_over_ideal(pipeline_parallel=4, micro_batches=0),
            "micro_batches is at least 1; got 0. Pass 1 for none.",
        ),
        (lambda: Plans(tensor_parallel=0), "tensor_parallel is at least 1; got 0. Pass 1 for none."),
        (lambda: Plans(overlap=-0.5), "overlap is at least 0; got -0.5. Pass 0 for none."),
        (
            lambda: time_between_failures_s(0, hours_per_failure=5e4),
            "accelerators is a positive number; got 0.",
        ),
        (
            lambda: goodput(8, hours_per_failure=5e4, checkpoint_s=10, restart_s=-1),
            "restart_s is zero or more, in seconds; got -1.",
        ),
        (
            lambda: checkpoint_s(1e9, storage_byte_per_s=0),
            "storage_byte_per_s is the write bandwidth of all storage, positive; got 0.",
        ),
        (lambda: critical_batch_token(0), "loss is positive, in nats per token; got 0."),
        (lambda: loss_estimate(n_parameters=0, tokens=1), "parameters and tokens are positive; got 0 and 1."),
        (
            lambda: Ramp(first=4, full=2, tokens=1),
            "a ramp grows from a positive batch over a positive span; got 4 to 2",
        ),
        (
            lambda: run_energy_j(accelerators=1, power_w_per_accelerator=1, seconds=1, pue=0.9),
            "pue is total power over computing power, at least 1; got 0.9.",
        ),
        (
            lambda: run_cost(
                accelerators=1,
                seconds=1,
                power_w_per_accelerator=1,
                pue=1,
                usd_per_accelerator_hour=1,
                spare_share=-0.1,
            ),
            "spare_share is spares over accelerators, zero or more; got -0.1. Pass 0 for none.",
        ),
        (
            lambda: exchange_s(1e9, sites=2, wide_area_byte_per_s=0),
            "wide_area_byte_per_s is positive, per direction and site; got 0.",
        ),
        (
            lambda: fastest_plan(MODEL, H100, accelerators=7, global_batch=4),
            "no plan splits 7 accelerators over a batch of 4 sequences; choose a number",
        ),
        (
            lambda: fastest_of_at_most(
                MODEL, H100.with_chip(memory_capacity_byte=1e6), accelerators=2, global_batch=4
            ),
            "no plan of 2 accelerators fits: the leanest needs",
        ),
        (
            lambda: refuse_impossible(MODEL, global_batch=8, data_parallel=8, expert_parallel=8),
            "8 expert-parallel accelerators cannot share 1 expert evenly; choose a divisor of 1",
        ),
        (
            lambda: refuse_impossible(
                Architecture(**SHAPE, n_experts=8), global_batch=8, data_parallel=2, expert_parallel=8
            ),
            "experts are spread over accelerators that share data and context, 2 here, of which 8 are no even part;",
        ),
        (
            lambda: refuse_impossible(MODEL, global_batch=8, interleave=2),
            "pieces interleave between pipeline stages; got 2 pieces and one stage. Interleave 1 is none",
        ),
    ],
)
def test_a_refusal_says_what_it_is_what_came_and_what_to_do(call, said):
    with pytest.raises((ValueError, LookupError)) as caught:
        call()
    assert said in str(caught.value)


def test_refusals_have_their_own_kinds():
    assert issubclass(NoPlanFits, ValueError)


def test_sites_far_apart_wait_less_the_more_steps_they_take_alone():
    wait = float(exchange_s(70e9, sites=2, wide_area_byte_per_s=12.5e9))
    assert wait == pytest.approx(2 * 0.5 * 140e9 / 12.5e9)
    shares = waiting_share(step_s=10.0, local_steps=[1, 100, 500], exchange_s=wait)
    assert list(shares) == sorted(shares, reverse=True)
    assert shares[-1] < 0.01
