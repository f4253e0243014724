"""Why a place falls short of the targets."""

from typing import Any

import pytest

from analysis.placement.answers import answers_to
from data.releases import load
from views.placement.inputs import inputs_of
from views.placement.settings import PlacementSettings
from views.placement.shortfall import apart, shortfall


def lacking(word: str, **changes: Any) -> tuple[str, str] | None:
    settings = PlacementSettings(**changes)
    inputs = inputs_of(settings, load("2026-07"))
    lack = shortfall(answers_to(inputs.question), inputs.words.index(word), sure=settings.sure / 100)
    return None if lack is None else (lack.word, lack.detail)


@pytest.mark.parametrize(
    ("word", "changes", "said"),
    [
        ("phone", {}, ("Memory too small", "6.4 GB, 20 GB needed")),
        ("cloud-b200", {"stay": "premises"}, ("Ruled out", "data must stay on premises")),
        ("edge-server", {"stay": "device"}, ("Ruled out", "data must stay on the device")),
        ("cloud-b200", {"offline": "yes"}, ("Ruled out", "it must work offline")),
        ("top-laptop", {"work": "support-chat"}, ("Too slow", "7.2 tokens/s, 20 needed")),
        ("workstation-gpu", {"work": "support-chat"}, ("Not sure enough", "65 % likely, 80 % required")),
        ("cloud-mi300x", {"first_token": 0.01}, ("First token too late", "170 ms, 10 ms allowed")),
        ("cloud-mi300x", {"budget": 0.1}, ("Over budget", "$0.32 per 1,000, $0.10 allowed")),
        ("cloud-mi300x", {}, None),
    ],
    ids=str,
)
def test_it_says_what_is_reached_and_what_is_required(*, word, changes, said):
    assert lacking(word, **changes) == said


def test_numbers_that_would_read_alike_get_more_digits():
    assert apart("20", "20", exact=("19.96", "20")) == ("19.96", "20")
    assert apart("19", "20", exact=("19.0", "20")) == ("19", "20")
