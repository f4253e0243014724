from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.in_practice.balance import Reached, balance, balances, flagship_growth

PAPER = {"paper_flop_per_s": 989e12, "paper_byte_per_s": 3.35e12}
MEASURED = {"measured_flop_per_s": 794.5e12, "measured_byte_per_s": 3.18e12}
CHIP = Reached(chip="H100", vendor="NVIDIA", flagship=True, released_year=2022.7, **PAPER, **MEASURED)


@given(st.lists(st.floats(0.5, 1.0), min_size=1, max_size=5))
def test_an_unmeasured_bandwidth_lies_between_those_of_others(shares: list[float]):
    chip = replace(CHIP, measured_byte_per_s=None)
    result = balance(chip, byte_shares=shares)
    assert result.low <= result.value * (1 + 1e-9)
    assert result.value <= result.high * (1 + 1e-9)
    assert result.high == pytest.approx(CHIP.paper * CHIP.flop_share / min(shares))


@pytest.mark.parametrize(
    "name", ["paper_flop_per_s", "paper_byte_per_s", "measured_flop_per_s", "measured_byte_per_s"]
)
def test_a_rate_that_nothing_has_is_refused(name: str):
    with pytest.raises(
        ValueError, match=rf"{name} of H100 is a positive number; got 0\.0\. Take it from its source"
    ):
        replace(CHIP, **{name: 0.0})


def test_chips_of_a_vendor_are_alike_and_where_it_has_too_few_all_are():
    def chip(vendor: str, share: float | None) -> Reached:
        byte = None if share is None else share * CHIP.paper_byte_per_s
        return replace(CHIP, vendor=vendor, measured_byte_per_s=byte)

    chips = [chip("A", 0.8), chip("A", 0.9), chip("A", None), chip("B", 0.5), chip("B", None)]
    exact, _, of_two, _, of_all = balances(chips)
    assert exact.low == exact.high == pytest.approx(CHIP.paper * CHIP.flop_share / 0.8)
    flop = CHIP.paper * CHIP.flop_share
    assert (of_two.low, of_two.high) == pytest.approx((flop / 0.9, flop / 0.8))
    assert of_all.high == pytest.approx(flop / 0.5)
    assert balances([chip("A", None)]) == ()


def test_growth_is_from_the_first_chip_to_the_last_flagship():
    later = replace(CHIP, chip="B300", released_year=CHIP.released_year + 3.5, flagship=True)
    rates = {"paper_flop_per_s": 1.2**3.5, "measured_flop_per_s": 1.1**3.5}
    faster = replace(later, **{name: times * getattr(CHIP, name) for name, times in rates.items()})
    other = replace(CHIP, vendor="AMD", released_year=2020.0)
    last = replace(later, flagship=False, chip="mobile")
    growth = flagship_growth(balances([other, replace(CHIP, flagship=False), faster, last]))
    assert growth is not None and (growth.first.chip, growth.last.chip) == ("H100", "B300")
    assert (growth.paper, growth.measured) == pytest.approx((1.2, 1.1))
    assert growth.low == growth.measured == growth.high
    assert flagship_growth(balances([CHIP])) is None
    assert flagship_growth(balances([CHIP, last])) is None
