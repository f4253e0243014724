from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement.outcome import middle, outcome
from analysis.placement.places import Conditions
from analysis.placement.setup import set_up
from analysis.placement.work import resized
from tests.analysis.placement import questions

COSTS = ("time_to_first_token_s", "time_per_output_token_s", "cost_usd_per_1000_requests")

factors = st.floats(1.05, 30.0)
requests = st.floats(1.0, 1e6)


@questions.SOME
@given(larger=factors, parameters=st.floats(5e8, 2e10), load=requests)
def test_a_larger_model_never_gets_cheaper_on_as_many_chips_nor_faster_on_one(*, larger, parameters, load):
    work = questions.a_work(n_parameters=parameters, requests_per_day=load)
    both = resized(work, np.array([[1.0], [larger]]))
    known = questions.ONE_CHIP | (questions.PLACES.chips > 0)
    question = questions.a_question(both, known, conditions=Conditions(usd_per_kwh=0.0))
    question = questions.a_question(
        both, questions.ONE_CHIP | (questions.PLACES.chips > 0), conditions=Conditions(usd_per_kwh=0.0)
    )
    small, large = questions.mid(question).cost_usd_per_1000_requests[..., 0]
    assert questions.never_less(large, small)
    own = questions.a_question(both, questions.PERSONAL)
    placed = set_up(own)
    central = middle(placed, own)
    for name in (*COSTS, "energy_j_per_request"):
        small, large = getattr(central, name)[..., 0]
        assert questions.never_less(large, small), name
    assert np.all(placed.need_byte[1] > placed.need_byte[0])
    assert not np.any(central.fits[1] & ~central.fits[0])


def test_phones_slow_down_as_they_are_busy_and_other_places_do_not():
    question = questions.a_question(questions.a_work(n_parameters=3e9, requests_per_day=4000.0))
    placed = set_up(question)
    rules = (replace(question, sustained_rule=rule) for rule in (False, None, True))
    never, by_work, always = (outcome(placed, ruled).time_per_output_token_s[0] for ruled in rules)
    assert np.all(never[questions.PHONE] <= by_work[questions.PHONE])
    assert np.all(by_work[questions.PHONE] <= always[questions.PHONE])
    slower = questions.draws().sustained[questions.PHONE]
    assert always[questions.PHONE] == pytest.approx(never[questions.PHONE] / slower)
    assert np.array_equal(never[questions.LAPTOP :], always[questions.LAPTOP :])
