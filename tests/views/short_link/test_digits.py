"""Digits of many bases in one number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from views.short_link.digits import LONGEST_TEXT, Digits, EndlessError, Reader
from views.short_link.values import put_value, take_value

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


WORDS = st.lists(st.text(max_size=12), max_size=8, unique=True)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.integers(0, 10**20).map(str),
    st.decimals(0, 10**9, places=3).map(str),
    st.from_regex("[0-9]{4}(-[0-9]{2})?", fullmatch=True),
    st.from_regex(r"[0-9]{1,10}(\.[0-9]{1,10})?", fullmatch=True),
)


def size_of(text, words=()):
    digits = Digits()
    put_value(digits, text, words=words)
    assert take_value(Reader(digits.number), words=words) == text
    return digits.size


@given(TEXTS, WORDS)
def test_every_text_comes_back_letter_by_letter(text, words):
    size_of(text, words)
    for word in words:
        size_of(word, words)


@given(st.integers(0, 2**500), WORDS)
def test_any_number_is_some_text_or_too_long_a_one(number, words):
    try:
        assert isinstance(take_value(Reader(number), words=words), str)
    except ValueError as error:
        assert "at most 400" in str(error)


@pytest.mark.parametrize(
    ("text", "bits"),
    [("6", 6), ("2018", 14), ("2018-06", 14), ("0.95", 19), ("100000000", 11), ("gpt", 26), ("007", 26)],
)
def test_usual_values_take_little_room(text, bits):
    assert size_of(text) == pytest.approx(bits, abs=1)


def test_a_known_word_takes_the_least():
    assert size_of("flagships", ("all", "flagships", "notable", "records")) == 3
