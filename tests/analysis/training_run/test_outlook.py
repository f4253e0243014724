from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.training_run.outlook import outlook
from analysis.training_run.plans import Plans
from tests.analysis.training_run.runs import H100, plans, run_of, seconds

PLAN = Plans(tensor_parallel=8, data_parallel=64)


@settings(deadline=None)
@given(plan=plans, ramp=st.sampled_from([0.0, 100e9]), sites=st.sampled_from([1, 4]))
def test_the_shares_of_the_wall_clock_add_up_to_one(*, plan, ramp, sites):
    run = outlook(run_of(ramp_from=32, ramp_tokens=ramp, sites=sites, local_steps=100), plan=plan)
    assert sum(run.shares.values()) == pytest.approx(1, abs=1e-6)
    assert min(run.shares.values()) >= -1e-9
    assert (run.shares["wide_area"] > 0) == (sites > 1)
    assert run.steps >= 1e12 / (512 * 4096) * (1 - 1e-9)


def test_a_run_takes_as_long_as_its_even_steps_where_nothing_fails():
    """Without ramp, sites or failures a run is its steps one after the other, and its checkpoints next to nothing."""
    run = outlook(run_of(hours_per_failure=1e15, storage_byte_per_s=1e18), plan=PLAN)
    assert run.step_s == seconds(H100, PLAN)
    assert run.seconds == pytest.approx(1e12 / (512 * 4096) * run.step_s, rel=1e-4)


def test_a_ramp_costs_what_smaller_batches_take_longer_for_as_many_tokens():
    """Half-way through a linear ramp the batch is the mean of its ends; each of five batches stands for a fifth."""
    ramped = run_of(ramp_from=64, ramp_tokens=1e12, hours_per_failure=1e15, storage_byte_per_s=1e18)
    took = outlook(ramped, plan=PLAN).seconds
    of_each = [64 + k * (512 - 64) / 4 for k in range(5)]
    per_sequence = sum(outlook(replace(ramped, global_batch=b), plan=PLAN).step_s / b for b in of_each) / 5
    assert took == pytest.approx(1e12 / 4096 * per_sequence, rel=1e-4)


def test_sites_add_one_exchange_of_weights_for_every_so_many_steps():
    sites = run_of(sites=4, local_steps=100, hours_per_failure=1e15, storage_byte_per_s=1e18)
    alone, together = (outlook(run, plan=PLAN) for run in (run_of(hours_per_failure=1e15), sites))
    waiting_s = alone.steps / 100 * sites.circumstances.averaging_s(sites.model)
    assert together.seconds == pytest.approx(alone.seconds + waiting_s, rel=1e-3)
