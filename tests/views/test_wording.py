import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from views import wording


@pytest.mark.parametrize(
    ("said", "means"),
    [
        (wording.significant(0), "0"),
        (wording.significant(9.96), "10"),
        (wording.significant(1234567), "1,200,000"),
        (wording.significant(-0.056), "−0.056"),
        (wording.significant(math.inf), "∞"),
        (wording.significant(-math.inf), "−∞"),
        (wording.month_words("2018-06"), "Jun 2018"),
        (wording.month_words("2025-12"), "Dec 2025"),
        (wording.month_words("2018"), "2018"),
        (wording.month_words("2026-11-05"), "5 Nov 2026"),
        (wording.power_of_ten(5e26), "5 × 10²⁶"),
        (wording.power_of_ten(1e26), "10²⁶"),
        (wording.power_of_ten(9.96e26), "10²⁷"),
        (wording.power_of_ten(2.5e-7), "2.5 × 10⁻⁷"),
        (wording.times(4.66), "4.7×"),
        (wording.times(1.28), "1.28×"),
        (wording.times(1.999), "2.0×"),
        (wording.times(0.994), "0.99×"),
        (wording.times(0.012), "0.012×"),
        (wording.grows(4.66), "grows 4.7×"),
        (wording.grows(0.9), "falls 10%"),
        (wording.grows(0.9962), "falls 0.4%"),
        (wording.multiple(126_000_000), "126 million ×"),
        (wording.multiple(1e6), "1 million ×"),
        (wording.multiple(100), "100×"),
        (wording.multiple(15.4), "15×"),
        (wording.multiple(1.34), "1.34×"),
        (wording.multiple(999.7), "1,000×"),
        (wording.multiple(32_190), "32,200×"),
        (wording.multiple(999_600), "1 million ×"),
        (wording.quantity(5e26, "FLOP"), "5 × 10²⁶ FLOP"),
        (wording.quantity(3.35e12, "byte/s"), "3.35 TB/s"),
        (wording.quantity(80e9, "byte"), "80 GB"),
        (wording.quantity(700, "W"), "700 W"),
        (wording.quantity(25_000, "USD"), "$25,000"),
        (wording.quantity(273e9, "FLOP/s/USD"), "273 GFLOP/s/USD"),
        (wording.quantity(295, "FLOP/byte"), "295 FLOP/byte"),
        (wording.quantity_interval(0.44e29, 2.4e29, unit="FLOP"), "0.44–2.4 × 10²⁹ FLOP"),
        (wording.quantity_interval(1e24, 1e29, unit="FLOP"), "10²⁴–10²⁹ FLOP"),
        (wording.quantity_interval(5.3e12, 10.6e12, unit="byte/s"), "5.3–10.6 TB/s"),
        (wording.duration(0.052), "19 days"),
        (wording.duration(0.45), "5.4 months"),
        (wording.duration(2.8), "2.8 years"),
        (wording.duration(math.inf), "never"),
        (wording.doubling(0.45), "doubles every 5.4 months"),
        (wording.doubling(-3), "halves every 3.0 years"),
        (wording.doubling(math.inf), "does not grow"),
        (wording.interval("5.1 months", "5.7 months"), "5.1–5.7 months"),
        (wording.interval("16 months", "2.2 years"), "16 months–2.2 years"),
        (wording.interval("4.3×", "5.1×"), "4.3–5.1×"),
        (wording.at_level(0.9, low="4.3×", high="5.1×"), "90%: 4.3–5.1×"),
        (wording.percent(0.95), "95%"),
        (wording.percent(0.5), "50%"),
        (wording.percent(1), "100%"),
        (wording.percent(0), "0%"),
        (wording.percent(0.975), "97.5%"),
        (wording.counted(1, "model"), "1 model"),
        (wording.counted(1036, "model"), "1,036 models"),
        (wording.counted(2, "value differs", plural="values differ"), "2 values differ"),
        (wording.a("NVIDIA chip"), "an NVIDIA chip"),
        (wording.a("AMD chip"), "an AMD chip"),
        (wording.a("Google chip"), "a Google chip"),
        (wording.sentence_case("fP32 stays"), "FP32 stays"),
    ],
)
def test_numbers_are_said_as_a_reader_would(said, means):
    assert said == means


@given(st.floats(1e-30, 1e40))
def test_a_written_number_is_within_its_digits_of_the_number(value):
    written = float(wording.significant(value, 3).replace(",", ""))
    assert written == pytest.approx(value, rel=0.0051)


@given(st.floats(1e-3, 1e40))
def test_no_number_is_said_with_an_exponent_or_as_not_a_number(value):
    for said in (
        wording.multiple(value),
        wording.times(value),
        wording.quantity(value, "byte/s"),
        wording.quantity(value, "FLOP"),
        wording.duration(value),
    ):
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


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("Mixture of experts", "mixture of experts"),
        ("FP8 weights", "FP8 weights"),
        ("KV cache", "KV cache"),
        ("FlashAttention", "FlashAttention"),
        ("4-bit weights", "4-bit weights"),
        ("A phone", "a phone"),
        ("", ""),
    ],
)
def test_a_text_inside_a_sentence_begins_small_unless_it_is_an_abbreviation(text, inside):
    assert wording.small_initial(text) == inside


@pytest.mark.parametrize(("end", "said"), [(2026.0, "Q4 2025"), (2022.25, "Q1 2022"), (2023.5, "Q2 2023")])
def test_a_quarter_is_named_by_its_end(end, said):
    assert wording.quarter(end) == said
