"""From which load owned hardware is cheaper than a cloud, in words."""

from dataclasses import dataclass, replace

import numpy as np

from analysis.placement.answers import Answers, answers_to
from analysis.placement.by_load import Turn, turn
from analysis.placement.places import PERSONAL
from views import wording
from views.placement.inputs import PlacementInputs
from views.placement.naming import named


@dataclass(frozen=True, kw_only=True)
class Sides:
    """The cheapest place of one's own and in a cloud that do the work, and the load at which they change sides."""

    own: int
    cloud: int
    turn: Turn | None


def sides_of(inputs: PlacementInputs, answers: Answers) -> Sides | None:
    """Return the two sides, None where one of them has no place that does the work."""
    rented = inputs.question.rented
    own, cloud = answers.cheapest_of(~rented), answers.cheapest_of(rented)
    if own is None or cloud is None:
        return None
    return Sides(own=own, cloud=cloud, turn=turn(inputs.question, own_wins=answers.cheapest == own))


def turning(inputs: PlacementInputs, answers: Answers, *, sides: Sides) -> str:
    """Return at which load, or at which charge, the cheapest place changes sides, as the end of a sentence."""
    question = inputs.question
    own_wins = answers.cheapest == sides.own
    free = own_wins and not np.any(question.conditions.share) and question.places.kind[sides.own] == PERSONAL
    if free:
        charged = answers_to(replace(question, conditions=replace(question.conditions, share=1.0)))
        if charged.cost_usd.median[sides.own] > charged.cost_usd.median[sides.cloud]:
            return ", cheaper if the device's price is charged"
    if sides.turn is not None:
        load = in_words(sides.turn)
        if sides.turn.place in (sides.own, sides.cloud):
            return f", cheaper {load}"
        return f"; {named(inputs, sides.turn.place)} is cheaper {load}"
    return ", costlier even if the device's price is charged" if free else ", costlier at any load"


def break_even(inputs: PlacementInputs, answers: Answers, *, sides: Sides | None) -> list[str]:
    """Return at how many requests a day the cheapest place changes sides."""
    if sides is None or sides.turn is None:
        return []
    other = "owned hardware" if answers.cheapest == sides.own else "cloud"
    load = (
        f"{wording.sentence_case(in_words(sides.turn))} {named(inputs, sides.turn.place)} is cheaper than any "
        f"{other}, each load with the machines it needs; this task has "
        f"{float(np.max(inputs.question.work.requests_per_day)):,.6g}."
    )
    if sides.turn.between is None or sides.turn.word == "between":
        return [load]
    low, high = map(wording.significant, sides.turn.between)
    return [
        f"{load} Between about {low} and {high} a day the two alternate, as machines are bought one by one."
    ]


def in_words(turn: Turn) -> str:
    """Return the load, or loads, in words."""
    if turn.word == "between" and turn.between is not None:
        low, high = map(wording.significant, turn.between)
        return f"between about {low} and {high} requests a day"
    return f"{turn.word} about {wording.significant(turn.requests_per_day)} requests a day"
