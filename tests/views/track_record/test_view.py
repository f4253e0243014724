"""/track-record: what past forecasts were worth, in numbers and in words, and the calibrated interval."""

import json
import math
import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as limits

from charts.chart import Band, BarChart, XYChart
from data.releases import latest, load, names
from tests.views import links
from views import accelerators, training_compute
from views.compute_to_memory import view as compute_to_memory
from views.registry import VIEWS
from views.track_record import view as track_record
from views.track_record import vintages
from views.track_record.settings import CHIP_SERIES, TrackRecordSettings
from views.track_record.view import VIEW
from views.view import answer, read

RELEASE = load(latest())


def ask(**settings) -> Any:
    return answer(VIEW, TrackRecordSettings(**settings))


def under(view, interval: str) -> Any:
    return answer(view, read(view, f"interval={interval}")[0])


def test_the_view_stands_in_the_registry():
    assert VIEWS["/track-record"] is VIEW


@pytest.mark.parametrize("series", ["training-compute", *CHIP_SERIES])
def test_every_series_has_a_track_record(series):
    result = ask(series=series, rule="all")
    covered = result.figure("coverage")
    assert 0 <= covered.low <= covered.value <= covered.high <= 1
    assert result.figure("median_error_log10").value > 0
    assert result.figure("skill_no_growth").value < 1
    assert len(result.exhibits) >= 3


@pytest.mark.parametrize("horizon", [1, 2, 3, 4])
def test_the_figures_are_those_of_the_tables(horizon):
    result = ask(horizon=horizon)
    by_year = {row[0]: row for row in result.exhibits[1].table.rows}
    row = by_year[("First", "Second", "Third", "Fourth")[horizon - 1] + " year ahead"]
    assert result.figure("coverage").value == row[1]
    assert result.figure("median_error_log10").value == row[5]
    pairs = [row for row in result.table.rows if row[3] == horizon]
    assert sum(row[-1] == "yes" for row in pairs) / len(pairs) == pytest.approx(
        result.figure("coverage").value
    )
    errors = {row[0]: row[horizon] for row in result.exhibits[2].table.rows}
    assert errors["This forecast"] == result.figure("median_error_log10").value
    skill = 1 - errors["This forecast"] / errors["No growth"]
    assert result.figure("skill_no_growth").value == pytest.approx(skill)


def test_where_intervals_were_too_narrow_the_page_says_so_and_offers_the_calibrated_one():
    result = ask(series="memory-bandwidth", release="2026-07")
    assert result.figure("coverage").high < 0.9
    assert "held 79 % of new chips: too narrow" in result.headline
    assert result.notes[0].startswith("Intervals that state 90 % held less: 79 % in the second year")
    assert "interval=calibrated" in result.notes[0]
    assert "too narrow in the second, third and fourth year ahead" in result.exhibits[1].chart.title


def test_where_they_were_wide_enough_nothing_is_warned_of():
    result = ask(release="2026-07")
    assert "wider than needed" in result.headline
    assert not any("held less" in note for note in result.notes)


def test_the_last_record_is_set_against_the_trend_in_two_ways():
    """No run has beaten Grok 4 of July 2025; the newest row is of July 2026."""
    result = ask(release="2026-07")
    told = next(note for note in result.notes if note.startswith("No run has beaten the record of Jul 2025"))
    assert "cannot tell fewer large runs from runs whose numbers are not yet known" in told
    pace, came = (result.figure(f"no_record_{way}").value for way in ("at_pace", "as_came"))
    assert 0 < pace < 0.15
    assert 0.3 < came < 0.8


def test_a_slowing_is_claimed_only_where_the_break_test_finds_one():
    runs, chips = ask(release="2026-07"), ask(series="memory-bandwidth", release="2026-07")
    assert runs.figure("break_p_value").value > 0.05
    assert any(note.startswith("No slowing is established") for note in runs.notes)
    assert chips.figure("break_p_value").value < 0.05
    assert any(note.startswith("The trend has quickened") for note in chips.notes)


def test_hindsight_is_told():
    assert any("today’s data for past rows" in note and "hindsight" in note for note in ask().notes)


def test_the_published_rate_is_a_rival_only_where_one_was_published():
    names_of = [figure.name for figure in ask(series="chip-link", rule="all").figures]
    assert "skill_published" not in names_of
    assert "skill_published" in [figure.name for figure in ask().figures]


def test_the_kinked_estimator_is_set_against_the_straight_trend():
    labels = [row[0] for row in ask(estimator="kinked").exhibits[2].table.rows]
    assert "Straight trend" in labels
    assert "Kinked trend" not in labels


def test_the_release_before_is_set_against_this_one():
    result = ask(release="2026-07")
    note = next(note for note in result.notes if note.startswith("Release 2025-11 gave"))
    assert "too few to judge by" in note
    assert result.figure("yearly_growth_before").value == pytest.approx(4.7, abs=0.2)
    rows = result.exhibits[3].table.rows
    kinds = [row[0] for row in rows]
    assert kinds.count("revised") == result.figure("revised").value
    assert kinds.count("inside") + kinds.count("outside") == result.figure("new_since").value
    revised = next(row for row in rows if row[1] == "Megatron-LM (1.2B)")
    assert revised[3] == pytest.approx(10 * revised[4], rel=0.01)


def test_the_first_release_has_none_before_it_and_a_readers_own_data_the_newest():
    from dataclasses import replace

    assert vintages.earlier(load(names()[0])) is None
    assert vintages.earlier(RELEASE) == names()[-2]
    assert vintages.earlier(replace(RELEASE, name="your export")) == latest()
    assert len(ask(release=names()[0]).exhibits) == 3


def test_the_charts_are_a_fan_coverage_and_rivals():
    fan, coverage, rivals, _ = (exhibit.chart for exhibit in ask(horizon=3).exhibits)
    assert isinstance(fan, XYChart)
    bands = [mark for mark in fan.marks if isinstance(mark, Band)]
    assert len(bands) >= 4
    for band in bands:
        assert band.x[-1] - band.x[0] == pytest.approx(3)
    assert isinstance(coverage, BarChart)
    assert coverage.base == 0.9
    assert isinstance(rivals, BarChart)
    values = [bar.value for bar in rivals.bars]
    assert values == sorted(values)


def test_too_short_a_window_says_what_to_widen():
    result = ask(since="2024")
    assert "too few past forecasts to check" in result.headline
    assert "at least 3 past origins" in result.notes[0]


@pytest.mark.parametrize("view", [training_compute.VIEW, accelerators.VIEW, compute_to_memory.VIEW])
def test_trend_views_offer_a_calibrated_interval_that_widens_new_points_and_keeps_the_rate(view):
    plain, wide = (under(view, interval) for interval in ("bootstrap", "calibrated"))
    assert wide.figure("yearly_growth").low == plain.figure("yearly_growth").low
    assert wide.figure("yearly_growth").high == plain.figure("yearly_growth").high
    before, after = plain.figure("value"), wide.figure("value")
    assert (after.value, after.low, after.high) == (before.value, before.low, before.high)
    assert after.prediction_low <= before.prediction_low
    assert after.prediction_high >= before.prediction_high
    assert "calibrated on past forecasts" in wide.figure("yearly_growth").method
    assert any("ast forecasts" in note for note in wide.notes)


def test_calibrating_bandwidth_widens_its_forecast_since_past_ones_were_too_narrow():
    view = accelerators.VIEW
    plain, wide = (under(view, interval).figure("value") for interval in ("bootstrap", "calibrated"))
    ratio = math.log(wide.prediction_high / wide.prediction_low) / math.log(
        plain.prediction_high / plain.prediction_low
    )
    assert 1.3 < ratio < 3


def test_a_window_too_short_to_calibrate_says_so():
    view = accelerators.VIEW
    result = answer(view, read(view, "interval=calibrated&since=2024")[0])
    assert "no trend can be fitted" in result.headline
    assert "past origins" in result.notes[0]


@limits(max_examples=25)
@given(links.queries(VIEW))
def test_any_valid_link_is_answered(query):
    settings, ignored = read(VIEW, query)
    result = answer(VIEW, settings, ignored=ignored)
    assert result.headline
    json.dumps([row for exhibit in result.exhibits for row in exhibit.table.rows], allow_nan=False)


@pytest.mark.parametrize("extra", [{}, {"series": "memory-bandwidth"}, {"rule": "all"}], ids=str)
def test_the_answer_takes_less_than_a_third_of_a_second(extra):
    load(names()[0])
    taken = []
    for since in ("2011", "2010", "2013"):
        settings = TrackRecordSettings(since=since, **extra)
        start = time.process_time()
        track_record.build(settings, RELEASE)
        taken.append(time.process_time() - start)
    assert min(taken) < 0.3


def test_the_command_line_gives_coverage_error_and_skill():
    told = subprocess.run(
        [sys.executable, "-m", "views", "/track-record?horizon=3"], capture_output=True, text=True, check=True
    )
    figures = {figure["name"]: figure for figure in json.loads(told.stdout)["figures"]}
    assert {"coverage", "median_error_log10", "skill_no_growth", "skill_last_year", "skill_published"} <= set(
        figures
    )
