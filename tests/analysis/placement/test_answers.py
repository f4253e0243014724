"""What comes out at each place: medians in their intervals, the cheapest, the nearest and the order."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.placement.answers import answers_to, binding
from analysis.placement.cheapest import cheapest
from analysis.placement.outcome import outcome
from analysis.placement.setup import set_up
from analysis.placement.verdict import probabilities, standing
from analysis.placement.work import Requirements
from tests.analysis.placement.questions import (
    CLOUD,
    LAPTOP,
    ONE_CHIP,
    PERSONAL,
    PLACES,
    SERVER,
    a_question,
    a_work,
)


@pytest.mark.parametrize(
    ("stay", "offline", "kinds"),
    [
        ("anywhere", False, {"personal", "owned", "rented"}),
        ("premises", False, {"personal", "owned"}),
        ("anywhere", True, {"personal", "owned"}),
        ("device", False, {"personal"}),
        ("device", True, {"personal"}),
    ],
)
def test_rules_exclude_places_whatever_their_speed(*, stay, offline, kinds):
    requirements = Requirements(stay=stay, offline=offline)
    kept = np.array([kind in kinds for kind in PLACES.kind])
    question = a_question(a_work(n_parameters=1e9), requirements=requirements)
    assert np.array_equal(question.allowed, kept)
    placed = set_up(question)
    assert not outcome(placed, question).met[0, ~kept].any()
    assert np.all(probabilities(placed, question)[0, ~kept] == 0.0)
    words = binding(placed, question)
    assert np.array_equal(words[0] == "rule", ~kept)


EVERY = np.ones(len(PLACES), dtype=bool)


def asked(work: Any = None, **limits: Any):
    return a_question(work, requirements=Requirements(**limits))


QUESTIONS = {
    "anything": asked(),
    "fast": asked(output_tokens_per_s=30.0, time_to_first_token_s=1.0),
    "cheap": asked(cost_usd_per_1000_requests=0.5),
    "too much": asked(a_work(n_parameters=7e11), output_tokens_per_s=100.0),
    "too large and kept in": asked(a_work(n_parameters=7e11), stay="device"),
    "kept in": asked(stay="premises", output_tokens_per_s=20.0),
}


@pytest.fixture(params=QUESTIONS)
def answers(request):
    return answers_to(QUESTIONS[request.param])


def test_medians_lie_in_their_intervals_and_chances_are_shares_of_draws(answers):
    question = answers.question
    for spans in (answers.first_s, answers.token_s, answers.cost_usd, answers.energy_j):
        assert spans.median.shape == (len(PLACES),)
        assert np.all((spans.low <= spans.median) & (spans.median <= spans.high))
    assert answers.probability == pytest.approx(probabilities(set_up(question), question)[0])
    assert np.array_equal(answers.meets, answers.probability >= question.sure)


def test_the_cheapest_is_that_of_the_places_that_meet_what_is_asked(answers):
    costs = np.where(answers.meets, answers.cost_usd.median, np.inf)
    assert answers.cheapest == (int(np.argmin(costs)) if answers.meets.any() else None)
    for keep in (PERSONAL, ~PERSONAL, ONE_CHIP):
        place = answers.cheapest_of(keep)
        assert place is None or (keep[place] and costs[place] == costs[keep].min())


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_part_that_nobody_measured_is_the_answer_only_where_no_other_place_is(name):
    question = QUESTIONS[name]
    device = tuple("AMD Instinct MI300X" if at == SERVER else one for at, one in enumerate(PLACES.device))
    cheap = np.where(np.arange(len(PLACES)) == SERVER, 0.01, PLACES.price_usd)
    places = replace(PLACES, device=device, price_usd=cheap)
    unproven = replace(question, places=places, conditions=replace(question.conditions, usd_per_kwh=0.0))
    answers = answers_to(unproven)
    best, others = answers.cheapest, answers.meets & (np.arange(len(PLACES)) != SERVER)
    assert (best == SERVER) == bool(answers.meets[SERVER] and not others.any())
    assert standing(unproven).cheapest(unproven.allowed, sure=unproven.sure) == best
    assert int(cheapest(unproven).place[0]) == (-1 if best is None else best)


def test_places_stand_by_cost_where_they_meet_what_is_asked_then_by_chance_and_ruled_out_last(answers):
    order = answers.order
    assert sorted(order.tolist()) == list(range(len(PLACES)))
    meeting = order[: int(answers.meets.sum())]
    assert answers.meets[meeting].all()
    assert np.all(np.diff(answers.cost_usd.median[meeting]) >= 0)
    rest = order[len(meeting) :]
    assert np.all(np.diff(answers.probability[rest]) <= 0)
    zero = rest[answers.probability[rest] == 0]
    assert np.all(np.diff(answers.ruled_out[zero].astype(int)) >= 0)


def test_the_nearest_is_as_likely_as_any_and_fits_where_another_as_likely_does(answers):
    likely = answers.probability == answers.probability.max()
    assert likely[answers.nearest]
    if (likely & ~answers.ruled_out).any():
        assert not answers.ruled_out[answers.nearest]
        if (likely & ~answers.ruled_out & answers.fits).any():
            assert answers.fits[answers.nearest]
    assert PERSONAL[answers.nearest_of(PERSONAL)]


def test_the_nearest_of_places_that_all_fail_misses_by_the_least():
    answers = answers_to(asked(output_tokens_per_s=1e5))
    assert not answers.probability.any()
    over = np.where(answers.fits, answers.shortfall, np.inf)
    assert over[answers.nearest] == over.min()


def test_the_shortfall_is_the_largest_ratio_of_what_comes_out_to_what_is_asked():
    answers = answers_to(
        asked(time_to_first_token_s=2.0, output_tokens_per_s=50.0, cost_usd_per_1000_requests=1.0)
    )
    ratios = [answers.first_s.median / 2.0, answers.token_s.median * 50.0, answers.cost_usd.median / 1.0]
    assert answers.shortfall == pytest.approx(np.max(ratios, axis=0))
    assert answers_to(asked()).shortfall.tolist() == [0.0] * len(PLACES)


def test_a_machine_of_ones_own_is_busier_with_more_requests_and_a_cloud_paid_by_use_is_not():
    few, many = (answers_to(asked(a_work(requests_per_day=number))).load for number in (100.0, 1000.0))
    assert many[LAPTOP] == pytest.approx(10 * few[LAPTOP])
    assert few[CLOUD] == many[CLOUD] == pytest.approx(0.6)
