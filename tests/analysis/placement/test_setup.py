import numpy as np
import pytest

from analysis.placement.served import deployments_of, fewest_chips
from analysis.placement.setup import bought_usd, prices, set_up
from analysis.placement.work import Requirements
from analysis.serving.times import by_name, fits
from tests.analysis.placement import questions
from tests.analysis.placement.questions import fits as fits_of_placement


def test_a_place_is_set_up_alike_with_and_without_its_neighbours():
    together = set_up(questions.a_question())
    assert np.array_equal(together.place[0], np.arange(len(questions.PLACES)))
    for at in range(len(questions.PLACES)):
        alone = set_up(questions.a_question(keep=np.arange(len(questions.PLACES)) == at))
        for name in ("chips", "slots", "machines", "fixed_usd", "second_usd", "need_byte"):
            assert getattr(alone, name)[0, 0] == pytest.approx(getattr(together, name)[0, at]), name


def test_each_person_has_a_device_and_rented_use_is_one_copy():
    question = questions.a_question()
    placed = set_up(question)
    assert np.array_equal(placed.machines[0, [questions.PHONE, questions.LAPTOP]], [20.0, 20.0])
    assert np.array_equal(placed.batch[0, [questions.PHONE, questions.LAPTOP]], [1.0, 1.0])
    assert np.array_equal(placed.machines[0, [questions.CLOUD, questions.FIXED]], [1.0, 1.0])
    assert questions.mid(question).load[0, [questions.CLOUD, questions.FIXED], 0] == pytest.approx([0.6, 0.6])


def test_chips_come_in_powers_of_two_that_hold_the_weights_up_to_the_most():
    sizes = np.geomspace(1e9, 1e14, 40)[:, None]
    chips = fewest_chips(questions.PLACES, sizes)
    assert np.all(chips[:, questions.FIXED] == 8.0)
    cloud = chips[:, questions.CLOUD]
    assert np.all(np.log2(cloud) % 1 == 0)
    assert np.all((sizes[:, 0] <= 0.7 * cloud * 80e9) | (cloud == 64.0))
    assert np.all(chips[:, questions.ONE_CHIP] == 1.0)


def test_up_to_four_cards_share_a_computer_that_costs_and_works_once():
    question = questions.a_question(keep=np.arange(len(questions.PLACES)) == questions.SERVER)

    def around(chips: float) -> tuple[float, float]:
        cards, machines = np.array([chips]), np.ones(1)
        own = prices(question, chips=cards, machines=machines, by_use=np.zeros(1, dtype=bool))
        bought = bought_usd(question, chips=cards, machines=machines)
        return float(bought[0]) - 8000.0 * chips, float(own["busy_w"][0]) - 350.0 * chips

    assert around(1) == around(4) == (6000.0, 300.0)
    assert around(5) == around(8) == (12_000.0, 600.0)


def test_an_accelerator_takes_no_more_requests_at_once_than_keep_the_first_token():
    keep = np.arange(len(questions.PLACES)) == questions.CLOUD
    free = set_up(questions.a_question(keep=keep))
    for limit in (0.5, 1.0, 4.0):
        wanted = questions.a_question(keep=keep, requirements=Requirements(time_to_first_token_s=limit))
        placed = set_up(wanted)
        assert placed.slots[0, 0] <= free.slots[0, 0] or placed.chips[0, 0] > free.chips[0, 0]
        first = placed.full_prompt.total_s(overlap=placed.overlap) / wanted.promised.prompt
        assert (placed.network_s + first)[0, 0] <= limit


def test_one_copy_fits_where_the_model_of_serving_says_so():
    for parameters in (1e9, 8e9, 7e10, 5e11):
        work = questions.a_work(n_parameters=parameters)
        placed = set_up(questions.a_question(work, questions.PLACES.accelerator))
        d = deployments_of(questions.a_question(work, questions.PLACES.accelerator), chips=placed.chips)
        factors = by_name(fits_of_placement().serving.factors)
        assert np.array_equal(placed.need_byte < placed.usable_byte, fits(d, factors))
