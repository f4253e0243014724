import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement.load import (
    carrying,
    full_load_per_s,
    largest_batch,
    machines_for,
    tried_batches,
    waiting_s,
    waiting_time_s,
)


@given(
    arriving_per_s=st.floats(0.1, 500),
    limit_s=st.floats(0.55, 3),
    utilization=st.floats(0.3, 0.95),
    slots=st.sampled_from([1.0, 4.0]),
)
def test_no_more_machines_are_bought_than_the_wait_needs(*, arriving_per_s, limit_s, utilization, slots):
    """The fewest that keep utilization and wait, counted one by one, but for a few per cent."""
    machine: dict[str, Any] = {"slots": np.array(slots), "prompt_s": np.array(0.2)}

    def enough(machines: float) -> bool:
        each = np.array(arriving_per_s / machines)
        wait = waiting_s(requests_per_s=each, per_s=np.array(1.0), machines=np.array(machines), **machine)
        return bool(0.5 + wait <= limit_s)

    fixed: Any = {"first_s": lambda _: np.array(0.5), "slowest": np.array(1.0), "most_per_s": np.array(1.0)}
    bounds: Any = {"limit_s": limit_s, "utilization": utilization}
    machines = machines_for(np.array(arriving_per_s), **fixed, **bounds, **machine)
    least = max(float(np.ceil(arriving_per_s / utilization)), 1.0)
    if not enough(float(machines)):
        assert machines == least
        return
    fewest = least
    while not enough(fewest):
        fewest += 1
    assert fewest <= machines <= np.ceil(1.05 * fewest)


def test_batches_reach_the_most_and_the_largest_keeps_the_speed():
    most = np.array([[1.0, 37.0, 256.0]])
    tried = tried_batches(most)
    assert np.array_equal(tried.max(axis=0), most)
    assert np.all(tried >= 1)
    step = 0.01 * tried
    kept = largest_batch(tried, slow=step / 0.2)
    assert np.all((0.01 * kept <= 0.2) | (kept == 1))
    assert np.array_equal(largest_batch(tried, slow=step / 0.2, late=step / 0.05), [[1.0, 5.0, 5.0]])
    for limit in ("slow", "late"):  # no batch keeps it: those count that are nearly as soon as any
        assert np.all(largest_batch(tried, **{limit: 10 * step / step.min(axis=0)}) == tried.min(axis=0))
        assert np.array_equal(largest_batch(tried, **{limit: np.full_like(step, 2.0)}), most)
    assert np.array_equal(largest_batch(tried), most)


def test_at_full_load_a_request_keeps_its_place_from_its_prompt_to_its_last_token():
    times = {"step_s": np.array(0.02), "prompt_s": np.array(1.0), "output_tokens": np.array(101.0)}
    ten = np.array(10.0)
    mixed, apart = (full_load_per_s(batch=ten, mixed=np.array(mark), **times) for mark in (True, False))
    assert mixed == pytest.approx(10 / (1.0 + 100 * 0.02))
    assert apart == pytest.approx(1 / (1.0 + 101 * 0.02 / 10))


def test_as_few_requests_share_a_step_as_carry_the_load():
    tried = tried_batches(np.array([[64.0]]))
    batch = carrying(tried, full=tried * 1.0, arriving=np.array([[10.0]]), largest=np.array([[64.0]]))
    assert batch == tried[tried >= 10.0].min()
    over = carrying(tried, full=tried * 1.0, arriving=np.array([[1000.0]]), largest=np.array([[22.0]]))
    assert over == 22.0


def test_one_server_makes_wait_its_load_over_what_is_free_and_two_about_what_erlang_counts():
    """Erlang C: at half load two servers of 1 s make wait 1/3 s; the approximation is 10 % above."""
    for load, wait in ((0.5, 1.0), (0.9, 9.0), (1.0, math.inf)):
        waited = waiting_time_s(requests_per_s=np.array(load), service_time_s=np.array(1.0))
        assert waited == pytest.approx(wait)
    wait = waiting_time_s(requests_per_s=np.array(1.0), service_time_s=np.array(1.0), servers=2.0)
    assert wait == pytest.approx(1 / 3, rel=0.11)
