"""Lengths beyond those measured are told, and only those."""

import pytest

from views.chips.measured_lengths import beyond_words

MEASURED = ((128.0, 32_768.0), (100.0, 32_768.0))


@pytest.mark.parametrize(("prompt", "answer"), [(128, 100), (32_768, 32_768), (1024, 1024)])
def test_lengths_within_those_measured_need_no_word(prompt, answer):
    assert beyond_words(MEASURED, prompt=prompt, answer=answer, of="price") == []


@pytest.mark.parametrize(
    ("lengths", "words"),
    [
        ((127, 100), "Prompts were measured from 128 to 32,768 tokens: this price is carried beyond them."),
        ((128, 99), "Answers were measured from 100 to 32,768 tokens: this price is carried beyond them."),
        (
            (1_000_000, 1),
            "Prompts were measured from 128 to 32,768 tokens, answers from 100 to 32,768: "
            "this price is carried beyond them.",
        ),
    ],
)
def test_what_lies_beyond_is_told(lengths, words):
    assert beyond_words(MEASURED, prompt=lengths[0], answer=lengths[1], of="price") == [words]
