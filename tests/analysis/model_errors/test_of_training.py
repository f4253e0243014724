"""Published runs on which no constant was set, as the step-time model predicts them."""

import numpy as np
import pytest

from analysis.model_errors.comparison import summary
from analysis.training_run.published import error_of_all
from analysis.training_run.tables import published_runs
from data.releases import latest
from scripts.record_model_errors import PROVIDERS


@pytest.fixture(scope="module")
def rows():
    return PROVIDERS["training"]()


def test_only_runs_that_set_no_constant_are_there_with_the_errors_of_the_page_of_training(rows):
    runs = published_runs(latest())
    assert len(rows) == sum(run.held_out for run in runs) < len(runs)
    assert {row.held_out_by for row in rows} == {"without its model on its chip"}
    assert np.median([abs(row.error) for row in rows]) == pytest.approx(error_of_all(runs).size)
    assert np.median([row.error for row in rows]) == pytest.approx(error_of_all(runs).middle)


def test_every_run_has_its_software_and_an_interval_that_nine_in_ten_keep(rows):
    assert {"Megatron Bridge", "LLM Foundry", "MaxText"} < {row.engine for row in rows}
    assert all(2021 < row.software_date < 2027 for row in rows)
    assert sum(row.inside for row in rows) > 0.9 * len(rows)
    assert all(row.kind[0].isupper() or row.kind[0].isdigit() for row in rows)


def test_a_source_nobody_has_heard_of_is_harder_to_predict_on_the_same_rows(rows):
    harder = PROVIDERS["training_by_source"]()
    assert [(row.row_id, row.measured) for row in harder] == [(row.row_id, row.measured) for row in rows]
    assert {(row.model, row.held_out_by) for row in harder} == {
        ("training, new source", "without its source")
    }
    assert summary(harder).size > summary(rows).size
    wider = [a.high / a.low > b.high / b.low for a, b in zip(harder, rows, strict=True)]
    assert sum(wider) > 0.75 * len(wider)
