"""Past forecasts against what came: one row a pair, newest first, and points that have names."""

from typing import Any

import numpy as np
import pytest

from charts.chart import Line
from data.releases import load
from views.track_record.fan import points, points_table
from views.track_record.settings import TrackRecordSettings, history
from views.track_record.view import VIEW
from views.view import answer


def ask(**settings) -> Any:
    return answer(VIEW, TrackRecordSettings(**settings))


def rows(table) -> list[dict[str, Any]]:
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def test_every_pair_of_forecast_and_point_is_a_row_with_its_error():
    result = ask(release="2026-07")
    pairs = rows(result.exhibits[0].table)
    assert len(pairs) > 100
    for pair in pairs:
        assert pair["error_log10"] == pytest.approx(np.log10(pair["value"] / pair["forecast"]), abs=1e-9)
        assert pair["horizon_years"] >= 1
        year = int(pair["date"][:4])
        assert pair["origin"] <= year + 1 and year - pair["origin"] <= pair["horizon_years"]
    origins = [pair["origin"] for pair in pairs]
    assert origins == sorted(origins, reverse=True)


def test_forecasts_reach_to_the_next_and_the_newest_is_named():
    chart = ask(release="2026-07", horizon=2).exhibits[0].chart
    lines = [mark for mark in chart.marks if isinstance(mark, Line)]
    assert [line.x[1] - line.x[0] for line in lines] == pytest.approx([2.0] * len(lines))
    assert [line.end_label for line in lines if line.end_label] == [("Newest", "forecast")]
    assert "Every 2 years a new forecast" in chart.subtitle


def test_points_carry_name_value_and_day_and_landmarks_their_label():
    series, subject = history(load("2026-07"), TrackRecordSettings())
    shown = np.array([str(name).startswith("GPT-3 175B") for name in series.name])
    assert shown.any()
    mark = points(series, shown, subject=subject, hollow=True)
    assert (mark.series, mark.role, mark.hollow) == ("Runs", "compute", True)
    assert mark.details[0][0].endswith(" FLOP") and mark.details[0][1].startswith("2020-")
    assert mark.marked == ((0, "GPT-3"),)


def test_the_table_of_points_has_the_shown_rows_newest_first():
    series, subject = history(load("2026-07"), TrackRecordSettings(series="memory-bandwidth"))
    shown = series.year > 2020
    table = points_table(series, shown, subject=subject)
    dates = [row["date"] for row in rows(table)]
    assert len(dates) == shown.sum() and dates == sorted(dates, reverse=True)
    assert [column.label for column in table.columns] == ["Chip", "Date", "Memory bandwidth"]
