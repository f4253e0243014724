"""Places as they stand in a sentence."""

from views import wording
from views.placement.answers import rented
from views.placement.inputs import Inputs
from views.placement.places import SERVER_ROOM


def named(found: Inputs, i: int) -> str:
    """Return a place as it stands in a sentence."""
    name = found.places.name[i]
    if rented(found)[i]:
        return f"the cloud ({name.removeprefix('cloud ')})"
    return wording.a(name)


def at_place(found: Inputs, i: int) -> str:
    """Return a place with its preposition."""
    inside = rented(found)[i] or found.words[i] == SERVER_ROOM
    return f"{'in' if inside else 'on'} {named(found, i)}"
