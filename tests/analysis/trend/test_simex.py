"""SIMEX: what it takes as leading, that it leaves exact values alone, and that it undoes a planted bias."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.trend import simex
from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule, select
from analysis.trend.simex import leading, resampled_rows, without_errors
from tests.analysis.trend.histories import scattered, series

ALL, TOP, EVER = Rule(kind="all"), Rule(kind="frontier", top=10), Window()


@given(seed=st.integers(0, 10_000), top=st.integers(1, 12), days=st.integers(3, 60))
@settings(max_examples=40)
def test_the_leading_rows_of_each_history_are_those_the_rule_selects(*, seed, top, days):
    generator = np.random.default_rng(seed)
    year = np.sort(2012 + generator.integers(0, days, (4, 50)) / 7, axis=1)
    log10 = np.round(generator.normal(size=(4, 50)), 1)
    for rule in (Rule(kind="frontier", top=top), Rule(kind="records"), ALL):
        taken = leading(year, log10, rule=rule)
        for one in range(4):
            np.testing.assert_array_equal(taken[one], select(year[one], 10 ** log10[one], rule=rule))


def test_a_draw_holds_whole_clusters_in_order_and_fills_up_with_none():
    numbers = np.array([0, 1, 0, 2, 1, 0])
    rows = resampled_rows(numbers, draws=50, generator=np.random.default_rng(4))
    for draw in rows:
        real = draw[draw >= 0]
        assert np.all(np.diff(real) >= 0)
        counts = np.bincount(real, minlength=6)
        assert all(len(set(counts[numbers == one])) == 1 for one in range(3))
        assert sum(counts[numbers == one][0] for one in range(3)) == 3


@pytest.mark.parametrize("rule", [TOP, ALL, Rule(kind="records")])
def test_exact_values_keep_their_rate_and_about_their_interval(rule):
    history = scattered(150, seed=5)
    plain = growth(history, rule=rule, window=EVER, interval="clustered", draws=2000)
    same = without_errors(history, error_sd=np.zeros(150), rule=rule, window=EVER, draws=1500, simulations=30)
    assert same.yearly_growth == pytest.approx(plain.trend.yearly_growth)
    assert same.n == plain.n
    assert np.log10(same.high / same.low) == pytest.approx(
        np.log10(plain.growth_high / plain.growth_low), rel=0.15
    )


def planted(generator, *, error):
    """Return runs whose estimates are exact at first and ever worse: an overestimate gets onto the frontier."""
    year = np.sort(2012 + 13 * generator.random(250) ** 0.6)
    truth = 0.65 * (year - 2012) + 0.6 * generator.normal(size=250)
    sd = error * (year - 2012) / 13
    return year, truth, sd, truth + sd * generator.normal(size=250)


def test_a_planted_bias_of_selection_by_errors_is_undone():
    """Mean of 40 histories: two thirds of the bias at least is gone, and what is left is small."""
    generator = np.random.default_rng(8)
    window, slopes = Window(since=2014), []
    for seed in range(40):
        year, truth, sd, stated = planted(generator, error=0.6)
        real = growth(series(year, 10**truth), rule=TOP, window=window, interval="classical").trend
        corrected = without_errors(
            series(year, 10**stated),
            error_sd=sd,
            rule=TOP,
            window=window,
            draws=30,
            simulations=60,
            seed=seed,
        )
        plain = growth(series(year, 10**stated), rule=TOP, window=window, interval="classical").trend
        slopes.append((real.slope_per_year, plain.slope_per_year, np.log10(corrected.yearly_growth)))
    real, plain, undone = np.mean(slopes, axis=0)
    assert plain - real > 0.02
    assert abs(undone - real) < 0.34 * (plain - real)


def test_errors_widen_the_interval_and_the_answer_repeats():
    history = scattered(150, seed=6)
    ask = {"rule": TOP, "window": EVER, "draws": 100, "simulations": 60}
    exact = without_errors(history, error_sd=np.zeros(150), **ask)
    unsure = without_errors(history, error_sd=np.full(150, 0.6), **ask)
    assert unsure.high / unsure.low > exact.high / exact.low
    assert unsure == without_errors(history, error_sd=np.full(150, 0.6), **ask)


def test_errors_of_another_history_and_too_few_rows_are_refused():
    history = scattered(30)
    with pytest.raises(
        ValueError, match=r"one finite number, 0 or more, for each of 30 rows; got 2 with 0 below 0"
    ):
        without_errors(history, error_sd=np.zeros(2), rule=TOP, window=EVER)
    with pytest.raises(ValueError, match=r"at least 3 rows of two moments; got 0\. Widen"):
        without_errors(history, error_sd=np.zeros(30), rule=TOP, window=Window(since=2090))


def test_histories_worked_on_a_few_at_a_time_give_the_same(monkeypatch):
    history = scattered(60)
    ask = {"error_sd": np.full(60, 0.2), "rule": TOP, "window": EVER, "draws": 40}
    whole = without_errors(history, **ask)
    monkeypatch.setattr(simex, "MOST_CELLS", 7 * 60)
    assert without_errors(history, **ask) == whole
