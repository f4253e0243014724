"""What serves a load: the model's shape, the accelerators, how they share the model, and the work, as columns."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.arrays import BoolArray, FloatArray, Rows
from analysis.hardware.chip import known
from analysis.model.architecture import Architecture
from analysis.model.formats import PEAKS
from analysis.model.kv_cache import kv_cache_byte, kv_read_byte, state_byte, tokens_attended

Number = float | FloatArray

COMMON_BITS = {"NVFP4": 8.0, "MXFP4": 16.0}
"""Bits of a mixture's weights that are no experts, where its experts have 4: checkpoints keep them wider. [bit]"""
CONTEXT_KEPT = 0.6  # of an answer is kept on average, with what an engine keeps free
LEAST_COMMON = 0.003  # of all parameters are no experts, whatever a table says


@dataclass(frozen=True, kw_only=True)
class ServingWork(Rows):
    """A model as it is served, and one request to it; numbers are floats or arrays that broadcast against places.

    Layers are counted once; ``expert_parameters`` are those of one expert in one layer, ``routed_parameters`` of all in
    all layers, ``common_parameters`` all others without embeddings: ``embedding_parameters`` are kept, of the input and
    the output, one where both share it, ``output_parameters`` read at each step. A dense model has one expert, of no
    parameters.
    ``cache_shards`` is over how many chips the cache can be split. The numbers of the cache are those a token reads
    halfway through its answer and those a request keeps on average, beside ``state_byte``, which linear layers
    keep in any width; ``prompt_attention_flop`` is of a prompt. ``bits`` are of the experts' weights, or of all in a
    dense model.
    """

    model: str
    format_name: str
    bits: float
    common_bits: float
    latent: bool
    cache_shards: float
    n_experts: float
    n_active: float
    n_shared: float
    n_layers: Number
    n_expert_layers: Number
    hidden: Number
    expert_size: Number
    expert_parameters: Number
    routed_parameters: Number
    common_parameters: Number
    output_parameters: Number
    embedding_parameters: Number
    cache_read_numbers: Number
    cache_kept_numbers: Number
    state_byte: Number
    prompt_attention_flop: Number

    @property
    def weights_byte(self) -> Number:
        """Return what the weights weigh, embeddings at 16 bits a number. [byte]"""
        common = self.common_parameters * self.common_bits / 8 + 2 * self.embedding_parameters
        return common + self.routed_parameters * self.bits / 8

    def cache_read_byte(self, byte_per_number: Number) -> Number:
        """Return what one token reads of the cache halfway through its answer. [byte]"""
        return self.cache_read_numbers * byte_per_number + self.state_byte

    def cache_kept_byte(self, byte_per_number: Number) -> Number:
        """Return what a request keeps of the cache on average. [byte]"""
        return self.cache_kept_numbers * byte_per_number + self.state_byte


def serving_work(
    model: Architecture,
    *,
    format_name: str,
    bits: float,
    prompt_tokens: float,
    output_tokens: float,
    cached_tokens: float = 0.0,
) -> ServingWork:
    """Return what serving a model in this format asks; ``cached_tokens`` are in the cache from earlier turns."""
    mixture = model.is_mixture
    expert_layers = model.n_layers * model.mixture_share if mixture else 0.0
    routed = expert_layers * model.n_experts * model.expert_parameters if mixture else 0.0
    embeddings = model.embedding_parameters + model.output_parameters
    whole = prompt_tokens + cached_tokens
    state = state_byte(model)
    attended = float(tokens_attended(model, cached_tokens + prompt_tokens / 2))
    return ServingWork(
        model=model.name,
        format_name=format_name,
        bits=bits,
        common_bits=COMMON_BITS.get(format_name, bits) if mixture else bits,
        latent=model.latent is not None,
        cache_shards=1.0 if model.latent else float(model.key_value_heads),
        n_experts=float(model.n_experts) if mixture else 1.0,
        n_active=float(model.n_active_experts) if mixture else 1.0,
        n_shared=float(model.n_shared_experts),
        n_layers=float(model.n_layers),
        n_expert_layers=expert_layers,
        hidden=float(model.hidden_size),
        expert_size=float(model.feed_forward),
        expert_parameters=float(model.expert_parameters) if mixture else 0.0,
        routed_parameters=routed,
        common_parameters=max(model.n_parameters - routed - embeddings, LEAST_COMMON * model.n_parameters),
        output_parameters=float(model.embedding_parameters),
        embedding_parameters=float(embeddings),
        cache_read_numbers=float(kv_read_byte(model, whole + output_tokens / 2, byte_per_number=1.0)) - state,
        cache_kept_numbers=float(
            kv_cache_byte(model, whole + CONTEXT_KEPT * output_tokens, byte_per_number=1.0)
        )
        - state,
        state_byte=state,
        prompt_attention_flop=4 * model.attention_width * prompt_tokens * attended,
    )


LINK_WHERE_UNKNOWN_BYTE_PER_S = 64e9  # PCIe 5.0 x16, one direction
DOMAIN_WHERE_UNKNOWN = 8.0  # chips that share the fast links: those of a server


@dataclass(frozen=True, kw_only=True)
class ServingChip:
    """An accelerator as a server uses it; peaks are dense, at 8 and 4 bits those of the next wider format it has."""

    name: str
    maker: str
    memory_bandwidth_byte_per_s: float
    memory_capacity_byte: float
    link_bandwidth_byte_per_s: float
    domain_size: float
    peak_flop_per_s: float
    peak_fp8_flop_per_s: float
    peak_fp4_flop_per_s: float

    def peak(self, bits: float) -> float:
        """Return the peak that weights of so many bits compute at: the next wider format's where it has none."""
        if bits < 5:
            return self.peak_fp4_flop_per_s
        return self.peak_fp8_flop_per_s if bits < 10 else self.peak_flop_per_s

    @property
    def has_fp4(self) -> bool:
        """Return whether it computes in 4 bits faster than in 8."""
        return self.peak_fp4_flop_per_s > self.peak_fp8_flop_per_s

    @classmethod
    def from_row(
        cls, row: Mapping[str, Any], *, link_byte_per_s: float = np.nan, domain_size: float = np.nan
    ) -> "ServingChip":
        """Return the part of a row of the table of accelerators; ``link`` and ``domain`` are from the table of links.

        Raises
        ------
        ValueError
            The row has no memory bandwidth, memory or 16-bit peak.
        """

        def first(*columns: str) -> float:
            return next((value for name in columns if (value := known(row.get(name)))), math.nan)

        numbers = {
            "memory bandwidth": first("memory_bandwidth_byte_per_s"),
            "memory": first("memory_capacity_byte"),
            "16-bit peak": first(*PEAKS[16]),
        }
        for name, value in numbers.items():
            if not value > 0:
                raise ValueError(
                    f"accelerator {row['name']}: the tables have no {name}. Name another part, or give its numbers."
                )
        bandwidth, capacity, peak = numbers.values()
        link = known(row.get("chip_link_bandwidth_byte_per_s")) or known(link_byte_per_s)
        return cls(
            name=str(row["name"]),
            maker=str(row.get("vendor") or ""),
            memory_bandwidth_byte_per_s=bandwidth,
            memory_capacity_byte=capacity,
            link_bandwidth_byte_per_s=link or LINK_WHERE_UNKNOWN_BYTE_PER_S,
            domain_size=known(domain_size) or DOMAIN_WHERE_UNKNOWN,
            peak_flop_per_s=peak,
            peak_fp8_flop_per_s=first(*PEAKS[8]),
            peak_fp4_flop_per_s=first(*PEAKS[4]),
        )


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How accelerators share one copy of a model, and, where prompts are read apart, what reads them.

    ``tensor`` chips share each layer, ``data`` groups of them have their own requests, and ``pipeline`` stages hold
    further layers; ``expert`` says over how many chips the experts are spread whole, 1 where all chips share each one.
    ``prefill_chips`` of each of ``prefill_workers`` read prompts, 0 where the same chips do both; without
    ``prefill_workers`` others read them, which are not counted.
    """

    tensor: float = 1.0
    data: float = 1.0
    pipeline: float = 1.0
    expert: float = 1.0
    decode_workers: float = 1.0
    prefill_workers: float = 0.0
    prefill_chips: float = 0.0
    prefill_data: float = 1.0

    @property
    def chips(self) -> float:
        """Return how many accelerators hold one copy for decoding."""
        return self.tensor * self.data * self.pipeline


@dataclass(frozen=True, kw_only=True)
class Load:
    """The work: tokens of a prompt that are read and that are remembered, of an answer, and requests in flight.

    ``concurrency`` is NaN for as many as memory holds. ``drafted`` tokens are tried at every step. In a ``burst`` all
    requests come at once; else each answer makes room for the next one.
    """

    prompt_tokens: float
    output_tokens: float
    concurrency: float = np.nan
    cached_tokens: float = 0.0
    drafted: float = 0.0
    burst: bool = False


@dataclass(frozen=True, kw_only=True)
class Software:
    """What runs the model: engine ("vllm", "sglang", "trtllm" or ""), its version in words, and its date.

    ``tuning`` says whether experts set it up ("tuned") or nobody did ("installed"), "" where that is not known;
    ``source`` is that of a measurement.
    """

    engine: str = ""
    version: str = ""
    year: float = np.nan
    tuning: str = ""
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class Deployments(Rows):
    """Deployments as columns, each of shape (n,), called as in the records they come from; all of one accelerator.

    Peaks are those that the experts' and the other weights compute at. Numbers may have any shape that broadcasts to
    deployments on the last axis.
    """

    model: tuple[str, ...]
    accelerator: tuple[str, ...]
    maker: tuple[str, ...]
    engine: tuple[str, ...]
    version: tuple[str, ...]
    tuning: tuple[str, ...]
    source: tuple[str, ...]
    format_name: tuple[str, ...]
    memory_bandwidth_byte_per_s: FloatArray
    memory_capacity_byte: FloatArray
    link_bandwidth_byte_per_s: FloatArray
    domain_size: FloatArray
    expert_peak_flop_per_s: FloatArray
    common_peak_flop_per_s: FloatArray
    has_fp4: BoolArray
    n_layers: FloatArray
    n_expert_layers: FloatArray
    hidden: FloatArray
    n_experts: FloatArray
    n_active: FloatArray
    n_shared: FloatArray
    expert_size: FloatArray
    expert_parameters: FloatArray
    routed_parameters: FloatArray
    common_parameters: FloatArray
    output_parameters: FloatArray
    embedding_parameters: FloatArray
    latent: BoolArray
    cache_shards: FloatArray
    bits: FloatArray
    common_bits: FloatArray
    cache_read_byte: FloatArray
    cache_kept_byte: FloatArray
    prompt_attention_flop: FloatArray
    tensor: FloatArray
    data: FloatArray
    pipeline: FloatArray
    expert: FloatArray
    decode_workers: FloatArray
    prefill_workers: FloatArray
    prefill_chips: FloatArray
    prefill_data: FloatArray
    prompt_tokens: FloatArray
    output_tokens: FloatArray
    concurrency: FloatArray
    drafted: FloatArray
    burst: BoolArray
    year: FloatArray

    def __len__(self) -> int:
        """Return the number of deployments."""
        return len(self.model)

    @property
    def disaggregated(self) -> BoolArray:
        """Return which read prompts on chips of their own, shape (n,)."""
        return self.prefill_chips > 0

    @property
    def all_chips(self) -> FloatArray:
        """Return all accelerators, those that read prompts included, shape (n,)."""
        return (
            self.tensor * self.data * self.pipeline * self.decode_workers
            + self.prefill_workers * self.prefill_chips
        )


def cache_byte_per_number(*, bits: float, has_fp4: bool, engine: str) -> float:
    """Return how many bytes engines keep a number of the cache in where nobody says. [byte]

    With 16-bit weights 2; TensorRT-LLM's recipes for 8- and 4-bit weights keep 1, those of vLLM and SGLang on
    accelerators that compute in 4 bits too, elsewhere their default, 2.
    """
    return 1.0 if bits < 16 and (engine == "trtllm" or has_fp4) else 2.0


def deployment(
    model: Architecture,
    *,
    chip: ServingChip,
    format_name: str,
    bits: float,
    plan: Plan,
    load: Load,
    software: Software,
    cache_byte: float = np.nan,
    compute_bits: float = np.nan,
) -> dict[str, Any]:
    """Return one deployment as the entries of :class:`Deployments`.

    ``bits`` are of the experts' weights, or of all in a dense model; ``cache_byte`` are of a number of the cache,
    the engine's habit where NaN; ``compute_bits`` are what weights are unpacked to, their own where NaN.
    """
    work = serving_work(
        model,
        format_name=format_name,
        bits=bits,
        prompt_tokens=load.prompt_tokens,
        output_tokens=load.output_tokens,
        cached_tokens=load.cached_tokens,
    )
    byte = (
        cache_byte_per_number(bits=bits, has_fp4=chip.has_fp4, engine=software.engine)
        if np.isnan(cache_byte)
        else cache_byte
    )
    return {
        **vars(work),
        **vars(plan),
        **vars(load),
        **vars(software),
        **vars(chip),
        "accelerator": chip.name,
        "expert_peak_flop_per_s": chip.peak(bits if np.isnan(compute_bits) else compute_bits),
        "common_peak_flop_per_s": chip.peak(work.common_bits if np.isnan(compute_bits) else compute_bits),
        "has_fp4": chip.has_fp4,
        "cache_shards": min(plan.tensor, work.cache_shards),
        "cache_read_byte": work.cache_read_byte(byte),
        "cache_kept_byte": work.cache_kept_byte(byte),
    }
