"""Chips, machines and memory of a work on each place."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.placement.places import HardwareGrowth
from analysis.placement.setup import fewest_chips, set_up
from analysis.placement.work import Requirements
from tests.analysis.placement.questions import (
    CLOUD,
    FIXED,
    LAPTOP,
    ONE_CHIP,
    PHONE,
    PLACES,
    a_question,
    a_work,
    mid,
)


def test_a_place_is_set_up_alike_with_and_without_its_neighbours():
    together = set_up(a_question())
    assert np.array_equal(together.place[0], np.arange(len(PLACES)))
    for at in range(len(PLACES)):
        alone = set_up(a_question(keep=np.arange(len(PLACES)) == at))
        for name in ("chips", "slots", "machines", "fixed_usd", "second_usd", "need_byte"):
            assert getattr(alone, name)[0, 0] == pytest.approx(getattr(together, name)[0, at]), name


def test_each_person_has_a_device_and_rented_use_is_one_copy():
    question = a_question()
    placed = set_up(question)
    assert np.array_equal(placed.machines[0, [PHONE, LAPTOP]], [20.0, 20.0])
    assert np.array_equal(placed.batch[0, [PHONE, LAPTOP]], [1.0, 1.0])
    assert np.array_equal(placed.machines[0, [CLOUD, FIXED]], [1.0, 1.0])
    assert mid(question).load[0, [CLOUD, FIXED], 0] == pytest.approx([0.6, 0.6])


def test_chips_come_in_powers_of_two_that_hold_the_weights_up_to_the_most():
    sizes = np.geomspace(1e9, 1e14, 40)[:, None]
    work = replace(a_work(), weights_byte=sizes)
    chips = fewest_chips(a_question(work))
    assert np.all(chips[:, FIXED] == 8.0)
    cloud = chips[:, CLOUD]
    assert np.all(np.log2(cloud) % 1 == 0)
    assert np.all((sizes[:, 0] <= 0.7 * cloud * 80e9) | (cloud == 64.0))
    assert np.all(chips[:, ONE_CHIP] == 1.0)


def test_as_many_chips_are_tried_as_the_place_may_have():
    large, cloud = a_work(n_parameters=6e11, requests_per_day=1e6), np.arange(len(PLACES)) == CLOUD
    question = a_question(large, cloud, requirements=Requirements(output_tokens_per_s=20.0))
    fewest = fewest_chips(question)
    assert 8 <= np.ravel(fewest)[0] < 64
    placed = set_up(question)
    assert np.ravel(placed.chips)[0] > np.ravel(fewest)[0]


def test_memory_in_use_by_others_grows_with_what_a_machine_keeps():
    grown, today = set_up(a_question(growth=HardwareGrowth(capacity=2.0))), set_up(a_question())
    assert grown.usable_byte[0] == pytest.approx(2 * today.usable_byte[0] * grown.chips[0] / today.chips[0])
