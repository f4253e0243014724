"""Rows of full load as the fit without their model predicts them."""

import numpy as np
import pytest

from data.releases import latest
from views.model_errors.compared import summary
from views.model_errors.of_serving import compared
from views.placement.fitted import fitted


def test_each_row_of_the_fit_is_there_as_predicted_without_its_model():
    rows, fit = compared(), fitted(latest()).full_load
    assert [row.row_id for row in rows] == fit.rows["row_id"].tolist()
    assert summary(rows).size == pytest.approx(np.median(np.abs(np.expm1(-fit.model.residual))))
    assert {row.way for row in rows} == {"without its model"}
    assert {row.kind for row in rows} == {"Dense models", "Mixtures of experts"}
