"""A window in months and years, and the fit that settings ask for in words."""

from itertools import pairwise

import pytest

from analysis.trend.selection import Rule
from tests.analysis.trend.histories import scattered
from views.trend.fit import (
    END,
    FitSettings,
    after,
    case,
    fit_words,
    fitted,
    start,
    until_before_since,
    window,
    window_words,
)

HISTORY = scattered(200, scatter=0.5)
ALL = Rule(kind="all")


@pytest.mark.parametrize(
    ("text", "begins", "ended"),
    [
        ("2018", 2018.0, 2019.0),
        ("2018-01", 2018.0, 2018 + 31 / 365),
        ("2018-12", 2018 + 334 / 365, 2019.0),
        ("2020-02", 2020 + 31 / 366, 2020 + 60 / 366),
    ],
)
def test_a_year_or_month_begins_and_has_ended_by_the_calendar(*, text, begins, ended):
    assert start(text) == pytest.approx(begins, abs=1e-6)
    assert after(text) == pytest.approx(ended, abs=1e-6)


def test_each_month_ends_where_the_next_begins():
    months = [f"2019-{number:02d}" for number in range(1, 13)]
    for month, following in pairwise(months):
        assert after(month) == start(following)
    assert after("2019-12") == start("2020")


@pytest.mark.parametrize(
    ("since", "until", "allowed"),
    [
        ("2018", END, True),
        ("2018", "2018", True),
        ("2018-06", "2018", True),
        ("2018-06", "2018-06", True),
        ("2018-07", "2018-06", False),
        ("2019", "2018", False),
    ],
)
def test_a_window_may_not_end_before_it_begins(*, since, until, allowed):
    conflicts = until_before_since(since, until)
    assert (conflicts == ()) is allowed
    if not allowed:
        assert conflicts[0].names == ("until", "since")
        assert conflicts[0].allowed == f"a year or month no earlier than since ({since})"


def test_the_last_month_of_a_window_counts_to_its_end():
    assert window("2018", END).until is None
    assert window("2018", "2024-05").until == start("2024-06")
    assert window_words("2018", END) == "since 2018"
    assert window_words("2017-06", "2024-05") == "2017-06 to 2024-05"


def test_a_fit_is_made_as_its_settings_say():
    settings = FitSettings(estimator="quantile", tau=0.9, interval="classical", level="80", until="2024")
    rate = fitted(HISTORY, settings, rule=ALL, since="2012")
    assert (rate.level, rate.trend.estimator, rate.interval) == (0.8, "quantile", "classical")
    inside = (HISTORY.year >= 2012) & (HISTORY.year < 2025)
    assert rate.n == inside.sum()
    assert fit_words(settings, rate) == "Quantile 0.9, 80 % classical interval."


def test_a_calibrated_interval_keeps_the_rate_of_the_bootstrap_and_says_what_it_is():
    plain, wide = (
        fitted(HISTORY, FitSettings(interval=interval), rule=ALL, since="2010")
        for interval in ("bootstrap", "calibrated")
    )
    assert (wide.growth_low, wide.growth_high) == (plain.growth_low, plain.growth_high)
    assert fit_words(FitSettings(interval="calibrated"), wide) == "Least squares, 90 % calibrated interval."


def test_too_short_a_window_is_refused_with_what_to_widen():
    with pytest.raises(ValueError, match=r"at least 3 distinct points; got 0\. Widen the window"):
        fitted(HISTORY, FitSettings(), rule=ALL, since="2029")


def test_a_case_has_the_window_and_estimator_of_its_settings():
    one = case(HISTORY, FitSettings(estimator="theil-sen", until="2020"), label="a", rule=ALL, since="2015")
    assert (one.label, one.window, one.estimator) == ("a", window("2015", "2020"), "theil-sen")
