from dataclasses import replace

import numpy as np

from analysis.placement.by_load import turn
from analysis.placement.places import Conditions
from analysis.placement.question import Question
from analysis.placement.verdict import verdict
from analysis.placement.work import Requirements
from tests.analysis.placement.questions import CLOUD, DESKTOP, LAPTOP, PLACES, SERVER, a_question, a_work

AT = np.arange(len(PLACES))
BY_HOUR = Conditions(by_hour=True)


def pair(*, requests: float, own: int = LAPTOP, n_parameters: float = 1e9, **changed) -> Question:
    """Return the question of one person between a place of their own and a cloud."""
    work = replace(a_work(requests_per_day=requests, n_parameters=n_parameters), people=1.0)
    return a_question(work, np.isin(AT, [own, CLOUD]), **changed)


def own_wins(question: Question, requests: float) -> bool:
    """Return whether a place of one's own is the cheapest at a load."""
    loaded = replace(question, work=replace(question.work, requests_per_day=requests))
    best = verdict(loaded)
    assert best.winner is not None
    return best.winner == best.own


def test_a_cloud_rented_by_the_hour_is_cheaper_from_the_load_on_that_a_laptop_cannot_carry():
    question = pair(requests=20.0, conditions=BY_HOUR)
    assert own_wins(question, 20.0)
    later = turn(question, own_wins=True)
    assert later is not None and later.word == "from" and later.between is None
    assert later.place == 1
    for times in (0.1, 0.9):
        assert own_wins(question, times * later.requests_per_day)
    for times in (1.1, 10.0):
        assert not own_wins(question, times * later.requests_per_day)


def test_where_sides_take_turns_the_loads_between_which_they_do_are_told():
    question = pair(requests=20.0, own=DESKTOP, n_parameters=3e10)
    assert not own_wins(question, 20.0)
    later = turn(question, own_wins=False)
    assert later is not None and later.between is not None
    first, last = later.between
    assert later.requests_per_day == last > first
    assert not own_wins(question, 0.9 * first)
    assert own_wins(question, 1.1 * last)


def test_a_side_that_is_cheaper_at_no_load_has_no_turn():
    free = Conditions(share=0.0, usd_per_kwh=0.0)
    server = pair(requests=20.0, own=SERVER, conditions=BY_HOUR)
    assert own_wins(server, 20.0) and own_wins(server, 1e6)
    assert turn(server, own_wins=True) is None
    assert not own_wins(pair(requests=1e6, conditions=free), 1e6)
    inside = pair(requests=20.0, requirements=Requirements(data_residency="device"))
    assert turn(inside, own_wins=True) is None
