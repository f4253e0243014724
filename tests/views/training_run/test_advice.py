"""What would shorten a run whose plan is already the fastest."""

import re
from dataclasses import replace

import pytest

from data.releases import latest, load
from tests.views.training_run.answers import ask, value
from views.training_run.advice import CHANGES, advice_words, changes
from views.training_run.inputs import inputs_of
from views.training_run.parts import PARTS, WORK
from views.training_run.settings import TrainingRunSettings


@pytest.fixture
def inputs():
    return inputs_of(TrainingRunSettings(accelerators=1024), load(latest()))


def test_every_part_that_is_no_matrix_work_has_changes_to_try():
    assert set(CHANGES) == set(PARTS) - set(WORK)


@pytest.mark.parametrize("part", sorted(CHANGES))
def test_changes_that_are_told_shorten_the_run_and_the_best_comes_first(inputs, part):
    shorter = changes(inputs, part=part, seconds=1e12)
    lengths = [seconds for _, seconds in shorter]
    assert lengths == sorted(lengths)
    assert all(seconds < 1e12 and words for words, seconds in shorter)


def test_exchange_between_experts_is_told_hidden_where_it_is_not_yet():
    """DeepSeek-V3 took 54 days of 2,048 H800 (arXiv:2412.19437, table 1) with all of it hidden."""
    mixture = TrainingRunSettings(model="deepseek-v3", accelerator="h800", accelerators=2048)
    waits = inputs_of(mixture, load(latest()))
    (first, _), *_ = changes(waits, part="expert_s", seconds=1e12)
    assert first == "all of it hidden behind computing, as DeepSeek did"
    hides = inputs_of(replace(mixture, expert_overlap=100), load(latest()))
    assert not any("hidden" in words for words, _ in changes(hides, part="expert_s", seconds=1e12))


def test_a_change_that_changes_nothing_is_not_told(inputs):
    assert not any("wastes least" in words for words, _ in changes(inputs, part="failure", seconds=1e12))
    own = replace(inputs, circumstances=replace(inputs.circumstances, interval_s=3e5))
    assert any("wastes least" in words for words, _ in changes(own, part="failure", seconds=1e12))


def test_where_nothing_helps_it_is_said(inputs):
    words = advice_words(inputs, part="optimizer_s", noun="the optimizer", seconds=1.0)
    assert words == "Against the optimizer: no single change tried saves 1 %."


def test_the_network_is_tried_where_a_tensor_group_spans_servers():
    wide = inputs_of(TrainingRunSettings(accelerators=32768), load(latest()))
    (only,) = changes(wide, part="tensor_s", seconds=46 * 86400)
    assert only[0] == "a network of 800 Gbit/s"
    narrow = inputs_of(TrainingRunSettings(), load(latest()))
    shorter = changes(narrow, part="tensor_s", seconds=1e12)
    assert shorter and not any("network" in words for words, _ in shorter)


def test_advice_on_a_searched_plan_lies_outside_it_and_has_its_effect():
    result = ask()
    note = result.changes[0]
    advised = re.fullmatch(
        r"Against tensor-parallel exchange \(.*\), now \d+ days in all: twice the link, 900 GB/s each way: (\d+) "
        r"days\.",
        note,
    )
    assert advised, note
    assert round(value(ask("link=900"), "days")) == int(advised[1])
    assert not re.search(
        "use fewer|interleav|deeper|split its", " ".join(str(row[3]) for row in result.table.rows)
    )


def test_saving_more_often_is_advised_only_where_the_interval_is_the_readers():
    own = ask("hours_per_failure=100&accelerators=1024&checkpoint=500")
    best = ask("hours_per_failure=100&accelerators=1024")
    assert any("the checkpoint interval that wastes least" in note for note in own.changes)
    assert not any("wastes least" in note or "save more often" in note for note in best.changes)
