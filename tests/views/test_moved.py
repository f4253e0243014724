"""What a release moved outside its earlier interval."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.releases import exported_on, names
from views.claims.view import VIEW as CLAIMS
from views.compute_to_memory.view import VIEW as BALANCE
from views.moved import RETOLD, left_interval, moved, moved_anywhere
from views.registry import VIEWS
from views.training_compute import VIEW as COMPUTE
from views.view import answer, read


def result(**changes):
    outcome = answer(COMPUTE, COMPUTE.settings(release="2025-11"))
    first = replace(outcome.figures[0], low=2.0, high=4.0, value=3.0, key=True, unit="1")
    return replace(outcome, figures=(replace(first, **changes),))


@given(value=st.floats(min_value=0, max_value=10))
def test_a_figure_has_moved_when_it_lies_outside_its_earlier_interval(value: float):
    assert bool(left_interval(result(), result(value=value))) == (not 2.0 <= value <= 4.0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"low": None}, {"value": 9.0}),
        ({}, {"value": None}),
        ({"key": False}, {"value": 9.0}),
        ({}, {"value": 9.0, "unit": "byte"}),
        ({"low": 3.0, "high": 3.0}, {"value": 9.0}),
        ({}, {"value": 9.0, "name": "another"}),
    ],
)
def test_a_figure_without_interval_value_or_namesake_has_not(before, after):
    assert left_interval(result(**before), result(**after)) == ()


def test_what_each_release_moved_comes_newest_first_whatever_release_is_set():
    outcome = moved(BALANCE, BALANCE.settings())
    assert outcome == moved(BALANCE, BALANCE.settings(release=names()[0]))
    for one in outcome:
        assert (one.before.release, one.after.release) in set(zip(names(), names()[1:], strict=False))
        assert one.figures == left_interval(one.before, one.after)
        assert one.on == exported_on(one.after.release)


def test_what_a_choice_is_moved_is_told_of_that_choice():
    (one, *_) = moved(BALANCE, read(BALANCE, "rule=flagships&since=2020")[0])
    assert one.after.settings["release"] == "2026-07"
    assert one.after.link.startswith("/compute-to-memory?release=2026-07")
    was, now = one.figures[0]
    assert was.name == now.name
    assert now.value is not None and was.low is not None and was.high is not None
    assert now.value < was.low or now.value > was.high


def test_views_that_tell_what_others_answer_are_left_out_of_all():
    assert set(VIEWS) >= RETOLD
    assert moved_anywhere([CLAIMS]) == ()
    assert moved_anywhere([BALANCE]) == moved(BALANCE, BALANCE.settings())
