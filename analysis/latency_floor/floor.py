"""Lower bound on time per token: the time to read all bytes, plus the minimum synchronization time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.hardware.chip import Chip
from analysis.model.architecture import Architecture
from analysis.model.flop import token_flop
from analysis.model.kv_cache import kv_cache_byte, kv_read_byte
from analysis.model.weights import weights_read

ACTIVATION_BYTE = 2.0
STEPS_PER_LAYER = 4
"""Sequential matmuls per layer: query-key-value, output, up, down."""

ALL_REDUCES_PER_LAYER = 2
"""All-reduces per layer, after attention and after the feed-forward part: Shoeybi et al., arXiv:1909.08053, sec. 3."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """Concurrent requests: their number, context length and number formats.

    A draft model proposes ``draft_tokens`` tokens, each accepted with probability ``acceptance``; a proposal reads
    ``draft_share`` of the model's weights. Matmuls use numbers of ``compute_byte``, or None for the weights' format.
    """

    context_tokens: float
    batch: int = 1
    weight_byte: float = 2.0
    cache_byte: float = 2.0
    draft_tokens: int = 0
    acceptance: float = 0.0
    draft_share: float = 0.0
    compute_byte: float | None = None

    @property
    def product_byte(self) -> float:
        """Return the size of a number in matmuls. [byte]"""
        return self.weight_byte if self.compute_byte is None else self.compute_byte

    @property
    def tokens_per_pass(self) -> float:
        """Return the mean number of tokens per pass of the model. [tokens]"""
        return tokens_per_pass(draft_tokens=self.draft_tokens, acceptance=self.acceptance)


@dataclass(frozen=True, kw_only=True)
class Floor:
    """Parts of the time per token [s], and memory per chip [byte], in the shape of the numbers of chips.

    ``weights_s`` and ``cache_s`` are memory reads. ``compute_s`` is computing time beyond those, and ``steps_s``
    synchronization within a chip beyond both. ``latency_s`` and ``transfer_s`` belong to collectives, ``stages_s`` to
    pipeline transfers, and ``draft_s`` to proposals.
    """

    weights_s: FloatArray
    cache_s: FloatArray
    compute_s: FloatArray
    steps_s: FloatArray
    latency_s: FloatArray
    transfer_s: FloatArray
    stages_s: FloatArray
    draft_s: FloatArray
    memory_byte_per_chip: FloatArray

    @property
    def total_s(self) -> FloatArray:
        """Return the time per token for one request. [s]"""
        on_chip = self.weights_s + self.cache_s + self.compute_s + self.steps_s
        return on_chip + self.exchange_s + self.draft_s

    @property
    def exchange_s(self) -> FloatArray:
        """Return the communication time between chips. [s]"""
        return self.latency_s + self.transfer_s + self.stages_s


def resident_byte(model: Architecture, request: Request, *, groups: ArrayLike = 1) -> FloatArray:
    """Return the memory for every weight and each request's KV cache on all chips together. [byte]

    It includes every expert, whether routed to or not, and the draft model if there is one. ``groups`` batches may be
    in flight, each in another stage.
    """
    return _weights_byte(model, request) + np.asarray(groups) * _caches_byte(model, request)


def _weights_byte(model: Architecture, request: Request) -> float:
    drafting = request.draft_share if request.draft_tokens else 0.0
    return model.n_parameters * request.weight_byte * (1 + drafting)


def _caches_byte(model: Architecture, request: Request) -> float:
    cache = kv_cache_byte(model, request.context_tokens, byte_per_number=request.cache_byte)
    return request.batch * float(cache)


def groups_under_way(
    model: Architecture,
    request: Request,
    *,
    chip: Chip,
    tensor_parallel: ArrayLike,
    pipeline_parallel: ArrayLike,
) -> FloatArray:
    """Return how many groups of requests the stages can process at once, at most one per stage. [groups]

    A stage stores the caches of its layers for every group in flight, not only for the one being processed. At least 1.
    """
    stages = np.asarray(pipeline_parallel, dtype=np.float64)
    room = np.asarray(tensor_parallel) * chip.memory_capacity_byte / _fullest_share(model, stages)
    held = np.floor((room - _weights_byte(model, request)) / _caches_byte(model, request) + 1e-9)
    return np.clip(held, 1.0, stages)


def _fullest_share(model: Architecture, stages: ArrayLike) -> FloatArray:
    """Return the share of the layers in the fullest stage. [1]"""
    return np.ceil(model.n_layers / np.asarray(stages, dtype=np.float64) - 1e-9) / model.n_layers


def tokens_per_pass(*, draft_tokens: int, acceptance: float) -> float:
    """Return the mean number of tokens per pass of the large model. [tokens]

    It is (1 - a^(g + 1))/(1 - a) for g proposals, each accepted with probability a.

    References
    ----------
    Leviathan, Kalman and Matias, "Fast Inference from Transformers via Speculative Decoding",
    arXiv:2211.17192, equation 1.
    """
    if not 0 <= acceptance <= 1 or draft_tokens < 0:
        raise ValueError(
            f"acceptance is a probability and draft_tokens 0 or more; got {acceptance} and {draft_tokens}. "
            "Pass 0 tokens for no draft model."
        )
    if acceptance == 1:
        return float(draft_tokens + 1)
    return (1 - acceptance ** (draft_tokens + 1)) / (1 - acceptance)


def hops(ranks: ArrayLike, *, torus: int = 0) -> FloatArray:
    """Return the minimum number of sequential hops for communication among ``ranks`` chips.

    It is one if switches connect all chips, and half of each side on a torus of d dimensions, d n^(1/d)/2.

    References
    ----------
    Dally and Towles, "Principles and Practices of Interconnection Networks", 2004, section 5.2; for one exchange
    through switches Klenk et al., "An In-Network Architecture for Accelerating Shared-Memory Multiprocessor
    Collectives", ISCA 2020.
    """
    n = np.asarray(ranks, dtype=np.float64)
    if not torus:
        return np.where(n > 1, 1.0, 0.0)
    return np.where(n > 1, np.maximum(torus * np.maximum(n, 1) ** (1 / torus) / 2, 1), 0.0)


def all_reduce_parts(
    message_byte: ArrayLike, *, ranks: ArrayLike, chip: Chip
) -> tuple[FloatArray, FloatArray]:
    """Return the minimum latency and transfer time of an all-reduce over ``ranks`` chips. [s, s]

    Every chip's message must reach every other chip in one exchange. If switches reduce in the network, each byte
    leaves a chip once; otherwise the transfer is 2 (n - 1)/n S/B. Beyond a scale-up domain, either all chips exchange
    over the network at once, or a second exchange sends each chip's share of the domain's sum, whichever is faster.
    More links therefore never make a chip slower than the network alone would.

    References
    ----------
    Patarasuk and Yuan, "Bandwidth Optimal All-reduce Algorithms", J. Parallel Distrib. Comput. 69, 2009 (without
    in-network reduction); Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP)", COMHPC 2016 (with);
    Cho et al., "BlueConnect", MLSys 2019, section 4 (nested levels).
    """
    size = np.asarray(message_byte, dtype=np.float64)
    n = np.asarray(ranks, dtype=np.float64)
    if chip.direct_links:
        return _direct_all_reduce(size, ranks=n, chip=chip)
    inside = np.minimum(n, chip.domain_size)
    outside = np.ceil(n / chip.domain_size)
    near, far = hops(inside, torus=chip.torus), hops(outside)
    passes = np.where(inside > 1, 2 * (inside - 1) / inside if chip.torus else 1.0, 0.0)
    crossing = np.where(outside > 1, size / inside / chip.network_bandwidth_byte_per_s, 0.0)
    latency = near * chip.link_latency_s + far * chip.network_latency_s
    transfer = passes * size / chip.link_bandwidth_byte_per_s + crossing
    across = size / chip.network_bandwidth_byte_per_s
    flat = (outside > 1) & (chip.network_latency_s + across < latency + transfer)
    return np.where(flat, chip.network_latency_s, latency), np.where(flat, across, transfer)


def _direct_all_reduce(size: FloatArray, *, ranks: FloatArray, chip: Chip) -> tuple[FloatArray, FloatArray]:
    """Return the latency and transfer time of the faster of two all-reduces among directly linked chips. [s, s]

    In one round every chip sends its whole message to all others, (n - 1) S. In two rounds it scatters shares and
    gathers the sum, 2 (n - 1)/n S. Beyond the domain, the longest path and the smaller number of bytes count.
    """
    rate = chip.link_bandwidth_byte_per_s
    once, shared = (ranks - 1) * size / rate, 2 * (ranks - 1) / ranks * size / rate
    one_round = chip.link_latency_s + once <= 2 * chip.link_latency_s + shared
    near = np.where(one_round, chip.link_latency_s, 2 * chip.link_latency_s)
    latency = np.where(
        ranks > chip.domain_size, np.maximum(chip.network_latency_s, chip.link_latency_s), near
    )
    transfer = np.where((ranks <= chip.domain_size) & one_round, once, shared)
    return np.where(ranks > 1, latency, 0.0), np.where(ranks > 1, transfer, 0.0)


def _on_chip(
    parts: tuple[ArrayLike, ArrayLike, ArrayLike], *, chip: Chip, layers: float, held_byte: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return a chip's times for weights, cache and compute, and its synchronization time beyond those. [s]

    ``parts`` are the times if the whole chip works; on a mesh only the cores that store a layer do. ``held_byte`` is
    the part of each chip's memory that a token reads.
    """
    weights, cache, compute = (np.asarray(part, dtype=np.float64) for part in parts)
    if chip.mesh is None:
        chain = STEPS_PER_LAYER * layers * chip.step_latency_s
        return weights, cache, compute, np.maximum(chain - weights - cache - compute, 0.0)
    least = np.asarray(held_byte, dtype=np.float64) / layers / chip.memory_capacity_byte
    share = chip.mesh.best_share(weights + cache + compute, layers=layers, least=least)
    chain = layers * chip.mesh.layer_wait_s(share)
    weights, cache, compute = weights / share, cache / share, compute / share
    return weights, cache, compute, np.maximum(chain - weights - cache - compute, 0.0)


def latency_floor(
    model: Architecture,
    request: Request,
    *,
    chip: Chip,
    tensor_parallel: ArrayLike = 1,
    pipeline_parallel: ArrayLike = 1,
) -> Floor:
    """Return the minimum time per token if ``tensor_parallel`` chips share each layer. [s]

    It is bytes read over (chips x bandwidth), or compute time if longer, plus two all-reduces a layer. On a mesh, the
    cores that store a layer read it and synchronize; a token's experts are assumed to be adjacent. A token passes
    through all ``pipeline_parallel`` stages in turn, so stages add memory and throughput but no speed. Every rate is a
    peak and every latency a minimum; real systems are slower. A draft model runs once per proposed token, on one chip
    or sharded like the large model, whichever is faster.

    References
    ----------
    Pope et al., "Efficiently Scaling Transformer Inference", arXiv:2211.05102, sections 2 and 3.
    """
    tensor = np.asarray(tensor_parallel, dtype=np.float64)
    stages = np.asarray(pipeline_parallel, dtype=np.float64)
    for name, count in (("tensor_parallel", tensor), ("pipeline_parallel", stages)):
        if (count < 1).any():
            raise ValueError(f"{name} counts chips, at least 1; got {count.min():g}. Pass 1 for no split.")
    tensor, stages = np.broadcast_arrays(tensor, stages)
    checked = request.draft_tokens + 1
    together = request.batch * checked
    bandwidth = tensor * chip.memory_bandwidth_byte_per_s
    weights = weights_read(model, tokens=together) * request.weight_byte / bandwidth
    cache = (
        request.batch
        * kv_read_byte(model, request.context_tokens, byte_per_number=request.cache_byte)
        / bandwidth
    )
    work = together * token_flop(model, context_tokens=request.context_tokens)
    compute = np.maximum(work / (tensor * chip.usable_peak(request.product_byte)) - weights - cache, 0.0)
    weights, cache, compute, steps = _on_chip(
        (weights, cache, compute),
        chip=chip,
        layers=model.n_layers,
        held_byte=(weights + cache) * chip.memory_bandwidth_byte_per_s,
    )
    message = together * model.hidden_size * ACTIVATION_BYTE
    latency, transfer = all_reduce_parts(message, ranks=tensor, chip=chip)
    each = ALL_REDUCES_PER_LAYER * model.n_layers
    crossing = (tensor * stages > chip.domain_size) & (not chip.direct_links)
    hop = np.where(crossing, chip.network_latency_s, chip.link_latency_s)
    rate = np.where(crossing, chip.network_bandwidth_byte_per_s, chip.link_bandwidth_byte_per_s)
    handing = (stages - 1) * (hop + message / tensor / rate)
    draft = request.draft_tokens * _draft_pass_s(model, request, chip=chip, tensor=tensor)
    yielded = request.tokens_per_pass
    return Floor(
        weights_s=weights / yielded,
        cache_s=cache / yielded,
        compute_s=compute / yielded,
        steps_s=steps / yielded,
        latency_s=each * latency / yielded,
        transfer_s=each * transfer / yielded,
        stages_s=handing / yielded,
        draft_s=draft / yielded,
        memory_byte_per_chip=resident_byte(model, request) * _fullest_share(model, stages) / tensor,
    )


def _draft_pass_s(model: Architecture, request: Request, *, chip: Chip, tensor: FloatArray) -> FloatArray:
    """Return the minimum time of one pass of the draft model, including reads, steps and communication. [s]

    A draft model with a share x of the weights is assumed to have x^(1/3) of the layers and of their width, as model
    families scale in both; its KV cache is ignored.
    """
    if not request.draft_share:
        return np.zeros(tensor.shape)
    scale = request.draft_share ** (1 / 3)
    layers, width = model.n_layers * scale, model.hidden_size * scale
    read = request.draft_share * float(weights_read(model, tokens=1)) * request.weight_byte
    work = request.batch * request.draft_share * float(token_flop(model, context_tokens=0))
    latency, transfer = all_reduce_parts(request.batch * width * ACTIVATION_BYTE, ranks=tensor, chip=chip)
    reading, computing = (
        read / chip.memory_bandwidth_byte_per_s,
        work / chip.usable_peak(request.product_byte),
    )
    extra = max(computing - reading, 0.0)

    def taken(chips: ArrayLike) -> FloatArray:
        counts = np.asarray(chips, dtype=np.float64)
        parts = (reading / counts, 0.0, extra / counts)
        return sum(
            _on_chip(parts, chip=chip, layers=layers, held_byte=read / counts), start=np.zeros(counts.shape)
        )

    split = taken(tensor) + ALL_REDUCES_PER_LAYER * layers * (latency + transfer)
    return np.minimum(split, taken(1.0))
