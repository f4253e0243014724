"""What stands at the top of a page is short, for any link: headline, subtitle, key figures and notes.

Words are what spaces part. A number is a word that starts with a digit, behind a sign, a currency or a bracket:
4.7×, $1.25, 2,048, −3 %, 0.44–2.4 (a range is one). A power of ten is one number with its mantissa. No numbers are
what a reader quoted, years and months (2012, 2026-07), kinds of a thing (16-bit, 8-bit), and what belongs to the
name of a model, a chip or a technique (Llama 3.1 405B, Gaudi 3, ZeRO stage 3), a server of 8 × H200, and the unit
per 1,000 (requests). A headline that says that the choices
leave nothing to tell may do without a number.
"""

import re
from functools import cache

import pytest

from tests.views.links import corpus
from views.chips.linked import NAMES
from views.models import names as model_names
from views.registry import VIEWS
from views.result import Result
from views.techniques.evidence import EVIDENCE
from views.training_run.defaults import accelerators
from views.view import answer, read

FINISHED = (
    "/training-compute",
    "/",
    "/growth-gap",
    "/claims",
    "/placement",
    "/accelerators",
    "/compute-to-memory",
    "/growth-accounting",
    "/track-record",
    "/techniques",
    "/latency-floor",
    "/training-run",
    "/model-errors",
    "/data",
    "/story",
    "/cost-of-bandwidth",
    "/fleet",
)
"""The views that keep these rules; in the end all of them."""

MOST_WORDS, MOST_SUBTITLE_WORDS, MOST_NOTES, MOST_KEY_FIGURES = 12, 40, 3, 3
NOTHING_TO_TELL = ("These choices ", "No ", "Release ", "None of these ", "Not checkable: ", "Not known: ")
RULES = (
    ": no, data must stay on",
    ": no, data may not go there",
    ": no, it must work offline",
    ": no, memory is too small",
    " takes practically forever",
)
"""A rule that leaves a place out is no number either, nor what was not reckoned, nor a million years and more."""


def findings(path: str) -> list[tuple[str, Result]]:
    """Return the answers to a view's links, each with what was chosen."""
    view = VIEWS[path]
    return [(str(query), answer(view, read(view, query)[0])) for query in corpus(view)]


@cache
def _names() -> re.Pattern[str]:
    chips = {*NAMES.values(), *accelerators().values()}
    names = {*model_names().values(), *chips, *(item.label for item in EVIDENCE.values())}
    longest_first = sorted(names, key=len, reverse=True)
    either = "|".join(re.escape(name) for name in longest_first)
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


def numbers(headline: str) -> list[str]:
    """Return the numbers of a headline, by the rule of this module."""
    text = re.sub(r"“.*”", "", headline)
    text = _names().sub("", text)
    text = re.sub(r"(\d[\d.,]*) × 10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", r"\1", text)
    text = re.sub(r"(?<=of )8 × |per 1,000(?! \d)", "", text)
    starts = (word.strip("()[],;:.").lstrip("$€<>~≈−+-") for word in text.split())
    return [
        word
        for word in starts
        if word[:1].isdigit() and not re.fullmatch(r"(19|20)\d\d(-\d\d)?|\d+-[a-z]+", word)
    ]


@pytest.mark.parametrize(
    ("headline", "found"),
    [
        ("Frontier training compute grows 4.7× a year", ["4.7×"]),
        ("16-bit FLOP per byte: no clear trend (1.08× a year)", ["1.08×"]),
        ("90 % intervals held 97 % of runs in 2026-07", ["90", "97"]),
        ("Llama 3.1 405B on 2,048 B200 costs $1.25 since 2012", ["2,048", "1.25"]),
        ("ZeRO stage 3 (FSDP) is worth −0.5 years", ["0.5"]),
        ("Training compute reaches 1.1 × 10²⁹ FLOP, 0.44–2.4 × 10²⁹", ["1.1", "0.44–2.4"]),
        ("3 of 1,036 rows match “7 8 9”", ["3", "1,036"]),
        ("Chat: buy 2 servers of 8 × H200, $6,700 a month", ["2", "6,700"]),
        ("Chat: no option meets all; best $5 per 1,000, $3 allowed", ["5", "3"]),
    ],
)
def test_what_counts_as_a_number(*, headline, found):
    assert numbers(headline) == found


@pytest.mark.parametrize("path", FINISHED)
def test_a_headline_has_twelve_words_at_most_and_one_or_two_numbers(path):
    for query, finding in findings(path):
        headline = finding.headline
        assert 1 <= len(headline.split()) <= MOST_WORDS, (headline, query)
        told = not headline.startswith(NOTHING_TO_TELL) and not any(rule in headline for rule in RULES)
        fewest = 1 if told else 0
        assert fewest <= len(numbers(headline)) <= 2, (headline, query)


@pytest.mark.parametrize("path", FINISHED)
def test_a_subtitle_is_one_line(path):
    for query, finding in findings(path):
        subtitle = finding.subtitle or finding.exhibits[0].chart.subtitle
        assert 1 <= len(subtitle.split()) <= MOST_SUBTITLE_WORDS, (subtitle, query)


@pytest.mark.parametrize("path", FINISHED)
def test_there_are_three_key_figures_at_most(path):
    for query, finding in findings(path):
        key = [figure.label for figure in finding.figures if figure.key]
        assert len(key) <= MOST_KEY_FIGURES, (key, query)
        assert len({figure.name for figure in finding.figures}) == len(finding.figures), query


@pytest.mark.parametrize("path", FINISHED)
def test_there_are_three_notes_at_most_of_one_sentence_each(path):
    for query, finding in findings(path):
        assert len(finding.notes) <= MOST_NOTES, (finding.notes, query)
        for note in finding.notes:
            assert not re.search(r"[.!?] [A-Z0-9]", note), (note, query)
            assert note.endswith("."), (note, query)
