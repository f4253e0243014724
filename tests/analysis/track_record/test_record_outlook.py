import numpy as np
import pytest

from analysis.track_record.backtest import backtest
from analysis.track_record.record_outlook import record_checks, silence
from analysis.trend.growth import Window
from analysis.trend.selection import Rule
from tests.analysis.trend.histories import scattered, series

ALL, TOP = Rule(kind="all"), Rule(kind="frontier", top=10)


def test_a_record_set_by_the_newest_row_has_stood_for_no_time():
    year = np.linspace(2010, 2020, 40)
    result = silence(series(year, 4.0 ** (year - 2010)), rule=ALL, window=Window())
    assert result.years == 0
    assert (result.likely_at_pace, result.likely_as_came) == (1, 1)


def test_a_long_wait_for_a_record_is_unlikely_at_the_old_pace_and_likelier_with_few_points():
    generator = np.random.default_rng(6)
    year = np.append(np.sort(2010 + 9.9 * generator.random(119)), 2020)
    log10 = 0.6 * (year - 2010) + 0.3 * generator.normal(size=120)
    log10[-1] = log10.max() + 0.4
    all_of_it = series(np.append(year, 2020.6), 10 ** np.append(log10, 4.0))
    result = silence(all_of_it, rule=ALL, window=Window())
    assert result.years == pytest.approx(2020.6 - year[np.argmax(log10)])
    assert result.likely_at_pace < 0.15
    assert result.expected > 5
    assert result.likely_as_came > 0.5


def test_the_wait_for_a_record_needs_enough_points_by_then():
    with pytest.raises(ValueError, match=r"at least 10 points out by then; got 3. Widen the window"):
        silence(series(np.arange(2010.0, 2022), [1, 2, 9, *([3] * 9)]), rule=ALL, window=Window())


def test_past_records_fall_inside_their_simulated_intervals_about_as_stated():
    shares = []
    for seed in range(20):
        history = scattered(160, seed=seed)
        checks = record_checks(backtest(history, rule=TOP, window=Window()), history, level=0.9)
        assert [check.horizon for check in checks] == [1, 2, 3, 4]
        shares.append(checks[1].share)
    assert 0.8 < np.mean(shares) <= 1
