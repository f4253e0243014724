"""Errors on devices left out, row by row."""

from pathlib import Path
from typing import Any

import pytest

from charts.chart import Points, XYChart
from tests.views.placement.placed import result
from views.placement.checked import (
    FIRST,
    METHOD,
    SECOND,
    blind_tests,
    checked_by_class_exhibit,
    checked_exhibit,
    how_checked,
    reading_by_class,
    serving,
)
from views.placement.inputs import devices_fitted
from views.result import Exhibit


def test_every_row_of_the_fit_is_a_point_and_a_row_of_the_table():
    exhibit = checked_exhibit(source="here")
    points = _marks(exhibit, Points)
    assert sum(len(mark.x) for mark in points) == len(exhibit.table.rows) == len(devices_fitted().decode_rows)


def test_errors_are_predicted_over_measured_and_every_row_has_its_address():
    for row in _rows().table.rows:
        assert row[7] == pytest.approx(100 * (_number(row[6]) / _number(row[5]) - 1))
        assert row[8] in ("yes", "no")
        assert str(row[11]).startswith("https://") and " " not in str(row[11])


def _rows():
    return checked_exhibit(source="here")


def _classes():
    return checked_by_class_exhibit(source="here")


def _marks(exhibit: Exhibit, kind: type) -> list[Any]:
    assert isinstance(exhibit.chart, XYChart)
    return [mark for mark in exhibit.chart.marks if isinstance(mark, kind)]


def _number(cell):
    assert isinstance(cell, float)
    return cell


def test_what_measurements_say_is_told_in_sentences_beside_the_chart():
    devices, accelerators, first, own = how_checked()
    ours, _ = serving()
    assert "80 % interval" in devices and "poorly known" in devices
    assert f"{100 * ours.error.within_factor:.0f} % of rows lie within a factor 1.5" in accelerators
    assert f"{reading_by_class()[0].error.median:.0f} %" in first and "joined the fit since" in own
    assert [devices, accelerators, first, own] == [*result().sure][-4:]
    known = {row[0]: row[-1] for row in _classes().table.rows}
    assert known["Accelerators at full load"] == "well"
    assert len(_classes().chart.subtitle.split()) <= 40


README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")


def test_the_page_and_the_readme_quote_its_errors():
    first, second = (line for line in METHOD if line.startswith("A blind test"))
    assert first.startswith(
        "A blind test of 2026-11-21: 98 published speeds of one user on 25 devices, 23 of their chips unknown"
    )
    assert (
        "median error of decode was 12 % (dense models 11 %, mixtures 23 %; laptop GPUs 4 %, desktop GPUs 17 %)"
        in first
    )
    assert "with 76 % of rows inside the 90 % interval; of prefill, on 35 rows, 54 %." in first
    assert "201 speeds on 24 devices, 8 of them unknown. The median error of decode was 12 %" in second
    assert "processors of phones 118 %), with 83 % inside; of prefill, on 23 rows, 92 %" in second
    one, two = (blind_tests("decode", tested_on=day)["all"] for day in (FIRST, SECOND))
    errors = f"{one['median_error_percent']:.0f} % and {two['median_error_percent']:.0f} %"
    assert (
        f"in two blind tests were off by {errors} (n = {one['n_rows']} and {two['n_rows']}, 2026-11)"
        in README
    )
