"""The verdict in words."""

import re
from dataclasses import replace

import pytest

from analysis.placement.answers import answers_to
from data.releases import load
from tests.views.links import corpus
from tests.views.placement.placed import result
from views.placement.chosen import chosen
from views.placement.inputs import inputs_of
from views.placement.options import CLASS_LABELS
from views.placement.settings import PlacementSettings
from views.placement.view import VIEW
from views.placement.words import fitting, notes
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


@pytest.mark.parametrize("only", CLASS_LABELS)
@pytest.mark.parametrize("work", ["phone-assistant", "frontier", "support-chat"])
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


def test_options_that_cost_about_the_same_are_told():
    told = "\n".join(result(work="branch-documents", stay="anywhere").notes)
    assert "About as cheap, within a tenth: the cloud (MI300X) at $25 a month." in told
    assert "About as cheap" not in "\n".join(result().notes)


def test_an_accelerator_that_was_never_measured_leads_nothing_and_a_note_says_what_it_might_do():
    inputs = inputs_of(PlacementSettings(), load("2026-07"))
    assert "measure it first" not in told_of(inputs) and "test before buying" not in told_of(inputs)
    fits = replace(inputs.question.fits)
    known = tuple(name for name in inputs.measured if name != "NVIDIA B200")
    vars(fits)["accelerators"] = known
    without = replace(inputs, question=replace(inputs.question, fits=fits), measured=known)
    assert re.search(
        r"The cloud \(B200\) might do it for \$1\.42 a month, but no measured speed of it under load could be used: "
        r"measure it first\.",
        told_of(without),
    )
    answers = answers_to(without.question)
    assert answers.cheapest is not None and "B200" not in without.names[answers.cheapest]


def told_of(inputs):
    answers = answers_to(inputs.question)
    about = chosen(inputs, answers, only="any")
    return "\n".join(notes(inputs, answers, about=about, hints=()))
