import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from views import wording, written

SAID = written.toml(__file__, name="wording.toml")["said"]


@pytest.mark.parametrize(("function", "arguments", "said", "named"), SAID)
def test_numbers_are_said_as_a_reader_would(*, function, arguments, said, named):
    assert getattr(wording, function)(*arguments, **named) == said


@given(st.floats(1e-30, 1e40))
def test_a_written_number_is_within_its_digits_of_the_number(value):
    written = float(wording.significant(value, 3).replace(",", ""))
    assert written == pytest.approx(value, rel=0.0051)


@given(st.floats(1e-3, 1e40))
def test_no_number_is_said_with_an_exponent_or_as_not_a_number(value):
    quantities = (wording.quantity(value, unit) for unit in ("byte/s", "FLOP"))
    for said in (wording.multiple(value), wording.times(value), wording.duration(value), *quantities):
        assert "e+" not in said and "nan" not in said and "inf" not in said


@given(st.floats(1e-20, 1e35), st.floats(1, 1e6))
def test_an_interval_says_its_unit_once_or_twice(low, ratio):
    said = wording.quantity_interval(low, low * ratio, unit="FLOP")
    assert said.endswith(" FLOP")
    assert said.count("–") == 1


def test_a_range_beyond_every_number_is_written_as_infinite():
    assert wording.quantity(math.inf, "FLOP") == "∞ FLOP"
    assert wording.quantity(0.0, "FLOP") == "0 FLOP"
    assert wording.quantity_interval(0.0, math.inf, unit="FLOP") == "0–∞ FLOP"


@pytest.mark.parametrize("text", ["FP8 weights", "KV cache", "FlashAttention", "4-bit weights", ""])
def test_a_text_inside_a_sentence_begins_small_unless_it_is_an_abbreviation(text):
    assert wording.small_initial(text) == text
    assert wording.small_initial("Mixture of experts") == "mixture of experts"
    assert wording.small_initial("A phone") == "a phone"


@pytest.mark.parametrize(("end", "said"), [(2026.0, "Q4 2025"), (2022.25, "Q1 2022"), (2023.5, "Q2 2023")])
def test_a_quarter_is_named_by_its_end(end, said):
    assert wording.quarter(end) == said
