"""How places stand at other loads, and from which load one's own place is cheaper than a cloud."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.outcome import Luck, middle, outcome
from analysis.placement.places import RENTED, Growth
from analysis.placement.setup import set_up
from analysis.placement.verdict import Standing, standing
from views import wording
from views.placement.inputs import Inputs

MOST_REQUESTS = 1e9
"""Loads are tried from one request a day to so many, or a thousand times the work's own."""
LOADS, CLOSER = 19, 271
"""Loads tried over that range: few with all places, many with those in question."""


def some(of: Inputs, growth: Growth, keep: BoolArray) -> tuple[Inputs, Growth]:
    """Return the inputs and the growth of the places that ``keep``, shape (places,), marks."""

    def kept(value: float | np.ndarray) -> float | np.ndarray:
        return np.asarray(value)[..., keep] if np.shape(value)[-1:] == keep.shape else value

    these = replace(
        of, work=of.work.at(keep), places=of.places.at(keep), luck=of.luck.of(np.flatnonzero(keep))
    )
    return these, Growth(**{name: kept(value) for name, value in vars(growth).items()})


def stand(of: Inputs, growth: Growth, shares: FloatArray) -> Standing:
    """Return how places stand when they see these shares of the requests, a cell each."""
    asked = replace(of.work, requests_per_day=of.work.requests_per_day * shares[:, None])
    return standing(
        asked,
        of.places,
        fitted=of.fitted,
        conditions=of.conditions,
        requirements=of.requirements,
        luck=of.luck,
        sustained=of.sustained,
        sustained_rule=of.sustained_rule,
        growth=growth,
    )


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

    @property
    def in_words(self) -> str:
        """Return the load, or loads, in words."""
        if self.word == "between" and self.between is not None:
            low, high = map(wording.significant, self.between)
            return f"between about {low} and {high} requests a day"
        return f"{self.word} about {wording.significant(self.requests_per_day)} requests a day"


def turn(found: Inputs, growth: Growth, *, sure: float, own_wins: bool) -> Turn | None:
    """Return where the cheapest place changes sides for good; None where the other side is cheaper at no such load.

    Places count that meet what is asked with speeds that all but ``sure`` of the draws exceed; every load has its own
    machines and batches, people stay as many. Loads from one request a day are looked at.
    """
    now = float(np.max(found.work.requests_per_day))
    loads = np.geomspace(1.0, max(MOST_REQUESTS, 1000 * now), LOADS)
    keep = _in_question(_costs(found, growth, loads, sure=sure), found.places.is_kind(RENTED))
    some_places, grown = some(found, growth, keep)
    loads = np.geomspace(1.0, float(loads[-1]), CLOSER)
    own, cloud = _sides(some_places, grown, loads, sure=sure)
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
    found = np.zeros(cost.shape[1], dtype=bool)
    for side in (rented, ~rented):
        of = np.where(side, cost, np.inf)
        with np.errstate(invalid="ignore"):
            found |= (np.isfinite(of) & (of <= 1.5 * of.min(axis=1, keepdims=True))).any(axis=0)
    return found


def _sides(of: Inputs, growth: Growth, loads: FloatArray, *, sure: float) -> tuple[FloatArray, FloatArray]:
    """Return costs at each load of places of one's own and of clouds, inf for places of the other side."""
    cost, rented = _costs(of, growth, loads, sure=sure), of.places.is_kind(RENTED)
    return np.where(~rented, cost, np.inf), np.where(rented, cost, np.inf)


def _costs(of: Inputs, growth: Growth, loads: FloatArray, *, sure: float) -> FloatArray:
    """Return what 1,000 requests cost at each load and place, inf where it is unknown or what is asked is missed."""
    setup = set_up(
        replace(of.work, requests_per_day=loads[:, None]),
        of.places,
        fitted=of.fitted,
        conditions=of.conditions,
        requirements=of.requirements,
        slowest=of.luck.slowest,
        growth=growth,
    )
    slow = Luck(
        **{
            name: np.quantile(draws, 1.0 - sure, axis=1, keepdims=True)
            for name, draws in vars(of.luck).items()
        }
    )
    with np.errstate(over="ignore"):  # a queue that grows without end; its wait is infinite anyway
        typical = middle(setup, of.requirements, sustained=of.sustained, sustained_rule=of.sustained_rule)
        met = outcome(setup, of.requirements, luck=slow, sustained=of.sustained_rule).met[..., 0]
    cost = typical.cost_usd_per_1000_requests[..., 0]
    return np.where(met & np.isfinite(cost), cost, np.inf)
