import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.trend.estimators import ESTIMATORS
from analysis.trend.growth import INTERVALS, Growth, Series, Window, doubling_interval, growth
from analysis.trend.selection import Rule, select
from tests.analysis.refusals import refusals
from tests.analysis.trend.histories import scattered, series

ALL, FRONTIER, EVER = Rule(kind="all"), Rule(kind="frontier", top=5), Window()
HISTORY = scattered(120)
estimators, intervals = st.sampled_from(ESTIMATORS), st.sampled_from(INTERVALS)


def ends(rate: Growth) -> tuple[float, float, float]:
    """Return the rate and the ends of its interval."""
    return rate.trend.yearly_growth, rate.growth_low, rate.growth_high


@given(
    estimator=estimators,
    interval=intervals,
    rule=st.sampled_from([ALL, FRONTIER]),
    unit=st.floats(1e-6, 1e6),
    years=st.integers(-40, 40),
)
@settings(max_examples=24)
def test_neither_the_unit_nor_the_century_moves_the_rate(*, estimator, interval, rule, unit, years):
    moved = replace(HISTORY, year=HISTORY.year + years, value=HISTORY.value * unit)
    ask: Any = {"rule": rule, "window": EVER, "estimator": estimator, "interval": interval, "draws": 60}
    here, there = (growth(history, **ask) for history in (HISTORY, moved))
    assert ends(there) == pytest.approx(ends(here), rel=1e-5)


def test_the_rule_looks_at_the_whole_history_and_the_window_only_at_the_fit():
    rate = growth(HISTORY, rule=FRONTIER, window=Window(since=2018, until=2024), draws=50)
    leads = select(HISTORY.year, HISTORY.value, rule=FRONTIER)
    assert (rate.selected == leads & (HISTORY.year >= 2018) & (HISTORY.year < 2024)).all()
    assert rate.n == rate.selected.sum() == rate.trend.n


def test_the_draws_can_be_taken_further():
    rate = growth(HISTORY, rule=FRONTIER, window=EVER, draws=70)
    assert rate.draw_slope.shape == (70,)
    assert rate.draw_at([2020.0, 2030.0]).shape == (70, 2)
    difference = rate.draw_at([2021.0]) - rate.draw_at([2020.0])
    assert difference[:, 0] == pytest.approx(rate.draw_slope)


@given(
    estimator=st.sampled_from(ESTIMATORS),
    interval=st.sampled_from(["bootstrap", "clustered"]),
    level=st.sampled_from([0.5, 0.9]),
)
@settings(max_examples=8)
def test_the_interval_leaves_its_tail_of_the_draws_out_at_each_end(*, estimator, interval, level):
    ask: Any = {"estimator": estimator, "interval": interval, "level": level}
    rate = growth(HISTORY, rule=FRONTIER, window=EVER, draws=200, **ask)
    assert 0 < rate.tail < (1 - level) / 2
    low, high = np.quantile(rate.draw_slope, [rate.tail, 1 - rate.tail])
    assert (10**low, 10**high) == pytest.approx((rate.growth_low, rate.growth_high))


def test_a_classical_interval_has_no_draws():
    rate = growth(HISTORY, rule=ALL, window=EVER, interval="classical")
    assert rate.draw_slope.shape == (0,)
    assert rate.draw_at(2030.0).shape == (0, 1)
    assert rate.tail == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("slopes", "expected"),
    [
        ((0.1, 0.2), (np.log10(2) / 0.2, np.log10(2) / 0.1)),
        ((-0.1, 0.2), (np.log10(2) / 0.2, np.inf)),
        ((0.0, 0.2), (np.log10(2) / 0.2, np.inf)),
        ((-0.2, -0.1), (-np.log10(2) / 0.1, -np.log10(2) / 0.2)),
        ((-0.2, 0.0), (np.inf, np.inf)),
    ],
)
def test_doubling_times_of_an_interval_come_shortest_first(slopes, expected):
    assert doubling_interval(*slopes) == pytest.approx(expected)


def changed(**fields):
    """Return a three-row series with some fields replaced."""
    plain: Any = dict(year=[2020, 2021, 2022], value=[1, 2, 3], cluster=["a", "b", "c"], name=["p", "q", "r"])
    return lambda: Series(**(plain | fields))


def test_too_few_clusters_are_refused_or_make_rows_the_unit_with_a_caveat():
    year = np.linspace(2012, 2020, 20)
    labs = np.array(["a", "b", "c"] * 6 + ["a", "b"], dtype=object)
    history = series(year, 10 ** (0.5 * (year - 2012) + 0.2 * np.sin(9 * year)), cluster=labs)
    ask = {"rule": ALL, "window": EVER, "draws": 200}
    with pytest.raises(
        ValueError, match="at least 5 organizations or vendors among the fitted points; got 3"
    ):
        growth(history, interval="clustered", **ask)
    rows, instead = growth(history, **ask), growth(history, interval="clustered", few_clusters="rows", **ask)
    assert (instead.interval, instead.clusters) == ("bootstrap", 0)
    assert (instead.growth_low, instead.growth_high) == (rows.growth_low, rows.growth_high)
    assert [(caveat.code, caveat.number) for caveat in instead.caveats] == [("few clusters", 3)]


test_what_has_no_rate_is_refused_with_the_next_step = refusals(
    {
        "equal length; got year 3, value 2, cluster 3, name 3. Pass one entry per row.": changed(value=[1, 2]),
        "year is a finite number in every row; got nan in row 1 (q). Leave": changed(year=[2020, np.nan, 2022]),
        "value is a finite number in every row; got inf in row 2 (r)": changed(value=[1, 2, np.inf]),
        re.compile(r"value is positive, .*; got -1 in row 0 \(p\)\. Leave that row out\."): changed(value=[-1, 2, 3]),
        "begins before it ends; got since 2020 and until 2018. Swap them.": lambda: Window(since=2020, until=2018),
        "level is a probability strictly between 0 and 1; got 95. For 95% pass 0.95.":
            lambda: growth(HISTORY, rule=ALL, window=EVER, level=95),
        "got 0. For 90% pass 0.9.": lambda: growth(HISTORY, rule=ALL, window=EVER, level=0),
        "interval is one of bootstrap, classical, clustered; got 'exact'.":
            lambda: growth(HISTORY, rule=ALL, window=EVER, interval="exact"),  # pyright: ignore[reportArgumentType]
        "how often the bootstrap refits, at least 2; got 1.": lambda: growth(HISTORY, rule=ALL, window=EVER, draws=1),
        re.compile(r"at least 5 organizations or vendors among the fitted points; got \d\. Use the boot"):
            lambda: growth(scattered(4), rule=ALL, window=EVER, interval="clustered"),
        "at least 3 distinct points; got 0. Widen": lambda: growth(HISTORY, rule=ALL, window=Window(since=2030)),
        "a bootstrap needs draws with at least 3 distinct points; got none in 2. Use the classical":
            lambda: growth(scattered(3), rule=ALL, window=EVER, draws=2, seed=3),
        "compares every pair of rows, at most 6,000 rows; got 6,001. Use the classical":
            lambda: growth(scattered(6001), rule=FRONTIER, window=EVER),
    }
)  # fmt: skip
