"""What techniques are worth, do and do not do, in a reader's words."""

import math

import pytest

from analysis.techniques.worth import HardwareYear, worth
from tests.views.techniques.answers import ask, effects_of, value
from views.techniques.inputs import chips_for
from views.techniques.settings import TechniquesSettings
from views.techniques.words import (
    change_words,
    ends_words,
    time_words,
)


def test_a_rate_that_may_be_none_has_no_upper_end():
    short = worth(2, HardwareYear(growth=1.1, low=0.98, high=1.2, level=0.9))
    assert short.years == pytest.approx(math.log(2) / math.log(1.1))
    assert (ends_words(short), ends_words(short, why=": why")) == ("no upper end", "no upper end: why")


def test_reading_the_cache_is_told_from_reading_the_weights():
    shown = " ".join(ask("batch=512").changes)
    assert "Reading the KV cache is the limit here, which smaller weights do not shorten" in shown
    short = " ".join(ask("technique=8-bit-cache&context=128").changes)
    assert "Reading the weights is the limit here, which a smaller cache does not shorten" in short
    assert "Reading the KV cache" not in " ".join(ask("measure=flop").changes)


@pytest.mark.parametrize(
    ("saving", "ends"),
    [
        (4, "4.6–6.2 years"),
        (1.02, "24 days–1.1 months"),
        (0.5, "\N{MINUS SIGN}3.1 to \N{MINUS SIGN}2.3 years"),
    ],
)
def test_the_interval_has_its_unit_once(saving, ends):
    assert ends_words(worth(saving, HardwareYear(growth=1.3, low=1.25, high=1.35, level=0.9))) == ends


@pytest.mark.parametrize(
    ("saving", "measure", "words"),
    [
        (3.7, "time", "time falls 3.7×"),
        (0.5, "memory", "memory grows 2.0×"),
        (2.0, "operations", "operations fall 2.0×"),
    ],
)
def test_a_change_falls_or_grows_and_agrees_with_its_noun(*, saving, measure, words):
    assert change_words(saving, measure) == words


def test_time_is_that_of_all_requests_where_several_share_it():
    def words(**settings):
        return time_words(TechniquesSettings(**settings))

    assert words() == words(phase="training", batch=8) == "time"
    assert words(batch=8) == words(third="batching") == "time per token over all requests"


def test_the_page_says_what_16_bits_and_experts_do_not_do():
    result = ask("phase=training")
    assert any("do not halve Adam's training state" in note for note in result.changes)
    assert any("does not shrink memory" in note for note in result.changes)


def test_together_is_not_multiplied():
    result = ask("second=8-bit-cache&context=131072&batch=8")
    assert value(result, "saving") != pytest.approx(value(result, "product_of_savings"), rel=0.01)
    assert any(note.startswith("The separate savings multiply to ") for note in result.changes)


def test_what_does_not_fit_one_chip_says_how_many_it_needs():
    """Llama 3.1 70B at 16 bits is 141 GB, an H100 holds 80; flash-attention's scores of 131,072 tokens are 444 TB."""
    result = ask()
    assert (value(result, "chips_before"), value(result, "chips_after")) == (2, 1)
    assert any("it needs 2 before and 1 after" in note for note in result.notes)
    assert result.figure("memory_saving").interval_text == "144 GB to 39.3 GB"
    training = ask("phase=training&technique=flash-attention&context=131072")
    assert value(training, "chips_before") > 5000
    assert any("for each copy of the model" in note for note in training.notes)
    small = ask("model=llama-3.1-8b")
    assert value(small, "chips_before") == 1
    assert not any("does not fit one" in note for note in small.notes)


def test_batching_speaks_of_all_requests_and_says_that_one_waits():
    result = ask("technique=batching")
    assert "time per token over all requests falls" in result.subtitle
    assert "time per token over all requests falls" in result.exhibits[1].chart.title
    assert any(
        "One request waits 1." in note and "in a batch of 16 as alone" in note for note in result.notes
    )
    assert ": time falls" in ask("model=llama-3.1-8b").subtitle
    assert "over all requests" not in ask("technique=batching&phase=training").subtitle


def test_three_techniques_are_listed_and_what_one_request_gains_is_said():
    """0.18 times as long was called a wait."""
    result = ask("technique=int4-weights&second=speculative&third=batching")
    assert result.headline.startswith("Three techniques together are worth ")
    assert result.subtitle.startswith("4-bit weights, speculative decoding and batching: ")
    assert any(
        note.startswith(
            "In a batch of 16 and with the other techniques chosen, one request gets each token 5."
        )
        for note in result.notes
    )
    assert ask("second=batching").headline.startswith("4-bit weights and batching are worth ")


def test_memory_on_the_chip_has_no_next_generation():
    result = ask("technique=memory-generation&chip=wse-3")
    assert "saves 0 %" in result.headline
    assert any("no next generation of its own" in note for note in result.changes)


def test_notes_say_only_what_holds_here():
    gains = ask("technique=speculative&batch=512")
    assert "faster" not in gains.headline and value(gains, "saving") > 2
    assert not any("cost time" in note for note in gains.changes)
    costs = ask("technique=speculative&batch=4096&context=128")
    assert value(costs, "saving") < 1
    assert any("tokens thrown away cost time" in note for note in costs.changes)
    assert not any("KV cache, which" in note for note in ask("technique=batching&phase=training").changes)
    assert any("KV cache, which" in note for note in ask("technique=batching").changes)
    alone = ask("technique=zero-3&phase=training&devices=1")
    assert any(note.endswith("training: There is only one chip.") for note in alone.changes)


def test_chips_are_counted_whole_and_a_full_one_is_enough():
    before = effects_of(technique="fp8-weights").together.before
    assert chips_for(before, before.memory_byte) == 1
    assert chips_for(before, before.memory_byte / 2) == 2
    assert chips_for(before, before.memory_byte * 0.99) == 2
    assert chips_for(before, float("inf")) == 1
