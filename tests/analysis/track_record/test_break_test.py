import numpy as np
import pytest

from analysis.track_record.break_test import BreakTest, break_test


def test_a_clear_break_is_found_where_it_is():
    generator = np.random.default_rng(3)
    year = 2010 + 14 * generator.random(120)
    log10 = np.where(year < 2018, 0.7 * (year - 2018), 0.2 * (year - 2018)) + 0.3 * generator.normal(size=120)
    result = break_test(year, 10**log10)
    assert result.p_value < 0.01
    assert result.bic_gain > 5
    assert result.break_year == pytest.approx(2018, abs=0.8)
    assert result.growth_before == pytest.approx(10**0.7, rel=0.15)
    assert result.growth_after == pytest.approx(10**0.2, rel=0.25)


def test_a_straight_trend_is_called_broken_about_as_rarely_as_it_says():
    called = 0
    for seed in range(120):
        generator = np.random.default_rng(seed)
        year = 2010 + 14 * generator.random(80)
        log10 = 0.5 * (year - 2010) + 0.4 * generator.normal(size=80)
        called += break_test(year, 10**log10, draws=200).p_value <= 0.1
    assert 0.04 < called / 120 < 0.2


def test_too_few_points_for_a_break_say_so():
    with pytest.raises(ValueError, match=r"at least 5 points on either side; got 8 points. Widen the window"):
        break_test(2010 + np.arange(8.0), 2.0 ** np.arange(8))


def test_a_break_is_established_only_where_chance_and_bic_both_speak_for_it():
    known = {"break_year": 2020.0, "growth_before": 5.0, "growth_after": 3.0, "n": 50}
    both = ((2.0, 0.01), (2.0, 0.3), (-2.0, 0.01), (-2.0, 0.3))
    verdicts = [BreakTest(**known, bic_gain=gain, p_value=p).verdict for gain, p in both]
    assert verdicts == ["established", "possible", "possible", "none"]
    assert BreakTest(**known, bic_gain=2.0, p_value=0.01).slower
