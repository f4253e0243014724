import numpy as np
import pytest

from scripts.record_model_errors import PROVIDERS
from views.placement.inputs import devices_fitted


def test_rows_of_decode_are_those_that_the_page_of_places_checks():
    rows, checked = PROVIDERS["decode"](), devices_fitted().decode
    assert [row.predicted for row in rows] == pytest.approx(checked.held_out_tokens_per_s)
    assert [row.inside for row in rows] == checked.covered(0.9).tolist()
    assert [row.error for row in rows] == pytest.approx(np.expm1(-checked.residual))
    assert {row.held_out_by for row in rows} == {"without its source"}


def test_rows_of_prompts_are_those_of_their_fit():
    rows, fitted = PROVIDERS["prompts"](), devices_fitted()
    assert [row.row_id for row in rows] == fitted.prefill_rows["row_id"].tolist()
    assert [row.error for row in rows] == pytest.approx(np.expm1(-fitted.prefill.residual))
    assert {row.held_out_by for row in rows} == {"without its source"}
