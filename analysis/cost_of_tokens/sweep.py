"""Cost of serving at every load: a sweep over candidates, and the lowest price at a speed."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray, Rows
from analysis.cost_of_tokens.candidates import Candidates
from analysis.serving.times import Factors, fits, most_requests, serving_times, throughput
from analysis.units import HOUR_S

LOADS: FloatArray = 2.0 ** np.arange(0, 15.01, 0.5)
"""Numbers of concurrent requests in the sweep, per copy of the model. [1]"""
MILLION = 1e6


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Requirements that a price must meet.

    Each user gets at least ``speed`` [tokens/s] and waits at most ``first_s`` for the first token [s]; ``utilization``
    is the share of rented hours with load.
    """

    speed: float
    first_s: float
    utilization: float


@dataclass(frozen=True, kw_only=True)
class Swept(Rows):
    """Times [s] and prices per million output tokens [USD] of n candidates. The last axes are (loads, n).

    ``possible`` marks where model and requests fit in memory and the time to first token is within the limit.
    """

    token_s: FloatArray
    first_s: FloatArray
    usd: FloatArray
    possible: BoolArray


def usd_per_million(*, usd_per_hour: FloatArray, tokens_per_s: FloatArray, utilization: float) -> FloatArray:
    """Return the price of a million output tokens at ``tokens_per_s`` per accelerator. Shapes broadcast. [USD]

    ``utilization`` is the share of rented hours with load. Prompts are included in the price.

    Raises ValueError if utilization is outside (0, 1].
    """
    if not 0 < utilization <= 1:
        raise ValueError(
            f"utilization is a share above 0 and up to 1; got {utilization:g}. For 60% pass 0.6."
        )
    return usd_per_hour * MILLION / (HOUR_S * tokens_per_s * utilization)


def swept(
    tried: Candidates,
    factors: Factors,
    *,
    terms: Terms,
    token_times: FloatArray | float = 1.0,
    first_times: FloatArray | float = 1.0,
    loads: FloatArray = LOADS,
) -> Swept:
    """Return the times and prices of the candidates at every load. The axis of loads precedes that of candidates.

    ``token_times`` and ``first_times`` multiply the times.
    """
    d = tried.deployments
    offered = loads.reshape(-1, *([1] * np.ndim(d.memory_bandwidth_byte_per_s)))
    base = serving_times(d, factors, concurrency=offered)
    token, first = base.time_per_output_token_s * token_times, base.time_to_first_token_s * first_times
    rate = throughput(d, token_s=token, first_s=first, concurrency=offered)
    room = fits(d, factors) & (offered <= most_requests(d, factors))
    usd = usd_per_million(usd_per_hour=tried.usd_per_hour, tokens_per_s=rate, utilization=terms.utilization)
    return Swept(token_s=token, first_s=first, usd=usd, possible=room & (first <= terms.first_s))


def usd_at_speed(
    plans: Swept, *, tokens_per_s: float, loads: FloatArray = LOADS
) -> tuple[FloatArray, FloatArray]:
    """Return the lowest price at a speed, and the load at that price, shaped like ``plans`` without its axis of loads.

    The load is the greatest at which a user still gets ``tokens_per_s``, log-interpolated between the loads of the
    sweep; inf and NaN if there is none. [USD, 1]
    """
    speed = 1 / plans.token_s
    good = plans.possible & (speed >= tokens_per_s)
    count = len(loads)
    any_good = good.any(axis=0)
    last = count - 1 - np.argmax(good[::-1], axis=0)
    after = np.minimum(last + 1, count - 1)

    def at(values: FloatArray | BoolArray, place: np.ndarray) -> np.ndarray:
        return np.take_along_axis(values, place[None], axis=0)[0]

    log_speed, log_usd, log_load = np.log(speed), np.log(plans.usd), np.log(loads)
    gap = at(log_speed, last) - at(log_speed, after)
    share = np.where(gap > 1e-12, (at(log_speed, last) - np.log(tokens_per_s)) / np.maximum(gap, 1e-12), 0.0)
    share = np.where(at(plans.possible, after), np.clip(share, 0.0, 1.0), 0.0)
    usd = np.exp(at(log_usd, last) + share * (at(log_usd, after) - at(log_usd, last)))
    load = np.exp(log_load[last] + share * (log_load[after] - log_load[last]))
    return np.where(any_good, usd, np.inf), np.where(any_good, load, np.nan)


def least(speed: FloatArray, usd: FloatArray) -> np.ndarray:
    """Return the indices of the points that no other point beats in both speed and price, slowest first."""
    order = np.lexsort((usd, -speed))
    kept, best = [], np.inf
    for place in order.tolist():
        if usd[place] < best:
            kept.append(place)
            best = usd[place]
    return np.array(kept[::-1], dtype=int)
