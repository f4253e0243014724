"""Letters that show any damage to them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from views.short_link.letters import LETTERS, LONGEST, read, written
from views.short_link.refused import ShortLinkError

NUMBERS = st.one_of(st.integers(1, 2**20), st.integers(1, 2**400))


@given(NUMBERS)
def test_what_is_written_is_read_back(number):
    assert read(written(number)) == number


@given(NUMBERS)
def test_capitals_and_letters_that_look_alike_are_read_as_the_same(number):
    text = written(number)
    assert read(text.upper()) == number
    for plain, alike in (("0", "oO"), ("1", "iIlL")):
        for other in alike:
            assert read(text.replace(plain, other)) == number


@given(NUMBERS, st.data())
def test_other_letters_within_five_neighbours_are_always_found(number, data):
    text = written(number)
    start = data.draw(st.integers(0, len(text) - 1))
    stretch = text[start : start + 5]
    other = data.draw(
        st.text(LETTERS, min_size=len(stretch), max_size=len(stretch)).filter(lambda s: s != stretch)
    )
    with pytest.raises(ShortLinkError, match="damaged or cut short"):
        read(text[:start] + other + text[start + 5 :])


@given(NUMBERS, st.data())
def test_a_letter_lost_or_twice_or_two_exchanged_are_found(number, data):
    text = written(number)
    place = data.draw(st.integers(0, len(text) - 2))
    lost = text[:place] + text[place + 1 :]
    twice = text[:place] + text[place] + text[place:]
    exchanged = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    for changed in {lost, twice, exchanged, text[:place], f"0{text}"} - {text}:
        with pytest.raises(ShortLinkError):
            read(changed)


@given(st.text(max_size=100))
def test_any_text_is_read_or_refused(text):
    try:
        number = read(text)
    except ShortLinkError as error:
        assert str(error).startswith("This short link is damaged or cut short: ")
    else:
        assert written(number) == written(read(text.lower()))


def test_of_a_hundred_thousand_random_texts_none_is_taken():
    draw = random.Random(1)
    for _ in range(100_000):
        with pytest.raises(ShortLinkError):
            read("".join(draw.choices(LETTERS, k=draw.randint(8, 20))))


def test_a_text_longer_than_is_read_is_refused_and_not_repeated_in_full():
    with pytest.raises(ShortLinkError) as caught:
        read("1" * (LONGEST + 1))
    assert str(caught.value) == (
        "This short link is damaged or cut short: its letters do not fit together; "
        f"got '{'1' * 24}…'. Copy it again in full, or ask whoever gave it to you for the long link."
    )
