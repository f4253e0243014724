"""How places stand at other loads, and from which load one's own place is cheaper than a cloud."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.placement.outcome import Luck, middle, outcome
from analysis.placement.places import RENTED, Growth
from analysis.placement.setup import set_up
from analysis.placement.standing import Standing, standing
from views.placement.inputs import Inputs

FloatArray = NDArray[np.floating]
BoolArray = NDArray[np.bool_]

MOST_REQUESTS = 1e9
"""Loads are tried from one request a day to so many, or a thousand times the work's own."""
LOADS, CLOSER = 55, 13
"""Loads tried over that range, and again around the turn."""


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


CLEARLY = 0.95
"""A side must be cheaper by so much somewhere: a machine just bought and hardly used changes sides but briefly."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The load nearest to the work's own at which the cheapest place changes sides, and what is cheapest there."""

    requests_per_day: float
    place: int


def turn(found: Inputs, growth: Growth, *, sure: float, own_wins: bool) -> Turn | None:
    """Return up to which load a cloud is cheaper, where one's own place wins now, or else from which load one's own is.

    None where no load changes sides. Places count that meet what is asked with speeds that all but ``sure`` of the
    draws exceed; every load has its own machines and batches, people stay as many.
    """
    now = float(np.max(found.work.requests_per_day))
    loads = np.geomspace(1.0, max(MOST_REQUESTS, 1000 * now), LOADS)
    loads = np.unique(np.append(loads, now))
    turned = Turn(requests_per_day=now, place=0)
    for again in (True, False):
        cost = _costs(found, growth, loads, sure=sure)
        rented = found.places.is_kind(RENTED)
        own, cloud = (np.where(keep, cost, np.inf) for keep in (~rented, rented))
        winner, other = (own, cloud) if own_wins else (cloud, own)
        clearly = CLEARLY if again else 1.0
        beyond = loads <= now if own_wins else loads >= now
        changed = np.flatnonzero((other.min(axis=1) < clearly * winner.min(axis=1)) & beyond)
        if not len(changed):
            return None if again else turned
        at = int(changed[-1] if own_wins else changed[0])
        turned = Turn(requests_per_day=float(loads[at]), place=int(np.argmin(other[at])))
        next_at = at + 1 if own_wins else at - 1
        if again and 0 <= next_at < len(loads):
            ends = sorted((float(loads[at]), float(loads[next_at])))
            loads = np.geomspace(ends[0], ends[1], CLOSER)
    return turned


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
