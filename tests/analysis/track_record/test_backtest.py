import re
from itertools import pairwise

import numpy as np
import pytest

from analysis.track_record.backtest import LEVELS, backtest
from analysis.trend.growth import Window
from analysis.trend.selection import Rule, select
from tests.analysis.refusals import refusals
from tests.analysis.trend.histories import changed_after, scattered, series

TOP, ALL, RECORDS = Rule(kind="frontier", top=10), Rule(kind="all"), Rule(kind="records")

SINCE = Window(since=2011)


def test_a_whole_backtest_keeps_its_early_forecasts_when_later_rows_change():
    history = scattered(140, growth=8)
    tested = (backtest(rows, rule=TOP, window=SINCE) for rows in (history, changed_after(history, 2019.0)))
    ends = [{o.year: o.at_log10([2020.0])[0] for o in one.origins} for one in tested]
    early = [year for year in ends[0] if year <= 2019.0]
    assert len(early) > 4
    assert [ends[1][year] for year in early] == pytest.approx([ends[0][year] for year in early])


def test_errors_are_what_came_less_the_forecast_and_horizons_count_started_years():
    history = scattered(140, growth=6)
    tested = backtest(history, rule=TOP, window=SINCE)
    assert (tested.selected == (select(history.year, history.value, rule=TOP) & (history.year >= 2011))).all()
    np.testing.assert_allclose(tested.actual_log10, np.log10(history.value[tested.row]))
    for pair in range(0, len(tested.row), 37):
        origin = tested.origins[tested.origin[pair]]
        gone = tested.year[pair] - origin.year
        assert 0 <= gone < 4
        assert tested.horizon[pair] == int(gone) + 1
        expected = tested.actual_log10[pair] - origin.at_log10([tested.year[pair]])[0]
        assert tested.error_log10[pair] == pytest.approx(expected)


def test_a_wider_level_holds_more_and_the_score_is_one_at_the_edge():
    tested = backtest(scattered(200), rule=ALL, window=SINCE)
    held = [tested.inside(level) for level in LEVELS]
    for narrow, wide in pairwise(held):
        assert not (narrow & ~wide).any()
    for level, inside in zip(LEVELS, held, strict=True):
        assert (inside == (tested.score(level) <= 1)).all()


def test_intervals_of_sound_series_hold_about_their_level():
    shares = []
    for seed in range(40):
        tested = backtest(scattered(120, seed=seed), rule=ALL, window=Window(since=2010), every_years=1.0)
        result = tested.coverage(level=0.9, horizon=2)
        assert result is not None
        shares.append(result.share)
    assert 0.86 < np.mean(shares) < 0.95


def test_a_series_that_bends_away_is_told_from_one_that_does_not():
    straight = backtest(scattered(160, scatter=0.3), rule=ALL, window=SINCE)
    year = scattered(160).year
    bent = 10 ** (np.where(year < 2018, 0.6 * (year - 2018), 0.05 * (year - 2018)) + 0.1 * np.sin(40 * year))
    away = backtest(series(year, bent), rule=ALL, window=SINCE)
    first = straight.coverage(level=0.9, horizon=3)
    second = away.coverage(level=0.9, horizon=3)
    assert first is not None
    assert second is not None
    assert first.verdict == "as stated"
    assert second.verdict == "too narrow"
    assert second.low <= second.share <= second.high < 0.9


def test_skill_is_against_the_rival_on_the_points_both_forecast():
    tested = backtest(scattered(160, scatter=0.3), rule=ALL, window=SINCE, published_rate=4.0)
    assert tested.skill("no growth", horizon=3) > 0.7
    assert tested.skill("last year's growth", horizon=3) > 0.1
    assert abs(tested.skill("published rate", horizon=2)) < 0.3
    assert tested.median_error_log10(horizon=3) < tested.median_error_log10(horizon=3, rival="no growth")
    without = backtest(scattered(160), rule=ALL, window=SINCE)
    assert np.isnan(without.skill("published rate", horizon=2))
    assert np.isnan(without.median_error_log10(horizon=2, rival="published rate"))


def test_an_untested_level_is_refused_and_a_year_ahead_without_points_has_no_coverage():
    tested = backtest(scattered(120), rule=ALL, window=SINCE)
    with pytest.raises(ValueError, match=r"level is one of 0.5, 0.8, 0.9, 0.95 in a backtest; got 0.7"):
        tested.inside(0.7)
    assert tested.coverage(level=0.9, horizon=9) is None
    assert np.isnan(tested.skill("no growth", horizon=9))


def test_the_closest_forecast_comes_first_and_origins_are_thinned_backwards():
    tested = backtest(scattered(160), rule=TOP, window=SINCE)
    ranked = tested.closest_first(("no growth", "last year's growth", "published rate"), horizon=2)
    assert {rival for rival, _ in ranked} == {None, "no growth", "last year's growth"}
    assert [error for _, error in ranked] == sorted(error for _, error in ranked)
    assert dict(ranked)[None] == tested.median_error_log10(horizon=2)
    assert tested.closest_first((), horizon=2) == ((None, tested.median_error_log10(horizon=2)),)
    thinned = tested.yearly
    assert thinned[-1] is tested.origins[-1]
    assert {later.year - earlier.year for earlier, later in pairwise(thinned)} == {1.0}
    assert set(tested.coverages(level=0.9)) == {1, 2, 3, 4}


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        re.compile(r"at least 3 past origins .* got 0. Widen the window"):
            lambda: backtest(scattered(9), rule=ALL, window=Window()),
        "at least 3 past origins": lambda: backtest(scattered(200), rule=ALL, window=Window(since=2024.5)),
    }
)  # fmt: skip
