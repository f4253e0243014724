"""Shares, lengths, tokens and money in words."""

from views.training_run.words import days_words, many_words, money_words, percent, range_of_days, tokens_words


def test_shares_and_lengths_read_well_at_any_size():
    assert [percent(share) for share in (0.63, 0.0253, 0.0)] == ["63%", "2.5%", "less than 0.1%"]
    assert [percent(share) for share in (1.0, 0.9977, 0.99977)] == ["100%", "99.8%", "more than 99.9%"]
    assert [days_words(days) for days in (2e-4, 0.002, 0.2)] == ["17 seconds", "2.9 minutes", "4.8 hours"]
    assert [days_words(days) for days in (73.4, 129.2, 5000)] == ["73 days", "129 days", "14 years"]
    assert days_words(1e12) == range_of_days(1e9, 1e10) == "practically forever"
    ranges = [range_of_days(*ends) for ends in ((70, 88), (0.5, 1.2), (946, 1424))]
    assert ranges == ["70–88 days", "12 hours–1.2 days", "2.6–3.9 years"]


def test_tokens_and_money_read_well_at_any_size():
    many = [tokens_words(number) for number in (1.56e13, 1e12, 16_777_216, 2048, 7)]
    assert many == ["15.6T tokens", "1T tokens", "16.8M tokens", "2.05k tokens", "7 tokens"]
    assert [many_words(8, chip) for chip in ("H100", "L40S", "TPU v5e")] == ["8 H100s", "8 L40S", "8 TPU v5e"]
    prices = [money_words(usd) for usd in (950_000, 40.8e6, 3.02e10, 4e19)]
    assert prices[:3] == ["$950,000", "$40.8 million", "$30.2 billion"]
    assert prices[3] == "more than a quadrillion dollars"
