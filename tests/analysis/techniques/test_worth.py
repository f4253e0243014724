import math
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.techniques.worth import HardwareYear, bill, bills, effect, saving, worth, years_of_growth
from tests.analysis.refusals import refusals
from tests.analysis.small_models import setup


def test_a_quarter_of_the_bytes_is_worth_the_published_years():
    """4x at 28 % a year: log 4 / log 1.28 = 5.6 years."""
    assert years_of_growth(4, yearly_growth=1.28) == pytest.approx(5.616, abs=0.001)
    assert years_of_growth(1, yearly_growth=1.28) == 0


@given(saving=st.floats(1.01, 1e6), growth=st.floats(1.01, 5), power=st.floats(0.1, 10))
def test_years_scale_with_the_logarithm_of_the_saving(*, saving, growth, power):
    once = years_of_growth(saving, yearly_growth=growth)
    assert years_of_growth(saving**power, yearly_growth=growth) == pytest.approx(power * once)
    assert years_of_growth(1 / saving, yearly_growth=growth) == pytest.approx(-once)


def test_the_combination_is_computed_not_multiplied():
    start = setup(tokens=131072, batch=8)
    alone = [bills(start, [name], phase="decode") for name in ("int4-weights", "8-bit-cache")]
    product = math.prod(before.moved_byte / after.moved_byte for before, after in alone)
    before, after = bills(start, ["int4-weights", "8-bit-cache"], phase="decode")
    together = before.moved_byte / after.moved_byte
    assert together > max(was.moved_byte / now.moved_byte for was, now in alone)
    assert together != pytest.approx(product, rel=0.01)


def test_a_saving_is_worth_most_years_where_growth_is_slowest():
    year = HardwareYear(growth=2.0, low=1.0, high=4.0, level=0.9)
    four = worth(4, year)
    assert (four.years, four.low, four.high) == (2, 1, math.inf)
    assert worth(1.004, year).nothing and not worth(1.006, year).nothing


def test_an_effect_is_the_bills_without_and_with_and_the_worth_of_one_part():
    year = HardwareYear(growth=1.28, low=1.2, high=1.4, level=0.9)
    halved = effect(setup(), ["8-bit-cache", "fp8-weights"], phase="decode", field="memory_byte", year=year)
    before, after = bills(setup(), ["8-bit-cache", "fp8-weights"], phase="decode")
    assert (halved.before, halved.after) == (before, after)
    assert halved.worth.saving == saving(before, after, field="memory_byte") == pytest.approx(2)
    assert saving(before, after, field="link_byte") == 1


test_refusals_say_what_came = refusals(
    {
        "phase is one of decode, prefill, training; got 'sleep'": lambda: bill(setup(), cast(Any, "sleep")),
        "saving and yearly_growth are positive factors; got 0 and 1.3": lambda: years_of_growth(0, yearly_growth=1.3),
    }
)  # fmt: skip
