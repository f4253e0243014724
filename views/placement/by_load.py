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


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The load nearest to the work's own at which the cheapest place changes sides, and what is cheapest there."""

    requests_per_day: float
    place: int


def turn(found: Inputs, growth: Growth, *, sure: float, own_wins: bool) -> Turn | None:
    """Return up to which load a cloud is cheaper, where one's own place wins now, or else from which load one's own is.

    None where no load changes sides, but for a machine just bought and hardly used: a change counts that lasts to the
    next load tried, half as large again. Places count that meet what is asked with speeds that all but ``sure`` of the
    draws exceed; every load has its own machines and batches, people stay as many.
    """
    now = float(np.max(found.work.requests_per_day))
    loads = np.geomspace(1.0, max(MOST_REQUESTS, 1000 * now), LOADS)
    loads = np.unique(np.append(loads, now))
    away = loads[loads <= now][::-1] if own_wins else loads[loads >= now]
    other, winner = _sides(found, growth, away, sure=sure, own_wins=own_wins)
    cheaper = other.min(axis=1) < winner.min(axis=1)
    cheaper[0] = False  # by all draws the winner wins at the work's own load, though it be a close run
    lasting = np.flatnonzero(cheaper & np.append(cheaper[1:], True))
    if not len(lasting):
        return None
    before = int(np.flatnonzero(~cheaper[: lasting[0]])[-1])
    closer = np.geomspace(float(away[before]), float(away[before + 1]), CLOSER)
    other, winner = _sides(found, growth, closer, sure=sure, own_wins=own_wins)
    dearer = np.flatnonzero(other.min(axis=1) >= winner.min(axis=1))
    at = int(dearer[-1]) + 1 if len(dearer) else 0
    return Turn(requests_per_day=float(closer[at]), place=int(np.argmin(other[at])))


def _sides(
    of: Inputs, growth: Growth, loads: FloatArray, *, sure: float, own_wins: bool
) -> tuple[FloatArray, FloatArray]:
    """Return costs at each load on the side that does not win now, inf for places of the other, and on the winner's."""
    cost, rented = _costs(of, growth, loads, sure=sure), of.places.is_kind(RENTED)
    own, cloud = (np.where(keep, cost, np.inf) for keep in (~rented, rented))
    return (cloud, own) if own_wins else (own, cloud)


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
