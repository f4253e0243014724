"""All chips together: percentiles are kept, makers are independent, chips come and go."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.fleet import (
    DrawnSeries,
    FleetGrowth,
    Shipments,
    balance,
    counted_by,
    drawn_units,
    growth,
    in_use,
    last_year,
    shipped,
    widest,
)
from data import releases, standing

ROWS = Shipments(
    maker=("A", "A", "B"),
    kind=("a1", "a2", "b"),
    end_year=np.array([2023.0, 2023.25, 2023.25]),
    units_low=np.array([80.0, 50.0, 9.0]),
    units=np.array([100.0, 100.0, 10.0]),
    units_high=np.array([150.0, 300.0, 20.0]),
    offered=np.array([1.0, 2.0, 5.0]),
)


def of_release(column: str) -> Shipments:
    """Return the chips shipped in whole quarters, each offering a paper figure of release 2026-07."""
    frame: Any = standing.table("chips_shipped")
    frame = frame.loc[frame["complete"]]
    parts: Any = releases.load("2026-07").accelerators.set_index("name")
    day = frame["quarter_end"]
    return Shipments(
        maker=tuple(frame["vendor"]),
        kind=tuple(frame["chip"]),
        end_year=np.asarray(day.dt.year + day.dt.month / 12, dtype=float),
        units_low=np.asarray(frame["units_low"], dtype=float),
        units=np.asarray(frame["units"], dtype=float),
        units_high=np.asarray(frame["units_high"], dtype=float),
        offered=np.asarray(parts.loc[frame["accelerator"], column], dtype=float),
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
    with pytest.raises(ValueError, match="units have a 5th percentile above nothing"):
        drawn_units(replace(ROWS, **change))


def test_what_is_in_use_adds_up_and_leaves_when_it_is_old():
    units = ROWS.units[None, :]
    assert in_use(ROWS, units).total.tolist() == [[100.0, 350.0]]
    assert shipped(ROWS, units).total.tolist() == [[100.0, 250.0]]
    assert in_use(ROWS, units, retired_after_years=0.25).total.tolist() == [[100.0, 250.0]]
    assert in_use(ROWS, units, keep=np.array([False, False, True])).total.tolist() == [[0.0, 50.0]]
    assert shipped(ROWS, units, keep=np.array([True, False, True])).total.tolist() == [[100.0, 50.0]]


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
    fleet = shipped(both, both.units[None, :].repeat(3, axis=0), keep=counted_by(both, 2022.25))
    assert growth(fleet, since=2022, until=2026).factor == pytest.approx(factor)


def test_the_last_year_is_four_quarters_and_needs_them():
    ends = 2024.25 + 0.25 * np.arange(6)
    fleet = DrawnSeries(end_year=ends, total=np.tile([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], (9, 1)))
    found = last_year(fleet)
    assert found and (found.low, found.factor, found.high) == (3.0, 3.0, 3.0)
    assert last_year(DrawnSeries(end_year=ends[2:], total=fleet.total[:, 2:])) is None
    gone = fleet.total.copy()
    gone[:, 1] = 0.0
    assert last_year(DrawnSeries(end_year=ends, total=gone)) is None


def test_the_widest_interval_holds_both():
    one, other = FleetGrowth(factor=2.0, low=1.8, high=2.1), FleetGrowth(factor=2.0, low=1.9, high=2.4)
    assert widest(one, other) == FleetGrowth(factor=2.0, low=1.8, high=2.4)


@given(factor=st.floats(0.3, 9.0), scale=st.floats(1e-3, 1e20))
def test_steady_growth_is_found_whatever_the_unit(factor: float, scale: float):
    year = 2023 + 0.25 * np.arange(9)
    fleet = DrawnSeries(end_year=year, total=np.tile(scale * factor ** (year - 2023), (3, 1)))
    found = growth(fleet, since=2022, until=2025)
    assert (found.factor, found.low, found.high) == pytest.approx((factor,) * 3)


def test_a_window_without_quarters_is_refused():
    with pytest.raises(ValueError, match=r"growth needs three quarters or more; 2022 to 2023 has 1. Widen"):
        growth(in_use(ROWS, drawn_units(ROWS)), since=2022, until=2023)


@pytest.mark.parametrize("level", [0.0, 1.0, 90.0])
def test_a_level_is_a_probability(level):
    with pytest.raises(ValueError, match="level is a probability strictly between 0 and 1"):
        in_use(ROWS, drawn_units(ROWS)).interval(level)


def test_retiring_chips_never_adds_any():
    fleet = of_release("memory_bandwidth_byte_per_s")
    units = drawn_units(fleet, draws=50)
    totals = [in_use(fleet, units, retired_after_years=years).total for years in (1, 2, 3, 10, None)]
    for fewer, more in pairwise(totals):
        assert (fewer <= more).all()
    assert totals[-2] == pytest.approx(totals[-1])


def test_the_bandwidth_of_all_chips_is_as_published():
    """Epoch AI, "HBM bandwidth shipped with AI chips": 70 million TB/s in use at the end of 2025, within 2 %."""
    fleet = of_release("memory_bandwidth_byte_per_s")
    total = in_use(fleet, drawn_units(fleet))
    assert total.middle()[-1] == pytest.approx(70e18, rel=0.02)
    low, high = total.interval(0.9)
    assert low[-1] < 0.95 * total.middle()[-1] < total.middle()[-1] < high[-1] / 1.05


def test_what_is_shipped_keeps_its_balance_while_it_multiplies():
    """By hand from the same units: 270 FLOP per byte at the end of 2025, bandwidth 3.55x a year since 2023."""
    flop, byte = of_release("peak_fp16_dense_flop_per_s"), of_release("memory_bandwidth_byte_per_s")
    units = drawn_units(byte)
    ratio = balance(in_use(flop, units), in_use(byte, units))
    at = dict(zip(np.round(ratio.end_year, 2).tolist(), ratio.middle().tolist(), strict=True))
    assert at[2023.25] == pytest.approx(180, rel=0.01)  # 217 if every A100 were of 40 GB; 192 by hand
    assert at[2026.0] == pytest.approx(270, rel=0.01)
    grown = growth(in_use(byte, units), since=2023.0, until=2026.0)
    assert grown.low < grown.factor < grown.high
    assert grown.factor == pytest.approx(3.55, rel=0.01)
    assert growth(ratio, since=2023.0, until=2026.0).factor == pytest.approx(1.11, abs=0.005)  # 1.09 by hand
