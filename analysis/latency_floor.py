"""How fast chips can generate a token at best: bytes read over bandwidth, and what it takes to agree."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.decoder import Decoder, kv_cache_byte, token_flop, weights_read

FloatArray = NDArray[np.floating]

ACTIVATION_BYTE = 2.0
STEPS_PER_LAYER = 4
"""Matrix products that wait for one another: query-key-value, output, up, down."""

ALL_REDUCES_PER_LAYER = 2
"""After attention and after the feed-forward part: Shoeybi et al., "Megatron-LM", arXiv:1909.08053, sec. 3."""


@dataclass(frozen=True, kw_only=True)
class Chip:
    """A chip and its links. Rates in byte/s and FLOP/s, links per direction; ``torus`` is its dimensions, or 0
    where switches connect all chips of the scale-up domain. Latencies are those of one hop; ``step_latency_s``
    is what all parts of a chip need to agree on one matrix product, hidden behind reading where that is longer.
    """

    memory_bandwidth_byte_per_s: float
    memory_capacity_byte: float
    peak_flop_per_s: float
    link_bandwidth_byte_per_s: float
    network_bandwidth_byte_per_s: float
    domain_size: int
    link_latency_s: float
    network_latency_s: float
    step_latency_s: float = 0.0
    torus: int = 0

    def __post_init__(self) -> None:
        """Refuse a chip without memory or links."""
        for item in fields(self):
            value = getattr(self, item.name)
            free = item.name.endswith("latency_s") or item.name == "torus"
            if not (value >= 0 if free else value > 0):
                raise ValueError(
                    f"{item.name} is {'0 or more' if free else 'positive'}; got {value}. "
                    "Take it from the datasheet."
                )


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is generated: how many requests at once, how much each looks back at, in which formats.

    A draft model proposes ``draft_tokens`` tokens, each accepted with ``acceptance``; proposing one takes
    ``draft_share`` of the model's own reading of weights.
    """

    context_tokens: float
    batch: int = 1
    weight_byte: float = 2.0
    cache_byte: float = 2.0
    draft_tokens: int = 0
    acceptance: float = 0.0
    draft_share: float = 0.0


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


def resident_byte(model: Decoder, request: Request) -> float:
    """Return what all chips together must hold: every weight, and the KV cache of every request. [byte]

    Every expert has to be there, whichever a token is sent to.
    """
    cache = kv_cache_byte(model, context_tokens=request.context_tokens, element_byte=request.cache_byte)
    return model.n_parameters * request.weight_byte + request.batch * float(cache)


def fewest_chips(model: Decoder, request: Request, chip: Chip) -> int:
    """Return how many chips are needed to hold the model and the KV caches. [chips]"""
    return max(1, int(np.ceil(resident_byte(model, request) / chip.memory_capacity_byte - 1e-9)))


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
    """Return how many hops in a row a reduction over ``ranks`` chips takes at least.

    log2 n where any two chips may talk; on a torus of d dimensions half of each side, d n^(1/d)/2.

    References
    ----------
    Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH", Int. J.
    High Perform. Comput. Appl. 19, 2005, section 4; Dally and Towles, "Principles and Practices of
    Interconnection Networks", 2004, section 5.2.
    """
    n = np.asarray(ranks, dtype=np.float64)
    steps = np.ceil(np.log2(np.maximum(n, 1)) - 1e-12)
    if not torus:
        return steps
    return np.where(n > 1, np.maximum(torus * np.maximum(n, 1) ** (1 / torus) / 2, 1), 0.0)


def all_reduce_parts(
    message_byte: ArrayLike, *, ranks: ArrayLike, chip: Chip
) -> tuple[FloatArray, FloatArray]:
    """Return latency and transfer of the fastest all-reduce over ``ranks`` chips. [s, s]

    Short messages are exchanged whole at each of the hops; long ones are scattered, reduced and gathered in
    twice the hops, 2 (n - 1)/n S/B inside a scale-up domain and the same for a domain's share beyond it.
    Whichever is faster counts.

    References
    ----------
    Thakur, Rabenseifner and Gropp, 2005, section 4.5 (recursive doubling; Rabenseifner's algorithm); Cho et
    al., "BlueConnect", MLSys 2019, section 4 (one level inside the other).
    """
    size = np.asarray(message_byte, dtype=np.float64)
    n = np.asarray(ranks, dtype=np.float64)
    inside = np.minimum(n, chip.domain_size)
    outside = np.ceil(n / chip.domain_size)
    near, far = hops(inside, torus=chip.torus), hops(outside)
    link, network = chip.link_bandwidth_byte_per_s, chip.network_bandwidth_byte_per_s
    latency = near * chip.link_latency_s + far * chip.network_latency_s
    whole = near * size / link + far * size / np.minimum(network * inside, link)
    split = 2 * (inside - 1) / inside * size / link + 2 * (outside - 1) / outside * size / inside / network
    shorter = latency + whole <= 2 * latency + split
    return np.where(shorter, latency, 2 * latency), np.where(shorter, whole, split)


def latency_floor(
    model: Decoder,
    request: Request,
    *,
    chip: Chip,
    tensor_parallel: ArrayLike = 1,
    pipeline_parallel: ArrayLike = 1,
) -> Floor:
    """Return the least time per token when ``tensor_parallel`` chips share every layer. [s]

    Bytes read over (chips x bandwidth), or computing where that takes longer, plus two all-reduces a layer.
    ``pipeline_parallel`` stages hold different layers: a token passes through all of them in turn, so they add
    memory and throughput but no speed. Every rate is a peak; a real system is slower.

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
        * kv_cache_byte(model, context_tokens=request.context_tokens, element_byte=request.cache_byte)
        / bandwidth
    )
    work = together * token_flop(model, context_tokens=request.context_tokens)
    compute = np.maximum(work / (tensor * chip.peak_flop_per_s) - weights - cache, 0.0)
    chain = STEPS_PER_LAYER * model.n_layers * chip.step_latency_s
    steps = np.maximum(chain - weights - cache - compute, 0.0)
    message = together * model.hidden_size * ACTIVATION_BYTE
    latency, transfer = all_reduce_parts(message, ranks=tensor, chip=chip)
    each = ALL_REDUCES_PER_LAYER * model.n_layers
    crossing = tensor * stages > chip.domain_size
    hop = np.where(crossing, chip.network_latency_s, chip.link_latency_s)
    rate = np.where(crossing, chip.network_bandwidth_byte_per_s, chip.link_bandwidth_byte_per_s)
    handing = (stages - 1) * (hop + message / tensor / rate)
    own = weights_read(model, tokens=1) * request.weight_byte / bandwidth
    draft = request.draft_tokens * request.draft_share * own
    yielded = tokens_per_pass(draft_tokens=request.draft_tokens, acceptance=request.acceptance)
    return Floor(
        weights_s=weights / yielded,
        cache_s=cache / yielded,
        compute_s=compute / yielded,
        steps_s=steps / yielded,
        latency_s=each * latency / yielded,
        transfer_s=each * transfer / yielded,
        stages_s=handing / yielded,
        draft_s=draft / yielded,
        memory_byte_per_chip=resident_byte(model, request) / (tensor * stages),
    )


def stages_needed(model: Decoder, request: Request, *, chip: Chip, tensor_parallel: ArrayLike) -> FloatArray:
    """Return the fewest pipeline stages that hold the model; inf where it has too few layers for them."""
    need = resident_byte(model, request) / chip.memory_capacity_byte
    stages = np.maximum(np.ceil(need / np.asarray(tensor_parallel, dtype=np.float64) - 1e-9), 1.0)
    return np.where(stages <= model.n_layers, stages, np.inf)


def fastest_by_chips(model: Decoder, request: Request, *, chip: Chip, chips: ArrayLike) -> FloatArray:
    """Return the least time per token for each number of chips sharing every layer, inf where none holds it. [s]

    As many pipeline stages as the memory needs come on top.
    """
    counts = np.asarray(chips, dtype=np.float64)
    stages = stages_needed(model, request, chip=chip, tensor_parallel=counts)
    held = np.isfinite(stages)
    floor = latency_floor(
        model,
        request,
        chip=chip,
        tensor_parallel=counts,
        pipeline_parallel=np.where(held, stages, 1.0),
    )
    return np.where(held, floor.total_s, np.inf)


def best_chips(model: Decoder, request: Request, *, chip: Chip, most: int) -> int | None:
    """Return the number of chips sharing each layer, at most ``most``, that is fastest; None if none holds it.

    Beyond it another chip saves less reading than it adds in agreeing. Where several are as fast, the fewest.
    """
    counts = np.arange(1, most + 1)
    times = fastest_by_chips(model, request, chip=chip, chips=counts)
    return int(counts[np.argmin(times)]) if np.isfinite(times).any() else None
