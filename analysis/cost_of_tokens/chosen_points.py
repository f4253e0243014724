"""Which deployments and loads are worth correcting: some along each accelerator's frontier, more at the speed."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray, IntArray
from analysis.cost_of_tokens.candidates import Candidates
from analysis.cost_of_tokens.sweep import LOADS, Swept, least, usd_at_speed

POINTS, FEW = 9, 3
"""So many points of the frontier of an accelerator that is drawn, and of any other, are corrected. [1]"""
MOST, DETAILED = 10, 5
"""So many accelerators are corrected, those that ask least at the speed, and so many of them in detail. [1]"""
NEAR = (0.95, 1.0, 1.05)
"""About the speed so many times it is looked for again: between such points a price may be interpolated. [1]"""


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Places of candidates, which may repeat, with the requests in flight there."""

    places: list[int]
    loads: list[float]


def evenly_along(speed: FloatArray, usd: FloatArray, *, count: int) -> IntArray:
    """Return up to ``count`` places of a frontier, its ends among them, as far apart as a chart of logs shows them.

    Towards its fastest point a frontier rises steeply: steps of speed alone would leave that part to one straight line.
    """
    x, y = np.log(speed), np.log(usd)
    steps = np.hypot(np.diff(x), np.diff(y))
    length = np.concatenate([[0.0], np.cumsum(steps)])
    wanted = np.linspace(0.0, length[-1], count)
    return np.unique(np.argmin(np.abs(length[:, None] - wanted), axis=0))


def along_frontiers(tried: Candidates, found: Swept, *, speed: float, first: frozenset[str]) -> Chosen:
    """Return points along the frontier of each accelerator, with its cheapest at ``speed``.

    Those of ``first`` are taken in detail, before the cheapest of the others.
    """
    places: list[int] = []
    loads: list[float] = []
    usd_there, load_there = usd_at_speed(found, tokens_per_s=speed)
    rows = {name: np.flatnonzero(tried.of(name)) for name in dict.fromkeys(tried.deployments.accelerator)}
    slowest = np.where(found.possible, found.token_s, np.inf).min(axis=0)
    ranked = sorted(
        rows, key=lambda name: (float(usd_there[rows[name]].min()), float(slowest[rows[name]].min()))
    )
    detailed = sorted(ranked[:MOST], key=lambda name: name not in first)[:DETAILED]
    for name in ranked[:MOST]:
        own = rows[name]
        at, which = np.nonzero(found.possible[:, own])
        if not len(at):
            continue
        speeds, usd = 1 / found.token_s[at, own[which]], found.usd[at, own[which]]
        edge = least(speeds, usd)
        thin = edge[evenly_along(speeds[edge], usd[edge], count=POINTS if name in detailed else FEW)]
        places += own[which[thin]].tolist()
        loads += LOADS[at[thin]].tolist()
        best = own[np.argmin(usd_there[own])]
        if np.isfinite(usd_there[best]):
            places.append(int(best))
            loads.append(float(load_there[best]))
    return Chosen(places=places, loads=loads)


def at_speed(
    tried: Candidates, found: Swept, *, speed: float, wide: Mapping[str, tuple[float, float]]
) -> Chosen:
    """Return the cheapest point of each accelerator of ``wide`` at ``speed``, a little beside it and at its ends.

    ``wide`` are how much slower and faster the ends of an interval are: where a point so much faster is wanted, its
    slow end is at ``speed``.
    """
    places: list[int] = []
    loads: list[float] = []
    rows = {name: np.flatnonzero(tried.of(name)) for name in wide}
    for name, (slower, faster) in wide.items():
        part = Swept(
            token_s=found.token_s[:, rows[name]],
            first_s=found.first_s[:, rows[name]],
            usd=found.usd[:, rows[name]],
            possible=found.possible[:, rows[name]],
        )
        for times in (*NEAR, 1 / slower, 1 / faster):
            if not len(rows[name]):
                break
            usd, load = usd_at_speed(part, tokens_per_s=speed * times)
            best = int(np.argmin(usd))
            if np.isfinite(usd[best]):
                places.append(int(rows[name][best]))
                loads.append(float(load[best]))
    return Chosen(places=places, loads=loads)
