"""Places as they stand in a sentence."""

import pytest

from data.releases import load
from views.placement.inputs import inputs_of
from views.placement.naming import at_place, named
from views.placement.places import SERVER_ROOM
from views.placement.settings import PlacementSettings

INPUTS = inputs_of(PlacementSettings(), load("2026-07"))


@pytest.mark.parametrize("word", INPUTS.words)
def test_what_is_rented_is_the_cloud_and_what_is_owned_has_an_article(word):
    i = INPUTS.words.index(word)
    if INPUTS.question.rented[i]:
        assert named(INPUTS, i).startswith("the cloud (") and "cloud" not in named(INPUTS, i)[10:]
        assert at_place(INPUTS, i) == f"in {named(INPUTS, i)}"
    else:
        article = "an" if INPUTS.names[i][0] in "aeio" else "a"
        assert named(INPUTS, i) == f"{article} {INPUTS.names[i]}"
        assert at_place(INPUTS, i).startswith("in a" if word == SERVER_ROOM else "on a")


def test_a_room_is_gone_into_and_a_device_worked_on():
    room = INPUTS.words.index(SERVER_ROOM)
    assert at_place(INPUTS, room) == "in a server room (8 × H200)"
    assert at_place(INPUTS, INPUTS.words.index("edge-server")).startswith("on an edge server (")
