"""The plan of a run: a plan by hand starts from the fastest one, and what is given takes its place."""

import pytest

from analysis.training_run.candidates import NoPlanFits
from data.releases import latest, load
from tests.views.training_run.answers import ask, value
from views.training_run.chosen_plan import (
    AS_SEARCHED,
    COLUMNS,
    chosen_plan,
    degree_in_words,
    searched,
    searched_degree,
)
from views.training_run.inputs import inputs_of
from views.training_run.settings import DEGREES, TrainingRunSettings

FIXED = "tensor=8&pipeline=16&context=1&expert=1&interleave=8&micro_batch=1&zero=1&recompute=none"
"""The degrees that stood for those left out, before they stood for the fastest plan's."""


def plan_of(**settings):
    chosen = TrainingRunSettings(**settings)
    return chosen_plan(chosen, inputs_of(chosen, load(latest())))


def test_every_degree_of_the_settings_is_one_of_a_plan():
    assert set(COLUMNS) == DEGREES


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"accelerators": 16_500},
        {"accelerators": 131_072},
        {"model": "deepseek-v3", "accelerators": 2048},
        {"model": "llama-3.1-8b", "accelerators": 64, "accelerator": "b200"},
    ],
)
def test_a_plan_by_hand_starts_from_the_fastest_one(settings):
    auto, by_hand = (plan_of(plan=plan, **settings) for plan in ("auto", "manual"))
    assert by_hand.used == auto.used and by_hand.tried == 1 < auto.tried
    for column in (*COLUMNS.values(), "data_parallel"):
        assert by_hand.plan.one(column) == auto.plan.one(column), column


def test_a_degree_that_is_given_takes_the_place_of_the_fastest_plans_and_the_copies_fill_up():
    auto, by_hand = plan_of(), plan_of(plan="manual", tensor=16, recompute="full")
    assert by_hand.plan.one("tensor_parallel") == 16 and by_hand.plan.one("recompute") == 2
    assert by_hand.plan.one("pipeline_parallel") == auto.plan.one("pipeline_parallel")
    assert by_hand.plan.one("data_parallel") * 2 == auto.plan.one("data_parallel")


def test_a_plan_given_whole_needs_no_search_and_fills_all_accelerators():
    whole = dict(
        tensor=8, pipeline=1, context=1, expert=1, interleave=8, micro_batch=1, zero="1", recompute="none"
    )
    chosen = plan_of(plan="manual", **whole)
    assert chosen.plan.one("data_parallel") == 2048 and chosen.plan.one("interleave") == 1
    assert plan_of(plan="manual", model="llama-3.1-405b", accelerators=8, **whole).used == 8


def test_links_of_old_that_spell_the_plan_out_keep_their_meaning():
    by_hand = ask(f"plan=manual&{FIXED}")
    assert by_hand.settings_line.startswith(
        "Tensor 8 × pipeline 16 × data 128, interleaving 8, micro-batch 1, ZeRO 1, no recomputation"
    )
    assert value(by_hand, "days") == pytest.approx(value(ask("plan=manual"), "days"))


def test_what_stands_for_an_empty_degree_is_that_of_the_fastest_plan():
    by_hand, auto = TrainingRunSettings(plan="manual", micro_batch=2), TrainingRunSettings()
    assert by_hand.where_empty("tensor") == degree_in_words(by_hand, "tensor") == "8, as the fastest plan"
    assert auto.where_empty("tensor") == "what the fastest plan has"
    assert by_hand.option_label("zero", AS_SEARCHED) == "1: optimizer states (fastest plan)"
    assert auto.option_label("zero", AS_SEARCHED) == "As the fastest plan"
    assert by_hand.option_label("zero", "3") == "3: weights too (FSDP)"


def test_where_no_plan_fits_there_is_none_to_start_from():
    settings = TrainingRunSettings(plan="manual", accelerators=8)
    assert searched_degree(settings, "tensor") is None and degree_in_words(settings, "tensor") == ""
    assert settings.where_empty("tensor") == "what the fastest plan has"
    with pytest.raises(NoPlanFits, match="no plan of 8 accelerators fits"):
        searched(inputs_of(settings, load(latest())), overlap=0.5)
    with pytest.raises(
        ValueError, match="which does not divide 16,384 accelerators; change one of them, or use"
    ):
        plan_of(plan="manual", tensor=3)
