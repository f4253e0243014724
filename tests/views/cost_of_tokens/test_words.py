"""Prices and plans in words."""

from views.cost_of_tokens.words import between, plan, speed, usd, year


def test_prices_have_two_or_three_digits():
    assert [usd(value) for value in (0.1234, 1.156, 25.4, 1300.0, 2.5e6)] == [
        "$0.12",
        "$1.16",
        "$25",
        "$1,300",
        "$2.50 million",
    ]
    assert usd(float("inf")) == "not possible"


def test_ranges_may_be_open():
    assert between(0.72, 2.25) == "$0.72–$2.25"
    assert between(5.0, float("inf")) == "$5.00 or more"
    assert between(float("inf"), float("inf")) == "possibly at no price"


def test_years_speeds_and_plans():
    assert (year(2029.0), year(float("inf"))) == ("2029", "after 2032")
    assert (speed(31.2), speed(1234.0)) == ("31 tokens/s", "1,234 tokens/s")
    assert plan(tensor=8, data=1, requests=1) == "8 accelerators, 1 request at once"
    assert (
        plan(tensor=1, data=32, requests=4096)
        == "32 accelerators with experts spread over them, 4,096 requests at once"
    )
