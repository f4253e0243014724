"""A fine-tuning at every place: what fits, how long it takes, what it costs, and what comes nearest."""

from typing import Any

import numpy as np
import pytest

from analysis.fine_tuning.adapters import ALL_LINEAR, ATTENTION
from analysis.hardware.matmul_rates import MatmulRates
from analysis.model.architecture import Architecture
from analysis.model.typical import typical_dense
from analysis.placement.places import Conditions, HardwareGrowth
from analysis.placement.prices import host_w
from analysis.placement.tuning import TuningTask, nearest_tuning, tuned
from analysis.placement.work import Requirements
from data import standing
from tests.analysis.placement.questions import CLOUD, DESKTOP, PHONE, PLACES, SERVER, a_question

ROWS = standing.rows("architectures", "name")
MODEL = Architecture.from_row(ROWS["Llama 3.1 8B"])
RATES = MatmulRates.from_rows(standing.table("published_matmul").to_dict("records"), same_die=[])
RENTED = PLACES.is_kind("rented")


def task(**changed: Any) -> TuningTask:
    usual: dict[str, Any] = {
        "model": MODEL,
        "method": "lora",
        "tokens": 50e6,
        "deadline_h": 0.0,
        "budget_usd": None,
        "matmul_rates": RATES,
    }
    return TuningTask(**{**usual, **changed})


def test_twice_the_tokens_take_twice_the_time_the_rent_and_the_energy():
    once, twice = (tuned(a_question(), task(tokens=tokens)) for tokens in (50e6, 100e6))
    assert np.allclose(twice.hours, 2 * once.hours)
    assert np.allclose(twice.energy_j, 2 * once.energy_j)
    assert np.allclose(twice.cost_usd, 2 * once.cost_usd)


def test_all_weights_need_the_most_chips_and_adapters_on_four_bits_the_fewest():
    chips = [tuned(a_question(), task(method=method)).chips for method in ("full", "lora", "qlora")]
    assert chips[0][CLOUD] > chips[1][CLOUD] >= chips[2][CLOUD] >= 1
    assert np.all(chips[0] >= chips[1]) and np.all(chips[1] >= chips[2])


def test_what_binds_is_a_rule_then_the_memory_then_time_or_money():
    inside = a_question(requirements=Requirements(stay="premises"))
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
    hours, cost = float(np.median(free.hours[CLOUD])), float(np.quantile(free.cost_usd[CLOUD], 0.9))
    half = tuned(a_question(), task(deadline_h=hours))
    assert half.probability[CLOUD] == pytest.approx(0.5, abs=0.01)
    assert free.probability[CLOUD] == 1.0
    paid = tuned(a_question(), task(budget_usd=cost))
    assert paid.probability[CLOUD] == pytest.approx(0.9, abs=0.01)
    assert paid.meets[CLOUD] and not half.meets[CLOUD]


def test_the_cheapest_meets_what_is_asked_and_the_order_begins_with_it():
    done = tuned(a_question(), task(deadline_h=24.0))
    best = done.cheapest_of(np.ones(len(PLACES), dtype=bool))
    assert best is not None and done.meets[best]
    assert done.order[0] == best
    assert done.cheapest_of(np.zeros(len(PLACES), dtype=bool)) is None
    assert np.all((done.cost.low <= done.cost.median) & (done.cost.median <= done.cost.high))
    assert np.all((done.time.low <= done.time.median) & (done.time.median <= done.time.high))


def test_rent_and_the_share_of_a_price_are_charged_where_they_belong():
    usual = tuned(a_question(), task())
    dearer = tuned(a_question(conditions=Conditions(price_times=2.0)), task())
    assert dearer.cost_usd[CLOUD] == pytest.approx(2 * usual.cost_usd[CLOUD])
    assert dearer.cost_usd[~RENTED] == pytest.approx(usual.cost_usd[~RENTED])
    free = tuned(a_question(conditions=Conditions(share=0.0, usd_per_kwh=0.0)), task(method="qlora"))
    fits = ~free.too_small & PLACES.is_kind("personal")
    assert fits.any() and not free.cost_usd[fits].any()
    assert np.median(free.cost_usd[SERVER]) > 0


def test_later_chips_are_faster_and_hold_more():
    now, later = (
        tuned(a_question(growth=HardwareGrowth(flop=times, capacity=times)), task(method="full"))
        for times in (1.0, 4.0)
    )
    one_chip = ~PLACES.accelerator & ~now.too_small
    assert np.allclose(later.hours[one_chip], now.hours[one_chip] / 4)
    assert np.all(later.chips <= now.chips)


def test_adapters_of_a_mixture_sit_on_attention_alone():
    mixture = Architecture.from_row(ROWS["Qwen3 30B-A3B"])
    assert task(model=mixture).mixture and task(model=mixture).adapters.targets == ATTENTION
    assert not task().mixture and task().adapters.targets == ALL_LINEAR


def test_the_nearest_is_the_likeliest_else_the_least_late_else_the_one_with_the_most_memory():
    question = a_question()
    possible = task(deadline_h=24.0)
    done = tuned(question, possible)
    assert nearest_tuning(done, possible) == done.order[0]
    late = task(deadline_h=1e-6)
    done = tuned(question, late)
    place = nearest_tuning(done, late)
    held = ~done.too_small
    assert np.median(done.hours[place]) == np.median(done.hours, axis=1)[held].min()
    poor = task(budget_usd=1e-9)
    done = tuned(question, poor)
    place = nearest_tuning(done, poor)
    assert np.median(done.cost_usd[place]) == np.median(done.cost_usd, axis=1)[~done.too_small].min()
    huge = task(model=typical_dense(9e13), method="full")
    done = tuned(question, huge)
    assert done.too_small.all()
    memory = PLACES.memory_capacity_byte * PLACES.most_chips
    assert memory[nearest_tuning(done, huge)] == memory.max()
    inside = a_question(requirements=Requirements(stay="premises"))
    place = nearest_tuning(tuned(inside, huge), huge)
    assert place == int(np.argmax(np.where(RENTED, 0.0, memory))) != DESKTOP


def test_a_card_draws_its_share_of_the_computer_around_it_and_a_rented_chip_that_of_its_server():
    done = tuned(a_question(conditions=Conditions(server_power=1.5, pue=1.2)), task())
    watt = np.median(done.energy_j / (3600 * done.hours), axis=1) / done.chips
    host, count = host_w(PLACES), done.chips[SERVER]
    assert host[DESKTOP] > 0 and host[SERVER] > 0
    assert watt[DESKTOP] == pytest.approx(575 + host[DESKTOP])
    assert watt[SERVER] == pytest.approx(350 + np.ceil(count / 4) / count * host[SERVER])
    assert watt[CLOUD] == pytest.approx(1.5 * 1.2 * 700)
