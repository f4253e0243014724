"""Digits of many bases in one number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from views.short_link.digits import LONGEST_TEXT, Digits, EndlessError, Reader

PAIRS = st.lists(st.integers(1, 500).flatmap(lambda base: st.tuples(st.integers(0, base - 1), st.just(base))))


@given(PAIRS)
def test_digits_come_back_in_their_order(pairs):
    digits = Digits()
    for digit, base in pairs:
        digits.put(digit, base)
    reader = Reader(digits.number)
    assert [(reader.take(base), base) for _, base in pairs] == pairs
    assert reader.number == 0
    assert digits.number.bit_length() <= digits.size + 1


@given(st.tuples(st.integers(0, 10**30), st.text(max_size=60), st.integers(0, 9)))
def test_whole_numbers_and_texts_come_back(drawn):
    number, text, last = drawn
    digits = Digits()
    digits.put_whole(number)
    digits.put_text(text)
    digits.put(last, 10)
    reader = Reader(digits.number)
    assert (reader.take_whole(), reader.take_text(), reader.take(10)) == drawn


@given(st.integers(0, 2**3000))
def test_any_number_ends(number):
    reader = Reader(number)
    try:
        assert len(reader.take_text()) <= LONGEST_TEXT
    except EndlessError as error:
        assert str(error).startswith("A count here is at most 400; got ")


def test_a_digit_at_or_above_its_base_is_refused():
    with pytest.raises(ValueError, match=r"A digit lies between 0 and its base 3; got 3\."):
        Digits().put(3, 3)


def test_a_text_too_long_is_refused():
    with pytest.raises(ValueError, match=r"A text has at most 400 characters here; got 401\."):
        Digits().put_text("a" * 401)
