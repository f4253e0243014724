"""Loads at which owned hardware becomes cheaper than a cloud, or the reverse."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.answers import Answers
from analysis.placement.outcome import middle, outcome
from analysis.placement.question import Question
from analysis.placement.setup import set_up

MOST_REQUESTS = 1e9
"""Largest number of requests a day in the search. A thousand times the work's load if that is larger."""
LOADS, CLOSER = 19, 271
"""Numbers of loads to evaluate: few with all places, then many with the candidates."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The load at which owned or cloud places become cheaper, and the cheapest place on that side.

    It is cheaper ``from`` a load on, ``below`` a load, or ``between`` two loads. ``between`` are those two loads, or
    the loads between which the sides alternate because machines are bought one by one; None if they change sides once.
    """

    requests_per_day: float
    place: int
    word: Literal["from", "below", "between"]
    between: tuple[float, float] | None


@dataclass(frozen=True, kw_only=True)
class Sides:
    """The cheapest suitable owned and cloud places, and the load at which their order changes."""

    own: int
    cloud: int
    turn: Turn | None


def sides_of(answers: Answers) -> Sides | None:
    """Return the owned and the cloud side. None if one side has no place that meets the requirements."""
    rented = answers.question.rented
    own, cloud = answers.cheapest_of(~rented), answers.cheapest_of(rented)
    if own is None or cloud is None:
        return None
    return Sides(own=own, cloud=cloud, turn=turn(answers.question, own_wins=answers.cheapest == own))


def turn(question: Question, *, own_wins: bool) -> Turn | None:
    """Return the load at which the cheaper side changes for good. None if the other side is cheaper at no load.

    A place counts if it meets the requirements at speeds that are exceeded with the required probability. Every load
    has its own machines and batches; the number of people is fixed. Loads start at one request a day.
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
    """Return a mask, shape (places,), of places that at some load cost up to 1.5 times their side's minimum."""
    close = np.zeros(cost.shape[1], dtype=bool)
    for side in (rented, ~rented):
        of = np.where(side, cost, np.inf)
        with np.errstate(invalid="ignore"):
            close |= (np.isfinite(of) & (of <= 1.5 * of.min(axis=1, keepdims=True))).any(axis=0)
    return close


def _costs(question: Question, loads: FloatArray) -> FloatArray:
    """Return the ranking cost of places at each load. Infinite if the cost is unknown or a requirement is missed."""
    loaded = replace(question, work=replace(question.work, requests_per_day=loads[:, None]))
    placed = set_up(loaded)
    with np.errstate(over="ignore"):  # an unbounded queue overflows; its wait is infinite anyway
        typical = middle(placed, loaded)
        draw = loaded.speed_draws.quantile(1.0 - loaded.required_probability)
        met = outcome(placed, loaded, speed_draws=draw).met[..., 0]
    cost = loaded.ranked(typical.cost_usd_per_1000_requests[..., 0])
    return np.where(met & np.isfinite(cost), cost, np.inf)
