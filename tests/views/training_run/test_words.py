"""Shares, lengths, tokens and money as a reader says them."""

from views.training_run.words import (
    chip_words,
    count,
    date_words,
    days_words,
    many_words,
    money_words,
    percent,
    range_of_days,
    short_count,
    tokens_words,
)


def test_shares_and_lengths_read_well_at_any_size():
    assert [percent(share) for share in (0.63, 0.0253, 0.0, 1.0, 0.9977, 0.99977)] == [
        "63 %",
        "2.5 %",
        "less than 0.1 %",
        "100 %",
        "99.8 %",
        "more than 99.9 %",
    ]
    assert [days_words(days) for days in (2e-4, 0.002, 0.2, 73.4, 129.2, 5000, 1e12)] == [
        "17 seconds",
        "2.9 minutes",
        "4.8 hours",
        "73 days",
        "129 days",
        "14 years",
        "practically forever",
    ]
    assert [range_of_days(*ends) for ends in ((70, 88), (0.5, 1.2), (946, 1424), (1e9, 1e10))] == [
        "70–88 days",
        "12 hours–1.2 days",
        "2.6–3.9 years",
        "practically forever–practically forever",
    ]


def test_tokens_and_money_read_well_at_any_size():
    assert [tokens_words(number) for number in (3e11, 1.56e13, 16_777_216, 1e12, 2048, 7)] == [
        "300B tokens",
        "15.6T tokens",
        "16.8M tokens",
        "1T tokens",
        "2.05k tokens",
        "7 tokens",
    ]
    assert [money_words(usd) for usd in (950_000, 40.8e6, 3.02e10, 4e19)] == [
        "$950,000",
        "$40.8 million",
        "$30.2 billion",
        "more than a quadrillion dollars",
    ]


def test_numbers_of_accelerators_are_short_on_ticks_and_whole_in_sentences():
    assert [short_count(number) for number in (1000, 1e5, 1e6)] == ["1,000", "100k", "1M"]
    assert [count(number) for number in (1000, 16384.0, 1e6)] == ["1,000", "16,384", "1,000,000"]


def test_a_chip_in_a_headline_is_short_and_one_of_it_is_a_word():
    assert [chip_words(name) for name in ("H100 SXM", "A100 80 GB", "TPU v5p", "B200")] == [
        "H100",
        "A100",
        "TPU v5p",
        "B200",
    ]
    assert (many_words(1, "H100"), many_words(16384, "H100")) == ("one H100", "16,384 H100")


def test_a_date_that_nothing_is_known_of_is_called_today():
    assert (date_words(float("inf")), date_words(2025.46)) == ("today", "Jun 2025")
