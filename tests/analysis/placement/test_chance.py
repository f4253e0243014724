"""Chances by few draws are those of all draws."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.placement.chance import probabilities
from analysis.placement.outcome import outcome
from analysis.placement.places import Conditions
from analysis.placement.setup import set_up
from analysis.placement.work import Requirements
from tests.analysis.placement.questions import a_question, a_work

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
