"""Points measured in a closed loop as a fit without their chip predicts them, as they are on record."""

import numpy as np

from analysis.serving.tables import measured_points
from views.model_errors.compared import summary
from views.model_errors.of_serving_under_load import MODELS
from views.model_errors.recorded import rows as recorded


def test_each_point_is_there_and_predicted_within_the_bar():
    rows = [row for row in recorded() if row.model in MODELS.values()]
    by_model = {name: [row for row in rows if row.model == name] for name in MODELS.values()}
    points = measured_points()
    assert len(by_model["serving: time per token"]) == np.isfinite(points.token_s).sum()
    assert len(by_model["serving: first token"]) == np.isfinite(points.first_s).sum()
    assert {row.way for row in rows} == {"without its chip"}
    assert {row.kind for row in rows} == {"Dense models", "Mixtures of experts", "Prompts read apart"}
    token, first = (summary(by_model[name]) for name in MODELS.values())
    assert token.size < 0.16
    assert first.size < 0.45
    for name in MODELS.values():
        assert np.mean([row.inside for row in by_model[name]]) > 0.85
