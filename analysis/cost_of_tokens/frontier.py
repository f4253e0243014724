"""Price and speed of each accelerator's best plans, from a sweep corrected by measurements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import FloatArray, IntArray
from analysis.cost_of_tokens.candidates import Candidates
from analysis.cost_of_tokens.sweep import LOADS, Swept, Terms, least, swept, usd_at_speed, usd_per_million
from analysis.serving.predict import ServingFit, serve
from analysis.serving.times import Factors, by_name, serving_times

POINTS, FEW = 9, 3
"""Number of corrected frontier points for an accelerator in the chart, and for any other. [1]"""
MOST, DETAILED = 10, 5
"""Number of accelerators to correct, cheapest first, and how many of them in detail. [1]"""
NEAR = (0.95, 1.0, 1.05)
"""Multiples of the target speed at which plans are searched again, to interpolate the price. [1]"""


def evenly_along(speed: FloatArray, usd: FloatArray, *, count: int) -> IntArray:
    """Return up to ``count`` positions on a frontier, evenly spaced on a log-log chart. Both ends are included.

    A frontier is steep near its fastest point: even steps of speed would draw that part as one straight line.
    """
    x, y = np.log(speed), np.log(usd)
    steps = np.hypot(np.diff(x), np.diff(y))
    length = np.concatenate([[0.0], np.cumsum(steps)])
    wanted = np.linspace(0.0, length[-1], count)
    return np.unique(np.argmin(np.abs(length[:, None] - wanted), axis=0))


def _picked(tried: Candidates, points: Sequence[tuple[int, float]]) -> Candidates | None:
    """Return the candidates at these pairs of position and concurrency. None if there are no pairs."""
    if not points:
        return None
    places, loads = zip(*points, strict=True)
    return tried.at(np.array(places)).loaded(np.array(loads, dtype=float))


def along_frontiers(
    tried: Candidates, plans: Swept, *, speed: float, first: frozenset[str]
) -> Candidates | None:
    """Return points on each accelerator's frontier, and its cheapest point at ``speed``. None if no point is possible.

    Accelerators in ``first`` are sampled in detail, before the cheapest of the others.
    """
    points: list[tuple[int, float]] = []
    usd_there, load_there = usd_at_speed(plans, tokens_per_s=speed)
    rows = {name: np.flatnonzero(tried.of(name)) for name in dict.fromkeys(tried.deployments.accelerator)}
    slowest = np.where(plans.possible, plans.token_s, np.inf).min(axis=0)
    ranked = sorted(
        rows, key=lambda name: (float(usd_there[rows[name]].min()), float(slowest[rows[name]].min()))
    )
    detailed = sorted(ranked[:MOST], key=lambda name: name not in first)[:DETAILED]
    for name in ranked[:MOST]:
        own = rows[name]
        at, which = np.nonzero(plans.possible[:, own])
        if not len(at):
            continue
        speeds, usd = 1 / plans.token_s[at, own[which]], plans.usd[at, own[which]]
        edge = least(speeds, usd)
        thin = edge[evenly_along(speeds[edge], usd[edge], count=POINTS if name in detailed else FEW)]
        points += zip(own[which[thin]].tolist(), LOADS[at[thin]].tolist(), strict=True)
        best = own[np.argmin(usd_there[own])]
        if np.isfinite(usd_there[best]):
            points.append((int(best), float(load_there[best])))
    return _picked(tried, points)


def at_speed(
    tried: Candidates, plans: Swept, *, speed: float, wide: Mapping[str, tuple[float, float]]
) -> Candidates | None:
    """Return the cheapest points of each accelerator in ``wide``, at and near ``speed``. None if none is that fast.

    ``wide`` maps an accelerator to the factors by which its interval's bounds are slower and faster. A point faster by
    that factor has its slow bound at ``speed``.
    """
    points: list[tuple[int, float]] = []
    for name, (slower, faster) in wide.items():
        own = np.flatnonzero(tried.of(name))
        part = plans.at(tried.of(name))
        for times in (*NEAR, 1 / slower, 1 / faster) if len(own) else ():
            usd, load = usd_at_speed(part, tokens_per_s=speed * times)
            best = int(np.argmin(usd))
            if np.isfinite(usd[best]):
                points.append((int(own[best]), float(load[best])))
    return _picked(tried, points)


NORMAL_90 = 1.6449
"""Half-width of the 90% interval of a normal distribution, in standard deviations. [1]"""
LATE = 1.02
"""Maximum ratio of a corrected time to first token to its limit. Later answers are left out. [1]"""


@dataclass(frozen=True, kw_only=True)
class Frontier:
    """Price of a million output tokens by speed on one accelerator, slowest first. Arrays have shape (p,).

    ``at`` are the deployments with their loads. ``low`` and ``high`` are the same deployments with times at the bounds
    of their interval: speed and price move together. ``token_shift`` and ``first_shift`` are the factors that
    corrections apply to times; ``scatter`` is the standard deviation of the log of the time per token. [tokens/s, USD,
    s]
    """

    accelerator: str
    at: Candidates
    speed: FloatArray
    usd: FloatArray
    first_s: FloatArray
    speed_low: FloatArray
    usd_high: FloatArray
    speed_high: FloatArray
    usd_low: FloatArray
    token_shift: FloatArray
    first_shift: FloatArray
    scatter: FloatArray

    def usd_at(self, speed: float) -> tuple[float, float, float]:
        """Return the price at a speed and its interval's bounds, each infinite if the speed is out of reach. [USD]"""
        return (
            _interpolated(self.speed, self.usd, wanted=speed),
            _interpolated(self.speed_high, self.usd_low, wanted=speed),
            _interpolated(self.speed_low, self.usd_high, wanted=speed),
        )

    def widths(self, speed: float) -> tuple[float, float]:
        """Return the bounds of the speed interval, divided by the frontier's speed. [1]"""
        at = self.place_of(speed)
        return float(self.speed_low[at] / self.speed[at]), float(self.speed_high[at] / self.speed[at])

    def place_of(self, speed: float) -> int:
        """Return the position of the slowest point that reaches a speed, or of the fastest point if none does."""
        above = np.flatnonzero(self.speed >= speed * (1 - 1e-9))
        return int(above[0]) if len(above) else len(self.speed) - 1


def _interpolated(speed: FloatArray, usd: FloatArray, *, wanted: float) -> float:
    keep = least(speed, usd)
    speed, usd = speed[keep], usd[keep]
    if wanted > speed[-1] * (1 + 1e-9):
        return float("inf")
    return float(np.exp(np.interp(np.log(wanted), np.log(speed), np.log(usd))))


def frontiers(
    tried: Candidates,
    fit: ServingFit,
    *,
    terms: Terms,
    first: frozenset[str] = frozenset(),
    measured: Candidates | None = None,
    level: float = 0.9,
) -> tuple[Frontier, ...]:
    """Return the frontiers of accelerators that can serve the model, cheapest at the target speed first.

    ``first`` are accelerators whose frontiers are computed in detail, before the cheapest of the others. ``measured``
    are measured deployments at their loads, which are added to the sweep.

    Plans and loads are swept with the fitted mechanisms, and points along each frontier are corrected by measurements
    of similar deployments. The sweep is repeated with those corrections, and the points at and around the target speed
    are corrected again, so that the price there is that of a corrected point. Intervals have the given ``level``.
    Points whose time to first token is too long are excluded.
    """
    factors, speed = by_name(fit.factors), terms.speed
    picked = along_frontiers(tried, swept(tried, factors, terms=terms), speed=speed, first=first)
    if picked is None:
        return ()
    if measured is not None and len(measured):
        picked = Candidates.joined([picked, measured])
    rough = _made(picked, fit, terms=replace(terms, first_s=np.inf), level=level)
    times, firsts = np.ones(len(tried)), np.ones(len(tried))
    for one in rough:
        own, at = tried.of(one.accelerator), one.place_of(speed)
        times[own], firsts[own] = one.token_shift[at], one.first_shift[at]
    again = swept(tried, factors, terms=terms, token_times=times, first_times=firsts)
    wide = {one.accelerator: one.widths(speed) for one in rough}
    near = at_speed(tried, again, speed=speed, wide=wide)
    if near is not None:
        picked = Candidates.joined([picked, near])
    made = _made(picked, fit, terms=terms, level=level)
    return tuple(sorted(made, key=lambda one: (one.usd_at(speed)[0], -one.speed[-1])))


def _made(picked: Candidates, fit: ServingFit, *, terms: Terms, level: float) -> list[Frontier]:
    """Return each accelerator's frontier of the corrected deployments that meet the time limit."""
    factors = by_name(fit.factors)
    served = serve(picked.deployments, fit=fit, level=level)
    base = serving_times(picked.deployments, factors)
    one = np.ones(1)
    wide = (
        float(fit.half_width("token", one, level=level)[0] / fit.half_width("token", one, level=0.9)[0])
        * NORMAL_90
    )
    soon = served.first_s.middle <= LATE * terms.first_s
    made = []

    def usd(tokens_per_s: FloatArray, at: np.ndarray) -> FloatArray:
        rents, rate = picked.usd_per_hour[at], tokens_per_s[at]
        return usd_per_million(usd_per_hour=rents, tokens_per_s=rate, utilization=terms.utilization)

    for name in dict.fromkeys(picked.deployments.accelerator):
        own = np.flatnonzero(picked.of(name) & soon)
        if not len(own):
            continue
        rate, token = served.tokens_per_s, served.token_s
        keep = own[least(1 / token.middle[own], usd(rate.middle, own))]
        made.append(
            Frontier(
                accelerator=name,
                at=picked.at(keep),
                speed=1 / token.middle[keep],
                usd=usd(rate.middle, keep),
                first_s=served.first_s.middle[keep],
                speed_low=1 / token.high[keep],
                usd_high=usd(rate.low, keep),
                speed_high=1 / token.low[keep],
                usd_low=usd(rate.high, keep),
                token_shift=token.middle[keep] / base.time_per_output_token_s[keep],
                first_shift=served.first_s.middle[keep] / base.time_to_first_token_s[keep],
                scatter=np.log(token.high[keep] / token.middle[keep]) / wide,
            )
        )
    return made


def least_usd(
    tried: Candidates, frontier: Frontier, *, factors: Factors, terms: Terms, one_request: bool = False
) -> float:
    """Return the lowest price at the target speed, or for ``one_request``, corrected as on ``frontier``. [USD]"""
    at = frontier.place_of(terms.speed)
    plans = swept(
        tried,
        factors,
        terms=terms,
        token_times=float(frontier.token_shift[at]),
        first_times=float(frontier.first_shift[at]),
    )
    usd = plans.usd[0] if one_request else usd_at_speed(plans, tokens_per_s=terms.speed)[0]
    return float(usd.min())
