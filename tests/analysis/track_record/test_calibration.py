import numpy as np
import pytest

from analysis.track_record.backtest import backtest
from analysis.track_record.calibration import calibrate, calibrated
from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule
from tests.analysis.trend.histories import series

ALL = Rule(kind="all")
WHOLE = Window(since=2000)


def wandering(seed: int, *, years: float = 24.0, n: int = 200):
    """Return years and log10 values about a trend that wanders, so that plain intervals are too narrow."""
    generator = np.random.default_rng(seed)
    year = np.sort(2000 + years * generator.random(n))
    steps = generator.normal(0, 0.12, int(years * 4) + 2).cumsum() / 2
    drift = np.interp(year, 2000 + np.arange(len(steps)) / 4, steps.cumsum() * 0.25)
    return year, 0.3 * (year - 2000) + drift + 0.15 * generator.normal(size=n)


def test_calibrated_intervals_reach_their_level_where_plain_ones_fall_short():
    """Each series is fitted and calibrated up to 2020; the points of the two years after are then looked at."""
    held = np.zeros((2, 0))
    for seed in range(60):
        year, log10 = wandering(seed)
        past, ahead = year < 2020, (year >= 2020) & (year < 2022)
        history = series(year[past], 10 ** log10[past])
        result = growth(history, rule=ALL, window=WHOLE, draws=300)
        tested = backtest(history, rule=ALL, window=WHOLE)
        both = [result, calibrated(result, calibrate(tested, level=0.9))]
        projections = [rate.project(year[ahead]) for rate in both]
        new = 10 ** log10[ahead]
        inside = [(p.prediction_low <= new) & (new <= p.prediction_high) for p in projections]
        held = np.concatenate([held, [[share.mean()] for share in inside]], axis=1)
    plain, stretched = held.mean(axis=1)
    assert plain < 0.5
    assert stretched > 0.88


def test_the_rate_and_the_trend_stay_and_only_the_interval_of_a_new_point_moves():
    year, log10 = wandering(3)
    history = series(year, 10**log10)
    plain = growth(history, rule=ALL, window=WHOLE, draws=300)
    calibration = calibrate(backtest(history, rule=ALL, window=WHOLE), level=0.9)
    wide = calibrated(plain, calibration)
    assert max(calibration.factors) > 1
    assert (wide.growth_low, wide.growth_high) == (plain.growth_low, plain.growth_high)
    years = [2010.0, 2024.5, 2027.0]
    before, after = plain.project(years), wide.project(years)
    np.testing.assert_array_equal(after.confidence_low, before.confidence_low)
    np.testing.assert_array_equal(after.value, before.value)
    assert after.prediction_low[0] == pytest.approx(before.prediction_low[0])
    assert after.prediction_low[2] < before.prediction_low[2]
    assert before.prediction_high[2] < after.prediction_high[2]


def test_factors_never_fall_below_one_nor_from_one_year_ahead_to_the_next():
    for seed in range(8):
        year, log10 = wandering(seed)
        calibration = calibrate(backtest(series(year, 10**log10), rule=ALL, window=WHOLE), level=0.8)
        assert calibration.factors[0] >= 1
        assert list(calibration.factors) == sorted(calibration.factors)
        ahead = calibration.at(np.linspace(-2, 8, 80))
        assert ahead[0] == 1
        assert (np.diff(ahead) >= 0).all()
        assert ahead[-1] == calibration.factors[-1]


def test_a_series_that_held_its_level_is_not_stretched():
    year = 2000 + 20 * np.random.default_rng(1).random(200)
    early = np.where(year < 2012, 1.0, 0.1)
    values = 10 ** (0.3 * (year - 2000) + early * np.random.default_rng(2).normal(size=200))
    history = series(year, values)
    assert max(calibrate(backtest(history, rule=ALL, window=WHOLE), level=0.9).factors) == 1


def test_too_few_later_points_for_the_level_are_refused_with_the_number_needed():
    year = 2010 + np.arange(14) * 0.5
    tested = backtest(series(year, 4.0 ** (year - 2010)), rule=ALL, window=Window(), every_years=0.5)
    with pytest.raises(ValueError, match=r"of level 0.95 needs at least 19 later points .* got \d. Choose a"):
        calibrate(tested, level=0.95)
