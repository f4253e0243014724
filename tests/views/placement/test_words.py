"""The verdict in words."""

import re
from dataclasses import replace

import pytest

from tests.length import at_length
from tests.views.links import corpus
from tests.views.placement.placed import result
from tests.views.placement.test_answer import answered
from views.placement.options import CLASSES
from views.placement.view import VIEW
from views.placement.words import fitting, notes, size_words
from views.view import answer, read


@pytest.mark.parametrize(
    ("changes", "headline", "catch"),
    [
        (
            {"work": "laptop-coding"},
            "Coding assistant: rent B200 in the cloud, \\$1.42 a month",
            r"; a laptop \(Apple M5\) would cost \$[0-9.]+ a month; a desktop with a GPU \(RTX 5090\) is "
            r"cheaper from about [0-9,]+ requests a day\.$",
        ),
        (
            {"work": "phone-assistant"},
            r"Phone assistant: use the phone \(Apple A19 Pro\), \$[0-9.]+ a month",
            r" a month, cheaper if the device's price is charged\.$",
        ),
        (
            {"work": "support-chat"},
            r"Support chat: rent B200 in the cloud, \$15,000 a month",
            r"^90 % interval \$[0-9,]+–\$[0-9,]+ a month; a server room \(8 × H200\) would cost \$42,000 a month, "
            r"costlier at any load\.$",
        ),
        (
            {"work": "branch-documents"},
            r"Document questions: buy 1 desktop with a GPU, \$[0-9]+ a month",
            r"; if data could leave, the cloud \(B200\) would cost \$[0-9]+ a month\.$",
        ),
        (
            {"work": "branch-documents", "stay": "anywhere", "offline": "yes"},
            "Document questions: buy",
            r"; with a connection, the cloud",
        ),
        (
            {"work": "frontier", "model": "custom", "billions": 1500.0},
            "Frontier model: rent ",
            r"; of owned hardware, a server room \(8 × H200\) comes nearest: memory too small \(",
        ),
        (
            {"work": "laptop-coding", "renting": "by-hour", "charged": "0"},
            r"Coding assistant: use the laptop",
            r", costlier even if the device's price is charged\.$",
        ),
        ({"work": "branch-documents", "year": 2032}, "Document questions in 2032: buy ", "^90 % interval "),
        (
            {"work": "support-chat", "only": "phone"},
            "On a phone: no, 71B needs 76 GB of memory",
            r"^A phone \(Apple A19 Pro\): 6\.4 GB of memory usable, 76 GB needed; the cheapest option is "
            r"the cloud \(B200\) at \$15,000 a month\.$",
        ),
        (
            {"work": "phone-assistant", "only": "phone"},
            r"On a phone: yes, 3\.2B answers at [0-9]+ tokens/s$",
            r"^A phone \(Apple A19 Pro\): [0-9]+ % likely to meet every target",
        ),
        (
            {"work": "branch-documents", "only": "cloud"},
            "In the cloud: no, data must stay on premises",
            r"^The cloud \(.*\): ruled out; the cheapest option is",
        ),
        (
            {"work": "laptop-coding", "budget": 0.01},
            r"Coding assistant: no option meets all; best \$0\.23 per 1,000, \$0\.010 allowed",
            r"^The cloud \(B200\) comes nearest, under 1 % likely to meet every target: over budget \(",
        ),
    ],
    ids=str,
)
def test_the_headline_says_what_to_get_and_its_cost_the_subtitle_the_catch(*, changes, headline, catch):
    shown = result(**changes)
    assert re.match(headline, shown.headline), shown.headline
    assert re.search(catch, shown.subtitle), shown.subtitle


def test_every_link_has_a_sound_headline_a_subtitle_and_a_verdict():
    for query in corpus(VIEW):
        shown = answer(VIEW, read(VIEW, query)[0])
        assert not re.search(r"nan|None|inf\b", shown.headline + shown.subtitle), shown.headline
        assert shown.subtitle.endswith(".") and "\n" not in shown.subtitle
        assert shown.cards[0].tone in ("good", "bad")


@pytest.mark.parametrize("only", CLASSES)
@pytest.mark.parametrize("work", at_length(["phone-assistant", "support-chat", "frontier"], few=["frontier"]))
def test_a_class_asked_about_is_answered_yes_or_no_as_likely_as_it_is(work, only):
    shown = result(work=work, only=only, year=2027)
    said = re.match(r"(On|In) .* in 2027: (yes|no), ", shown.headline)
    assert said, shown.headline
    assert (said[2] == "yes") == (shown.figure("probability_meets_requirement").value >= 0.8)


def test_the_longest_text_that_fits_a_headline_is_taken_and_else_the_shortest():
    assert fitting(" ".join("a" * 13), "one two", "three") == "one two"
    assert fitting(" ".join("a" * 14), " ".join("b" * 13)) == " ".join("b" * 13)


def test_a_cheaper_place_that_is_not_sure_enough_is_named():
    unsure = [note for note in result(work="phone-assistant", sure=95).notes if "would cost" in note]
    assert len(unsure) == 1
    assert re.match(
        r"A phone .* would cost \$0\.00.* a month but is only [0-9]+ % likely to meet every target\.$",
        unsure[0],
    )
    assert not [note for note in result(work="phone-assistant", sure=5).notes if "but is" in note]


def test_options_that_cost_about_the_same_are_named():
    lines = "\n".join(result(work="branch-documents", stay="anywhere").notes)
    assert "About as cheap, within a tenth: the cloud (MI300X) at $25 a month." in lines
    assert "About as cheap" not in "\n".join(result().notes)


def test_an_accelerator_that_was_never_measured_leads_nothing_and_a_note_says_what_it_might_do():
    usual = answered()
    assert "measure it first" not in "".join(notes(usual, ()))
    fits = replace(usual.question.fits)
    vars(fits)["accelerators"] = tuple(name for name in usual.inputs.measured if name != "NVIDIA B200")
    without = replace(usual, inputs=replace(usual.inputs, question=replace(usual.question, fits=fits)))
    assert (
        "The cloud (B200) might do it for $1.42 a month, but no measured speed of it under load could be used: measure "
        "it first." in notes(without, ())
    )
    assert "B200" not in without.inputs.names[without.at]


@pytest.mark.parametrize("requests", [200, 20_000, 1_000_000])
def test_beyond_the_load_said_the_other_side_is_cheapest_and_it_is_the_same_from_wherever(requests):
    shown = result(work="laptop-coding", requests=requests, people=1)
    turn = re.search(r"cheaper (from|below) about ([0-9,]+) requests a day", shown.subtitle)
    assert turn is not None, shown.subtitle
    even, own_wins = int(turn[2].replace(",", "")), turn[1] == "below"
    assert own_wins == (": rent " not in shown.headline)
    where = ": rent " if own_wins else ": buy "
    for times in (0.9, 0.1) if own_wins else (1.1, 10):
        there = result(work="laptop-coding", requests=round(even * times), people=1).headline
        assert where in there, (even, times, there)
    lines = "\n".join(shown.changes)
    (turns,) = re.findall(r"Between about ([0-9,]+) and ([0-9,]+) a day the two alternate", lines)
    assert turns == ("3,200", "63,000") and even == int(turns[0 if own_wins else 1].replace(",", ""))


def test_a_side_that_is_cheaper_in_between_only_is_said_so_with_the_load_in_words():
    shown = result(work="laptop-coding", charged="0", people=1)
    assert any(
        re.match(r"Between about [0-9,]+ and [0-9,]+ requests a day the cloud ", one) for one in shown.changes
    )
    often = result(work="laptop-coding", charged="0", people=1, requests=5000)
    assert ": rent " in often.headline
    many = result(work="laptop-coding", requests=4_455_260, people=1)
    assert "this task has 4.46 million." in "\n".join(many.changes)


@pytest.mark.parametrize(
    ("size", "words"), [(3.2e9, "3.2B"), (70.6e9, "71B"), (671e9, "671B"), (1.04e12, "1T"), (0.9996e12, "1T")]
)
def test_sizes_of_models_are_short(size, words):
    assert size_words(size) == words
