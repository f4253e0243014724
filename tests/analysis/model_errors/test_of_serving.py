import numpy as np
import pytest

from analysis.model_errors.comparison import summary
from analysis.model_errors.of_serving import MODELS, of_serving
from analysis.serving.fit_points import KINDS, LeftOut, measured_logs
from analysis.serving.tables import measured_points, model
from views.model_errors.settings import rows

TENTH = np.exp(0.1)


def test_a_time_that_is_predicted_longer_is_longer_and_a_throughput_lower():
    points = measured_points()
    logs = measured_logs(points)
    held = LeftOut(measured=logs, predicted=logs + 0.1, scale=np.full_like(logs, 0.2))
    compared = of_serving(points, model(), without_source=held)
    for row in compared:
        slower = 1 / TENTH if row.unit == "tokens/s" else TENTH
        assert row.predicted == pytest.approx(row.measured * slower)
        assert row.low < row.predicted < row.high
    for at, kind in enumerate(KINDS):
        own = [row.row_id for row in compared if row.model == MODELS[kind]]
        names = points.rows["point_id"].to_numpy()
        assert own == names[np.isfinite(logs[at])].tolist()


@pytest.mark.parametrize(("kind", "within"), [("token", 0.4), ("first", 0.85), ("load", 0.25)])
def test_each_time_is_on_record_and_predicted_within_the_bar(*, kind, within):
    own = [row for row in rows() if row.model == MODELS[kind]]
    assert len(own) == np.isfinite(measured_logs(measured_points())[KINDS.index(kind)]).sum()
    assert {row.held_out_by for row in own} == {"without its source"}
    assert {"Dense models", "Mixtures of experts"} <= {row.kind for row in own}
    errors = summary(own)
    assert errors.size < within and errors.inside > 0.75
