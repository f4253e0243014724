"""How fast chips can generate a token at best: bytes read over bandwidth, and the least it takes to agree."""

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
"""Matrix products that wait for one another: query-key-value, output, up, down."""

ALL_REDUCES_PER_LAYER = 2
"""After attention and after the feed-forward part: Shoeybi et al., "Megatron-LM", arXiv:1909.08053, sec. 3."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is generated: how many requests at once, how much each looks back at, in which formats.

    A draft model proposes ``draft_tokens`` tokens, each accepted with ``acceptance``; proposing one takes
    ``draft_share`` of the model's own reading of weights. Products are computed in numbers of ``compute_byte``,
    None for those of the weights.
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
        """Return the size of the numbers that products are computed in. [byte]"""
        return self.weight_byte if self.compute_byte is None else self.compute_byte

    @property
    def tokens_per_pass(self) -> float:
        """Return how many tokens a pass of the model yields on average. [tokens]"""
        return tokens_per_pass(draft_tokens=self.draft_tokens, acceptance=self.acceptance)


@dataclass(frozen=True, kw_only=True)
class Floor:
    """Time per token by part, each the shape of the number of chips [s], and memory a chip must hold. [byte]

    ``weights_s`` and ``cache_s`` read memory; ``compute_s`` is what computing takes beyond that, ``steps_s``
    what a chip's own steps take beyond both; ``latency_s`` and ``transfer_s`` are the collectives; ``stages_s``
    hands a token from stage to stage; ``draft_s`` proposes.
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
        """Return the time of one token of one request. [s]"""
        on_chip = self.weights_s + self.cache_s + self.compute_s + self.steps_s
        return on_chip + self.exchange_s + self.draft_s

    @property
    def exchange_s(self) -> FloatArray:
        """Return what the chips need to agree with one another. [s]"""
        return self.latency_s + self.transfer_s + self.stages_s


def resident_byte(model: Architecture, request: Request, *, groups: ArrayLike = 1) -> FloatArray:
    """Return what all chips together must hold: every weight, and the KV cache of every request. [byte]

    Every expert has to be there, whichever a token is sent to, and the draft model if there is one. ``groups`` of
    the request's batch may be under way, each in another stage.
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
    """Return how many groups of requests the stages can work on at once: one each, as far as caches fit. [groups]

    A stage keeps the caches of its layers for every group under way, not only for the one it works on. At least 1.
    """
    stages = np.asarray(pipeline_parallel, dtype=np.float64)
    room = np.asarray(tensor_parallel) * chip.memory_capacity_byte / _fullest_share(model, stages)
    held = np.floor((room - _weights_byte(model, request)) / _caches_byte(model, request) + 1e-9)
    return np.clip(held, 1.0, stages)


def _fullest_share(model: Architecture, stages: ArrayLike) -> FloatArray:
    """Return the share of the layers that the stage with most of them holds. [1]"""
    return np.ceil(model.n_layers / np.asarray(stages, dtype=np.float64) - 1e-9) / model.n_layers


def tokens_per_pass(*, draft_tokens: int, acceptance: float) -> float:
    """Return how many tokens one pass of the large model yields on average. [tokens]

    (1 - a^(g + 1))/(1 - a) for g proposals, each accepted with probability a.

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
    """Return how many hops in a row an exchange among ``ranks`` chips takes at least.

    One where switches connect all, whatever their number; on a torus of d dimensions half of each side, d n^(1/d)/2.

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
    """Return the least latency and the least transfer of an all-reduce over ``ranks`` chips. [s, s]

    Every chip's message has to reach every other chip: one exchange, and no byte leaves a chip more than once where
    switches add up; 2 (n - 1)/n S/B where the chips themselves do. Beyond a scale-up domain either all chips exchange
    through the network at once, or a second exchange crosses it with each chip's share of the domain's sum, whichever
    takes less: more links never make a chip slower than the network alone.

    References
    ----------
    Patarasuk and Yuan, "Bandwidth Optimal All-reduce Algorithms", J. Parallel Distrib. Comput. 69, 2009 (without
    switches that add up); Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP)", COMHPC 2016 (with);
    Cho et al., "BlueConnect", MLSys 2019, section 4 (one level inside the other).
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
    """Return latency and transfer of an all-reduce among chips linked in pairs, whichever way is faster. [s, s]

    At once every chip sends its whole message to all others, (n - 1) S; in two rounds a share there and the sum back,
    2 (n - 1)/n S. Beyond the domain at least the longest path counts, and the fewer bytes.
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
    """Return weights, cache and computing as they are on a chip, and what its steps take beyond them. [s]

    ``parts`` is what they take with all of a chip at work; of a mesh only the cores that hold a layer are.
    ``held_byte`` of the memory of each chip is what a token reads.
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
    """Return the least time per token when ``tensor_parallel`` chips share every layer. [s]

    Bytes read over (chips x bandwidth), or computing where that takes longer, plus two all-reduces a layer. On a mesh
    of cores those that hold a layer read it and wait for one another; experts a token uses are taken to lie together.
    ``pipeline_parallel`` stages hold different layers: a token passes through all of them in turn, so they add
    memory and throughput but no speed. Every rate is a peak and every latency a least one; a real system is slower.
    A draft model passes once for each token it proposes, on one chip or split like the large one, whichever is faster.

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
    """Return the least time of one pass of the draft model: its reading, its steps and its exchanges. [s]

    Of a share x of the weights it is taken to have x^(1/3) of the layers and of their width, as families of models
    grow in both; its KV cache is left out.
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
