"""The verdict: which place is the cheapest that is sure enough, on each side and of all."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.placement.outcome import outcome
from analysis.placement.places import Conditions
from analysis.placement.setup import set_up
from analysis.placement.verdict import probabilities, standing, standing_at_shares, verdict
from analysis.placement.work import Requirements
from tests.analysis.placement.questions import CLOUD, PERSONAL, PLACES, a_question, a_work, mid

requests = st.floats(1.0, 1e6)


@settings(max_examples=40, deadline=None)
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


RENTED = PLACES.is_kind("rented")
ASKED = Requirements(time_to_first_token_s=2.0, output_tokens_per_s=12.0)


@pytest.mark.parametrize("requests", [10.0, 2000.0, 1e6])
@pytest.mark.parametrize("requirements", [Requirements(), ASKED, Requirements(stay="premises")], ids=str)
def test_the_winner_is_the_cheapest_of_those_sure_enough_and_so_is_each_side(requests, requirements):
    question = a_question(a_work(requests_per_day=requests), requirements=requirements)
    cost = mid(question).cost_usd_per_1000_requests[0, :, 0]
    sure = probabilities(set_up(question), question)[0] >= question.sure
    told = verdict(question)
    for place, side in ((told.winner, np.ones_like(sure)), (told.own, ~RENTED), (told.rented, RENTED)):
        open_costs = np.where(sure & side & question.allowed, cost, np.inf)
        assert place == (int(np.argmin(open_costs)) if np.isfinite(open_costs).any() else None)
    assert told.winner in (told.own, told.rented)
    assert told.cost_usd == pytest.approx(cost[told.winner])
    if told.own is not None and told.rented is not None:
        assert told.ratio == pytest.approx(cost[told.own] / cost[told.rented])


def test_without_a_place_on_a_side_there_is_no_ratio_and_its_nearest_chance_is_told():
    question = a_question(requirements=Requirements(stay="premises"))
    told = verdict(question)
    assert told.rented is None and told.ratio is None and told.own == told.winner
    assert told.nearest == told.best == 1.0, "a side ruled out altogether does not count"
    fast = a_question(keep=PERSONAL | RENTED, requirements=Requirements(output_tokens_per_s=30.0))
    told, chance = verdict(fast), probabilities(set_up(fast), fast)[0]
    assert told.own is None and told.rented == told.winner
    assert told.nearest == pytest.approx(chance[~fast.rented].max()) and told.nearest < fast.sure
    assert told.best == pytest.approx(chance.max())
    nobody = verdict(replace(fast, requirements=Requirements(output_tokens_per_s=1e5)))
    assert nobody.winner is None and nobody.cost_usd is None and nobody.best == 0.0


def test_what_costs_nothing_wins_without_a_cost_to_compare():
    free = replace(PLACES, price_usd=np.zeros(len(PLACES)))
    question = a_question()
    conditions = replace(question.conditions, usd_per_kwh=0.0)
    told = verdict(replace(question, places=free, conditions=conditions))
    assert told.winner == told.own
    assert told.cost_usd is None and told.ratio is None


def test_an_unknown_cost_is_infinite_and_never_the_cheapest():
    rent = np.where(np.arange(len(PLACES)) == CLOUD, np.nan, PLACES.price_usd_per_hour)
    question = replace(a_question(), places=replace(PLACES, price_usd_per_hour=rent))
    stand = standing(question)
    assert np.isinf(stand.cost_usd[0, CLOUD])
    only = np.arange(len(PLACES)) == CLOUD
    assert stand.cheapest(only, sure=0.1) is None


def test_places_that_see_a_share_of_the_requests_stand_as_if_there_were_no_others():
    shares = np.array([0.25, 1.0])
    both = standing_at_shares(a_question(), shares)
    for row, share in enumerate(shares):
        alone = standing(a_question(a_work(requests_per_day=2000.0 * share)))
        assert both.cost_usd[row] == pytest.approx(alone.cost_usd[0])
        assert both.first_s[row] == pytest.approx(alone.first_s[0])
        assert both.chance[row] == pytest.approx(alone.chance[0])
