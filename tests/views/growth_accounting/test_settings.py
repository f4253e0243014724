"""The choice of runs to take apart: that of /training-compute, from 2018 on."""

import pytest

from views.growth_accounting.settings import GrowthAccountingSettings, run_settings
from views.runs.choice import TrainingComputeSettings
from views.setting_kinds import Choice
from views.settings import definitions

SHARED = ("rule", "top", "domain", "since", "until", "confidence", "level")


@pytest.mark.parametrize("name", SHARED)
def test_a_choice_of_runs_is_offered_as_on_training_compute(name):
    assert definitions(GrowthAccountingSettings)[name] == definitions(TrainingComputeSettings)[name]


def test_runs_are_taken_apart_from_2018_on_where_nothing_else_is_said():
    assert GrowthAccountingSettings().since == "2018"
    usual = TrainingComputeSettings(since="2018")
    assert run_settings(GrowthAccountingSettings()) == usual


def test_the_runs_chosen_are_those_of_the_same_choice_there():
    chosen = {"rule": "notable", "top": 5, "domain": "language", "since": "2019-03", "until": "2024"}
    assert run_settings(GrowthAccountingSettings(**chosen, confidence="likely")) == TrainingComputeSettings(
        **chosen, confidence="likely"
    )


def test_intervals_are_those_that_refit_every_factor_on_the_same_rows():
    interval = definitions(GrowthAccountingSettings)["interval"]
    assert isinstance(interval, Choice) and set(interval.options) == {"bootstrap", "clustered"}


def test_a_window_that_ends_before_it_begins_is_a_conflict():
    (conflict,) = GrowthAccountingSettings(since="2020", until="2019").conflicts()
    assert conflict.allowed == "a year or month no earlier than since (2020)"
    assert GrowthAccountingSettings(since="2020", until="2020").conflicts() == ()
