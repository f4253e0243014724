from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis.cost_of_tokens.candidates import Candidates, Rented, Work, candidates
from analysis.cost_of_tokens.frontier import (
    LATE,
    NEAR,
    along_frontiers,
    at_speed,
    evenly_along,
    frontiers,
    least_usd,
)
from analysis.cost_of_tokens.sweep import Terms, swept, usd_at_speed
from analysis.serving.tables import chips, model
from analysis.serving.times import by_name
from views.models import architecture

TERMS = Terms(speed=30.0, first_s=5.0, utilization=0.6)


def test_the_steep_end_of_a_frontier_gets_its_points():
    speed = np.array([10.0, 20.0, 40.0, 80.0, 82.0, 83.0, 84.0])
    usd = np.array([1.0, 1.1, 1.3, 2.0, 4.0, 16.0, 64.0])
    kept = evenly_along(speed, usd, count=5)
    assert {0, 6} <= set(kept.tolist())
    assert {4, 5} & set(kept.tolist())


@given(
    steps=st.lists(st.tuples(st.floats(0.01, 2), st.floats(0.01, 2)), min_size=1, max_size=30),
    count=st.integers(2, 9),
)
def test_both_ends_are_kept_and_no_more_than_asked(steps, count):
    x, y = np.cumsum(np.array(steps), axis=0).T
    kept = evenly_along(np.exp(x), np.exp(y), count=count)
    assert kept[0] == 0
    assert kept[-1] == len(steps) - 1
    assert len(kept) <= count


def test_points_at_the_speed_are_as_fast_as_asked():
    cases = tried()
    result = swept(cases, by_name(model().factors), terms=TERMS)
    near = at_speed(cases, result, speed=30.0, wide={name: (0.8, 1.25) for name in NAMES})
    assert near is not None and len(near) == len(NAMES) * (len(NEAR) + 2)
    wanted = [30.0 * times for times in (*NEAR, 1 / 0.8, 1 / 1.25)] * len(NAMES)
    loads = near.deployments.concurrency
    picked = swept(near, by_name(model().factors), loads=loads, terms=TERMS)
    assert 1 / np.diag(picked.token_s) == pytest.approx(wanted, rel=0.02)


def test_an_accelerator_without_a_place_in_time_gets_no_point():
    cases = tried()
    result = swept(cases, by_name(model().factors), terms=replace(TERMS, first_s=1e-6))
    assert along_frontiers(cases, result, speed=30.0, first=frozenset()) is None
    assert at_speed(cases, result, speed=30.0, wide={NAMES[0]: (0.8, 1.25)}) is None


NAMES = ("NVIDIA H200 SXM", "NVIDIA B200")


def tried(rent: float = 4.0) -> Candidates:
    work = Work(format_name="FP8", bits=8.0, prompt_tokens=1024.0, output_tokens=1024.0)
    rented = [Rented(chip=chips()[name], usd_per_hour=rent) for name in NAMES]
    return candidates(architecture("deepseek-v3"), rented, work=work, engine="sglang")


def test_a_frontier_has_the_cheapest_point_at_the_speed_and_a_scatter_of_any_level():
    plans = swept(tried(), by_name(model().factors), terms=TERMS)
    picked = along_frontiers(tried(), plans, speed=30.0, first=frozenset())
    usd, load = usd_at_speed(plans, tokens_per_s=30.0)
    for name in NAMES:
        best = np.flatnonzero(tried().of(name))[np.argmin(usd[tried().of(name)])]
        assert picked and load[best] in picked.deployments.concurrency[picked.of(name)]
    half, most = (frontiers(tried(), model(), terms=TERMS, level=level) for level in (0.5, 0.9))
    for one, other in zip(half, most, strict=True):
        assert one.scatter == pytest.approx(other.scatter, rel=0.25)
        assert max(one.first_s) <= 1.02 * TERMS.first_s
    assert [one.usd_at(30.0)[0] for one in most] == sorted(one.usd_at(30.0)[0] for one in most)


def test_price_follows_rent_and_idle_hours_and_speed_does_not():
    one = frontiers(tried(), model(), terms=TERMS)
    twice = frontiers(tried(8.0), model(), terms=TERMS)
    idle = frontiers(tried(), model(), terms=replace(TERMS, utilization=0.3))
    for plain, dear, rare in zip(one, twice, idle, strict=True):
        assert dear.usd == pytest.approx(2 * plain.usd)
        assert rare.usd == pytest.approx(2 * plain.usd)
        assert dear.speed == pytest.approx(plain.speed)


def test_more_speed_never_costs_less_and_intervals_hold_the_price():
    for frontier in frontiers(tried(), model(), terms=TERMS):
        assert (np.diff(frontier.speed) > 0).all()
        assert (np.diff(frontier.usd) > 0).all()
        middle, low, high = frontier.usd_at(30.0)
        assert low < middle < high
        assert frontier.usd_at(1e4) == (np.inf, np.inf, np.inf)


def test_a_shorter_wait_never_makes_it_cheaper():
    patient, hasty = (frontiers(tried(), model(), terms=replace(TERMS, first_s=wait)) for wait in (10.0, 0.5))
    cost = {one.accelerator: one.usd_at(30.0)[0] for one in hasty}
    assert all(one.usd_at(30.0)[0] <= cost.get(one.accelerator, np.inf) * 1.02 for one in patient)


def llama(prompt: float) -> Candidates:
    work = Work(format_name="FP8", bits=8.0, prompt_tokens=prompt, output_tokens=4096.0)
    rented = [Rented(chip=chips()["NVIDIA B200"], usd_per_hour=4.0)]
    return candidates(architecture("llama-3.3-70b"), rented, work=work, engine="trtllm")


@settings(max_examples=6, deadline=None)
@example(prompt=64.0, times=4.0)
@example(prompt=2048.0, times=1.5)
@given(prompt=st.floats(64, 8192), times=st.floats(1.2, 8))
def test_a_longer_prompt_never_makes_a_fast_answer_cheaper(prompt, times):
    terms = Terms(speed=100.0, first_s=20.0, utilization=0.6)
    short, long = (frontiers(llama(tokens), model(), terms=terms) for tokens in (prompt, prompt * times))
    if short and long:
        assert long[0].usd_at(100.0)[0] >= short[0].usd_at(100.0)[0] * 0.99


@settings(max_examples=8, deadline=None)
@example(speed=100.0)
@given(speed=st.floats(15, 118))
def test_the_price_at_a_speed_is_that_of_a_point_there(speed):
    """What the corrected sweep asks at the speed, not what a line between distant points would."""
    tried = llama(2048.0)
    terms = Terms(speed=speed, first_s=20.0, utilization=0.6)
    one = frontiers(tried, model(), terms=terms)[0]
    swept_price = least_usd(tried, one, factors=by_name(model().factors), terms=terms)
    assert one.usd_at(speed)[0] == pytest.approx(swept_price, rel=0.08)


@pytest.mark.parametrize("wait", [0.6, 1.0, 5.0])
def test_first_tokens_are_in_time_as_corrected(wait):
    made = frontiers(tried(), model(), terms=replace(TERMS, first_s=wait))
    assert made
    for frontier in made:
        assert (frontier.first_s <= LATE * wait).all()
