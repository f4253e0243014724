"""From which load one's own place is cheaper than a cloud, or a cloud than one's own."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.answers import Answers
from analysis.placement.outcome import middle, outcome
from analysis.placement.question import Question
from analysis.placement.setup import set_up

MOST_REQUESTS = 1e9
"""Loads are tried from one request a day to so many, or a thousand times the work's own."""
LOADS, CLOSER = 19, 271
"""Loads tried over that range: few with all places, many with those in question."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The loads at which the side that does not win now is cheaper, and its place where that begins.

    It is so ``from`` the load or ``below`` it for good, or ``between`` two loads. ``between`` are those, or the loads
    between which the sides take turns, as machines are bought one by one; None where they change sides once.
    """

    requests_per_day: float
    place: int
    word: Literal["from", "below", "between"]
    between: tuple[float, float] | None


@dataclass(frozen=True, kw_only=True)
class Sides:
    """The cheapest place of one's own and in a cloud that do the work, and the load at which they change sides."""

    own: int
    cloud: int
    turn: Turn | None


def sides_of(answers: Answers) -> Sides | None:
    """Return the two sides, None where one of them has no place that does the work."""
    rented = answers.question.rented
    own, cloud = answers.cheapest_of(~rented), answers.cheapest_of(rented)
    if own is None or cloud is None:
        return None
    return Sides(own=own, cloud=cloud, turn=turn(answers.question, own_wins=answers.cheapest == own))


def turn(question: Question, *, own_wins: bool) -> Turn | None:
    """Return where the cheapest place changes sides for good; None where the other side is cheaper at no such load.

    Places count that meet what is asked with speeds that all but ``sure`` of the draws exceed; every load has its own
    machines and batches, people stay as many. Loads from one request a day are looked at.
    """
    now = float(np.max(question.work.requests_per_day))
    loads = np.geomspace(1.0, max(MOST_REQUESTS, 1000 * now), LOADS)
    keep = _in_question(_costs(question, loads), question.rented)
    loads = np.geomspace(1.0, float(loads[-1]), CLOSER)
    these = question.at(keep)
    cost = _costs(these, loads)
    own, cloud = (np.where(side, cost, np.inf) for side in (~these.rented, these.rented))
    owned = own.min(axis=1) < cloud.min(axis=1)
    changes = np.flatnonzero(owned[1:] != owned[:-1]) + 1
    if not len(changes):
        return None
    starts, ends = int(changes[0]), int(changes[-1])
    word: Literal["from", "below", "between"]
    if owned[0] == owned[-1] == own_wins:
        at, word = starts, "between"
    elif owned[-1] == own_wins or (owned[0] == owned[-1] and now / loads[starts] < loads[ends] / now):
        at, word = starts, "below"
    else:
        at, word = ends, "from"
    costs = (cloud if own_wins else own)[at - 1 if word == "below" else at]
    close_run = {"from": now > loads[at], "below": now < loads[at], "between": False}[word]
    if close_run or not np.isfinite(costs).any():
        return None
    return Turn(
        requests_per_day=float(loads[at]),
        place=int(np.flatnonzero(keep)[np.argmin(costs)]),
        word=word,
        between=(float(loads[starts]), float(loads[ends])) if starts < ends else None,
    )


def _in_question(cost: FloatArray, rented: BoolArray) -> BoolArray:
    """Return the places that are the cheapest of their side at some load, or within half as much again, (places,)."""
    close = np.zeros(cost.shape[1], dtype=bool)
    for side in (rented, ~rented):
        of = np.where(side, cost, np.inf)
        with np.errstate(invalid="ignore"):
            close |= (np.isfinite(of) & (of <= 1.5 * of.min(axis=1, keepdims=True))).any(axis=0)
    return close


def _costs(question: Question, loads: FloatArray) -> FloatArray:
    """Return what places rank by at each load, inf where the cost is unknown or what is asked is missed."""
    loaded = replace(question, work=replace(question.work, requests_per_day=loads[:, None]))
    placed = set_up(loaded)
    with np.errstate(over="ignore"):  # a queue that grows without end; its wait is infinite anyway
        typical = middle(placed, loaded)
        met = outcome(placed, loaded, luck=loaded.luck.quantile(1.0 - loaded.required_probability)).met[
            ..., 0
        ]
    cost = loaded.ranked(typical.cost_usd_per_1000_requests[..., 0])
    return np.where(met & np.isfinite(cost), cost, np.inf)
