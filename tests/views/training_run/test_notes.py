"""What a reader must know beside the answer: what would help, what was left out, how sure it is."""

import re

from data.releases import latest, load
from tests.views.training_run.answers import ask, value
from views.training_run.inputs import inputs_of
from views.training_run.settings import TrainingRunSettings


def test_a_supply_limit_is_kept_and_said():
    result = ask("available=4096")
    assert value(result, "accelerators") == 4096
    assert "Only 4,096 of the 16,384 accelerators wanted are available." in result.notes


def test_idle_accelerators_are_said():
    result = ask("accelerators=16500")
    assert value(result, "accelerators") < 16500
    assert any("accelerators are left out, and not paid for" in note for note in result.notes)


def test_outside_what_was_checked_the_page_warns_and_inside_it_does_not():
    def sure(query):
        note, *_ = [note for note in ask(query).sure if "published run" in note]
        return note

    assert "rough guide" not in sure("accelerators=1024")
    assert "rough guide" not in sure("model=deepseek-v3")
    assert sure("accelerator=mi355x").endswith("Take this as a rough guide.")
    assert sure("accelerator=mi300x") == (
        "We have no published run on the MI300X to check this against, so take it as a rough guide."
    )


def test_what_published_runs_alike_move_the_time_by_is_said_with_the_software_assumed():
    """The H100's time is two years and a half past its release at most; a Blackwell's is the newest known."""

    def moved(query):
        (note,) = [note for note in ask(query).sure if note.startswith("Published runs alike are")]
        return note

    assert re.search(r"with software of Mar 2024(;|\.)", moved(""))
    assert re.search(
        r"% faster than their parts add up to, with software of \w+ 2025; the time",
        moved("accelerator=tpu-v7"),
    )
    assert "with software of Aug 2026" in moved("accelerator=gb300")
    of_none = inputs_of(TrainingRunSettings(accelerator="mi300x"), load(latest()))
    assert of_none.pace.spread > inputs_of(TrainingRunSettings(), load(latest())).pace.spread


def test_advice_on_a_plan_by_hand_names_the_plan_that_the_search_finds():
    result = ask("plan=manual&interleave=1")
    days = round(value(ask(), "days"))
    assert f"On the fastest plan the run takes {days} days instead of" in result.changes[0]
    assert not any("On the fastest plan" in note for note in ask("plan=manual").changes)


def test_a_batch_far_beyond_its_critical_size_is_told():
    (note,) = [note for note in ask("batch=1000").notes if "critical size" in note]
    assert note.startswith("A batch of 1.01B tokens is 87× its critical size (11.6M tokens, Kaplan 2020)")
    assert not any("critical size" in note for note in ask().notes)


def test_a_run_that_failures_eat_up_says_so_and_advises_saving_only_where_the_interval_is_set():
    def lost(query):
        (note,) = [note for note in ask(query).notes if note.startswith("More than half of the time is lost")]
        return note

    assert "save more often" in lost("hours_per_failure=3000&checkpoint=600")
    assert "save more often" not in lost("hours_per_failure=3000")
    assert not any("lost to failures" in note for note in ask().notes)
