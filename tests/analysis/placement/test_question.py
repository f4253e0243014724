"""One record holds the question, refuses what is none, and keeps its parts together."""

from dataclasses import replace

import numpy as np

from analysis.placement.places import HardwareGrowth
from tests.analysis.placement.questions import CLOUD, PERSONAL, PHONE, PLACES, a_question
from tests.analysis.refusals import refusals


def test_a_part_of_the_places_keeps_their_work_draws_and_growth():
    count = len(PLACES)
    middle, drawn = np.arange(count) + 1.0, np.arange(count)[:, None] + np.ones(200)
    question = a_question(
        growth=HardwareGrowth(bandwidth=middle),
        drawn_growth=HardwareGrowth(**{name: drawn for name in vars(HardwareGrowth())}),
    )
    keep = np.isin(np.arange(count), [PHONE, CLOUD])
    some = question.at(keep)
    assert some.places.name == ("a phone", "a cloud")
    assert np.array_equal(some.luck.step, question.luck.step[keep])
    assert np.array_equal(some.growth.bandwidth, middle[keep])
    assert some.drawn_growth is not None and np.array_equal(some.drawn_growth.price, drawn[keep])
    assert np.array_equal(some.rented, [False, True]) and np.array_equal(some.phones, [True, False])


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "sure is a probability above 0 and up to 1; got 0": lambda: replace(a_question(), sure=0.0),
        "luck holds draws for each of 2 places; got 6. Draw it for these":
            lambda: replace(a_question(), places=PLACES.at(PERSONAL)),
    }
)  # fmt: skip
