from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.fleet import DrawnSeries, Shipments, counted_by, drawn_units, growth, last_year, total

ROWS = Shipments(
    maker=("A", "A", "B"),
    kind=("a1", "a2", "b"),
    end_year=np.array([2023.0, 2023.25, 2023.25]),
    units_low=np.array([80.0, 50.0, 9.0]),
    units=np.array([100.0, 100.0, 10.0]),
    units_high=np.array([150.0, 300.0, 20.0]),
    offered=np.array([1.0, 2.0, 5.0]),
)


def test_draws_have_the_percentiles_that_were_given():
    units = drawn_units(ROWS, draws=4001)
    assert units[0] == pytest.approx(ROWS.units)
    low, middle, high = np.quantile(units[1:], [0.05, 0.5, 0.95], axis=0)
    assert low == pytest.approx(ROWS.units_low, rel=0.01)
    assert middle == pytest.approx(ROWS.units, rel=0.01)
    assert high == pytest.approx(ROWS.units_high, rel=0.01)


def test_chips_of_one_maker_are_off_together_and_makers_are_not():
    above = drawn_units(ROWS)[1:] > ROWS.units
    assert (above[:, 0] == above[:, 1]).all()
    assert 0.45 < np.mean(above[:, 0] == above[:, 2]) < 0.55


@pytest.mark.parametrize(
    "change", [{"units_low": np.zeros(3)}, {"units_low": np.full(3, 1e6)}, {"units_high": np.ones(3)}]
)
def test_percentiles_out_of_order_are_refused(change):
    with pytest.raises(ValueError, match="units in chips_shipped need a 5th percentile above zero"):
        drawn_units(replace(ROWS, **change))


def test_what_is_in_use_adds_up_and_leaves_when_it_is_old():
    units = ROWS.units[None, :]
    assert total(ROWS, units, stock=True).total.tolist() == [[100.0, 350.0]]
    assert total(ROWS, units, stock=False).total.tolist() == [[100.0, 250.0]]
    assert total(ROWS, units, stock=True, retired_after_years=0.25).total.tolist() == [[100.0, 250.0]]
    assert total(ROWS, units, stock=True, keep=np.array([False, False, True])).total.tolist() == [[0.0, 50.0]]
    first_and_last = np.array([True, False, True])
    assert total(ROWS, units, stock=False, keep=first_and_last).total.tolist() == [[100.0, 50.0]]


def test_makers_are_counted_by_a_year_or_the_first_are():
    assert counted_by(ROWS, 2023.0).tolist() == [True, True, False]
    assert counted_by(ROWS, 2023.25).tolist() == [True, True, True]
    assert counted_by(ROWS, 2020.0).tolist() == [True, True, False]
    assert counted_by(ROWS.at(np.zeros(3, dtype=bool)), 2020.0).tolist() == []


@given(join=st.integers(1, 11), factor=st.floats(1.1, 5.0))
def test_a_maker_that_joins_moves_no_growth_of_those_counted_all_along(join: int, factor: float):
    ends = 2022.25 + 0.25 * np.arange(16)
    units = factor ** (np.concatenate([ends, ends[join:]]) - 2022)
    both = Shipments(
        maker=("A",) * 16 + ("B",) * (16 - join),
        kind=("a",) * 16 + ("b",) * (16 - join),
        end_year=np.concatenate([ends, ends[join:]]),
        units_low=units,
        units=units,
        units_high=units,
        offered=np.ones(32 - join),
    )
    units = both.units[None, :].repeat(3, axis=0)
    fleet = total(both, units, stock=False, keep=counted_by(both, 2022.25))
    assert growth(fleet, since=2022, until=2026).value == pytest.approx(factor)


def test_the_last_year_is_four_quarters_and_needs_them():
    ends = 2024.25 + 0.25 * np.arange(6)
    fleet = DrawnSeries(end_year=ends, total=np.tile([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], (9, 1)))
    result = last_year(fleet)
    assert result and (result.low, result.value, result.high) == (3.0, 3.0, 3.0)
    either = last_year(fleet, replace(fleet, total=fleet.total ** np.linspace(0.9, 1.2, 9)[:, None]))
    assert either and either.value == 3.0 and either.low < 3.0 < either.high
    assert last_year(DrawnSeries(end_year=ends[2:], total=fleet.total[:, 2:])) is None
    gone = fleet.total.copy()
    gone[:, 1] = 0.0
    assert last_year(DrawnSeries(end_year=ends, total=gone)) is None


@given(factor=st.floats(0.3, 9.0), scale=st.floats(1e-3, 1e20))
def test_steady_growth_is_found_whatever_the_unit(factor: float, scale: float):
    year = 2023 + 0.25 * np.arange(9)
    fleet = DrawnSeries(end_year=year, total=np.tile(scale * factor ** (year - 2023), (3, 1)))
    result = growth(fleet, since=2022, until=2025)
    assert (result.value, result.low, result.high) == pytest.approx((factor,) * 3)


def test_a_window_without_quarters_is_refused():
    with pytest.raises(ValueError, match=r"growth needs three quarters or more; 2022 to 2023 has 1. Widen"):
        growth(total(ROWS, drawn_units(ROWS), stock=True), since=2022, until=2023)


@pytest.mark.parametrize("level", [0.0, 1.0, 90.0])
def test_a_level_is_a_probability(level):
    with pytest.raises(ValueError, match="level is a probability strictly between 0 and 1"):
        total(ROWS, drawn_units(ROWS), stock=True).interval(level)
