"""A whole run on the wall clock."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.training_run.outlook import Circumstances, outlook
from analysis.training_run.plans import Plans
from tests.analysis.training_run.runs import H100, MODEL, plans, seconds


@settings(deadline=None)
@given(plan=plans, ramp=st.sampled_from([0.0, 100e9]), sites=st.sampled_from([1, 4]))
def test_the_shares_of_the_wall_clock_add_up_to_one(*, plan, ramp, sites):
    run = outlook(
        MODEL,
        H100,
        plan=plan,
        global_batch=512,
        circumstances=Circumstances(
            tokens=1e12, ramp_from=32, ramp_tokens=ramp, sites=sites, local_steps=100
        ),
    )
    assert sum(run.shares.values()) == pytest.approx(1, abs=1e-6)
    assert min(run.shares.values()) >= -1e-9
    assert (run.shares["wide_area"] > 0) == (sites > 1)
    assert run.steps >= 1e12 / (512 * 4096) * (1 - 1e-9)


def test_a_run_takes_as_long_as_its_even_steps_where_nothing_fails():
    """Without ramp, sites or failures a run is its steps one after the other, and its checkpoints next to nothing."""
    circumstances = Circumstances(tokens=1e12, hours_per_failure=1e15, storage_byte_per_s=1e18)
    plan = Plans(tensor_parallel=8, data_parallel=64)
    run = outlook(MODEL, H100, plan=plan, global_batch=512, circumstances=circumstances)
    assert run.step_s == seconds(H100, plan)
    assert run.seconds == pytest.approx(1e12 / (512 * 4096) * run.step_s, rel=1e-4)
