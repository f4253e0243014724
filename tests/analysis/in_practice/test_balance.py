"""Balance: what is measured, over what is measured; a range where bandwidth was not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.in_practice.balance import Reached, balance, yearly_growth

CHIP = Reached(
    chip="H100",
    released_year=2022.7,
    paper_flop_per_s=989e12,
    paper_byte_per_s=3.35e12,
    measured_flop_per_s=794.5e12,
    measured_byte_per_s=3.18e12,
)


def test_what_is_measured_over_what_is_measured():
    found = balance(CHIP, byte_shares=[])
    assert found.low == pytest.approx(found.value)
    assert found.high == pytest.approx(found.value)
    assert found.value == pytest.approx(794.5 / 3.18)


@given(st.lists(st.floats(0.5, 1.0), min_size=1, max_size=5))
def test_an_unmeasured_bandwidth_lies_between_those_of_others(shares: list[float]):
    chip = replace(CHIP, measured_byte_per_s=None)
    found = balance(chip, byte_shares=shares)
    assert found.low <= found.value * (1 + 1e-9)
    assert found.value <= found.high * (1 + 1e-9)
    assert found.high == pytest.approx(CHIP.paper * CHIP.flop_share / min(shares))


def test_nothing_to_go_by_is_refused():
    with pytest.raises(
        ValueError, match="the bandwidth of H100 was not measured; pass the shares that chips like it"
    ):
        balance(replace(CHIP, measured_byte_per_s=None), byte_shares=[])


@pytest.mark.parametrize(
    "name", ["paper_flop_per_s", "paper_byte_per_s", "measured_flop_per_s", "measured_byte_per_s"]
)
def test_a_rate_that_nothing_has_is_refused(name: str):
    with pytest.raises(
        ValueError, match=rf"{name} of H100 is a positive number; got 0\.0\. Take it from its source"
    ):
        replace(CHIP, **{name: 0.0})


def test_growth_a_year_is_found_again():
    assert yearly_growth(100, 100 * 1.2**3.5, years=3.5) == pytest.approx(1.2)
    with pytest.raises(ValueError, match="years between two chips is a positive number; got 0"):
        yearly_growth(1, 2, years=0)
