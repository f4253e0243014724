import pytest

from analysis.model_errors.comparison import summary
from analysis.model_errors.of_training import SPEEDS, WHOLE_RUNS
from analysis.training_run.tables import known, published_runs
from data.releases import reference
from scripts.record_model_errors import PROVIDERS


@pytest.fixture(scope="module")
def rows():
    return PROVIDERS["training"]()


def of(rows, model):
    return [row for row in rows if row.model == model]


def test_runs_that_set_no_constant_are_there_and_known_runs_of_other_sources_besides(rows):
    held_out = [run for run in published_runs(reference()) if run.held_out]
    ours = [row for row in of(rows, SPEEDS) if row.row_id.startswith("t")]
    assert len(ours) == len(held_out)
    speeds = [row for row in of(rows, SPEEDS) if row.row_id.startswith("r")]
    assert speeds and not {row.source_id for row in speeds} & {row.source_id for row in ours}
    assert len(of(rows, WHOLE_RUNS)) == sum(run.basis != "speed" for run in known(reference()))
    assert {row.held_out_by for row in rows} == {"without its source"}


def test_every_run_has_its_software_and_an_interval_that_nine_in_ten_speeds_keep(rows):
    speeds = of(rows, SPEEDS)
    assert {"Megatron Bridge", "LLM Foundry", "MaxText"} < {row.engine for row in speeds}
    assert all(2021 < row.software_date < 2027 for row in rows)
    assert sum(row.inside for row in speeds) > 0.9 * len(speeds)
    assert all(row.kind[0].isupper() or row.kind[0].isdigit() for row in rows)


def test_over_twenty_sources_the_median_error_is_under_ten_percent_and_whole_runs_are_harder(rows):
    errors, whole = summary(of(rows, SPEEDS)), summary(of(rows, WHOLE_RUNS))
    assert errors.sources >= 20
    assert errors.size < 0.10 and 0.85 < errors.inside <= 1.0
    assert whole.size > errors.size and whole.bias > 0.1
