"""What techniques are worth, do and do not do, in a reader's words."""

import math

import pytest

from analysis.techniques.worth import HardwareYear, worth
from tests.views.techniques.answers import ask
from views import wording
from views.techniques.settings import TechniquesSettings
from views.techniques.words import (
    brief_ends_words,
    change_words,
    ends_words,
    joined,
    time_words,
)


def test_a_rate_that_may_be_none_has_no_upper_end():
    short = worth(2, HardwareYear(growth=1.1, low=0.98, high=1.2, level=0.9))
    assert short.years == pytest.approx(math.log(2) / math.log(1.1))
    assert "no upper end" in ends_words(short)


def test_reading_the_cache_is_told_from_reading_the_weights():
    shown = " ".join(ask("batch=512").changes)
    assert "Reading the KV cache is the limit here, which smaller weights do not shorten" in shown
    short = " ".join(ask("technique=8-bit-cache&context=128").changes)
    assert "Reading the weights is the limit here, which a smaller cache does not shorten" in short
    assert "Reading the KV cache" not in " ".join(ask("measure=flop").changes)


def test_the_interval_is_said_in_full_and_briefly():
    sure = worth(4, HardwareYear(growth=1.3, low=1.25, high=1.35, level=0.9))
    assert ends_words(sure) == "4.6–6.2 years"
    assert brief_ends_words(sure) == "4.6–6.2 years"
    slight = worth(1.02, HardwareYear(growth=1.3, low=1.25, high=1.35, level=0.9))
    assert ends_words(slight) == "24 days–1.1 months"
    costs = worth(0.5, HardwareYear(growth=1.3, low=1.25, high=1.35, level=0.9))
    assert ends_words(costs) == "\N{MINUS SIGN}3.1 to \N{MINUS SIGN}2.3 years"
    assert (
        brief_ends_words(worth(2, HardwareYear(growth=1.1, low=0.98, high=1.2, level=0.9))) == "no upper end"
    )


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


def test_labels_stand_in_a_sentence_with_names_kept_as_they_are():
    assert [
        wording.small_initial(label) for label in ("Mixture of experts", "FlashAttention", "4-bit weights")
    ] == [
        "mixture of experts",
        "FlashAttention",
        "4-bit weights",
    ]
    assert joined(["Batching"]) == "Batching"
    assert joined(["Batching", "FP8 weights", "Speculative decoding"]) == (
        "Batching, FP8 weights and speculative decoding"
    )


def test_time_is_that_of_all_requests_where_several_share_it():
    def words(**settings):
        return time_words(TechniquesSettings(**settings))

    assert words() == words(phase="training", batch=8) == "time"
    assert words(batch=8) == words(third="batching") == "time per token over all requests"
