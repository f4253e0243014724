"""Errors on devices left out, row by row."""

from typing import Any

import pytest

from charts.chart import Line, Points, XYChart
from data.releases import load
from views.placement.checked import FLATTERED, checked_exhibit
from views.placement.checked_classes import checked_by_class_exhibit, how_checked
from views.placement.fitted import devices_fitted
from views.result import Exhibit

RELEASES = ("2025-11", "2026-07")


@pytest.mark.parametrize("name", RELEASES)
def test_every_row_of_the_fit_is_a_point_and_a_row_of_the_table(name):
    exhibit = checked_exhibit(release=load(name), source="here")
    points = _marks(exhibit, Points)
    assert sum(len(mark.x) for mark in points) == len(exhibit.table.rows) == len(devices_fitted().decode_rows)


def test_the_line_says_where_predicted_equals_measured():
    (line,) = _marks(_rows(), Line)
    assert line.x == line.y


def test_the_title_says_the_median_errors_of_the_table():
    error = sorted(abs(_number(row[7])) for row in _rows().table.rows)
    assert f"median error {error[len(error) // 2]:.0f} %" in _rows().chart.title


def test_errors_are_predicted_over_measured_and_every_row_has_its_address():
    for row in _rows().table.rows:
        assert row[7] == pytest.approx(100 * (_number(row[6]) / _number(row[5]) - 1))
        assert row[8] in ("yes", "no")
        assert str(row[11]).startswith("https://") and " " not in str(row[11])


def test_both_charts_say_that_the_form_was_chosen_on_these_errors():
    for exhibit in (_rows(), _classes()):
        assert FLATTERED in exhibit.chart.subtitle
    *_, own_errors = how_checked()
    assert own_errors.startswith(FLATTERED[:-1])
    assert (
        "on 201 speeds of 24 devices gathered before any was predicted the median error was 12 %"
        in own_errors
    )


def _rows():
    return checked_exhibit(release=load("2026-07"), source="here")


def _classes():
    return checked_by_class_exhibit(source="here")


def _marks(exhibit: Exhibit, kind: type) -> list[Any]:
    assert isinstance(exhibit.chart, XYChart)
    return [mark for mark in exhibit.chart.marks if isinstance(mark, kind)]


def _number(cell):
    assert isinstance(cell, float)
    return cell
