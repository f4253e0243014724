"""How an interval was made, and where a rate is weak, as a reader is told."""

import numpy as np
import pytest

from analysis.track_record.backtest import backtest
from analysis.track_record.calibration import Calibration, calibrate, calibrated
from analysis.trend.growth import Series, Window, growth
from analysis.trend.selection import Rule
from tests.analysis.trend.histories import scattered, series
from views.trend import words

ALL, FRONTIER, EVER = Rule(kind="all"), Rule(kind="frontier", top=5), Window()
HISTORY = scattered(120)


def test_rows_without_an_organisation_are_clusters_of_their_own():
    nameless = Series(
        year=HISTORY.year, value=HISTORY.value, cluster=np.full(120, "", dtype=object), name=HISTORY.name
    )
    rate = growth(nameless, rule=ALL, window=EVER, interval="clustered", draws=200)
    assert "resamples whole organizations (120 fitted) and refits" in words.method(rate)


@pytest.mark.parametrize(
    ("rule", "options", "method"),
    [
        (FRONTIER, {}, "bootstrap that resamples all rows, re-selects the frontier and refits, 100 draws"),
        (
            Rule(kind="records"),
            {},
            "bootstrap that resamples all rows, re-selects the record setters and refits, 100 draws",
        ),
        (ALL, {}, "bootstrap that resamples all rows and refits, 100 draws"),
        (
            ALL,
            {"interval": "clustered"},
            "bootstrap that resamples whole organizations (10 fitted) and refits, 100 draws",
        ),
        (ALL, {"interval": "classical"}, "classical t interval of least squares"),
        (ALL, {"interval": "classical", "estimator": "kinked"}, "classical t interval of least squares"),
        (ALL, {"interval": "classical", "estimator": "theil-sen"}, "rank interval of Sen (1968)"),
        (
            ALL,
            {"interval": "classical", "estimator": "quantile"},
            "kernel-sandwich interval of quantile regression (Powell)",
        ),
    ],
)
def test_the_method_is_told(*, rule, options, method):
    assert words.method(growth(HISTORY, rule=rule, window=EVER, draws=100, **options)) == method


def test_a_reader_is_told_where_the_rate_is_weak():
    few = growth(scattered(6), rule=ALL, window=EVER, draws=100)
    assert words.notes(few)[0] == "Only 6 points were fitted, so the interval is rough."
    flat = growth(scattered(40, growth=1.0), rule=ALL, window=EVER, draws=100)
    assert any("includes no growth at all" in note for note in words.notes(flat))
    assert flat.doubling_high == float("inf")
    given_points = growth(HISTORY, rule=FRONTIER, window=EVER, interval="classical")
    assert any("takes the selected points as given" in note for note in words.notes(given_points))
    tiny = growth(scattered(3), rule=ALL, window=EVER, draws=200)
    assert tiny.dropped_draws > 100
    assert any("too few distinct points for a line and were left out" in note for note in words.notes(tiny))
    upper = growth(HISTORY, rule=ALL, window=EVER, estimator="quantile", quantile=0.9, draws=20)
    assert any("The line has 90 % of the points on or below it" in note for note in words.notes(upper))
    edge = growth(scattered(20), rule=ALL, window=EVER, estimator="quantile", quantile=0.9, draws=20)
    assert any("About 2 of 20 points lie beyond the line" in note for note in words.notes(edge))
    straight = growth(HISTORY, rule=ALL, window=EVER, estimator="kinked", draws=20)
    assert any("BIC prefers the straight line" in note for note in words.notes(straight))
    assert words.notes(growth(HISTORY, rule=ALL, window=EVER, draws=20)) == ()


def test_a_kept_break_is_told_and_doubted_where_the_draws_do():
    bent = series(HISTORY.year, HISTORY.value * 10 ** (-0.28 * np.maximum(HISTORY.year - 2018, 0)))
    rate = growth(bent, rule=ALL, window=EVER, estimator="kinked", draws=200)
    assert rate.trend.break_year is not None
    assert any("the rate is that after it" in note for note in words.notes(rate))
    assert any(
        "of the bootstrap draws keep a break, so the data do not settle" in note for note in words.notes(rate)
    )
    known = growth(bent, rule=ALL, window=EVER, estimator="kinked", interval="classical")
    assert words.method(known) == "classical t interval with the break year taken as known"
    assert any("break year as known, which makes it too narrow" in note for note in words.notes(known))


def test_a_calibrated_interval_says_so_and_how_far_it_was_stretched():
    plain = growth(HISTORY, rule=ALL, window=EVER, draws=100)
    stretched = Calibration(level=0.9, factors=(1.0, 1.2, 1.5, 1.5), n_points=(20, 20, 20, 20))
    wide = calibrated(plain, stretched)
    assert words.method(wide) == f"{words.method(plain)}, new points calibrated on past forecasts"
    assert words.notes(wide)[:-1] == words.notes(plain)
    assert words.notes(wide)[-1] == (
        "The interval for a new point is stretched so that it would have held 90 % of the points that came after "
        "past forecasts: 1× in the first year ahead, 1.2× in the second year ahead, 1.5× in the third year ahead, "
        "1.5× in the fourth year ahead."
    )


def test_a_series_that_held_its_level_says_that_nothing_was_stretched():
    year = 2000 + 20 * np.random.default_rng(1).random(200)
    early = np.where(year < 2012, 1.0, 0.1)
    values = 10 ** (0.3 * (year - 2000) + early * np.random.default_rng(2).normal(size=200))
    history, whole = series(year, values), Window(since=2000)
    plain = growth(history, rule=ALL, window=whole, draws=100)
    wide = calibrated(plain, calibrate(backtest(history, rule=ALL, window=whole), level=0.9))
    assert "without stretching" in words.notes(wide)[-1]
