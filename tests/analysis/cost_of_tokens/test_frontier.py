"""The least price at each speed: laws of rent, utilization and speed, and what measured points say."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.cost_of_tokens.candidates import Candidates, Rented, Work, candidates
from analysis.cost_of_tokens.frontier import (
    LOADS,
    Swept,
    fixed,
    frontiers,
    least,
    swept,
    usd_at_speed,
    usd_per_million,
)
from analysis.serving.factors import by_name
from analysis.serving.tables import chips, model
from views.models import architecture

ASKED: dict[str, Any] = {"first_s": 5.0, "utilization": 0.6, "speed": 30.0}
NAMES = ("NVIDIA H200 SXM", "NVIDIA B200")


def tried(rent: float = 4.0) -> Candidates:
    work = Work(format_name="FP8", bits=8.0, prompt_tokens=1024.0, output_tokens=1024.0)
    rented = [Rented(chip=chips()[name], usd_per_hour=rent) for name in NAMES]
    return candidates(architecture("deepseek-v3"), rented, work=work, engine="sglang")


def test_a_dollar_an_hour_at_a_thousand_tokens_a_second():
    found = usd_per_million(usd_per_hour=np.array([3.6]), tokens_per_s=np.array([1000.0]), utilization=0.5)
    assert found == pytest.approx([2.0])
    with pytest.raises(ValueError, match=r"above 0 and up to 1; got 60. For 60 % pass 0.6"):
        usd_per_million(usd_per_hour=np.ones(1), tokens_per_s=np.ones(1), utilization=60)


def test_price_follows_rent_and_idle_hours_and_speed_does_not():
    one = frontiers(tried(), model(), **ASKED)
    twice = frontiers(tried(8.0), model(), **ASKED)
    idle = frontiers(tried(), model(), **{**ASKED, "utilization": 0.3})
    for plain, dear, rare in zip(one, twice, idle, strict=True):
        assert dear.usd == pytest.approx(2 * plain.usd)
        assert rare.usd == pytest.approx(2 * plain.usd)
        assert dear.speed == pytest.approx(plain.speed)


def test_more_speed_never_costs_less_and_intervals_hold_the_price():
    for frontier in frontiers(tried(), model(), **ASKED):
        assert (np.diff(frontier.speed) > 0).all()
        assert (np.diff(frontier.usd) > 0).all()
        middle, low, high = frontier.usd_at(30.0)
        assert low < middle < high
        assert frontier.usd_at(1e4) == (np.inf, np.inf, np.inf)


def test_a_shorter_wait_never_makes_it_cheaper():
    patient, hasty = (frontiers(tried(), model(), **{**ASKED, "first_s": wait}) for wait in (10.0, 0.5))
    cost = {one.accelerator: one.usd_at(30.0)[0] for one in hasty}
    assert all(one.usd_at(30.0)[0] <= cost.get(one.accelerator, np.inf) * 1.02 for one in patient)


@given(st.lists(st.tuples(st.floats(1, 100), st.floats(1, 100)), min_size=1, max_size=20))
def test_what_is_kept_is_beaten_by_none(points):
    speed, usd = map(np.array, zip(*points, strict=True))
    kept = least(speed, usd)
    for place in kept:
        better = (speed >= speed[place]) & (usd < usd[place])
        assert not better.any()
    assert speed[kept].max() == speed.max()


def test_a_speed_between_two_loads_is_interpolated():
    found = Swept(
        token_s=1 / np.array([[40.0], [10.0]]),
        first_s=np.ones((2, 1)),
        usd=np.array([[8.0], [2.0]]),
        possible=np.ones((2, 1), dtype=bool),
    )
    usd, load = usd_at_speed(found, tokens_per_s=20.0, loads=np.array([1.0, 4.0]))
    assert usd == pytest.approx([4.0])
    assert load == pytest.approx([2.0])
    assert usd_at_speed(found, tokens_per_s=50.0, loads=np.array([1.0, 4.0]))[0] == [np.inf]


def test_loads_beyond_the_memory_or_the_wait_are_not_possible():
    found = swept(tried(), by_name(model().factors), first_s=5.0, utilization=1.0)
    assert found.token_s.shape == (len(LOADS), len(tried()))
    assert (found.first_s[found.possible] <= 5.0).all()
    assert not found.possible[-1].any()
    assert not found.possible[:, 0].any()  # one H200 does not hold DeepSeek-V3


def test_all_plans_of_one_accelerator_are_found_again():
    first = frontiers(tried(), model(), **ASKED)[0]
    assert set(fixed(tried(), first).deployments.accelerator) == {first.accelerator}
