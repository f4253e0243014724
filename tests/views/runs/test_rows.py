import numpy as np
import pytest

from data.releases import latest, load, names
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings


def runs(**settings):
    return run_rows.candidates(load(latest()), TrainingComputeSettings(**settings))


@pytest.mark.parametrize("release", names())
def test_confidence_grades_of_the_data_are_those_of_the_setting(release):
    assert set(load(release).training_runs["confidence"]) <= set(run_rows.CONFIDENCE_GRADES["all"])


def test_every_estimate_means_every_row_with_compute_and_date():
    table = load(latest()).training_runs
    known = table["training_compute_flop"].notna() & table["published_on"].notna() & (table["excluded"] == "")
    assert len(runs()) == known.sum()


def test_each_filter_leaves_fewer_runs_of_the_named_kind():
    assert set(runs(confidence="confident")["confidence"]) == {"confident"}
    assert set(runs(confidence="likely")["confidence"]) == {"confident", "likely"}
    assert np.all(runs(finetunes="exclude")["base_model"] == "")
    assert runs(domain="language")["domain"].str.contains("Language").all()
    assert len(runs(domain="language", finetunes="exclude")) < len(runs(domain="language")) < len(runs())
