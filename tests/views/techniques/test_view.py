"""How many years of hardware a technique is worth: the answer as a whole."""

import math
from dataclasses import fields

import pytest

from analysis.techniques.catalogue import (
    ACTIVE_EXPERTS,
    ADAPTER_SHARE,
    DRAFT_TOKENS,
    EXPERTS,
    GROUPS,
    REQUESTS,
    TECHNIQUES,
)
from analysis.techniques.setup import PHASES
from analysis.techniques.worth import Bill
from data import standing
from tests.views.techniques.answers import ask, effects_of, value
from views.chips.metrics import METRICS
from views.techniques.evidence import EVIDENCE
from views.techniques.inputs import next_memory
from views.techniques.settings import MEASURES, NONE, OPTIONS, TechniquesSettings


def test_where_a_technique_does_nothing_the_page_says_so():
    result = ask("phase=prefill")
    assert result.headline == "4-bit weights save 0 % of time here"
    assert any(
        "Compute is the limit here, and smaller weights only shorten reading" in note
        for note in result.changes
    )
    result = ask("technique=checkpointing")
    assert "Gradient checkpointing saves 0 %" in result.headline
    assert any("no backward pass" in note for note in result.changes)


def test_a_technique_that_costs_says_what():
    assert "costs 1.54× the operations" in ask("technique=speculative&measure=flop").headline


def test_too_few_chips_say_what_to_widen():
    result = ask("since=2029")
    assert "too few chips" in result.headline
    assert any("Widen the window" in note for note in result.notes)


def test_two_techniques_for_the_same_part_are_not_taken_together():
    result = ask("technique=fp8-weights&second=int4-weights")
    assert result.ignored[0].setting == "second"
    assert "which fixes the same part" in result.ignored[0].allowed
    assert ask("second=fp8-weights").ignored[0].setting == "second"


@pytest.mark.parametrize("name", TECHNIQUES)
def test_no_technique_goes_with_itself_and_every_one_can_be_chosen(name):
    twice = TechniquesSettings(technique=name, third=name)
    assert [conflict.names for conflict in twice.conflicts()] == [("third", "technique")]
    assert TechniquesSettings(technique=name).conflicts() == ()
    assert set(OPTIONS) == set(TECHNIQUES)


def test_the_chosen_are_those_that_are_no_none_in_their_order():
    settings = TechniquesSettings(technique="batching", second=NONE, third="int4-weights")
    assert settings.chosen == ("batching", "int4-weights")


def test_memory_is_counted_in_years_of_capacity():
    result = ask("phase=training&technique=zero-3&measure=memory")
    assert "years of capacity growth" in result.headline


def test_every_measure_is_a_part_of_the_bill_of_its_own_and_grows_with_a_known_metric():
    parts = [measure.field for measure in MEASURES.values()]
    assert len(set(parts)) == len(parts) and set(parts) < {field.name for field in fields(Bill)}
    assert all(measure.metric in METRICS for measure in MEASURES.values())


def test_a_measure_has_the_unit_that_its_part_of_the_bill_is_named_for():
    for measure in MEASURES.values():
        suffix = measure.field.rsplit("_", 1)[-1]
        assert measure.unit.lower() == suffix


def test_the_years_are_the_logarithm_of_the_saving_over_that_of_the_growth():
    result = ask()
    saving, growth, years = (result.figure(name) for name in ("saving", "yearly_growth", "years"))
    assert saving.value and growth.value and growth.low and growth.high
    assert years.value == pytest.approx(math.log(saving.value) / math.log(growth.value))
    assert years.low == pytest.approx(math.log(saving.value) / math.log(growth.high))
    assert years.high == pytest.approx(math.log(saving.value) / math.log(growth.low))
    assert result.headline == "4-bit weights are worth 4.7 years of bandwidth growth"


def test_a_wider_level_contains_a_narrower_one():
    wide, narrow = (ask(f"level={level}").figure("years") for level in ("95", "80"))
    ends = [wide.low, narrow.low, narrow.value, narrow.high, wide.high]
    assert ends == sorted(end for end in ends if end is not None)


@pytest.mark.parametrize("phase", ["decode", "prefill", "training"])
@pytest.mark.parametrize("measure", ["time", "bytes", "memory", "flop", "links"])
def test_words_of_key_figures_are_short_enough_to_be_read_whole(phase, measure):
    result = ask(f"technique=flash-attention&second=batching&phase={phase}&measure={measure}&batch=512")
    for figure in result.figures:
        assert not figure.key or max(len(figure.label), len(figure.interval_text)) <= 24, figure


def test_the_product_is_that_of_each_alone_and_only_shown_for_several():
    result = ask("second=speculative&third=batching")
    singles = effects_of(second="speculative", third="batching").singles
    alone = [singles[name].worth.saving for name in ("int4-weights", "speculative", "batching")]
    assert value(result, "product_of_savings") == pytest.approx(math.prod(alone))
    assert "product_of_savings" not in {figure.name for figure in ask().figures}


def test_every_row_is_evidence_with_the_address_of_its_source():
    assert list(EVIDENCE) == standing.table("techniques")["technique"].tolist()
    assert EVIDENCE["lora"].source == "https://arxiv.org/abs/2106.09685"
    assert all(item.source.startswith("https://") for item in EVIDENCE.values())


def test_an_empty_cell_is_what_is_usual():
    assert EVIDENCE["fp8-weights"].idle == "This phase does not use what it changes."
    assert EVIDENCE["mixed-precision"].acts_on == "the technique acts on something else"
    assert EVIDENCE["mixed-precision"].limit_phases == PHASES
    assert EVIDENCE["batching"].limit_phases == ("decode", "prefill")


def test_the_numbers_in_words_are_those_that_are_computed_with():
    assert f"into {EXPERTS} experts, {ACTIVE_EXPERTS} of them" in EVIDENCE["experts"].meaning
    assert f"heads, or {GROUPS}, instead" in EVIDENCE["grouped-query"].meaning
    assert EVIDENCE["speculative"].meaning.startswith(f"{DRAFT_TOKENS} tokens proposed")
    assert f"batch set, or {REQUESTS}, instead" in EVIDENCE["batching"].meaning
    assert all(f"{100 * ADAPTER_SHARE:g} % of" in EVIDENCE[name].meaning for name in ("lora", "qlora"))


def test_the_steps_of_memory_in_words_are_those_of_its_generations():
    kinds = standing.table("memory_generations")["memory"].tolist()
    steps = [(kind, *next_memory(kind)) for kind in kinds]
    words = ", ".join(f"{new} after {kind} {step:.2f}×" for kind, new, step in steps if new)
    assert EVIDENCE["memory-generation"].meaning == f"what follows the chip's memory: {words}"
