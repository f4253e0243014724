"""What is asked of a place: a model, its requests, and what an answer must be."""

from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import FloatArray, Rows
from analysis.model.architecture import Architecture
from analysis.model.kv_cache import kv_cache_byte, kv_read_byte
from analysis.units import DAY_S

Number = float | FloatArray

BYTE_PER_TOKEN = 4.0
"""Text of one token in a request or an answer, assumed: about four letters of English. [byte]"""


@dataclass(frozen=True, kw_only=True)
class Work(Rows):
    """A model and the requests it answers.

    Numbers are floats or arrays of shape (cells, 1), one row for each variation, so that they broadcast against
    places. ``weights_byte`` is at the chosen format, ``cache_read_byte`` what one token reads of the KV cache halfway
    through its answer and ``cache_kept_byte`` what a request keeps at its end, both at 16 bits a number.
    ``prompt_tokens`` are those to be read anew; tokens kept from earlier turns count in the cache alone.
    ``requests_per_day`` come from all ``people`` together; in the busiest hour ``peak_factor`` times the mean.
    """

    weights_byte: Number
    active_weights_byte: Number
    n_active_parameters: Number
    n_layers: Number
    hidden_size: Number
    cache_read_byte: Number
    cache_kept_byte: Number
    prompt_tokens: Number
    output_tokens: Number
    requests_per_day: Number
    people: Number = 1.0
    peak_factor: Number = 1.0
    mixture: bool = False
    format_family: str = "4-bit"
    precision: str = ""

    @property
    def peak_requests_per_s(self) -> FloatArray:
        """Return the requests of the busiest hour. [1/s]"""
        return np.asarray(self.requests_per_day, dtype=float) * self.peak_factor / DAY_S

    @property
    def request_byte(self) -> FloatArray:
        """Return what the text of a prompt weighs on the way to the model. [byte]"""
        return BYTE_PER_TOKEN * np.asarray(self.prompt_tokens, dtype=float)

    @property
    def traffic_byte(self) -> FloatArray:
        """Return what prompt and answer together weigh on the network. [byte]"""
        return BYTE_PER_TOKEN * (np.asarray(self.prompt_tokens, dtype=float) + self.output_tokens)


@dataclass(frozen=True, kw_only=True)
class Requirements:
    """What an answer must be; None where it does not matter.

    ``stay`` says how far the text may travel: ``anywhere``, ``premises`` (a machine of one's own) or ``device`` (the
    person's own). ``offline`` rules out whatever needs the internet.
    """

    time_to_first_token_s: float | None = None
    output_tokens_per_s: float | None = None
    cost_usd_per_1000_requests: float | None = None
    stay: str = "anywhere"
    offline: bool = False


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
    precision: str = "",
) -> Work:
    """Return the work of a model; ``kept_tokens`` are in the cache from earlier turns."""
    before = kept_tokens + prompt_tokens
    return Work(
        weights_byte=model.n_parameters * bits_per_weight / 8,
        active_weights_byte=model.n_active_parameters * bits_per_weight / 8,
        n_active_parameters=model.n_active_parameters,
        n_layers=float(model.n_layers),
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
        precision=precision,
    )


def resized(work: Work, times: FloatArray) -> Work:
    """Return the same work on models ``times`` as large, shape (cells, 1): depth and width grow as the cube root.

    Heads of keys and values stay as many, so that the cache grows with depth alone.

    References
    ----------
    12 layers x hidden^2 parameters at a fixed ratio of width to depth: Kaplan et al., arXiv:2001.08361, equation 2.1
    and figure 5 (the ratio hardly matters).
    """
    root = np.cbrt(times)
    return replace(
        work,
        weights_byte=work.weights_byte * times,
        active_weights_byte=work.active_weights_byte * times,
        n_active_parameters=work.n_active_parameters * times,
        n_layers=work.n_layers * root,
        hidden_size=work.hidden_size * root,
        cache_read_byte=work.cache_read_byte * root,
        cache_kept_byte=work.cache_kept_byte * root,
    )


def busier(work: Work, requests_per_day: FloatArray) -> Work:
    """Return the same work at other loads, shape (cells, 1): people grow with their requests, from one person on."""
    people = np.maximum(work.people * requests_per_day / work.requests_per_day, 1.0)
    return replace(work, requests_per_day=requests_per_day, people=people)


def with_longer_cache(work: Work, *, read_times: FloatArray, kept_times: FloatArray) -> Work:
    """Return the same work with so many times the cache that is read and kept, shapes (cells, 1)."""
    return replace(
        work,
        cache_read_byte=work.cache_read_byte * read_times,
        cache_kept_byte=work.cache_kept_byte * kept_times,
    )
