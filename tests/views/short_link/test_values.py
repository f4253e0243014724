"""Texts of settings as digits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from views.short_link.digits import Digits, Reader
from views.short_link.values import put_value, take_value

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
