"""Predictions that were committed before their measurement was entered."""

from typing import Any

from data import records
from views.model_errors.exhibits import predictions_exhibit
from views.model_errors.settings import ModelErrorsSettings
from views.model_errors.view import VIEW
from views.view import answer


def test_each_prediction_stands_beside_its_measurement_and_the_title_counts_those_inside():
    rows = records.predictions()
    known = [row for row in rows if row.measured_tokens_per_s is not None]
    exhibit: Any = predictions_exhibit("2026-07")
    assert exhibit.chart.title == "1 of 3 intervals stated in advance covered the measured speed"
    assert len(exhibit.chart.bars) == len(rows) + len(known)
    assert [line[2] for line in exhibit.table.rows] == [row.predicted_tokens_per_s for row in rows]
    titles = [one.chart.title for one in answer(VIEW, ModelErrorsSettings()).exhibits]
    assert exhibit.chart.title in titles
    alone = [one.chart.title for one in answer(VIEW, ModelErrorsSettings(model="decode")).exhibits]
    assert exhibit.chart.title not in alone
