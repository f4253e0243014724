"""Deployments as columns: the shape of the model, the accelerators, the sharding, and the load."""

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
"""Bits of a mixture's non-expert weights if its experts have 4 bits. Checkpoints store more. [bit]"""
CONTEXT_KEPT = 0.6  # mean share of an answer in the cache, including free blocks of the engine
LEAST_COMMON = 0.003  # minimum share of non-expert parameters, whatever a table says


@dataclass(frozen=True, kw_only=True)
class ServingWork(Rows):
    """A model as served, and one request. Numbers are floats, or arrays that broadcast against places.

    Layers are counted once. ``expert_parameters`` are those of one expert in one layer, ``routed_parameters`` of all in
    all layers, ``common_parameters`` all others without embeddings. ``embedding_parameters`` are the stored input and
    output embeddings, one if shared; ``output_parameters`` are read at each step. A dense model has one expert without
    parameters. ``cache_shards`` is the number of chips over which the cache can be split. Cache numbers are those read
    per token halfway through an answer and the mean stored per request, beside ``state_byte``, which linear layers
    store in any format. ``prompt_attention_flop`` is per prompt. ``bits`` are those of experts' weights, or of all in a
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
        """Return the size of the weights, counting embeddings at 16 bits. [byte]"""
        common = self.common_parameters * self.common_bits / 8 + 2 * self.embedding_parameters
        return common + self.routed_parameters * self.bits / 8

    def cache_read_byte(self, byte_per_number: Number) -> Number:
        """Return the size of the cache read per token, halfway through an answer. [byte]"""
        return self.cache_read_numbers * byte_per_number + self.state_byte

    def cache_kept_byte(self, byte_per_number: Number) -> Number:
        """Return the mean size of the cache stored per request. [byte]"""
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
    """Return the serving work of a model in a format. ``cached_tokens`` from earlier turns precede the prompt."""
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
DOMAIN_WHERE_UNKNOWN = 8.0  # chips that share the fast links: those of one server


@dataclass(frozen=True, kw_only=True)
class ServingChip:
    """An accelerator in a server. An unsupported peak at 8 or 4 bits equals that of the next wider format."""

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
        """Return the peak compute rate for weights of ``bits`` bits. [FLOP/s]"""
        if bits < 5:
            return self.peak_fp4_flop_per_s
        return self.peak_fp8_flop_per_s if bits < 10 else self.peak_flop_per_s

    @property
    def has_fp4(self) -> bool:
        """Return whether the chip computes faster at 4 bits than at 8."""
        return self.peak_fp4_flop_per_s > self.peak_fp8_flop_per_s

    @classmethod
    def from_row(
        cls, row: Mapping[str, Any], *, link_byte_per_s: float = np.nan, domain_size: float = np.nan
    ) -> "ServingChip":
        """Return the chip in a row of the accelerator table, with links and domain size from the link table.

        Raises ValueError if the row has no memory bandwidth, memory or 16-bit peak.
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
    """Sharding of one copy of a model over accelerators, and the workers for disaggregated prefill.

    ``tensor`` chips share each layer, ``data`` groups of them have their own requests, and ``pipeline`` stages divide
    the layers. ``expert`` is the number of chips over which whole experts are spread, 1 if all chips share each one.
    ``prefill_workers`` have ``prefill_chips`` each, 0 if the same chips do prefill and decode; without
    ``prefill_workers``, prefill chips are not counted.
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
        """Return the number of accelerators on which one copy decodes."""
        return self.tensor * self.data * self.pipeline


@dataclass(frozen=True, kw_only=True)
class Load:
    """Load on a deployment: tokens to prefill, cached prompt tokens, answer tokens, and concurrent requests.

    ``concurrency`` is NaN for as many as fit in memory. ``drafted`` tokens are proposed at every step. In a ``burst``
    all requests arrive at once; otherwise each completed answer admits the next request.
    """

    prompt_tokens: float
    output_tokens: float
    concurrency: float = np.nan
    cached_tokens: float = 0.0
    drafted: float = 0.0
    burst: bool = False


@dataclass(frozen=True, kw_only=True)
class Software:
    """Software that runs a model: its engine (``"vllm"``, ``"sglang"``, ``"trtllm"`` or ``""``), version and date.

    ``tuning`` is ``"tuned"`` if experts configured it, ``"installed"`` if it runs with defaults, and ``""`` if unknown;
    ``source`` is that of a measurement.
    """

    engine: str = ""
    version: str = ""
    year: float = np.nan
    tuning: str = ""
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class Deployments(Rows):
    """Deployments as columns of shape (n,), named as in :func:`deployment`. Rates are per chip.

    Peaks are those at which experts' weights and other weights compute. Numbers may have any shape that broadcasts to
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
        """Return a mask, shape (n,), of deployments with separate prefill chips."""
        return self.prefill_chips > 0

    @property
    def all_chips(self) -> FloatArray:
        """Return the number of accelerators, including prefill chips, shape (n,)."""
        return (
            self.tensor * self.data * self.pipeline * self.decode_workers
            + self.prefill_workers * self.prefill_chips
        )


def cache_byte_per_number(*, bits: float, has_fp4: bool, engine: str) -> float:
    """Return the engines' default size of a cached number. [byte]

    It is 2 with 16-bit weights. With 8- and 4-bit weights it is 1 in TensorRT-LLM's recipes, and in those of vLLM and
    SGLang on accelerators that compute in 4 bits; otherwise their default of 2.
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

    ``bits`` are those of experts' weights, or of all in a dense model; ``cache_byte`` is the size of a cached number,
    NaN for the engine's default; ``compute_bits`` are the bits that weights are unpacked to, NaN for their own.
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
