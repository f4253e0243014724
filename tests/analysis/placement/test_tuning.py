from typing import Any

import numpy as np
import pytest

from analysis.fine_tuning.memory import ALL_LINEAR, ATTENTION
from analysis.hardware.matmul_rates import MatmulRates
from analysis.model.architecture import Architecture
from analysis.model.typical import typical_dense
from analysis.placement.places import Conditions
from analysis.placement.results import Lack
from analysis.placement.setup import host_w
from analysis.placement.tuning import TuningTask, tuned
from analysis.placement.work import Requirements
from data import standing
from tests.analysis.placement.questions import CLOUD, DESKTOP, PHONE, PLACES, SERVER, a_question

ROWS = standing.rows("architectures", "name")
MODEL = Architecture.from_row(ROWS["Llama 3.1 8B"])
RATES = MatmulRates.from_rows(standing.table("published_matmul").to_dict("records"), same_die=[])
RENTED = PLACES.is_kind("rented")


def task(**changed: Any) -> TuningTask:
    usual: Any = {"model": MODEL, "method": "lora", "tokens": 50e6, "matmul_rates": RATES}
    return TuningTask(**{**usual, "deadline_h": 0.0, "budget_usd": None, **changed})


def test_twice_the_tokens_take_twice_the_time_the_rent_and_the_energy():
    once, twice = (tuned(a_question(), task(tokens=tokens)) for tokens in (50e6, 100e6))
    assert np.allclose(twice.drawn_hours, 2 * once.drawn_hours)
    assert np.allclose(twice.energy_j, 2 * once.energy_j)
    assert np.allclose(twice.drawn_cost_usd, 2 * once.drawn_cost_usd)


def test_all_weights_need_the_most_chips_and_adapters_on_four_bits_the_fewest():
    chips = [tuned(a_question(), task(method=method)).chips for method in ("full", "lora", "qlora")]
    assert chips[0][CLOUD] > chips[1][CLOUD] >= chips[2][CLOUD] >= 1
    assert np.all(chips[0] >= chips[1]) and np.all(chips[1] >= chips[2])


def test_what_binds_is_a_rule_then_the_memory_then_time_or_money():
    inside = a_question(requirements=Requirements(data_residency="premises"))
    done = tuned(inside, task(method="full", deadline_h=0.01))
    words = np.array(done.binding)
    assert (words[RENTED] == "rule").all() and done.ruled_out.tolist() == RENTED.tolist()
    assert words[PHONE] == "capacity" and done.too_small[PHONE]
    assert not done.probability[done.ruled_out | done.too_small].any()
    dear = tuned(a_question(), task(budget_usd=1e-6))
    assert dear.binding[CLOUD] == "price" and not dear.meets.any()
    late = tuned(a_question(), task(deadline_h=1e-6, budget_usd=1e6))
    assert late.binding[CLOUD] == "compute" and not late.meets.any()


def test_the_chance_is_the_share_of_draws_within_deadline_and_budget():
    free = tuned(a_question(), task())
    hours = float(np.median(free.drawn_hours[CLOUD]))
    cost = float(np.quantile(free.drawn_cost_usd[CLOUD], 0.9))
    half = tuned(a_question(), task(deadline_h=hours))
    assert half.probability[CLOUD] == pytest.approx(0.5, abs=0.01)
    assert free.probability[CLOUD] == 1.0
    paid = tuned(a_question(), task(budget_usd=cost))
    assert paid.probability[CLOUD] == pytest.approx(0.9, abs=0.01)
    assert paid.meets[CLOUD] and not half.meets[CLOUD]


def test_a_place_lacks_memory_then_time_then_money_then_certainty():
    done = tuned(a_question(), task(method="full", deadline_h=0.01, budget_usd=1e-6))
    small = done.shortfall(PHONE)
    assert small is not None and small.lack is Lack.MEMORY
    late = done.shortfall(CLOUD)
    assert late is not None and late.lack is Lack.TIME
    assert (late.reached, late.required) == (done.hours.median[CLOUD], 0.01)
    costly = tuned(a_question(), task(budget_usd=1e-6)).shortfall(CLOUD)
    assert costly is not None and costly.lack is Lack.COST and costly.times > 1
    hours = float(np.quantile(done.drawn_hours[CLOUD], 0.7))
    unsure = tuned(a_question(), task(method="full", deadline_h=hours)).shortfall(CLOUD)
    assert unsure is not None and (unsure.lack, unsure.reached) == (Lack.CHANCE, pytest.approx(0.7, abs=0.01))


def test_a_limit_counts_the_possible_places_that_are_not_sure_to_keep_it_and_the_nearest():
    done = tuned(a_question(), task(method="full"))
    missed = done.missing(done.drawn_hours, 1e-6)
    assert missed.count == missed.left == done.possible.sum() < len(PLACES)
    assert missed.reached == np.median(done.drawn_hours, axis=1)[done.possible].min()
    assert done.missing(done.drawn_hours, 1e9).count == 0


def test_rent_and_the_share_of_a_price_are_charged_where_they_belong():
    usual = tuned(a_question(), task())
    dearer = tuned(a_question(conditions=Conditions(price_times=2.0)), task())
    assert dearer.drawn_cost_usd[CLOUD] == pytest.approx(2 * usual.drawn_cost_usd[CLOUD])
    assert dearer.drawn_cost_usd[~RENTED] == pytest.approx(usual.drawn_cost_usd[~RENTED])
    free = tuned(a_question(conditions=Conditions(share=0.0, usd_per_kwh=0.0)), task(method="qlora"))
    fits = ~free.too_small & PLACES.is_kind("personal")
    assert fits.any() and not free.drawn_cost_usd[fits].any()
    assert np.median(free.drawn_cost_usd[SERVER]) > 0


def test_adapters_of_a_mixture_sit_on_attention_alone():
    mixture = Architecture.from_row(ROWS["Qwen3 30B-A3B"])
    assert task(model=mixture).mixture and task(model=mixture).adapters.targets == ATTENTION
    assert not task().mixture and task().adapters.targets == ALL_LINEAR


def test_the_nearest_is_the_likeliest_else_the_least_late_else_the_one_with_the_most_memory():
    done = tuned(a_question(), task(deadline_h=24.0))
    assert done.nearest == done.order[0]
    limits = ({"deadline_h": 1e-6}, {"budget_usd": 1e-9})
    late, poor = (tuned(a_question(), task(**limit)) for limit in limits)
    for done, draws in ((late, late.drawn_hours), (poor, poor.drawn_cost_usd)):
        least = np.median(draws, axis=1)
        assert least[done.nearest] == least[~done.too_small].min()
    huge = task(model=typical_dense(9e13), method="full")
    memory = PLACES.memory_capacity_byte * PLACES.most_chips
    done = tuned(a_question(), huge)
    assert done.too_small.all() and memory[done.nearest] == memory.max()
    inside = tuned(a_question(requirements=Requirements(data_residency="premises")), huge)
    assert inside.nearest == int(np.argmax(np.where(RENTED, 0.0, memory))) != DESKTOP


def test_a_card_draws_its_share_of_the_computer_around_it_and_a_rented_chip_that_of_its_server():
    done = tuned(a_question(conditions=Conditions(server_power=1.5, pue=1.2)), task())
    watt = np.median(done.energy_j / (3600 * done.drawn_hours), axis=1) / done.chips
    host, count = host_w(PLACES), done.chips[SERVER]
    assert host[DESKTOP] > 0 and host[SERVER] > 0
    assert watt[DESKTOP] == pytest.approx(575 + host[DESKTOP])
    assert watt[SERVER] == pytest.approx(350 + np.ceil(count / 4) / count * host[SERVER])
    assert watt[CLOUD] == pytest.approx(1.5 * 1.2 * 700)
