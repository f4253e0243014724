"""What would shorten a run whose plan is already the fastest."""

from dataclasses import replace

import pytest

from data.releases import latest, load
from views.training_run.advice import CHANGES, advice_words, changes
from views.training_run.inputs import inputs_of
from views.training_run.parts import OUTSIDE, PARTS, WORK
from views.training_run.settings import TrainingRunSettings


@pytest.fixture
def inputs():
    return inputs_of(TrainingRunSettings(accelerators=1024), load(latest()))


def test_every_part_that_is_no_matrix_work_has_changes_to_try():
    assert set(CHANGES) == set(PARTS) - set(WORK)
    assert set(OUTSIDE) < set(PARTS)


@pytest.mark.parametrize("part", sorted(CHANGES))
def test_changes_that_are_told_shorten_the_run_and_the_best_comes_first(inputs, part):
    told = changes(inputs, part=part, seconds=1e12, overlap=0.5)
    lengths = [seconds for _, seconds in told]
    assert lengths == sorted(lengths)
    assert all(seconds < 1e12 and words for words, seconds in told)


def test_a_change_that_changes_nothing_is_not_told(inputs):
    assert not any(
        "wastes least" in words for words, _ in changes(inputs, part="failure", seconds=1e12, overlap=0.5)
    )
    own = replace(inputs, circumstances=replace(inputs.circumstances, interval_s=3e5))
    assert any(
        "wastes least" in words for words, _ in changes(own, part="failure", seconds=1e12, overlap=0.5)
    )


def test_where_nothing_helps_it_is_said(inputs):
    said = advice_words(inputs, part="optimizer_s", noun="the optimizer", seconds=1.0, overlap=0.5)
    assert said == "Against the optimizer: no single change tried saves 1 %."


def test_the_network_is_tried_where_a_tensor_group_spans_servers():
    wide = inputs_of(TrainingRunSettings(accelerators=32768), load(latest()))
    (told,) = changes(wide, part="tensor_s", seconds=48 * 86400, overlap=0.5)
    assert told[0] == "a network of 800 Gbit/s"
    narrow = inputs_of(TrainingRunSettings(), load(latest()))
    said = changes(narrow, part="tensor_s", seconds=1e12, overlap=0.5)
    assert said and not any("network" in words for words, _ in said)
