import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.claims.claimed_value import GROWTH, Claimed, claimed, claimed_value, forms, is_bare
from tests.cases import cases

CASES = cases(__file__)


@pytest.mark.parametrize(("words", "value"), CASES["growth"])
def test_growth_is_read_as_people_write_it(words, value):
    assert claimed_value(words, unit=GROWTH) == pytest.approx(value)


@pytest.mark.parametrize(("words", "unit", "value"), CASES["prefixes"])
def test_a_quantity_may_carry_its_own_prefix(words, *, unit, value):
    assert claimed_value(words, unit=unit) == pytest.approx(value)


@pytest.mark.parametrize(("words", "unit"), CASES["refused"])
def test_anything_else_is_refused_with_the_ways_to_write_it(words, unit):
    with pytest.raises(
        ValueError, match=r"' is not a (growth|number).* such as .*; above zero, at most a million"
    ):
        claimed_value(words, unit=unit)


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_number_or_a_helpful_refusal(words):
    for unit in (GROWTH, "TB/s"):
        try:
            assert 0 < claimed_value(words, unit=unit) <= 1e6
        except ValueError as problem:
            assert forms(unit) in str(problem)


def test_only_a_number_alone_is_bare():
    assert is_bare(" 28 ") and is_bare("1,000")
    assert not is_bare("28 %") and not is_bare("28x") and not is_bare("")


@pytest.mark.parametrize(
    ("words", "test", "value", "high"),
    [
        (">2x", "above", 2, None),
        ("≥ 2x", "above", 2, None),
        ("more than 28 % a year", "above", 1.28, None),
        ("grows by more than 28 % a year", "above", 1.28, None),
        ("at most 4x", "below", 4, None),
        ("<4x a year", "below", 4, None),
        ("15-20x", "between", 15, 20),
        ("20 to 15 %", "between", 1.15, 1.2),
        ("between 2x and 3x", "between", 2, 3),
        ("doubles every 2-3 years", "between", 2 ** (1 / 3), 2**0.5),
        ("2x every 2 years", "about", 2**0.5, None),
        ("10x in 5 years", "about", 10**0.2, None),
        ("2x every 18 months", "about", 2 ** (2 / 3), None),
        ("-5 %", "about", 0.95, None),
        ("28 %", "about", 1.28, None),
    ],
)
def test_bounds_ranges_and_growth_over_several_years_are_read(words, *, test, value, high):
    result = claimed(words, unit=GROWTH)
    assert (result.test, result.value, result.high) == (test, pytest.approx(value), pytest.approx(high))


def test_a_range_of_a_quantity_may_carry_two_units():
    assert claimed("500 GB/s to 1 TB/s", unit="TB/s") == Claimed(test="between", value=0.5, high=1.0)
    assert claimed("$20-30 million", unit="million USD") == Claimed(test="between", value=20.0, high=30.0)


@pytest.mark.parametrize("words", ["lots", ">", "> lots", "2x every", "15-", "2x every 0 years", "-", ">0"])
def test_words_that_claim_nothing_are_refused_with_the_forms(words):
    with pytest.raises(ValueError, match="is not a growth a year such as 28%"):
        claimed(words, unit=GROWTH)
