"""The place that a page is about: the cheapest that meets the targets, or of the class that a reader asks about."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray
from analysis.placement.answers import Answers
from views.placement.inputs import PlacementInputs
from views.placement.options import ANY, CLASS_OF
from views.placement.places import SERVER_ROOM


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The place at ``at``; ``meets`` is whether it meets the targets, ``fixed`` whether its class was asked about.

    Where a class was asked about that is not among the places, the page is about all places and ``unknown`` is True.
    """

    at: int
    meets: bool
    fixed: bool = False
    unknown: bool = False


def class_of(inputs: PlacementInputs, i: int) -> str:
    """Return the word of the class that a place belongs to."""
    if inputs.question.rented[i]:
        return "cloud"
    return SERVER_ROOM if inputs.words[i] == SERVER_ROOM else CLASS_OF[inputs.question.places.device_class[i]]


def of_class(inputs: PlacementInputs, word: str) -> BoolArray:
    """Return which places belong to a class, shape (places,)."""
    return np.array([word in (ANY, class_of(inputs, i)) for i in range(len(inputs.names))], dtype=bool)


def chosen(inputs: PlacementInputs, answers: Answers, *, only: str) -> Chosen:
    """Return the cheapest place that meets the targets, else the nearest; of the class asked about, if any."""
    among = of_class(inputs, only)
    unknown = not among.any()
    if unknown or only == ANY:
        best = answers.cheapest
        best = answers.nearest if best is None else best
        return Chosen(at=best, meets=bool(answers.meets[best]), unknown=unknown)
    best = answers.cheapest_of(among)
    if best is None:
        best = answers.nearest_of(among)
        return Chosen(at=best, meets=bool(answers.meets[best]), fixed=True)
    return Chosen(at=best, meets=True, fixed=True)
