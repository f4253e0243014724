"""What binds a place."""

import numpy as np
import pytest

from analysis.placement.binding import binding
from analysis.placement.chance import probabilities
from analysis.placement.outcome import outcome
from analysis.placement.setup import set_up
from analysis.placement.work import Requirements
from tests.analysis.placement.questions import PHONE, PLACES, a_question, a_work


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


def test_a_model_too_large_for_a_place_is_bound_by_its_memory():
    question = a_question(a_work(n_parameters=1e11))
    placed = set_up(question)
    assert binding(placed, question)[0, PHONE] == "capacity"
    assert probabilities(placed, question)[0, PHONE] == 0.0
