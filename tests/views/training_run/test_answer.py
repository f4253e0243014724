"""What exhibits, figures and notes share of an answer."""

import pytest

from data.releases import latest, load
from views.training_run.answer import Answer
from views.training_run.inputs import chosen_plan, inputs_of
from views.training_run.settings import TrainingRunSettings


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({}, "thousands of A100 or H100"),
        ({"precision": "fp8"}, "8-bit products or Blackwell"),
        ({"model": "deepseek-v3"}, "mixtures of experts"),
        ({"accelerator": "tpu-v5p"}, "TPU"),
        ({"accelerator": "mi300x"}, None),
        ({"accelerator": "mi355x", "model": "deepseek-v3"}, "AMD Instinct"),
    ],
)
def test_a_run_is_held_against_published_runs_of_its_kind(settings, kind):
    release, chosen = load(latest()), TrainingRunSettings(**settings)
    inputs = inputs_of(chosen, release)
    answer = Answer(settings=chosen, release=release, inputs=inputs, chosen=chosen_plan(chosen, inputs))
    assert answer.kind == kind
