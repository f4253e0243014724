"""A view's own choices with one of them changed: what the spread of a rate is shown over."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from views.settings import Settings

Chosen = TypeVar("Chosen", bound=Settings)
Changes = Sequence[tuple[str, Mapping[str, Any]]]
"""What each change is called, and the settings it changes."""


def changed(settings: Chosen, changes: Changes) -> list[tuple[str, Chosen]]:
    """Return the settings under every change, with its name: no two alike, none in conflict, none unchanged."""
    kept: dict[Chosen, str] = {}
    for label, change in changes:
        case = replace(settings, **change)
        if case != settings and not case.conflicts():
            kept.setdefault(case, label)
    return [(label, case) for case, label in kept.items()]
