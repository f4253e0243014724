import math

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from analysis.techniques.catalogue import TECHNIQUES
from analysis.techniques.worth import HardwareYear, worth
from tests.views import links
from views.result import as_json
from views.techniques.evidence import EVIDENCE
from views.techniques.view import VIEW
from views.techniques.words import ends_words
from views.view import answer, read


def value(found, name):
    number = found.figure(name).value
    assert number is not None
    return number


def result(query=""):
    settings, ignored = read(VIEW, query)
    return answer(VIEW, settings, ignored=ignored)


def test_the_years_are_the_logarithm_of_the_saving_over_that_of_the_growth():
    found = result()
    saving, growth, years = (found.figure(name) for name in ("saving", "yearly_growth", "years"))
    assert saving.value and growth.value and growth.low and growth.high
    assert years.value == pytest.approx(math.log(saving.value) / math.log(growth.value))
    assert years.low == pytest.approx(math.log(saving.value) / math.log(growth.high))
    assert years.high == pytest.approx(math.log(saving.value) / math.log(growth.low))
    assert found.headline.startswith("4-bit weights are worth 4.7 years of bandwidth growth (")


def test_a_wider_level_contains_a_narrower_one():
    wide, narrow = (result(f"level={level}").figure("years") for level in ("95", "80"))
    ends = [wide.low, narrow.low, narrow.value, narrow.high, wide.high]
    assert ends == sorted(end for end in ends if end is not None)


@given(links.settings(VIEW))
@hypothesis_settings(max_examples=25, deadline=None)
def test_any_settings_give_an_answer(settings):
    found = answer(VIEW, settings)
    assert found.headline and found.exhibits
    as_json(found)


def test_every_technique_has_evidence_and_a_row():
    assert set(EVIDENCE) == set(TECHNIQUES)
    assert {row[0] for row in result().table.rows} == {item.label for item in EVIDENCE.values()}
    assert all(item.source.startswith("https://") for item in EVIDENCE.values())


def test_where_a_technique_does_nothing_the_page_says_so():
    found = result("phase=prefill")
    assert found.headline == "4-bit weights do nothing for the time here (Llama 3.1 70B, prefill, H100 SXM)"
    assert any(
        "Computing binds here, and smaller weights only shorten reading" in note for note in found.notes
    )
    found = result("technique=checkpointing")
    assert "Gradient checkpointing does nothing" in found.headline
    assert any("no backward pass" in note for note in found.notes)


def test_the_page_says_what_16_bits_and_experts_do_not_do():
    found = result("phase=training")
    assert any("do not halve Adam's training state" in note for note in found.notes)
    assert any("does not shrink memory" in note for note in found.notes)


def test_a_technique_that_costs_says_what():
    assert "costs 1.54× the operations here" in result("technique=speculative&measure=flop").headline


def test_memory_is_counted_in_years_of_capacity():
    found = result("phase=training&technique=zero-3&measure=memory")
    assert "years of capacity growth" in found.headline


def test_together_is_not_multiplied():
    found = result("second=8-bit-cache&context=131072&batch=8")
    assert value(found, "saving") != pytest.approx(value(found, "product_of_savings"), rel=0.01)
    assert any(note.startswith("Each alone, multiplied") for note in found.notes)


def test_two_techniques_for_the_same_part_are_not_taken_together():
    found = result("technique=fp8-weights&second=int4-weights")
    assert found.ignored[0].setting == "second"
    assert "which fixes the same part" in found.ignored[0].allowed
    assert result("second=fp8-weights").ignored[0].setting == "second"


def test_too_few_chips_say_what_to_widen():
    found = result("since=2029")
    assert "too few chips" in found.headline
    assert "Widen the window" in found.notes[0]


def test_a_rate_that_may_be_none_has_no_upper_end():
    short = worth(2, HardwareYear(growth=1.1, low=0.98, high=1.2, level=0.9))
    assert short.years == pytest.approx(math.log(2) / math.log(1.1))
    assert "no upper end" in ends_words(short)


def test_what_does_not_fit_one_chip_says_how_many_it_needs():
    """Llama 3.1 70B at 16 bits is 141 GB, an H100 holds 80; flash-attention's scores of 131,072 tokens are 444 TB."""
    found = result()
    assert (value(found, "chips_before"), value(found, "chips_after")) == (2, 1)
    assert any("it needs 2 before and 1 after" in note for note in found.notes)
    assert found.figure("memory_saving").interval_text == "144 GB to 39.3 GB"
    training = result("phase=training&technique=flash-attention&context=131072")
    assert value(training, "chips_before") > 5000
    assert any("for each copy of the model" in note for note in training.notes)
    small = result("model=llama-3.1-8b")
    assert value(small, "chips_before") == 1
    assert not any("does not fit one" in note for note in small.notes)


def test_batching_speaks_of_all_requests_and_says_that_one_waits():
    found = result("technique=batching")
    assert "time per token over all requests falls" in found.headline
    assert "time per token over all requests falls" in found.exhibits[1].chart.title
    assert any("One request waits 1." in note and "in a batch of 16 as alone" in note for note in found.notes)
    assert ": time falls" in result("model=llama-3.1-8b").headline
    assert "over all requests" not in result("technique=batching&phase=training").headline


@pytest.mark.parametrize(
    ("chip", "saving"),
    [("h100", 1229 / 819), ("h200", 2048 / 1229), ("tpu-v5p", 819 / 461), ("ddr5-server", 8800 / 6400)],
)
def test_the_next_memory_is_that_of_the_chip(chip, saving):
    found = result(f"technique=memory-generation&chip={chip}&measure=time&model=llama-3.1-8b")
    assert value(found, "saving") == pytest.approx(saving, rel=0.02)


def test_three_techniques_are_listed_and_what_one_request_gains_is_said():
    """0.18 times as long was called a wait."""
    found = result("technique=int4-weights&second=speculative&third=batching")
    assert found.headline.startswith("4-bit weights, speculative decoding and batching are worth ")
    assert any(
        note.startswith(
            "In a batch of 16 and with the other techniques chosen, one request gets each token 5."
        )
        for note in found.notes
    )
    assert result("second=batching").headline.startswith("4-bit weights and batching are worth ")


def test_reading_the_cache_is_told_from_reading_the_weights():
    told = " ".join(result("batch=512").notes)
    assert "Reading the KV cache binds here, which smaller weights do not shorten" in told
    short = " ".join(result("technique=8-bit-cache&context=128").notes)
    assert "Reading the weights binds here, which a smaller cache does not shorten" in short
    assert "Reading the KV cache" not in " ".join(result("measure=flop").notes)


@pytest.mark.parametrize("phase", ["decode", "prefill", "training"])
@pytest.mark.parametrize("measure", ["time", "bytes", "memory", "flop", "links"])
def test_words_of_key_figures_are_short_enough_to_be_read_whole(phase, measure):
    found = result(f"technique=flash-attention&second=batching&phase={phase}&measure={measure}&batch=512")
    for figure in found.figures:
        assert not figure.key or max(len(figure.label), len(figure.interval_text)) <= 24, figure


@pytest.mark.parametrize("chip", ["wse-3", "groq-lpu"])
def test_memory_on_the_chip_has_no_next_generation(chip):
    found = result(f"technique=memory-generation&chip={chip}")
    assert "does nothing" in found.headline
    assert any("no next generation of its own" in note for note in found.notes)


def test_notes_say_only_what_holds_here():
    gains = result("technique=speculative&batch=512")
    assert "faster" not in gains.headline and value(gains, "saving") > 2
    assert not any("cost time" in note for note in gains.notes)
    costs = result("technique=speculative&batch=4096&context=128")
    assert value(costs, "saving") < 1
    assert any("tokens thrown away cost time" in note for note in costs.notes)
    assert not any("KV cache, which" in note for note in result("technique=batching&phase=training").notes)
    assert any("KV cache, which" in note for note in result("technique=batching").notes)
    alone = result("technique=zero-3&phase=training&devices=1")
    assert any(note.endswith("training: There is only one chip.") for note in alone.notes)
