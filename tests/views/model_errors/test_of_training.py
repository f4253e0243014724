"""Published runs on which no constant was set, as the step-time model predicts them."""

import pytest

from analysis.training_run.published import error_of_all
from data.releases import latest
from views.model_errors.compared import summary
from views.model_errors.of_training import compared
from views.training_run.measured import published_runs


def test_only_runs_that_set_no_constant_are_there():
    rows, runs = compared(), published_runs(latest())
    assert len(rows) == sum(run.held_out for run in runs) < len(runs)
    assert {row.way for row in rows} == {"without its model on its chip"}


def test_the_errors_are_those_of_the_page_of_training():
    every = error_of_all(published_runs(latest()))
    assert summary(compared()).size == pytest.approx(every.size)
    assert summary(compared()).bias == pytest.approx(every.middle)


def test_every_run_has_its_software_and_an_interval_that_nine_in_ten_keep():
    rows = compared()
    assert {"Megatron Bridge", "LLM Foundry", "MaxText"} < {row.engine for row in rows}
    assert all(2021 < row.software_date < 2027 for row in rows)
    assert sum(row.low <= row.measured <= row.high for row in rows) > 0.9 * len(rows)
