from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement.answers import Answers, answers_to, missed_alone
from analysis.placement.results import Lack, Missed, Spans
from tests.analysis.placement.questions import LAPTOP, ONE_CHIP, PERSONAL, PLACES, a_question, a_work

QUESTIONS: dict[str, Any] = {
    "anything": {},
    "fast": {"output_tokens_per_s": 30.0, "time_to_first_token_s": 1.0},
    "cheap": {"cost_usd_per_1000_requests": 0.5},
    "kept in": {"data_residency": "premises", "output_tokens_per_s": 20.0},
    "too much": {"n_parameters": 7e11, "output_tokens_per_s": 100.0},
    "too large and kept in": {"n_parameters": 7e11, "data_residency": "device"},
}


def answers_for(*, n_parameters: float = 8e9, **limits: Any) -> Answers:
    return answers_to(a_question(a_work(n_parameters=n_parameters)).requiring(**limits))


@pytest.fixture(params=QUESTIONS)
def answers(request):
    return answers_for(**QUESTIONS[request.param])


def test_the_cheapest_is_that_of_the_places_that_meet_what_is_asked(answers):
    costs = np.where(answers.meets, answers.cost_usd.median, np.inf)
    best = int(np.argmin(costs)) if answers.meets.any() else None
    assert answers.cheapest == best
    for keep in (PERSONAL, ~PERSONAL, ONE_CHIP):
        place = answers.cheapest_of(keep)
        assert place is None or (keep[place] and costs[place] == costs[keep].min())
    assert best is None or answers.cheapest_but(best) == answers.cheapest_of(np.arange(len(PLACES)) != best)


def test_places_stand_by_cost_where_they_meet_what_is_asked_then_by_chance_and_ruled_out_last(answers):
    order = answers.order
    assert sorted(order.tolist()) == list(range(len(PLACES)))
    meeting, rest = np.split(order, [int(answers.meets.sum())])
    assert answers.meets[meeting].all()
    assert np.all(np.diff(answers.cost_usd.median[meeting]) >= 0)
    assert np.all(np.diff(answers.probability[rest]) <= 0)
    zero = rest[answers.probability[rest] == 0]
    assert np.all(np.diff(2 * answers.ruled_out[zero] + answers.too_small[zero]) >= 0)


def test_the_nearest_is_as_likely_as_any_and_fits_where_another_as_likely_does(answers):
    likely = answers.probability == answers.probability.max()
    assert likely[answers.nearest]
    if (likely & ~answers.ruled_out).any():
        assert not answers.ruled_out[answers.nearest]
        if (likely & answers.possible).any():
            assert answers.possible[answers.nearest]
    assert PERSONAL[answers.nearest_of(PERSONAL)]


def test_what_a_place_lacks_is_a_rule_then_memory_then_a_limit_then_its_chance(answers):
    for i in range(len(PLACES)):
        lack = answers.shortfall(i)
        assert (lack is None) == answers.meets[i]
        if lack is not None:
            assert (lack.lack is Lack.RULE) == answers.ruled_out[i] == bool(lack.rule)
            assert (lack.lack is Lack.MEMORY) == bool(answers.too_small[i] and not answers.ruled_out[i])
            assert lack.lack is not Lack.MEMORY or lack.reached < lack.required
            chance = (answers.probability[i], 0.8)
            assert lack.lack is not Lack.CHANCE or (lack.reached, lack.required) == chance


LIMITS = {
    Lack.FIRST_TOKEN: ("time_to_first_token_s", 1e-9, lambda answers: answers.first_s.median),
    Lack.SPEED: ("output_tokens_per_s", 1e9, lambda answers: 1 / answers.token_s.median),
    Lack.COST: ("cost_usd_per_1000_requests", 1e-9, lambda answers: answers.cost_usd.median),
}


@pytest.mark.parametrize("lack", LIMITS)
def test_a_limit_that_is_missed_is_lacking_with_the_number_reached_and_the_one_required(lack):
    name, required, reached = LIMITS[lack]
    answers = answers_for(**{name: required})
    lacks = {i: one for i in range(len(PLACES)) if (one := answers.shortfall(i)) and one.lack is lack}
    assert lacks
    assert all((one.reached, one.required) == (reached(answers)[i], required) for i, one in lacks.items())
    assert answers.excess[0] == pytest.approx(next(iter(lacks.values())).times)


def test_an_unknown_price_exceeds_any_budget():
    question = a_question().requiring(cost_usd_per_1000_requests=1.0)
    unpriced = replace(question, places=replace(PLACES, price_usd=np.full(len(PLACES), np.nan)))
    answers = answers_to(unpriced)
    assert {one.lack for i in np.flatnonzero(PERSONAL) if (one := answers.shortfall(int(i)))} == {Lack.PRICE}
    assert set(answers.unpriced) == set(np.flatnonzero(~question.rented))


def test_a_limit_by_itself_is_missed_by_so_many_and_nearest_by_the_least():
    answers = answers_for(output_tokens_per_s=1e9, time_to_first_token_s=1e9)
    speed = missed_alone(answers, "output_tokens_per_s")
    assert speed.count == speed.left == answers.possible.sum()
    assert speed.reached == answers.token_s.median[answers.possible].min()
    assert missed_alone(answers, "time_to_first_token_s").count == 0
    some = Missed.of(np.array([True, False]), left=np.array([True, True]), reached=np.array([np.nan, 2.0]))
    assert some == Missed(count=1, left=2, nearest=1, reached=2.0)


@given(values=st.lists(st.floats(0.0, 1e9) | st.just(float("inf")), min_size=1, max_size=60))
def test_an_interval_contains_nine_draws_of_ten_and_is_made_of_draws(values):
    span = Spans.of(np.array([values])).at(0)
    assert span.low <= span.value <= span.high and {span.low, span.value, span.high} <= set(values)
    assert sum(span.low <= value <= span.high for value in values) >= 0.9 * (len(values) - 1)


@pytest.mark.parametrize(("times", "lack"), [(1.05, Lack.SPEED), (0.99, Lack.CHANCE)])
def test_a_limit_is_lacking_from_the_median_on_and_the_chance_before(times, lack):
    speed = 1 / float(answers_for().token_s.median[LAPTOP])
    short = answers_for(output_tokens_per_s=times * speed).shortfall(LAPTOP)
    assert short is not None and short.lack is lack
