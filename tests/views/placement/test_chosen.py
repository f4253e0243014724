"""The place that the page is about."""

import numpy as np
import pytest

from analysis.placement.answers import answers_to
from data.releases import load
from views.placement.chosen import chosen, class_of, of_class
from views.placement.inputs import inputs_of
from views.placement.options import ANY, CLASS_LABELS
from views.placement.settings import PlacementSettings

INPUTS = inputs_of(PlacementSettings(work="frontier"), load("2026-07"))
ANSWERS = answers_to(INPUTS.question)


def test_every_place_belongs_to_one_class_and_every_class_has_a_place():
    found = [class_of(INPUTS, i) for i in range(len(INPUTS.names))]
    assert set(found) == set(CLASS_LABELS)
    assert of_class(INPUTS, ANY).all()
    assert np.sum([of_class(INPUTS, word) for word in CLASS_LABELS], axis=0).tolist() == [1] * len(found)


def test_without_a_class_it_is_the_cheapest_that_meets_the_targets():
    about = chosen(INPUTS, ANSWERS, only=ANY)
    assert (about.at, about.meets, about.fixed) == (ANSWERS.cheapest, True, False)


@pytest.mark.parametrize("word", CLASS_LABELS)
def test_of_a_class_it_is_the_cheapest_or_the_nearest_of_that_class(word):
    about = chosen(INPUTS, ANSWERS, only=word)
    among = of_class(INPUTS, word)
    assert about.fixed and among[about.at]
    assert about.meets == bool((ANSWERS.meets & among).any())
    if about.meets:
        costs = ANSWERS.cost_usd.median
        assert costs[about.at] == np.min(costs[ANSWERS.meets & among])
    else:
        assert ANSWERS.probability[about.at] == np.max(ANSWERS.probability[among])
