"""Errors by class of device on the page: every row counted, poorly known classes called so."""

import numpy as np
import pytest

from charts.chart import BarChart
from tests.views.placement.placed import result
from views.placement.checked_classes import (
    by_class,
    checked_by_class_exhibit,
    how_checked,
    reading_by_class,
    serving,
)
from views.placement.fitted import devices_fitted


def test_classes_hold_all_rows_and_poorly_known_ones_say_so():
    classes = by_class()
    assert sum(item.error.rows for item in classes) == len(devices_fitted().decode_rows)
    for item in classes:
        poor = item.error.devices < 5 or "NPU" in item.label or "Phone" in item.label
        assert item.error.known is not poor
        assert ("poorly known" in item.bar.text) is poor


def test_the_reading_of_prompts_is_checked_on_chips_left_out_and_told_by_class():
    every, *classes = reading_by_class()
    assert every.error.rows == sum(item.error.rows for item in classes) == len(devices_fitted().prefill_rows)
    residual = devices_fitted().prefill.residual
    assert every.error.median == pytest.approx(np.median(np.abs(100 * (np.exp(-residual) - 1))))
    assert any(f"the median error is {every.error.median:.0f} %." in said for said in how_checked())


def test_every_bar_has_its_row():
    exhibit = _classes()
    assert isinstance(exhibit.chart, BarChart)
    labels = [row[0] for row in exhibit.table.rows]
    assert len(set(labels)) == len(labels)
    assert [bar.label for bar in exhibit.chart.bars] == [name for name in labels if ": " not in str(name)]


def test_throughput_is_closer_than_bandwidth_alone_on_the_same_rows():
    ours, new, rule = serving()
    assert ours.error.rows == new.error.rows == rule.error.rows
    assert max(ours.error.median, new.error.median) < rule.error.median
    assert ours.error.within_factor > rule.error.within_factor
    assert "poorly known" in new.bar.text and "poorly known" not in ours.bar.text


def test_the_title_spans_the_well_known_classes_and_names_the_worst_of_the_others():
    known = [item.error.median for item in by_class() if item.error.known]
    poor = [item.error.median for item in by_class() if not item.error.known]
    title = _classes().chart.title
    assert f"Median error {min(known):.0f} to {max(known):.0f} %" in title
    assert title.endswith(f"up to {max(poor):.0f} % for poorly known ones")


def test_the_table_says_of_each_class_how_well_it_is_known():
    names = [column.name for column in _classes().table.columns]
    rows = {row[0]: dict(zip(names, row, strict=True)) for row in _classes().table.rows}
    for item in (*by_class(), *reading_by_class()):
        row = rows[item.label]
        assert row["known"] == ("well" if item.error.known else "poorly")
        assert row["median_error_percent"] == item.error.median
        assert row["inside_90_percent_interval"] == item.error.inside_90


def _classes():
    return checked_by_class_exhibit(source="here")


def test_what_measurements_say_is_told_in_sentences_beside_the_chart():
    devices, accelerators, first, own = how_checked()
    ours, new, _ = serving()
    assert "80 % interval" in devices and "poorly known" in devices
    assert f"{100 * ours.error.within_factor:.0f} % of rows lie within a factor 1.5" in accelerators
    assert f"{new.error.rows} rows" in accelerators
    assert f"{reading_by_class()[0].error.median:.0f} %" in first and "joined the fit since" in own
    assert [devices, accelerators, first, own] == [*result().sure][-4:]
    assert len(_classes().chart.subtitle.split()) <= 40
