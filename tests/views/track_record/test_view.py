"""/track-record: what past forecasts were worth, in numbers and in words, and the calibrated interval."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from charts.chart import Band, BarChart, Line, Points, XYChart
from data.releases import beside, latest, load, names
from tests.views.reading import rows
from views.chips.choice import AcceleratorSettings
from views.runs.choice import TrainingComputeSettings
from views.track_record import vintages
from views.track_record.fan import points_table, published_rate
from views.track_record.settings import TrackRecordSettings, chosen, history
from views.track_record.view import VIEW
from views.view import answer

RELEASE = load(latest())


def ask(**settings) -> Any:
    return answer(VIEW, TrackRecordSettings(**settings))


def test_the_charts_are_a_fan_coverage_and_rivals():
    fan, coverage, rivals, _ = (exhibit.chart for exhibit in ask(horizon=3).exhibits)
    assert isinstance(fan, XYChart)
    bands = [mark for mark in fan.marks if isinstance(mark, Band)]
    assert len(bands) >= 4
    named = [mark.end_label for mark in fan.marks if isinstance(mark, Line) and mark.end_label]
    assert named == [("168 of 173", "inside their band")]
    assert "Each band is the third year of a forecast" in fan.subtitle
    assert "Including mid-year forecasts, 168 of 173 pairs of forecast and run" in ask(horizon=3).subtitle
    assert all(one.x[-1] == later.x[0] == pytest.approx(one.x[0] + 1) for one, later in pairwise(bands))
    inside, outside = (mark for mark in fan.marks if isinstance(mark, Points))
    assert len(outside.x) < len(inside.x) / 10 and not inside.marked
    assert [name for _, name in outside.marked] == list(outside.names)
    for cloud, x, y in [(one, *at) for one in (inside, outside) for at in zip(one.x, one.y, strict=True)]:
        for band in (band for band in bands if band.x[0] < x < band.x[-1]):
            low, high = (np.interp(x, band.x, ends) for ends in (band.low, band.high))
            assert (low < y < high) == (cloud is inside)
    assert [mark for mark in ask(horizon=4).exhibits[0].chart.marks if getattr(mark, "marked", ())] == []
    assert isinstance(coverage, BarChart) and isinstance(rivals, BarChart) and coverage.base == 0.9
    values = [bar.value for bar in rivals.bars]
    assert values == sorted(values)


def test_too_short_a_window_says_what_to_widen():
    result = ask(since="2024")
    assert "too few to check past forecasts" in result.headline
    assert "at least 3 past origins" in result.subtitle
    result = ask(since="2021", horizon=4, release="2026-07")
    assert result.headline == "No past forecast is old enough to check 4 years ahead"
    assert result.subtitle.startswith("6 past forecasts; choose fewer years ahead. Only ")


def test_runs_and_chips_are_chosen_as_their_own_views_choose_them():
    requested = {"since": "2014", "top": 4, "estimator": "theil-sen", "level": "80"}
    runs = chosen(TrackRecordSettings(rule="all", domain="language", **requested))
    assert runs == TrainingComputeSettings(rule="notable", domain="language", **requested)
    chips = chosen(TrackRecordSettings(series="fp16", rule="records", **requested))
    assert chips == AcceleratorSettings(metric="fp16", rule="records", **requested)


def test_chips_go_by_their_product_and_runs_by_their_name():
    chips, _ = history(RELEASE, TrackRecordSettings(series="memory-bandwidth"))
    assert "H100 SXM" in chips.name and "NVIDIA H100 SXM5 80GB" not in chips.name
    runs, subject = history(RELEASE, TrackRecordSettings())
    assert set(runs.name) <= set(RELEASE.training_runs["name"])
    assert (subject.noun, subject.unit, subject.point) == ("training compute", "FLOP", "run")


@pytest.mark.parametrize("horizon", [1, 2, 3, 4])
def test_the_figures_are_those_of_the_tables(horizon):
    result = ask(horizon=horizon)
    by_year = {row[0]: row for row in result.exhibits[1].table.rows}
    row = by_year[("First", "Second", "Third", "Fourth")[horizon - 1] + " year ahead"]
    assert result.figure("coverage").value == row[1]
    assert result.figure("median_error_log10").value == row[5]
    pairs = [row for row in result.table.rows if row[3] == horizon]
    share = sum(row[-1] == "yes" for row in pairs) / len(pairs)
    assert share == pytest.approx(result.figure("coverage").value)
    errors = {row[0]: row[horizon] for row in result.exhibits[2].table.rows}
    assert errors["This forecast"] == result.figure("median_error_log10").value
    skill = 1 - errors["This forecast"] / errors["No growth"]
    figure = result.figure("skill_no_growth")
    assert figure.value == pytest.approx(skill)
    assert figure.text == f"{100 * abs(skill):.0f}% {'better' if skill > 0 else 'worse'}"


def test_the_last_record_is_set_against_the_trend_in_two_ways():
    """No run has beaten Grok 4 of July 2025; the newest row is of July 2026."""
    result = ask(release="2026-07")
    text = next(note for note in result.sure if note.startswith("No run has beaten the record of Jul 2025"))
    assert "the chance of no new record was" in text
    pace, came = (result.figure(f"no_record_{way}").value for way in ("at_pace", "as_came"))
    assert 0 < pace < 0.15
    assert 0.3 < came < 0.8


def test_a_slowing_is_claimed_only_where_the_break_test_finds_one():
    runs, chips = ask(release="2026-07"), ask(series="memory-bandwidth", release="2026-07")
    assert runs.figure("break_p_value").value > 0.05
    assert any(note.startswith("The data do not show a slowdown") for note in runs.sure)
    assert chips.figure("break_p_value").value < 0.05
    assert any(note.startswith("Growth has quickened") for note in chips.sure)


def test_the_published_rate_is_a_rival_only_where_one_was_published():
    for published, result in ((False, ask(series="chip-link", rule="all")), (True, ask())):
        assert ("skill_published" in [figure.name for figure in result.figures]) == published
        assert ("published rate benefits from hindsight" in result.exhibits[2].chart.subtitle) == published


@pytest.mark.parametrize(
    ("series", "words"),
    [
        ("training-compute", "5× a year"),
        ("memory-bandwidth", "28% a year"),
        ("memory-capacity", "doubling in 4 years"),
        ("fp32", "doubling in 2.3 years"),
        ("fp16", "28% a year"),
        ("flop-per-watt", "26% a year"),
    ],
)
def test_a_published_rate_is_told_as_its_source_prints_it(series, words):
    rate = published_rate(series)
    assert rate is not None and rate.words == words
    assert 1 < rate.yearly_growth <= 5


def test_where_intervals_were_too_narrow_the_page_says_so_and_offers_the_calibrated_one():
    result = ask(series="memory-bandwidth", release="2026-07")
    assert result.figure("coverage").high < 0.9
    assert result.headline == "90% intervals covered 79% of chips in a forecast's second year"
    assert result.subtitle.startswith("The intervals were too")
    assert result.notes[0].startswith("90% intervals covered only 79% in the second year")
    assert "calibrated interval" in result.notes[0]
    assert "too narrow in the second, third and fourth year ahead" in result.exhibits[1].chart.title


def test_wide_intervals_are_called_so_and_every_pair_is_a_row_with_its_error():
    result = ask(release="2026-07")
    assert result.subtitle.startswith("The intervals were wider than needed")
    pairs = rows(result.exhibits[0])
    assert len(pairs) > 100
    for pair in pairs:
        assert pair["error_log10"] == pytest.approx(np.log10(pair["value"] / pair["forecast"]), abs=1e-9)
    origins = [pair["origin"] for pair in pairs]
    assert origins == sorted(origins, reverse=True)


def test_the_kinked_estimator_is_set_against_the_straight_trend():
    result = ask(estimator="kinked")
    assert "Straight trend" in [row[0] for row in result.exhibits[2].table.rows]
    assert result.figure("skill_other_shape").label == "Accuracy compared with the straight trend"


def test_the_table_of_points_has_the_shown_rows_newest_first():
    series, subject = history(load("2026-07"), TrackRecordSettings(series="memory-bandwidth"))
    shown = series.year > 2020
    table = points_table(series, shown, subject=subject)
    place = [column.name for column in table.columns].index("date")
    dates = [str(row[place]) for row in table.rows]
    assert len(dates) == shown.sum() and dates == sorted(dates, reverse=True)
    assert [column.label for column in table.columns] == ["Chip", "Date", "Memory bandwidth"]


def test_the_release_before_is_set_against_this_one():
    result = ask(release="2026-07")
    assert any(note.startswith("Growth was 4.7× a year in release 2025-11 ") for note in result.sure)
    assert result.exhibits[3].chart.title.endswith("too few to judge")
    assert result.figure("yearly_growth_before").value == pytest.approx(4.7, abs=0.2)
    cells = result.exhibits[3].table.rows
    kinds = [row[0] for row in cells]
    assert kinds.count("revised") == result.figure("revised").value
    assert kinds.count("inside") + kinds.count("outside") == result.figure("new_since").value
    revised = next(row for row in cells if row[1] == "Megatron-LM (1.2B)")
    assert revised[3] == pytest.approx(10 * revised[4], rel=0.01)


def test_the_first_release_has_none_before_it_and_a_readers_own_data_the_newest():
    assert vintages.earlier(load(names()[0])) is None
    assert vintages.earlier(RELEASE) == beside()[0]
    assert vintages.earlier(replace(RELEASE, name="your export")) == latest()
    assert len(ask(release=names()[0]).exhibits) == 3


def test_hindsight_is_said_and_no_run_is_named_of_chips():
    assert any("corrected after" in note and "hindsight" in note for note in ask().sure)
    assert not any("with a compute value" in text for text in ask(series="memory-bandwidth").sure)
