"""What one answer moves, takes and costs: the memory read for each token, by what shares it."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.cost_of_tokens.candidates import Candidates
from analysis.cost_of_tokens.frontier import Frontier
from analysis.cost_of_tokens.sweep import MILLION, Swept, Terms, swept, usd_at_speed
from analysis.serving.times import Factors, decode_step, engine_factor


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer of ``tokens`` at a speed: bytes read from memory, seconds, USD, and requests that share a step.

    ``weights_byte`` are its share of the weights, ``cache_byte`` of what it reads of its own cache.
    """

    tokens: float
    weights_byte: float
    cache_byte: float
    seconds: float
    usd: float
    requests: float

    @property
    def read_byte(self) -> float:
        """Return what it reads from memory. [byte]"""
        return self.weights_byte + self.cache_byte


def read_byte_per_token(
    tried: Candidates, factors: Factors, *, requests: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return what all accelerators of a copy read for one token: of weights and of cache, shape (n,). [byte]

    ``requests`` share a step; where drafts are tried, a pass counts as one token.
    """
    d = tried.deployments
    step, longer = decode_step(d, factors, requests=requests), engine_factor(d, factors)
    chips = d.tensor * d.data * d.pipeline
    each = d.memory_bandwidth_byte_per_s * chips / requests / longer
    return step.weights_s / factors["weights"] * each, step.cache_s / factors["cache"] * each


def answer(tried: Candidates, frontier: Frontier, *, factors: Factors, terms: Terms) -> Answer | None:
    """Return an answer of the candidates' length at a speed, on their cheapest plan; None where none is as fast.

    Corrections by measured points are those of ``frontier`` at that speed.
    """
    plans = shifted(tried, frontier, factors=factors, terms=terms)
    usd, load = usd_at_speed(plans, tokens_per_s=terms.speed)
    best = int(np.argmin(usd))
    if not np.isfinite(usd[best]):
        return None
    one = tried.at(np.array([best]))
    weights, cache = read_byte_per_token(one, factors, requests=load[[best]])
    tokens = float(one.deployments.output_tokens[0])
    return Answer(
        tokens=tokens,
        weights_byte=float(weights[0]) * tokens,
        cache_byte=float(cache[0]) * tokens,
        seconds=tokens / terms.speed,
        usd=float(usd[best]) * tokens / MILLION,
        requests=float(load[best]),
    )


def least_usd(
    tried: Candidates, frontier: Frontier, *, factors: Factors, terms: Terms, one_request: bool = False
) -> float:
    """Return the least price of candidates corrected as ``frontier``: at the speed, or alone. [USD]"""
    plans = shifted(tried, frontier, factors=factors, terms=terms)
    usd = plans.usd[0] if one_request else usd_at_speed(plans, tokens_per_s=terms.speed)[0]
    return float(usd.min())


def shifted(tried: Candidates, frontier: Frontier, *, factors: Factors, terms: Terms) -> Swept:
    """Return candidates swept with the corrections that a frontier has at a speed."""
    at = frontier.place_of(terms.speed)
    return swept(
        tried,
        factors,
        terms=terms,
        token_times=float(frontier.token_shift[at]),
        first_times=float(frontier.first_shift[at]),
    )
