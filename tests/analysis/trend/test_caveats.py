"""What is weak about a rate, by code."""

import numpy as np
import pytest

from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule
from tests.analysis.trend.histories import scattered, series

ALL, FRONTIER, EVER = Rule(kind="all"), Rule(kind="frontier", top=5), Window()
HISTORY = scattered(120)


def numbers(rate):
    return {caveat.code: caveat.number for caveat in rate.caveats}


def test_each_weakness_has_its_code_and_number():
    assert numbers(growth(scattered(6), rule=ALL, window=EVER, draws=100))["few points"] == 6
    flat = growth(scattered(40, growth=1.0), rule=ALL, window=EVER, draws=100)
    assert "no growth included" in numbers(flat)
    given_points = growth(HISTORY, rule=FRONTIER, window=EVER, interval="classical")
    assert "selection taken as given" in numbers(given_points)
    tiny = growth(scattered(3), rule=ALL, window=EVER, draws=200)
    assert numbers(tiny)["draws left out"] == tiny.dropped_draws / 200
    upper = growth(HISTORY, rule=ALL, window=EVER, estimator="quantile", quantile=0.9, draws=20)
    assert numbers(upper) == {"line of a quantile": 0.9}
    edge = growth(scattered(20), rule=ALL, window=EVER, estimator="quantile", quantile=0.9, draws=20)
    assert numbers(edge)["few points beyond the line"] == pytest.approx(2)
    straight = growth(HISTORY, rule=ALL, window=EVER, estimator="kinked", draws=20)
    assert "no break kept" in numbers(straight)
    assert growth(HISTORY, rule=ALL, window=EVER, draws=20).caveats == ()


def test_a_kept_break_is_named_and_doubted_where_the_draws_do():
    bent = series(HISTORY.year, HISTORY.value * 10 ** (-0.28 * np.maximum(HISTORY.year - 2018, 0)))
    rate = growth(bent, rule=ALL, window=EVER, estimator="kinked", draws=200)
    assert numbers(rate)["break from the same data"] == rate.trend.break_year
    assert 0.1 < numbers(rate)["break unsettled"] < 0.9
    known = growth(bent, rule=ALL, window=EVER, estimator="kinked", interval="classical")
    assert [caveat.code for caveat in known.caveats] == ["break from the same data", "break taken as known"]
