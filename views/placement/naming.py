"""Places as they stand in a sentence."""

from views import wording
from views.placement.inputs import PlacementInputs
from views.placement.places import SERVER_ROOM


def named(inputs: PlacementInputs, i: int) -> str:
    """Return a place as it stands in a sentence."""
    name = inputs.names[i]
    if inputs.question.rented[i]:
        return f"the cloud ({name.removeprefix('cloud ')})"
    return wording.a(name)


def at_place(inputs: PlacementInputs, i: int) -> str:
    """Return a place with its preposition."""
    inside = inputs.question.rented[i] or inputs.words[i] == SERVER_ROOM
    return f"{'in' if inside else 'on'} {named(inputs, i)}"
