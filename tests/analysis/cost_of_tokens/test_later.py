from typing import Any

import numpy as np
import pytest

from analysis.cost_of_tokens.candidates import GROWING
from analysis.cost_of_tokens.frontier import frontiers
from analysis.cost_of_tokens.later import LaterCost, Successors, successors
from analysis.rent_rates import RentRate
from analysis.rents import listed
from analysis.serving.tables import model
from analysis.serving.times import by_name
from tests.analysis.cost_of_tokens.test_frontier import TERMS, tried

YEARS = np.arange(2026.0, 2033.0)


def rate(factor: float, *, lasts: float = np.inf) -> RentRate:
    return RentRate(value=factor, low=factor, high=factor, draws=np.full(300, factor), lasts=lasts)


def made(*, growth: float = 1.0, newer: float = 1.0, prices: tuple[float, ...] = (2.0,)) -> Successors:
    trend = {name: rate(growth) for name in GROWING}
    first = frontiers(tried(), model(), terms=TERMS)[0]
    mine = tried().at(tried().of(first.accelerator))
    asked: Any = {"trend": trend, "newer": rate(newer), "years": YEARS, "terms": TERMS}
    return successors(mine, first, factors=by_name(model().factors), listed=listed(2026.8, prices), **asked)


def test_where_nothing_moves_the_price_stays_that_of_today():
    cost = made().cost(rate(1.0))
    assert cost.middle == pytest.approx(np.full(7, cost.middle[0]))


def test_prices_are_scaled_to_that_of_the_frontier():
    falling = rate(0.9)
    scaled = made(growth=1.1).anchored(3.0, at=2, rate=falling)
    assert scaled.cost(falling).middle[2] == pytest.approx(3.0)
    assert made().anchored(np.inf, at=0, rate=falling).usd == pytest.approx(made().usd)


def test_rents_alone_move_the_price_by_their_own_rate_and_once_by_a_rise_that_ends():
    assert made().cost(rate(0.8)).middle == pytest.approx(made().cost(rate(1.0)).middle * 0.8 ** np.arange(7))
    rising = made().cost(rate(1.8, lasts=1.0)).middle
    assert rising == pytest.approx(made().cost(rate(1.0)).middle * 1.8 ** np.minimum(np.arange(7), 1))


def test_draws_hold_what_other_providers_ask_and_the_middle_does_not():
    alone, several = made(), made(prices=(1.0, 2.0, 6.0))
    assert several.usd[0] == pytest.approx(alone.usd[0])
    over = several.usd[1:] / alone.usd[1:]
    assert 0.5 <= over.min() < 0.6 and 2.5 < over.max() <= 3


def test_an_interval_is_stretched_to_a_known_one_of_a_year():
    cost = made(prices=(1.0, 2.0, 6.0)).cost(rate(0.9))
    low, high = 0.4 * cost.middle[2], 5 * cost.middle[2]
    ends = cost.interval(0.9, stretch=cost.stretch(0.9, at=2, low=low, high=high))
    assert [end[2] for end in ends] == pytest.approx([low, high])
    assert cost.stretch(0.9, at=2, low=low, high=np.inf)[1] == 1


def test_a_successor_that_costs_too_much_is_passed_over_for_the_accelerator_of_today():
    assert made(newer=1.5).usd[0] == pytest.approx(np.full(7, made().usd[0, 0]))


def test_faster_successors_at_the_same_rent_make_it_cheaper_every_year():
    usd = made(growth=1.3).usd[0]
    assert (np.diff(usd) < 0).all()
    assert usd[-1] < usd[0] / 2


def test_a_price_has_its_first_year_and_a_greater_certainty_a_later_one():
    draws = np.array([[4.0, 2.0, 1.0], [4.0, 4.0, 2.0], [4.0, 4.0, 4.0]])
    cost = LaterCost(year=np.array([2026.0, 2027.0, 2028.0]), middle=draws[1], draws=draws)
    assert cost.chance(2.0).tolist() == pytest.approx([0, 1 / 3, 2 / 3])
    assert cost.first_year(2.0, required_probability=0.3) == 2027
    assert cost.first_year(2.0, required_probability=0.6) == 2028
    assert cost.first_year(2.0, required_probability=0.9) == np.inf
    low, high = cost.interval(0.9)
    assert (low <= high).all()
    with pytest.raises(ValueError, match=r"strictly between 0 and 1; got 90. For 90% pass 0\.9"):
        cost.interval(90)
