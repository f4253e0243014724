import math
from typing import Any

import numpy as np
import pytest

from analysis.placement.fits import fit_full_load
from charts.chart import BarChart, Line, Points, XYChart
from data import standing
from data.releases import load
from data.serving import serving_speeds
from views.placement.checked import checked_exhibit
from views.placement.checked_classes import by_class, checked_by_class_exhibit, reading_by_class, serving
from views.placement.fitted import devices_fitted
from views.result import Exhibit

RELEASES = ("2025-11", "2026-07")


@pytest.mark.parametrize("name", RELEASES)
def test_every_row_of_the_fit_is_a_point_and_a_row_of_the_table(name):
    exhibit = checked_exhibit(release=load(name), source="here")
    points, lines = _marks(exhibit, Points), _marks(exhibit, Line)
    assert sum(len(mark.x) for mark in points) == len(exhibit.table.rows) == len(devices_fitted().decode_rows)
    assert all(math.isfinite(value) for mark in (*points, *lines) for value in (*mark.x, *mark.y))


def test_the_line_says_where_predicted_equals_measured():
    (line,) = _marks(_rows(), Line)
    assert line.x == line.y


def test_the_title_says_the_median_errors_of_the_table():
    error = sorted(abs(_number(row[7])) for row in _rows().table.rows)
    assert f"off by {error[len(error) // 2]:.0f} % in the middle" in _rows().chart.title


def test_errors_are_predicted_over_measured_and_every_row_has_its_address():
    for row in _rows().table.rows:
        assert row[7] == pytest.approx(100 * (_number(row[6]) / _number(row[5]) - 1))
        assert row[8] in ("yes", "no")
        assert str(row[11]).startswith("https://") and " " not in str(row[11])


def test_both_charts_say_that_the_form_was_chosen_on_these_errors():
    for exhibit in (_rows(), _classes()):
        assert "chosen on these same errors" in exhibit.chart.subtitle
        assert (
            "on 98 speeds of 25 devices gathered before any was predicted it was off by 12 %"
            in exhibit.chart.subtitle
        )


def test_classes_hold_all_rows_and_poorly_known_ones_say_so():
    classes = by_class()
    assert sum(item.error.rows for item in classes) == len(devices_fitted().decode_rows)
    for item in classes:
        poor = item.error.devices < 5 or "NPU" in item.label or "Phone" in item.label
        assert item.error.known is not poor
        assert ("poorly known" in item.text) is poor


def test_the_reading_of_prompts_is_checked_on_chips_left_out_and_told_by_class():
    every, *classes = reading_by_class()
    assert every.error.rows == sum(item.error.rows for item in classes) == len(devices_fitted().prefill_rows)
    residual = devices_fitted().prefill.residual
    assert every.error.median == pytest.approx(np.median(np.abs(100 * (np.exp(-residual) - 1))))
    assert f"how fast prompts are read, off by {every.error.median:.0f} %" in _classes().chart.subtitle


@pytest.mark.parametrize("name", RELEASES)
def test_every_bar_is_finite_and_has_its_row(name):
    exhibit = checked_by_class_exhibit(release=load(name), source="here")
    assert isinstance(exhibit.chart, BarChart)
    labels = [row[0] for row in exhibit.table.rows]
    assert len(set(labels)) == len(labels)
    assert [bar.label for bar in exhibit.chart.bars] == [name for name in labels if ": " not in str(name)]
    assert all(math.isfinite(bar.value) for bar in exhibit.chart.bars)


@pytest.mark.parametrize("name", RELEASES)
def test_throughput_is_closer_than_bandwidth_alone_on_the_rows_of_its_fit(name):
    ours, rule = serving(name)
    rows = fit_full_load(
        serving_speeds(),
        architectures=standing.table("architectures"),
        accelerators=load(name).accelerators,
    ).rows
    assert ours.error.rows == rule.error.rows == len(rows)
    assert ours.error.median < rule.error.median
    assert ours.error.within_factor > rule.error.within_factor


def _rows():
    return checked_exhibit(release=load("2026-07"), source="here")


def _classes():
    return checked_by_class_exhibit(release=load("2026-07"), source="here")


def _marks(exhibit: Exhibit, kind: type) -> list[Any]:
    assert isinstance(exhibit.chart, XYChart)
    return [mark for mark in exhibit.chart.marks if isinstance(mark, kind)]


def _number(cell):
    assert isinstance(cell, float)
    return cell
