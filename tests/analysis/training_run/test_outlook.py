"""A whole run on the wall clock."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.training_run.outlook import Circumstances, exchange_s, outlook, waiting_share
from analysis.training_run.plans import Plans
from tests.analysis.refusals import refusals
from tests.analysis.training_run.runs import H100, MODEL, plans, seconds


def test_sites_far_apart_wait_less_the_more_steps_they_take_alone():
    wait = float(exchange_s(70e9, sites=2, wide_area_byte_per_s=12.5e9))
    assert wait == pytest.approx(2 * 0.5 * 140e9 / 12.5e9)
    shares = waiting_share(step_s=10.0, local_steps=[1, 100, 500], exchange_s=wait)
    assert list(shares) == sorted(shares, reverse=True)
    assert shares[-1] < 0.01


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


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "wide_area_byte_per_s is positive, per direction and site; got 0.":
            lambda: exchange_s(1e9, sites=2, wide_area_byte_per_s=0),
    }
)  # fmt: skip
