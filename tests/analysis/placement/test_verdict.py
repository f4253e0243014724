"""The verdict: which place is the cheapest that is sure enough, on each side and of all."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement.outcome import outcome
from analysis.placement.places import Conditions
from analysis.placement.setup import set_up
from analysis.placement.verdict import probabilities, standing, verdict
from analysis.placement.work import Requirements
from tests.analysis.placement.questions import PERSONAL, PLACES, SOME, a_question, a_work, mid

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


def test_places_that_see_a_share_of_the_requests_stand_as_if_there_were_no_others():
    shares = np.array([0.25, 1.0])
    both = standing(a_question(), shares=shares)
    for row, share in enumerate(shares):
        alone = standing(a_question(a_work(requests_per_day=2000.0 * share)))
        assert both.cost_usd[row] == pytest.approx(alone.cost_usd[0])
        assert both.first_s[row] == pytest.approx(alone.first_s[0])
        assert both.chance[row] == pytest.approx(alone.chance[0])
