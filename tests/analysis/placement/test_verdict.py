"""The verdict: which place is the cheapest that is sure enough, on each side and of all."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement.outcome import outcome
from analysis.placement.places import Conditions
from analysis.placement.setup import set_up
from analysis.placement.verdict import meets_surely, probabilities, standing, verdict
from analysis.placement.work import Requirements
from tests.analysis.placement.questions import CLOUD, PERSONAL, PLACES, SOME, a_question, a_work, mid

requests = st.floats(1.0, 1e6)


@SOME
@given(
    parameters=st.floats(5e8, 7e10),
    load=requests,
    first=st.one_of(st.none(), st.floats(0.05, 30.0)),
    speed=st.one_of(st.none(), st.floats(2.0, 200.0)),
    budget=st.one_of(st.none(), st.floats(0.01, 20.0)),
    by_hour=st.booleans(),
)
def test_probabilities_are_the_share_of_draws_that_meet_all_that_is_a_work(
    *, parameters, load, first, speed, budget, by_hour
):
    requirements = Requirements(
        time_to_first_token_s=first, output_tokens_per_s=speed, cost_usd_per_1000_requests=budget
    )
    work = a_work(n_parameters=parameters, requests_per_day=load)
    question = a_question(work, requirements=requirements, conditions=Conditions(by_hour=by_hour))
    for rule in (None, True, False):
        ruled = replace(question, sustained_rule=rule)
        placed = set_up(ruled)
        assert np.array_equal(probabilities(placed, ruled), outcome(placed, ruled).met.mean(axis=-1))


def test_what_surely_meets_what_is_asked_does_in_enough_draws_and_what_may_not_does_in_too_few():
    for speed, first in product(np.geomspace(5.0, 40.0, 10), np.geomspace(0.3, 10.0, 10)):
        limits = {"output_tokens_per_s": float(speed), "time_to_first_token_s": float(first)}
        question = a_question(keep=PERSONAL).requiring(**limits)
        placed = set_up(question)
        (yes, may), chance = meets_surely(placed, question), probabilities(placed, question)
        assert np.all(chance[yes] >= 0.8) and np.all(chance[~yes & ~may] < 0.8)
        assert not (yes & may).any()


RENTED = PLACES.is_kind("rented")
ASKED = Requirements(time_to_first_token_s=2.0, output_tokens_per_s=12.0)


@pytest.mark.parametrize("requests", [10.0, 2000.0, 1e6])
@pytest.mark.parametrize(
    "requirements", [Requirements(), ASKED, Requirements(data_residency="premises")], ids=str
)
def test_the_winner_is_the_cheapest_of_those_sure_enough_and_so_is_each_side(requests, requirements):
    question = a_question(a_work(requests_per_day=requests), requirements=requirements)
    cost = mid(question).cost_usd_per_1000_requests[0, :, 0]
    sure = probabilities(set_up(question), question)[0] >= question.required_probability
    answer = verdict(question)
    for place, side in ((answer.winner, np.ones_like(sure)), (answer.own, ~RENTED), (answer.rented, RENTED)):
        open_costs = np.where(sure & side & question.allowed, cost, np.inf)
        assert place == (int(np.argmin(open_costs)) if np.isfinite(open_costs).any() else None)
    assert answer.winner in (answer.own, answer.rented)
    assert answer.cost_usd == pytest.approx(cost[answer.winner])
    if answer.own is not None and answer.rented is not None:
        assert answer.ratio == pytest.approx(cost[answer.own] / cost[answer.rented])


def test_without_a_place_on_a_side_there_is_no_ratio_and_its_nearest_chance_is_given():
    question = a_question(requirements=Requirements(data_residency="premises"))
    answer = verdict(question)
    assert answer.rented is None and answer.ratio is None and answer.own == answer.winner
    assert answer.nearest == answer.best == 1.0, "a side ruled out altogether does not count"
    fast = a_question(keep=PERSONAL | RENTED, requirements=Requirements(output_tokens_per_s=30.0))
    answer, chance = verdict(fast), probabilities(set_up(fast), fast)[0]
    assert answer.own is None and answer.rented == answer.winner
    assert (
        answer.nearest == pytest.approx(chance[~fast.rented].max())
        and answer.nearest < fast.required_probability
    )
    assert answer.best == pytest.approx(chance.max())
    nobody = verdict(replace(fast, requirements=Requirements(output_tokens_per_s=1e5)))
    assert nobody.winner is None and nobody.cost_usd is None and nobody.best == 0.0


def test_what_costs_nothing_wins_without_a_cost_to_compare():
    free = replace(PLACES, price_usd=np.zeros(len(PLACES)))
    question = a_question()
    conditions = replace(question.conditions, usd_per_kwh=0.0)
    answer = verdict(replace(question, places=free, conditions=conditions))
    assert answer.winner == answer.own
    assert answer.cost_usd is None and answer.ratio is None


def test_an_unknown_cost_is_infinite_and_never_the_cheapest():
    rent = np.where(np.arange(len(PLACES)) == CLOUD, np.nan, PLACES.price_usd_per_hour)
    question = replace(a_question(), places=replace(PLACES, price_usd_per_hour=rent))
    stand = standing(question)
    assert np.isinf(stand.cost_usd[0, CLOUD])
    only = replace(question, required_probability=0.1).at(np.arange(len(PLACES)) == CLOUD)
    assert standing(only).cheapest() is None


def test_places_that_see_a_share_of_the_requests_stand_as_if_there_were_no_others():
    shares = np.array([0.25, 1.0])
    both = standing(a_question(), shares=shares)
    for row, share in enumerate(shares):
        alone = standing(a_question(a_work(requests_per_day=2000.0 * share)))
        assert both.cost_usd[row] == pytest.approx(alone.cost_usd[0])
        assert both.first_s[row] == pytest.approx(alone.first_s[0])
        assert both.chance[row] == pytest.approx(alone.chance[0])
