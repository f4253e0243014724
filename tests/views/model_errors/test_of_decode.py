"""Rows of decode as the fit without their chip predicts them."""

import numpy as np
import pytest

from views.model_errors.compared import summary
from views.model_errors.of_decode import compared
from views.placement.fitted import devices_fitted


def test_each_row_of_the_fit_is_there_as_predicted_without_its_chip():
    rows, checked = compared(), devices_fitted().decode
    assert len(rows) == len(checked.residual)
    assert [row.predicted for row in rows] == pytest.approx(checked.held_out_tokens_per_s)
    assert {row.way for row in rows} == {"without its chip"}


def test_the_interval_is_the_one_that_is_checked_on_the_page_of_places():
    inside = [row.inside for row in compared()]
    assert inside == devices_fitted().decode.covered(0.9).tolist()


def test_the_errors_are_those_of_the_check():
    checked = devices_fitted().decode
    assert summary(compared()).size == pytest.approx(np.median(np.abs(np.expm1(-checked.residual))))
