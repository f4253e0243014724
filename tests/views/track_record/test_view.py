"""/track-record: what past forecasts were worth, in numbers and in words, and the calibrated interval."""

import time
from typing import Any

import pytest

from charts.chart import Band, BarChart, XYChart
from data.releases import latest, load, names
from views.registry import VIEWS
from views.track_record import view as track_record
from views.track_record.settings import CHIP_SERIES, TrackRecordSettings
from views.track_record.view import VIEW
from views.view import answer

RELEASE = load(latest())


def ask(**settings) -> Any:
    return answer(VIEW, TrackRecordSettings(**settings))


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
    assert "at least 3 past origins" in result.subtitle


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


def test_coverage_error_and_skill_are_given_for_every_year_ahead():
    names = {figure.name for figure in ask(horizon=3).figures}
    assert {
        "coverage",
        "median_error_log10",
        "skill_no_growth",
        "skill_last_year",
        "skill_published",
    } <= names


def test_until_when_the_frontier_of_runs_is_known_is_said_of_runs_alone():
    assert any(text.startswith("The frontier is known until Jul 2025") for text in ask().sure)
    assert not any("frontier is known" in text for text in ask(series="memory-bandwidth").sure)
    assert (
        ask(since="2020").subtitle.endswith("have a compute value.")
        or "too few" in ask(since="2020").headline
    )
    assert "compute value" not in ask().subtitle
