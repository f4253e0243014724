"""Points of serving as fits without their model and without their chip predict them."""

import numpy as np
import pytest

from analysis.model_errors.comparison import summary
from analysis.model_errors.of_serving import TIMES, of_full_load, of_times
from analysis.serving.fit_points import LeftOut
from analysis.serving.tables import measured_points, model
from data import standing
from views.model_errors.settings import rows

FULL_LOAD = {"serving: full load": "without its model", "serving: full load, new chip": "without its chip"}
TENTH = np.exp(0.1)


def longer(logs):
    """Return points that a fit predicts to take a tenth longer than they did, in logarithms."""
    return LeftOut(measured=logs, predicted=logs + 0.1, scale=np.full_like(logs, 0.2))


def test_a_prediction_at_full_load_that_takes_longer_is_slower_and_every_row_is_there_twice():
    points = measured_points()
    held = longer(-np.log(np.tile(points.tokens_per_s, (3, 1))))
    compared = of_full_load(
        points,
        model(),
        without_model=held,
        without_chip=held,
        measured_serving=standing.rows("measured_serving", "row_id"),
        architectures=standing.rows("architectures", "name"),
    )
    table = [name for name in points.rows["point_id"] if name.startswith("s")]
    for name, held_out_by in FULL_LOAD.items():
        own = [row for row in compared if row.model == name]
        assert [row.row_id for row in own] == table
        assert {row.held_out_by for row in own} == {held_out_by}
    for row in compared:
        assert row.predicted == pytest.approx(row.measured / TENTH)
        assert row.low < row.predicted < row.high


def test_a_time_that_is_predicted_longer_is_longer():
    points = measured_points()
    times = of_times(
        points,
        model(),
        without_chip=longer(np.log(np.stack([points.token_s, points.first_s, points.first_s]))),
    )
    assert all(row.predicted == pytest.approx(row.measured * TENTH) for row in times)
    assert all(row.low < row.predicted < row.high and row.unit == "s" for row in times)


@pytest.mark.parametrize(
    ("kind", "quantity", "within"), [("token", "token_s", 0.16), ("first", "first_s", 0.45)]
)
def test_each_time_is_on_record_and_predicted_within_the_bar(*, kind, quantity, within):
    own = [row for row in rows() if row.model == TIMES[kind]]
    assert len(own) == np.isfinite(getattr(measured_points(), quantity)).sum()
    assert {row.held_out_by for row in own} == {"without its chip"}
    assert {row.kind for row in own} == {"Dense models", "Mixtures of experts", "Prompts read apart"}
    assert summary(own).size < within
    assert np.mean([row.inside for row in own]) > 0.85
