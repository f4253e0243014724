"""A window in months and years, and the fit that settings ask for in words."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

from analysis.track_record.calibration import Calibration, calibrated
from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule
from data.releases import latest, load
from tests.analysis.trend.histories import scattered, series
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.runs import choice as run_choice
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings
from views.trend import fit, words
from views.trend.rates import FIT_ONLY, cases, changed

HISTORY = scattered(200, scatter=0.5)
RELEASE = load(latest())


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
    assert fit.start(text) == pytest.approx(begins, abs=1e-6)
    assert fit.after(text) == pytest.approx(ended, abs=1e-6)


@pytest.mark.parametrize(
    ("since", "until", "allowed"),
    [
        ("2018", fit.END, True),
        ("2018", "2018", True),
        ("2018-06", "2018", True),
        ("2018-06", "2018-06", True),
        ("2018-07", "2018-06", False),
        ("2019", "2018", False),
    ],
)
def test_a_window_may_not_end_before_it_begins(*, since, until, allowed):
    conflicts = fit.until_before_since(since, until)
    assert (conflicts == ()) is allowed
    if not allowed:
        assert conflicts[0].names == ("until", "since")
        assert conflicts[0].allowed == f"a year or month no earlier than since ({since})"


def test_the_last_month_of_a_window_counts_to_its_end():
    assert fit.window("2018", fit.END).until is None
    assert fit.window("2018", "2024-05").until == fit.start("2024-06")
    assert fit.window_words("2018", fit.END) == "since 2018"
    assert fit.window_words("2017-06", "2024-05") == "2017-06 to 2024-05"


def test_a_fit_is_made_as_its_settings_say():
    settings = fit.FitSettings(estimator="quantile", tau=0.9, interval="classical", level="80", until="2024")
    rate = fit.fitted(HISTORY, settings, rule=ALL, since="2012")
    assert (rate.level, rate.trend.estimator, rate.interval) == (0.8, "quantile", "classical")
    inside = (HISTORY.year >= 2012) & (HISTORY.year < 2025)
    assert rate.n == inside.sum()
    assert fit.fit_words(settings, rate) == "Quantile 0.9, 80% classical interval."
    words_of_it = fit.fit_words(fit.FitSettings(interval="calibrated"), rate)
    assert words_of_it == "Least squares, 80% calibrated interval."


CHANGES = (
    ("Top 5", {"top": 5}),
    ("As it is", {}),
    ("Since 2018", {"since": "2018"}),
    ("Five at the top", {"top": 5}),
    ("Since 2029", {"since": "2029"}),
    ("Language", {"domain": "language"}),
)


def test_changes_leave_out_what_is_unchanged_in_conflict_or_said_before():
    settings = TrainingComputeSettings(until="2025")
    result = changed(settings, CHANGES)
    assert [label for label, _ in result] == ["Top 5", "Since 2018", "Language"]
    changes: list[dict[str, Any]] = [{"top": 5}, {"since": "2018"}, {"domain": "language"}]
    assert [case for _, case in result] == [replace(settings, **change) for change in changes]


def test_every_case_has_the_history_rule_and_window_of_its_own_settings_and_alike_ones_are_made_once():
    made = []

    def series_of(case):
        made.append(case.domain)
        return run_rows.series(run_rows.candidates(RELEASE, case))

    settings = TrainingComputeSettings(estimator="quantile", tau=0.7)
    result = cases(settings, CHANGES, series_of=series_of, rule_of=run_choice.rule)
    assert made == ["all", "language"]
    assert [case.label for case in result] == ["Top 5", "Since 2018", "Since 2029", "Language"]
    assert [case.rule.top for case in result] == [5, 10, 10, 10]
    assert [case.window.since for case in result] == [2012, 2018, 2029, 2012]
    assert {(case.estimator, case.quantile) for case in result} == {("quantile", 0.7)}
    own = run_rows.series(run_rows.candidates(RELEASE, replace(settings, domain="language")))
    assert (result[-1].series.name == own.name).all() and (result[-1].series.value == own.value).all()
    assert len(result[0].series.name) > len(own.name)


@pytest.mark.parametrize("name", FIT_ONLY)
def test_a_setting_of_the_fit_moves_no_row(name):
    other = {"since": "2019", "until": "2022", "estimator": "theil-sen", "tau": 0.2, "top": 3}[name]
    for rows, usual in ((run_rows, TrainingComputeSettings()), (chip_rows, AcceleratorSettings())):
        before, after = (rows.candidates(RELEASE, one) for one in (usual, replace(usual, **{name: other})))
        assert_frame_equal(before, after)


ALL, FRONTIER, EVER = Rule(kind="all"), Rule(kind="frontier", top=5), Window()
LONG_HISTORY = scattered(120)


@pytest.mark.parametrize(
    ("rule", "options", "method"),
    [
        (FRONTIER, {}, "bootstrap of 100 resamples of all rows, with frontier and fit redone in each"),
        (Rule(kind="records"), {},
         "bootstrap of 100 resamples of all rows, with record setters and fit redone in each"),
        (ALL, {}, "bootstrap of 100 resamples of all rows, with the trend refitted to each"),
        (ALL, {"interval": "clustered"},
         "bootstrap of 100 resamples of whole organizations (10 in the fit), with the trend refitted to each"),
        (ALL, {"interval": "classical"}, "classical t interval of least squares"),
        (ALL, {"interval": "classical", "estimator": "kinked"}, "classical t interval of least squares"),
        (ALL, {"interval": "classical", "estimator": "theil-sen"}, "rank interval of Sen (1968)"),
        (ALL, {"interval": "classical", "estimator": "quantile"},
         "kernel-sandwich interval of quantile regression (Powell)"),
    ],
)  # fmt: skip
def test_the_method_is_told(*, rule, options, method):
    assert words.method(growth(LONG_HISTORY, rule=rule, window=EVER, draws=100, **options)) == method


def test_a_reader_is_told_where_the_rate_is_weak():
    few = growth(scattered(6), rule=ALL, window=EVER, draws=100)
    assert words.notes(few)[0] == "Only 6 points were fitted, so the interval is rough."
    flat = growth(scattered(40, growth=1.0), rule=ALL, window=EVER, draws=100)
    assert any("includes no growth" in note for note in words.notes(flat))
    assert flat.doubling_high == float("inf")
    given_points = growth(LONG_HISTORY, rule=FRONTIER, window=EVER, interval="classical")
    assert any("takes the selected points as given" in note for note in words.notes(given_points))
    tiny = growth(scattered(3), rule=ALL, window=EVER, draws=200)
    assert any("had too few distinct points" in note for note in words.notes(tiny))
    upper = growth(LONG_HISTORY, rule=ALL, window=EVER, estimator="quantile", quantile=0.9, draws=20)
    assert any("90% of the points are on or below the line" in note for note in words.notes(upper))
    edge = growth(scattered(20), rule=ALL, window=EVER, estimator="quantile", quantile=0.9, draws=20)
    assert any("about 2 of 20 points are beyond the line" in note for note in words.notes(edge))
    straight = growth(LONG_HISTORY, rule=ALL, window=EVER, estimator="kinked", draws=20)
    assert any("BIC prefers the straight line" in note for note in words.notes(straight))
    assert words.notes(growth(LONG_HISTORY, rule=ALL, window=EVER, draws=20)) == ()


def test_a_kept_break_is_told_and_doubted_where_the_draws_do():
    bent = series(
        LONG_HISTORY.year, LONG_HISTORY.value * 10 ** (-0.28 * np.maximum(LONG_HISTORY.year - 2018, 0))
    )
    rate = growth(bent, rule=ALL, window=EVER, estimator="kinked", draws=200)
    assert rate.trend.break_year is not None
    assert any("The rate shown is the one after the break" in note for note in words.notes(rate))
    doubt = "of the resamples show a break, so the data do not settle"
    assert any(doubt in note for note in words.notes(rate))
    known = growth(bent, rule=ALL, window=EVER, estimator="kinked", interval="classical")
    assert words.method(known) == "classical t interval with the break year taken as known"
    assert any("break year as known, so it is too narrow" in note for note in words.notes(known))


def test_a_calibrated_interval_says_so_and_how_far_it_was_stretched():
    plain = growth(LONG_HISTORY, rule=ALL, window=EVER, draws=100)
    stretched = Calibration(level=0.9, factors=(1.0, 1.2, 1.5, 1.5))
    wide = calibrated(plain, stretched)
    assert words.method(wide) == f"{words.method(plain)}; new points are calibrated"
    assert words.notes(wide)[:-1] == words.notes(plain)
    told = words.notes(wide)[-1]
    assert "is widened so that it would have covered 90% of the points that followed past forecasts" in told
    assert re.findall(r"([0-9.]+)× in the (\w+) year", told) == [
        *(("1", "first"), ("1.2", "second"), ("1.5", "third"), ("1.5", "fourth"))
    ]
    assert "is not widened" in words.stretch(Calibration(level=0.9, factors=(1.0,) * 4))
