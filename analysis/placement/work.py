"""A model, its requests, and the requirements on an answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import FloatArray, Rows
from analysis.model.architecture import Architecture
from analysis.model.formats import SERVED_BITS_PER_WEIGHT
from analysis.model.kv_cache import kv_cache_byte, kv_read_byte
from analysis.serving.deployment import ServingWork, serving_work
from analysis.units import DAY_S, YEAR_S

Number = float | FloatArray

DAYS_PER_YEAR = YEAR_S / DAY_S
FIRST_TOKEN, SPEED, COST = "time_to_first_token_s", "output_tokens_per_s", "cost_usd_per_1000_requests"
LIMITS = (FIRST_TOKEN, SPEED, COST)
"""Names of the requirements that set a limit."""
BYTE_PER_TOKEN = 4.0
"""Assumed size of a token's text, about four letters of English. [byte]"""


@dataclass(frozen=True, kw_only=True)
class Work(Rows):
    """A model and the requests that it answers.

    Numbers are floats or arrays of shape (cells, 1), one row per variation, which broadcast against places.
    ``weights_byte`` is in the chosen format. ``cache_read_byte`` is read per token halfway through an answer, and
    ``cache_kept_byte`` stored per request at its end, both at 16 bits a number. ``prompt_tokens`` need prefill; tokens
    kept from earlier turns only count in the cache. ``serving`` describes model, format and request for accelerators.
    ``requests_per_day`` is the total of all ``people``; the busiest hour has ``peak_factor`` times the mean.
    """

    weights_byte: Number
    active_weights_byte: Number
    n_active_parameters: Number
    hidden_size: Number
    cache_read_byte: Number
    cache_kept_byte: Number
    prompt_tokens: Number
    output_tokens: Number
    requests_per_day: Number
    serving: ServingWork
    people: Number = 1.0
    peak_factor: Number = 1.0
    mixture: bool = False
    format_family: str = "4-bit"

    def usd_a_month(self, usd_per_1000: float) -> float:
        """Return the monthly cost, from the cost of 1,000 requests. [USD]"""
        return usd_per_1000 * float(np.max(self.requests_per_day)) * DAYS_PER_YEAR / 12.0 / 1000.0

    @property
    def total_people(self) -> float:
        """Return the largest number of people in any cell. [1]"""
        return float(np.max(self.people))

    @property
    def peak_requests_per_s(self) -> FloatArray:
        """Return the request rate in the busiest hour. [1/s]"""
        return np.asarray(self.requests_per_day, dtype=float) * self.peak_factor / DAY_S

    @property
    def request_byte(self) -> FloatArray:
        """Return the size of a prompt's text. [byte]"""
        return BYTE_PER_TOKEN * np.asarray(self.prompt_tokens, dtype=float)

    @property
    def traffic_byte(self) -> FloatArray:
        """Return the network traffic of a prompt and its answer. [byte]"""
        return BYTE_PER_TOKEN * (np.asarray(self.prompt_tokens, dtype=float) + self.output_tokens)


@dataclass(frozen=True, kw_only=True)
class Requirements:
    """Requirements on an answer. A limit of None means no limit.

    ``data_residency`` is how far the text may be sent: ``anywhere``, ``premises`` (an on-premises machine) or
    ``device`` (the person's own). ``offline`` excludes everything that needs the internet.
    """

    time_to_first_token_s: float | None = None
    output_tokens_per_s: float | None = None
    cost_usd_per_1000_requests: float | None = None
    data_residency: str = "anywhere"
    offline: bool = False

    @property
    def rule(self) -> str:
        """Return the rule that excludes places: ``device``, ``premises`` or ``offline``. Empty if no rule does."""
        if self.data_residency != "anywhere":
            return self.data_residency
        return "offline" if self.offline else ""

    def excess(self, values: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Return the ratio of each value to its limit, keyed by requirement. Only requirements with a limit count.

        The value for speed is the time per token.
        """
        limits = {name: getattr(self, name) for name in LIMITS}
        return {
            name: values[name] * limit if name == SPEED else values[name] / limit
            for name, limit in limits.items()
            if limit is not None
        }


def work_of(
    model: Architecture,
    *,
    bits_per_weight: float,
    kept_tokens: float,
    prompt_tokens: float,
    output_tokens: float,
    requests_per_day: float,
    people: float = 1.0,
    peak_factor: float = 1.0,
    format_family: str = "4-bit",
    served_format: str = "FP8",
) -> Work:
    """Return the work for requests to a model. ``kept_tokens`` of each prompt are cached from earlier turns.

    Devices store weights at ``bits_per_weight``, unpacked by ``format_family``; accelerators use ``served_format``.
    """
    before = kept_tokens + prompt_tokens
    return Work(
        weights_byte=model.n_parameters * bits_per_weight / 8,
        active_weights_byte=model.n_active_parameters * bits_per_weight / 8,
        n_active_parameters=model.n_active_parameters,
        hidden_size=float(model.hidden_size),
        cache_read_byte=kv_read_byte(model, before + output_tokens / 2),
        cache_kept_byte=kv_cache_byte(model, before + output_tokens),
        prompt_tokens=prompt_tokens,
        output_tokens=output_tokens,
        requests_per_day=requests_per_day,
        people=people,
        peak_factor=peak_factor,
        mixture=model.is_mixture,
        format_family=format_family,
        serving=serving_work(
            model,
            format_name=served_format,
            bits=SERVED_BITS_PER_WEIGHT[served_format],
            prompt_tokens=prompt_tokens,
            output_tokens=output_tokens,
            cached_tokens=kept_tokens,
        ),
    )


_AS_LENGTH = (
    *("n_layers", "n_expert_layers", "hidden", "expert_size"),
    *("cache_read_numbers", "cache_kept_numbers", "state_byte"),
)
_AS_AREA = ("expert_parameters", "prompt_attention_flop")
_AS_SIZE = ("routed_parameters", "common_parameters", "output_parameters", "embedding_parameters")
_OF_CONTEXT = ("cache_read_numbers", "cache_kept_numbers", "prompt_attention_flop")


def resized(work: Work, times: FloatArray) -> Work:
    """Return the same work on models ``times`` times as large, shape (cells, 1). Depth and width grow as the cube root.

    The number of key-value heads is constant, so the cache grows only with depth; experts and the share of the
    embeddings are constant too.

    References
    ----------
    12 layers x hidden^2 parameters at a fixed ratio of width to depth: Kaplan et al., arXiv:2001.08361, equation 2.1
    and figure 5 (the ratio hardly matters).
    """
    root, served = np.cbrt(times), work.serving
    serving = replace(
        served,
        **{name: getattr(served, name) * root for name in _AS_LENGTH},
        **{name: getattr(served, name) * root**2 for name in _AS_AREA},
        **{name: getattr(served, name) * times for name in _AS_SIZE},
    )
    return replace(
        work,
        weights_byte=work.weights_byte * times,
        active_weights_byte=work.active_weights_byte * times,
        n_active_parameters=work.n_active_parameters * times,
        hidden_size=work.hidden_size * root,
        cache_read_byte=work.cache_read_byte * root,
        cache_kept_byte=work.cache_kept_byte * root,
        serving=serving,
    )


def busier(work: Work, requests_per_day: FloatArray) -> Work:
    """Return the work at other loads, shape (cells, 1). The number of people, at least one, grows with requests."""
    people = np.maximum(work.people * requests_per_day / work.requests_per_day, 1.0)
    return replace(work, requests_per_day=requests_per_day, people=people)


def with_contexts_of(work: Work, others: Sequence[Work], *, usual: Work) -> Work:
    """Return the work with the contexts of ``others``, one per cell. Its numbers have the shape (cells, 1).

    Cache and attention of each cell are scaled by the ratio of its other work to ``usual``, of the same model.
    """

    cache = ("cache_read_byte", "cache_kept_byte")

    def moved(name: str, of: Callable[[Work], Work | ServingWork]) -> FloatArray:
        ratio = [float(getattr(of(other), name) / getattr(of(usual), name)) for other in others]
        return getattr(of(work), name) * np.array(ratio)[:, None]

    served = {name: moved(name, lambda one: one.serving) for name in _OF_CONTEXT}
    return replace(
        work,
        serving=replace(work.serving, **served),
        **{name: moved(name, lambda one: one) for name in cache},
    )
