"""Rows of prompts as the fit without their chip predicts them."""

import numpy as np
import pytest

from views.model_errors.compared import summary
from views.model_errors.of_prompts import compared
from views.placement.fitted import devices_fitted


def test_each_row_of_the_fit_is_there_as_predicted_without_its_chip():
    rows, fitted = compared(), devices_fitted()
    assert [row.row_id for row in rows] == fitted.prefill_rows["row_id"].tolist()
    assert summary(rows).size == pytest.approx(np.median(np.abs(np.expm1(-fitted.prefill.residual))))
    assert {row.way for row in rows} == {"without its chip"}
