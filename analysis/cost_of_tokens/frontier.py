"""The least a million tokens cost at each speed, by accelerator: plans and loads swept, then corrected as measured."""

from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.cost_of_tokens.candidates import Candidates
from analysis.serving.factors import by_name
from analysis.serving.predict import ServingFit, serve
from analysis.serving.times import Factors, fits, most_requests, serving_times, throughput
from analysis.units import HOUR_S

LOADS: FloatArray = 2.0 ** np.arange(0, 15.01, 0.5)
"""Requests in flight on one copy of the model that are tried. [1]"""
POINTS, FEW = 9, 3
"""So many points of the frontier of an accelerator that is drawn, and of any other, are corrected. [1]"""
MOST, DETAILED = 10, 5
"""So many accelerators are corrected, those that ask least at the speed, and so many of them in detail. [1]"""
MILLION = 1e6
NORMAL_90 = 1.6449
"""Standard deviations either side of the middle that hold 90 %. [1]"""


@dataclass(frozen=True, kw_only=True)
class Swept:
    """Each candidate at each load, on the last two axes (loads, n): seconds, and USD for a million output tokens.

    ``possible`` says whether the model and the requests fit the memory and the first token comes in time.
    """

    token_s: FloatArray
    first_s: FloatArray
    usd: FloatArray
    possible: BoolArray


def usd_per_million(*, usd_per_hour: FloatArray, tokens_per_s: FloatArray, utilization: float) -> FloatArray:
    """Return the price of a million output tokens where accelerators do ``tokens_per_s`` each, shapes broadcast. [USD]

    ``utilization`` is the share of the rented hours that the load is there. Prompts are paid for by it too.

    Raises
    ------
    ValueError
        A utilization outside (0, 1].
    """
    if not 0 < utilization <= 1:
        raise ValueError(
            f"utilization is a share above 0 and up to 1; got {utilization:g}. For 60 % pass 0.6."
        )
    return usd_per_hour * MILLION / (HOUR_S * tokens_per_s * utilization)


def swept(
    tried: Candidates,
    factors: Factors,
    *,
    first_s: float,
    utilization: float,
    token_times: FloatArray | float = 1.0,
    first_times: FloatArray | float = 1.0,
    loads: FloatArray = LOADS,
) -> Swept:
    """Return candidates at every load, the loads on an axis before those of the candidates.

    ``first_s`` is the longest wait for the first token [s]; ``token_times`` and ``first_times`` multiply the times.
    """
    d = tried.deployments
    offered = loads.reshape(-1, *([1] * np.ndim(d.bandwidth)))
    base = serving_times(d, factors, concurrency=offered)
    token, first = base.time_per_output_token_s * token_times, base.time_to_first_token_s * first_times
    rate = throughput(d, token_s=token, first_s=first, concurrency=offered)
    room = fits(d, factors) & (offered <= most_requests(d, factors))
    usd = usd_per_million(usd_per_hour=tried.usd_per_hour, tokens_per_s=rate, utilization=utilization)
    return Swept(token_s=token, first_s=first, usd=usd, possible=room & (first <= first_s))


def usd_at_speed(
    found: Swept, *, tokens_per_s: float, loads: FloatArray = LOADS
) -> tuple[FloatArray, FloatArray]:
    """Return the least price at a speed and the load it is had at, the axes of ``found`` without the loads.

    The load is the greatest at which a user still gets ``tokens_per_s``, between the loads tried by interpolation of
    logs; inf and NaN where there is none. [USD, 1]
    """
    speed = 1 / found.token_s
    good = found.possible & (speed >= tokens_per_s)
    count = len(loads)
    any_good = good.any(axis=0)
    last = count - 1 - np.argmax(good[::-1], axis=0)
    after = np.minimum(last + 1, count - 1)

    def at(values: FloatArray | BoolArray, place: np.ndarray) -> np.ndarray:
        return np.take_along_axis(values, place[None], axis=0)[0]

    log_speed, log_usd, log_load = np.log(speed), np.log(found.usd), np.log(loads)
    gap = at(log_speed, last) - at(log_speed, after)
    share = np.where(gap > 1e-12, (at(log_speed, last) - np.log(tokens_per_s)) / np.maximum(gap, 1e-12), 0.0)
    share = np.where(at(found.possible, after), np.clip(share, 0.0, 1.0), 0.0)
    usd = np.exp(at(log_usd, last) + share * (at(log_usd, after) - at(log_usd, last)))
    load = np.exp(log_load[last] + share * (log_load[after] - log_load[last]))
    return np.where(any_good, usd, np.inf), np.where(any_good, load, np.nan)


@dataclass(frozen=True, kw_only=True)
class Frontier:
    """What an accelerator asks for a million output tokens at each speed, fastest last, each of shape (p,).

    ``at`` are its deployments with their loads. ``low`` and ``high`` are the same deployments where times are at the
    ends of their interval: speed and price move together. ``token_shift`` and ``first_shift`` are what corrections
    multiply times by; ``scatter`` is the standard deviation of the log of a token's time. [tokens/s, USD, s]
    """

    accelerator: str
    at: Candidates
    speed: FloatArray
    usd: FloatArray
    first_s: FloatArray
    tokens_per_s: FloatArray
    speed_low: FloatArray
    usd_high: FloatArray
    speed_high: FloatArray
    usd_low: FloatArray
    token_shift: FloatArray
    first_shift: FloatArray
    scatter: FloatArray

    def usd_at(self, speed: float) -> tuple[float, float, float]:
        """Return the price at a speed and the ends of its interval, inf where it cannot be had. [USD]"""
        return (
            _interpolated(self.speed, self.usd, wanted=speed),
            _interpolated(self.speed_high, self.usd_low, wanted=speed),
            _interpolated(self.speed_low, self.usd_high, wanted=speed),
        )

    def place_of(self, speed: float) -> int:
        """Return the point nearest above a speed, the fastest where none is."""
        above = np.flatnonzero(self.speed >= speed * (1 - 1e-9))
        return int(above[0]) if len(above) else len(self.speed) - 1


def _interpolated(speed: FloatArray, usd: FloatArray, *, wanted: float) -> float:
    keep = least(speed, usd)
    speed, usd = speed[keep], usd[keep]
    if wanted > speed[-1] * (1 + 1e-9):
        return float("inf")
    return float(np.exp(np.interp(np.log(wanted), np.log(speed), np.log(usd))))


def least(speed: FloatArray, usd: FloatArray) -> np.ndarray:
    """Return the places that no other beats in both speed and price, slowest first."""
    order = np.lexsort((usd, -speed))
    kept, best = [], np.inf
    for place in order.tolist():
        if usd[place] < best:
            kept.append(place)
            best = usd[place]
    return np.array(kept[::-1], dtype=int)


def frontiers(
    tried: Candidates,
    fit: ServingFit,
    *,
    first_s: float,
    utilization: float,
    speed: float,
    first: frozenset[str] = frozenset(),
    measured: Candidates | None = None,
    level: float = 0.9,
) -> tuple[Frontier, ...]:
    """Return the frontier of every accelerator that can serve the model, cheapest at ``speed`` first.

    ``first`` are those whose frontiers are wanted in detail, before the cheapest of the others; ``measured`` are
    deployments that were measured, at their loads: they join those swept.

    Plans and loads are swept with the fitted mechanisms; of each accelerator's frontier a few points, among them that
    at ``speed``, are then corrected by what deployments like them were measured at, with intervals of ``level``.
    """
    factors = by_name(fit.factors)
    found = swept(tried, factors, first_s=first_s, utilization=utilization)
    places, loads = _chosen(tried, found, speed=speed, first=first)
    if not places:
        return ()
    picked = tried.take(places, concurrency=np.array(loads))
    if measured is not None and len(measured):
        picked = Candidates.joined([picked, measured])
    served = serve(picked.deployments, fit=fit, level=level)
    base = serving_times(picked.deployments, factors)
    one = np.ones(1)
    wide = (
        float(fit.half_width("token", one, level=level)[0] / fit.half_width("token", one, level=0.9)[0])
        * NORMAL_90
    )
    made = []

    def usd(tokens_per_s: FloatArray, at: np.ndarray) -> FloatArray:
        return usd_per_million(
            usd_per_hour=picked.usd_per_hour[at], tokens_per_s=tokens_per_s[at], utilization=utilization
        )

    for name in dict.fromkeys(picked.deployments.accelerator):
        own = np.flatnonzero(picked.of(name))

        rate, token = served.tokens_per_s, served.token_s
        keep = own[least(1 / token.middle[own], usd(rate.middle, own))]
        made.append(
            Frontier(
                accelerator=name,
                at=picked.take(keep, concurrency=picked.deployments.concurrency[keep]),
                speed=1 / token.middle[keep],
                usd=usd(rate.middle, keep),
                first_s=served.first_s.middle[keep],
                tokens_per_s=rate.middle[keep],
                speed_low=1 / token.high[keep],
                usd_high=usd(rate.low, keep),
                speed_high=1 / token.low[keep],
                usd_low=usd(rate.high, keep),
                token_shift=token.middle[keep] / base.time_per_output_token_s[keep],
                first_shift=served.first_s.middle[keep] / base.time_to_first_token_s[keep],
                scatter=np.log(token.high[keep] / token.middle[keep]) / wide,
            )
        )
    return tuple(sorted(made, key=lambda one: (one.usd_at(speed)[0], -one.speed[-1])))


def _chosen(
    tried: Candidates, found: Swept, *, speed: float, first: frozenset[str]
) -> tuple[list[int], list[float]]:
    """Return the candidates and loads that are corrected: some along each accelerator's frontier."""
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
        speeds = 1 / found.token_s[at, own[which]]
        edge = least(speeds, found.usd[at, own[which]])
        wanted = np.linspace(
            np.log(speeds[edge[0]]), np.log(speeds[edge[-1]]), POINTS if name in detailed else FEW
        )
        thin = sorted({int(np.argmin(np.abs(np.log(speeds[edge]) - one))) for one in wanted})
        places += own[which[edge[thin]]].tolist()
        loads += LOADS[at[edge[thin]]].tolist()
        best = own[np.argmin(usd_there[own])]
        if np.isfinite(usd_there[best]):
            places.append(int(best))
            loads.append(float(load_there[best]))
    return places, loads


def fixed(tried: Candidates, frontier: Frontier) -> Candidates:
    """Return all candidates of a frontier's accelerator."""
    return tried.take(np.flatnonzero(tried.of(frontier.accelerator)))


def with_columns(tried: Candidates, **columns: FloatArray | float) -> Candidates:
    """Return the candidates with some columns of their deployments at other values: a lever pulled."""
    changed = {
        name: np.broadcast_to(np.asarray(value, dtype=float), (len(tried),))
        for name, value in columns.items()
    }
    return replace(tried, deployments=replace(tried.deployments, **changed))
