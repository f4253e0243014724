"""What to buy or rent at a place, how many, and what that costs."""

import math

from analysis.arrays import FloatArray
from analysis.placement.answers import Answers
from analysis.placement.places import PERSONAL
from analysis.placement.prices import CARDS_PER_HOST, DAYS_PER_YEAR, bought_usd
from views.placement.inputs import PlacementInputs
from views.placement.places import SERVER_ROOM

PLURALS = {"desktop with a GPU": "desktops with a GPU"}
MONTHS = 12.0


def usd_a_month(inputs: PlacementInputs, usd_per_1000: float) -> float:
    """Return the cost of a month at a cost of 1,000 requests. [USD]"""
    return usd_per_1000 * requests_a_day(inputs) * DAYS_PER_YEAR / MONTHS / 1000.0


def requests_a_day(inputs: PlacementInputs) -> float:
    """Return the requests of all people together."""
    return _largest(inputs.question.work.requests_per_day)


def people(inputs: PlacementInputs) -> float:
    """Return how many people ask."""
    return _largest(inputs.question.work.people)


def _largest(value: float | FloatArray) -> float:
    return float(value) if isinstance(value, float | int) else float(value.max())


def to_buy(inputs: PlacementInputs, answers: Answers, *, i: int) -> float:
    """Return the price of all that stands at a place, 0 where it is rented, NaN where it is not known. [USD]"""
    placed = answers.placed
    return float(bought_usd(inputs.question, chips=placed.chips, machines=placed.machines)[0, i])


def parted(name: str) -> tuple[str, str]:
    """Return what a place is called, and the device in brackets."""
    kind, _, device = name.partition(" (")
    return kind, device.removesuffix(")")


def count_of(inputs: PlacementInputs, answers: Answers, *, i: int) -> int:
    """Return how many machines stand at a place: servers of up to four cards, or of eight in a server room."""
    chips, machines = float(answers.placed.chips[0, i]), float(answers.placed.machines[0, i])
    hosts = 1 if inputs.words[i] == SERVER_ROOM else max(math.ceil(chips / CARDS_PER_HOST), 1)
    return round(machines * hosts)


def act(inputs: PlacementInputs, answers: Answers, *, i: int) -> tuple[str, ...]:
    """Return what to do at a place, in words, from the longest to the shortest."""
    name = inputs.names[i]
    if inputs.question.rented[i]:
        chip = name.removeprefix("cloud ")
        if not inputs.question.conditions.by_hour:
            return (f"rent {chip} in the cloud", f"rent {chip}")
        number = round(float(answers.placed.machines[0, i] * answers.placed.chips[0, i]))
        return (f"rent {number:,} × {chip} in the cloud", f"rent {number:,} × {chip}")
    kind, device = parted(name)
    if inputs.question.places.kind[i] == PERSONAL and float(inputs.question.conditions.share) < 1:
        whose = "the" if people(inputs) <= 1 else "each person's"
        return (f"use {whose} {kind} ({device})", f"use {whose} {kind}")
    number = count_of(inputs, answers, i=i)
    many = kind if number == 1 else PLURALS.get(kind, f"{kind}s")
    if inputs.words[i] == SERVER_ROOM:
        many = "server" if number == 1 else "servers"
        device = device.partition(" of ")[0]
        return (f"buy {number:,} {many} of {device}",)
    return (f"buy {number:,} {many} ({device})", f"buy {number:,} {many}")


def in_full(inputs: PlacementInputs, answers: Answers, *, i: int) -> str:
    """Return what to do at a place with the number of its chips."""
    first = act(inputs, answers, i=i)[0]
    chips = float(answers.placed.chips[0, i])
    if inputs.question.rented[i]:
        paid = "paid by the hour" if inputs.question.conditions.by_hour else "paid by use"
        return f"{first}, {paid}" + (f", {chips:g} chips a copy" if chips > 1 else "")
    if chips > 1 and inputs.words[i] != SERVER_ROOM:
        return f"{first}, {min(chips, CARDS_PER_HOST):g} GPUs each"
    return first
