"""Rows of full load as fits without their model and without their chip predict them."""

import numpy as np
import pytest

from analysis.serving.fit_points import LeftOut
from analysis.serving.tables import measured_points
from views.model_errors import of_serving
from views.model_errors.recorded import rows

NAMES = {"serving: full load": "without its model", "serving: full load, new chip": "without its chip"}


def test_each_row_of_the_table_is_there_twice_as_predicted_without_its_model_and_without_its_chip(
    monkeypatch,
):
    points = measured_points()
    logs = -np.log(np.tile(points.tokens_per_s, (3, 1)))
    held = LeftOut(measured=logs, mechanisms=logs, predicted=logs + 0.1, scale=np.full_like(logs, 0.2))
    monkeypatch.setattr(of_serving, "left_out", lambda *_, **__: held)
    monkeypatch.setattr(of_serving, "without_chip", lambda: held)
    found = of_serving.compared()
    table = [name for name in points.rows["point_id"] if name.startswith("s")]
    for name, way in NAMES.items():
        own = [row for row in found if row.model == name]
        assert [row.row_id for row in own] == table
        assert {row.way for row in own} == {way}
    for row in found:
        # A tenth longer is a tenth slower.
        assert row.predicted == pytest.approx(row.measured * np.exp(-0.1))
        assert row.low < row.predicted < row.high


def test_those_on_record_are_of_the_same_rows():
    for name, way in NAMES.items():
        own = [row for row in rows() if row.model == name]
        assert len(own) > 250 and {row.way for row in own} == {way}
        assert {row.kind for row in own} == {"Dense models", "Mixtures of experts"}
