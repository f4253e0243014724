"""Points that are corrected: along the frontier as a chart shows it, and at the speed asked for."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.cost_of_tokens.chosen_points import NEAR, along_frontiers, at_speed, evenly_along
from analysis.cost_of_tokens.sweep import swept
from analysis.serving.factors import by_name
from analysis.serving.tables import model
from tests.analysis.cost_of_tokens.test_frontier import NAMES, tried

LIMITS: dict[str, Any] = {"first_s": 5.0, "utilization": 0.6}


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
    found = swept(cases, by_name(model().factors), **LIMITS)
    near = at_speed(cases, found, speed=30.0, wide={name: (0.8, 1.25) for name in NAMES})
    assert len(near.places) == len(NAMES) * (len(NEAR) + 2)
    wanted = [30.0 * times for times in (*NEAR, 1 / 0.8, 1 / 1.25)] * len(NAMES)
    picked = swept(cases.take(near.places), by_name(model().factors), loads=np.array(near.loads), **LIMITS)
    assert 1 / np.diag(picked.token_s) == pytest.approx(wanted, rel=0.02)


def test_an_accelerator_without_a_place_in_time_gets_no_point():
    cases = tried()
    found = swept(cases, by_name(model().factors), first_s=1e-6, utilization=0.6)
    assert along_frontiers(cases, found, speed=30.0, first=frozenset()).places == []
    assert at_speed(cases, found, speed=30.0, wide={NAMES[0]: (0.8, 1.25)}).places == []
