from dataclasses import replace

import numpy as np
import pytest

from analysis.placement.answers import BINDINGS, answers_to, binding
from analysis.placement.outcome import outcome
from analysis.placement.verdict import cheapest, probabilities, standing
from tests.analysis.placement.questions import CLOUD, LAPTOP, PLACES, SERVER, a_question, a_work
from tests.analysis.placement.test_results import QUESTIONS, answers_for


@pytest.mark.parametrize(
    ("data_residency", "offline", "kinds", "rule"),
    [
        ("anywhere", False, {"personal", "owned", "rented"}, ""),
        ("premises", False, {"personal", "owned"}, "premises"),
        ("anywhere", True, {"personal", "owned"}, "offline"),
        ("device", False, {"personal"}, "device"),
        ("device", True, {"personal"}, "device"),
    ],
)
def test_rules_exclude_places_whatever_their_speed(*, data_residency, offline, kinds, rule):
    answers = answers_for(n_parameters=1e9, data_residency=data_residency, offline=offline)
    question, placed = answers.question, answers.placed
    kept = np.array([kind in kinds for kind in PLACES.kind])
    assert np.array_equal(question.allowed, kept) and question.requirements.rule == rule
    assert not outcome(placed, question).met[0, ~kept].any()
    assert np.all(probabilities(placed, question)[0, ~kept] == 0.0)
    assert np.array_equal(answers.ruled_out, ~kept)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_part_that_nobody_measured_is_the_answer_only_where_no_other_place_is(name):
    question = answers_for(**QUESTIONS[name]).question
    device = tuple("AMD Instinct MI300X" if at == SERVER else one for at, one in enumerate(PLACES.device))
    cheap = np.where(np.arange(len(PLACES)) == SERVER, 0.01, PLACES.price_usd)
    places = replace(PLACES, device=device, price_usd=cheap)
    unproven = replace(question, places=places).under(usd_per_kwh=0.0)
    answers = answers_to(unproven)
    best, others = answers.cheapest, answers.meets & (np.arange(len(PLACES)) != SERVER)
    assert (best == SERVER) == bool(answers.meets[SERVER] and not others.any())
    assert standing(unproven).cheapest() == best
    assert int(cheapest(unproven).place[0]) == (-1 if best is None else best)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"output_tokens_per_s": 1e6}, {"bandwidth", "compute", "overhead", "links", "capacity"}),
        ({"cost_usd_per_1000_requests": 1e-9}, {"price", "capacity"}),
        ({"time_to_first_token_s": 1e-9}, {*BINDINGS} - {"price", "rule"}),
    ],
    ids=["too fast", "too cheap", "too soon"],
)
def test_the_requirement_with_the_least_room_binds(limits, words):
    answers = answers_for(**limits)
    assert set(answers.binding) <= words
    assert np.array_equal(np.array(answers.binding) == "capacity", answers.too_small)
    assert binding(answers.placed, answers.question)[0].tolist() == list(answers.binding)


def test_a_machine_of_ones_own_is_busier_with_more_requests_and_a_cloud_paid_by_use_is_not():
    few, many = (answers_to(a_question(a_work(requests_per_day=number))).load for number in (100.0, 1000.0))
    assert many[LAPTOP] == pytest.approx(10 * few[LAPTOP])
    assert few[CLOUD] == many[CLOUD] == pytest.approx(0.6)
