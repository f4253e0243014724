from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.in_practice.pairs import Measurements, once_a_pair, pairs_of, summaries


def measured(*rows: tuple[str, str, float]) -> Measurements:
    """Return speeds of chips a, b and c on works; each has more bandwidth and FLOP/s than the one before."""
    chips = {"a": (1.0, 1.0, 2020.0), "b": (2.0, 4.0, 2022.0), "c": (2.0, 8.0, 2024.0)}
    sheets = np.array([chips[chip] for _, chip, _ in rows])
    return Measurements(
        work=tuple(work for work, _, _ in rows),
        chip=tuple(chip for _, chip, _ in rows),
        model=tuple(work.upper() for work, _, _ in rows),
        precision=("",) * len(rows),
        speed=np.array([speed for _, _, speed in rows]),
        bandwidth_byte_per_s=sheets[:, 0],
        flop_per_s=sheets[:, 1],
        released_year=sheets[:, 2],
    )


def test_of_equal_bandwidth_the_later_chip_is_second():
    pairs = pairs_of(measured(("x", "c", 3.0), ("x", "b", 2.0)))
    assert (pairs.first, pairs.second) == (("b",), ("c",))
    assert pairs.speed_up[0] == pytest.approx(1.5)


def test_several_measurements_of_a_chip_count_once_by_their_geometric_mean():
    pairs = pairs_of(measured(("x", "a", 1.0), ("x", "a", 4.0), ("x", "b", 6.0)))
    assert len(pairs) == 1
    assert pairs.speed_up[0] == pytest.approx(3.0)


@given(st.permutations(range(6)), st.floats(0.01, 100))
def test_neither_the_order_of_rows_nor_the_unit_of_speed_matters(order: Any, unit: float):
    rows = (
        ("x", "a", 1.0), ("x", "b", 2.5), ("x", "c", 3.0), ("y", "a", 7.0), ("y", "b", 9.0), ("y", "b", 11.0),
    )  # fmt: skip
    first = pairs_of(measured(*rows))
    shuffled = measured(*(rows[place] for place in order))
    second = pairs_of(replace(shuffled, speed=shuffled.speed * unit))
    assert first.work == second.work
    assert first.second == second.second
    assert second.speed_up == pytest.approx(first.speed_up)


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan")])
def test_a_speed_that_nothing_has_is_refused(wrong: float):
    with pytest.raises(ValueError, match="speed is a positive number in every row; got"):
        measured(("x", "a", wrong), ("x", "b", 1.0))


def test_a_summary_has_the_median_and_the_quartiles_of_a_pair_over_its_works():
    rows = [(w, "a", 1.0) for w in "uvwxy"] + [(w, "b", 1.0 + at) for at, w in enumerate("uvwxy")]
    (one,) = summaries(pairs_of(measured(*rows)))
    assert (one.n, one.speed_up, one.low, one.high) == pytest.approx((5, 3, 2, 4))


def test_works_at_another_precision_are_told_apart():
    rows = measured(("x", "a", 1.0), ("x", "b", 2.0), ("y", "a", 1.0), ("y", "b", 2.0))
    ratio, bits = np.array([1.0, 4.0, 1.0, 2.0]), ("8-bit", "8-bit", "4-bit", "4-bit")
    other = summaries(pairs_of(replace(rows, flop_per_s=ratio, precision=bits)))
    assert {one.precision: one.flop_ratio for one in other} == {"8-bit": 4.0, "4-bit": 2.0}


def test_a_summary_says_of_how_many_models_its_works_are():
    rows = measured(("x", "a", 1.0), ("x", "b", 2.0), ("y", "a", 1.0), ("y", "b", 2.0))
    assert [one.n_models for one in summaries(pairs_of(rows))] == [2]
    assert [one.n_models for one in summaries(pairs_of(replace(rows, model=("m",) * 4)))] == [1]


def test_two_chips_count_once_however_many_works_they_did():
    rows = [(work, chip, speed) for work in "vwxyz" for chip, speed in (("a", 1.0), ("b", 2.0))]
    once = once_a_pair(pairs_of(measured(*rows, ("q", "a", 1.0), ("q", "c", 4.0))))
    assert dict(zip(once.second, once.speed_up, strict=True)) == pytest.approx({"b": 2, "c": 4})
