from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.cost_of_bandwidth import Purchases, drawn_costs, growth, per_offered, spent, trend_values
from analysis.fleet import DrawnSeries
from tests.analysis.refusals import refusals

BOUGHT = Purchases(
    maker=("A", "A", "A", "B"),
    part=("memory", "logic", "memory", "memory"),
    end_year=np.array([2024.25, 2024.25, 2024.5, 2024.5]),
    cost_low_usd=np.array([80.0, 9.0, 90.0, 5.0]),
    cost_usd=np.array([100.0, 10.0, 120.0, 10.0]),
    cost_high_usd=np.array([150.0, 12.0, 160.0, 20.0]),
)


def steady(factor: float, *, quarters: int = 7, scale: float = 1.0, draws: int = 200) -> DrawnSeries:
    """Return a series that grows alike in every draw."""
    year = 2024.25 + 0.25 * np.arange(quarters)
    return DrawnSeries(end_year=year, total=np.tile(scale * factor ** (year - 2024.0), (draws, 1)))


def test_quarters_of_one_part_are_off_together_and_parts_are_not():
    above = drawn_costs(BOUGHT)[1:] > BOUGHT.cost_usd
    assert (above[:, 0] == above[:, 2]).all()
    assert 0.45 < np.mean(above[:, 0] == above[:, 1]) < 0.55
    assert 0.45 < np.mean(above[:, 2] == above[:, 3]) < 0.55


def test_what_is_kept_adds_up_by_quarter():
    costs = BOUGHT.cost_usd[None, :]
    memory = np.array([part == "memory" for part in BOUGHT.part])
    assert spent(BOUGHT, costs, keep=memory).total.tolist() == [[100.0, 130.0]]
    assert spent(BOUGHT, costs, keep=np.ones(len(BOUGHT), dtype=bool)).total.tolist() == [[110.0, 130.0]]


def test_a_cost_meets_what_ships_so_many_quarters_later():
    cost = DrawnSeries(end_year=np.array([2024.25, 2024.5, 2024.75]), total=np.array([[10.0, 20.0, 30.0]]))
    ends = np.array([2024.0, 2024.25, 2024.5, 2024.75])
    offered = DrawnSeries(end_year=ends, total=np.array([[1.0, 2.0, 5.0, 10.0]]))
    same, later = (per_offered(cost, offered, lag_quarters=lag) for lag in (0, 1))
    assert (same.total.tolist(), later.total.tolist()) == ([[5.0, 4.0, 3.0]], [[2.0, 2.0]])
    assert later.end_year.tolist() == [2024.5, 2024.75]


def test_quarters_in_which_nothing_ships_are_left_out():
    later = replace(cost := steady(1.5, quarters=2), total=np.array([[0.0, 5.0]]))
    assert per_offered(cost, later, lag_quarters=0).end_year.tolist() == [2024.5]


@settings(deadline=None)
@given(factor=st.floats(0.3, 9.0), scale=st.floats(1e-12, 1e12), quarters=st.integers(4, 9))
def test_steady_growth_is_found_whatever_the_unit(*, factor: float, scale: float, quarters: int):
    of = steady(factor, scale=scale, quarters=quarters)
    result, trend = growth(of), trend_values(of.end_year.tolist(), of.total[0].tolist(), yearly_growth=factor)
    assert trend == pytest.approx(of.total[0], rel=1e-9)
    assert (result.value, result.low, result.high) == pytest.approx((factor,) * 3, rel=1e-6)


def test_a_series_off_its_line_has_a_wider_interval_the_fewer_quarters_there_are():
    def rough(quarters: int) -> DrawnSeries:
        result = steady(1.5, quarters=quarters)
        return replace(result, total=result.total * np.where(np.arange(quarters) % 2, 1.2, 1 / 1.2))

    few, many = growth(rough(5)), growth(rough(9))
    assert few.low < many.low < 1.5 < many.high < few.high
    wide = growth(rough(9), level=0.95)
    assert wide.low <= many.low <= many.high <= wide.high


def test_the_interval_holds_the_rate_about_as_often_as_it_says():
    """Seven quarters with a scatter of 8 %: 93 % of 500 such series lie inside a 90 % interval."""
    random, held = np.random.default_rng(1), 0
    for _ in range(150):
        of = steady(1.5, quarters=7, draws=400)
        result = growth(replace(of, total=of.total * np.exp(0.08 * random.normal(size=7))))
        held += result.low <= 1.5 <= result.high
    assert 0.85 < held / 150 < 0.99


def test_a_later_start_leaves_earlier_quarters_out():
    bent = steady(1.0, quarters=8)
    late = bent.end_year > 2025.1
    bent = replace(bent, total=bent.total * np.where(late, 2.0 ** (bent.end_year - 2025.0), 1.0))
    assert growth(bent, since=2025.0).value == pytest.approx(2.0)


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "growth needs 4 quarters or more; there are 3. Choose a shorter lag.": lambda: growth(steady(1.5, quarters=3)),
        "costs in component_costs need a 5th percentile above zero, at most the median":
            lambda: drawn_costs(replace(BOUGHT, cost_low_usd=np.zeros(4))),
        "level is a probability strictly between 0 and 1; got 90": lambda: growth(steady(1.5), level=90.0),
    }
)  # fmt: skip
