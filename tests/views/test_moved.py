"""What a release moved outside its earlier interval."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.releases import exported_on, names
from views.claims.view import VIEW as CLAIMS
from views.compute_to_memory.view import VIEW as BALANCE
from views.moved import RETOLD, Status, moved, moved_anywhere, status
from views.registry import VIEWS
from views.training_compute import VIEW as COMPUTE
from views.view import answer, read
from views.what_changed.pairs import paired, recorded


def result(**changes):
    outcome = answer(COMPUTE, COMPUTE.settings(release="2025-11"))
    first = replace(outcome.figures[0], low=2.0, high=4.0, value=3.0, key=True, unit="1")
    return replace(outcome, figures=(replace(first, **changes),))


def left(before, after):
    view, links = VIEWS["/" + before.view], (before.link, after.link)
    return [
        one for one in paired(view, was=recorded(before), now=recorded(after), links=links) if one.outside
    ]


@given(value=st.floats(min_value=0, max_value=10))
def test_a_figure_has_moved_when_it_lies_outside_its_earlier_interval(value: float):
    assert bool(left(result(), result(value=value))) == (not 2.0 <= value <= 4.0)


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
    assert left(result(**before), result(**after)) == []


@pytest.mark.parametrize("query", ["", "rule=flagships&since=2020"])
def test_what_each_release_moved_comes_newest_first_whatever_release_is_set(query):
    outcome = moved(BALANCE, read(BALANCE, query)[0])
    assert outcome == moved(BALANCE, read(BALANCE, f"{query}&release={names()[0]}")[0])
    assert outcome or not query
    for one in outcome:
        assert (one.before.release, one.after.release) in set(zip(names(), names()[1:], strict=False))
        assert list(one.figures) == left(one.before, one.after)
        assert one.on == exported_on(one.after.release)


def test_views_that_tell_what_others_answer_are_left_out_of_all():
    assert set(VIEWS) >= RETOLD
    assert moved_anywhere([CLAIMS]) == ()
    assert moved_anywhere([BALANCE]) == moved(BALANCE, BALANCE.settings())


@pytest.mark.parametrize("release", names()[:-1])
def test_the_source_line_of_an_older_release_says_what_became_of_the_first_figure(release):
    settings = BALANCE.settings(release=release)
    was, now = (answer(BALANCE, one).figures[0].text for one in (settings, BALANCE.settings()))
    told = status(BALANCE, settings, result=answer(BALANCE, settings))
    assert told.newest == BALANCE.settings()
    assert told.text.endswith("The same in the newest release" if was == now else f"became {now}")


def test_the_newest_release_says_so_and_an_expensive_answer_is_not_waited_for():
    newest, settings = BALANCE.settings(), BALANCE.settings(release=names()[0])
    assert status(BALANCE, newest, result=answer(BALANCE, newest)).text == "This is the newest release."
    slow = replace(BALANCE, expensive=lambda _settings: True)
    told = status(slow, settings, result=answer(BALANCE, settings))
    assert told == Status(text="There is a newer release", newest=newest)
