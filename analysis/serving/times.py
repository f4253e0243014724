"""Times of a step, a prompt and a first token, from mechanistic models with fitted factors."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.serving.deployment import Deployments

FACTORS = tomllib.loads(Path(__file__).with_name("factors.toml").read_text(encoding="utf-8"))
"""Prior median of each fitted factor, and the spread of its logarithm, keyed by name."""
NAMES = tuple(FACTORS)
PRIOR_MEAN: FloatArray = np.log([factor["typical"] for factor in FACTORS.values()])
PRIOR_SPREAD: FloatArray = np.array([factor["spread"] for factor in FACTORS.values()])


def by_name(logs: FloatArray) -> dict[str, float]:
    """Return factors keyed by name, from logarithms in the order of :data:`FACTORS`."""
    return dict(zip(NAMES, map(float, np.exp(logs)), strict=True))


MEMORY_ENGINE_BYTE = 2e9  # graphs, activations, libraries
MOST_REQUESTS_PER_CHIP = 1024.0  # engines cap the batch size
LEAST_ROOM = 0.02  # of the memory; what does not fit is computed as if it barely did
LATENT_KERNELS_YEAR = 2025.4  # engines have kernels for latent attention since then
ACROSS_DOMAINS = 9.0  # above this, links leave NVLink for a network of 50 GB/s a chip
NETWORK_BYTE_PER_S = 45e9
"""Measured rate of expert-parallel communication over a network of 50 GB/s per chip. 39 to 48 GB/s on 8 to 256 chips,
DeepEP, README, table of low-latency kernels. [byte/s]"""
SERVER_CHIPS = 8.0  # chips of a server, and the most that share a layer by default
NETWORK_START_S = 1e-4  # latency of one round trip of expert-parallel communication
EXPERT_WIDTH = 2048.0  # width at which the factor of experts is defined
ACCEPTED = 0.75
"""Share of drafted tokens accepted if all before them are: Leviathan et al., arXiv:2211.17192, section 3.1. [1]"""
ROUNDS = 12  # iterations in which the decoding requests and their step converge
SHARPNESS = 6.0  # of the smooth minimum of two numbers of requests

ENGINES = ("trtllm", "vllm", "sglang")
"""Engines with factors of their own."""

Factors = Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class StepParts:
    """Parts of the time of a decode step. Shapes broadcast with the requests. [s]"""

    weights_s: FloatArray
    cache_s: FloatArray
    compute_s: FloatArray
    links_s: FloatArray
    launches_s: FloatArray

    @property
    def total_s(self) -> FloatArray:
        """Return the total time of the step. [s]"""
        return self.weights_s + self.cache_s + self.compute_s + self.links_s + self.launches_s


@dataclass(frozen=True, kw_only=True)
class PromptParts:
    """Parts of the time of one prompt on its prefill chips, shape (n,). [s]

    ``compute_s`` and ``links_s`` are added by each prompt. A single prompt also takes the longer of ``weights_s`` and
    ``layers_s``, its launches. ``launches_s`` is host time without graphs.
    """

    compute_s: FloatArray
    links_s: FloatArray
    weights_s: FloatArray
    layers_s: FloatArray
    launches_s: FloatArray

    @property
    def own_s(self) -> FloatArray:
        """Return the time that each additional prompt adds. [s]"""
        return self.compute_s + self.links_s


@dataclass(frozen=True, kw_only=True)
class FirstTokenCounts:
    """Weights of the parts of the time to first token. Shapes broadcast. [1]

    ``own`` weights a prompt's own work including the prompts before it, ``once`` the fixed part of prefill,
    ``launches`` host time, ``step`` one decode step, and ``token`` the time per output token. ``fixed_s`` is added. [s]
    """

    own: FloatArray
    once: FloatArray
    launches: FloatArray
    step: FloatArray
    token: FloatArray
    fixed_s: FloatArray


@dataclass(frozen=True, kw_only=True)
class ServingTimes:
    """Times that users see, and throughput per accelerator. Shapes broadcast. [s, tokens/s]"""

    time_per_output_token_s: FloatArray
    time_to_first_token_s: FloatArray
    output_tokens_per_s_per_accelerator: FloatArray
    decoding_requests: FloatArray


def _early(deployments: Deployments, factors: Factors, *, what: str = "") -> FloatArray:
    """Return the slowdown of latent attention in software that predates its kernels, shape (n,). [1]"""
    early = deployments.latent & (deployments.year < LATENT_KERNELS_YEAR)
    return np.where(early, factors[f"early{what}"], 1.0)


def _installed(deployments: Deployments, factors: Factors, *, what: str = "") -> FloatArray:
    """Return the host slowdown of engines without expert tuning, shape (n,). [1]"""
    installed = np.array([tuning == "installed" for tuning in deployments.tuning], dtype=bool)
    return np.where(installed, factors[f"installed{what}"], 1.0)


def _by_engine(deployments: Deployments, factors: Factors, *, before: str = "") -> FloatArray:
    """Return the factor of each deployment's engine, shape (n,). Unknown engines get the geometric mean of all."""
    known = {engine: factors[f"{before}{engine}"] for engine in ENGINES}
    usual = float(np.exp(np.mean(np.log(list(known.values())))))
    return np.array([known.get(engine, usual) for engine in deployments.engine])


def engine_factor(deployments: Deployments, factors: Factors) -> FloatArray:
    """Return the effect of engine and vendor on step time, as a factor of shape (n,). [1]"""
    makers = {"AMD": factors["amd"], "Google": factors["tpu"]}
    maker = np.array([makers.get(name, 1.0) for name in deployments.maker])
    return _by_engine(deployments, factors) * maker * _early(deployments, factors)


def _smaller(one: FloatArray, other: FloatArray) -> FloatArray:
    return (one**-SHARPNESS + other**-SHARPNESS) ** (-1 / SHARPNESS)


def weights_byte_per_chip(deployments: Deployments) -> FloatArray:
    """Return the size of the weights on each decode chip, shape (n,). [byte]"""
    d = deployments
    common = (d.common_parameters * d.common_bits / 8 + 2 * d.embedding_parameters) / (d.tensor * d.pipeline)
    return common + d.routed_parameters * d.bits / 8 / (d.tensor * d.data * d.pipeline)


def most_requests(deployments: Deployments, factors: Factors) -> FloatArray:
    """Return how many requests fit in memory beside the weights, on all workers together, shape (n,). [1]"""
    d = deployments
    room = memory_byte(d, factors) - weights_byte_per_chip(d) - MEMORY_ENGINE_BYTE
    room = np.maximum(room, LEAST_ROOM * d.memory_capacity_byte)
    groups = d.data * d.decode_workers
    held = room * groups * d.cache_shards * d.pipeline / d.cache_kept_byte
    return np.clip(held, 1.0, MOST_REQUESTS_PER_CHIP * groups * d.tensor * d.pipeline)


def memory_byte(deployments: Deployments, factors: Factors) -> FloatArray:
    """Return the part of each accelerator's memory that engines use, shape (n,). [byte]"""
    return factors["memory"] * deployments.memory_capacity_byte


def least_byte_per_chip(deployments: Deployments) -> FloatArray:
    """Return the size of the weights and one request's cache on each decode chip, shape (n,). [byte]"""
    d = deployments
    return weights_byte_per_chip(d) + d.cache_kept_byte / d.cache_shards / d.pipeline


def fits(deployments: Deployments, factors: Factors) -> BoolArray:
    """Return a mask, shape (n,), of deployments in whose memory the weights and one request fit."""
    return least_byte_per_chip(deployments) < memory_byte(deployments, factors)


def _narrow(deployments: Deployments, factors: Factors) -> FloatArray:
    return np.where(deployments.bits < 5, factors["narrow"], 1.0)


def _expert_compute(deployments: Deployments, factors: Factors) -> FloatArray:
    """Return the time of expert matmuls relative to that at the data-sheet peak, shape (n,). [1]"""
    width = (deployments.expert_size / EXPERT_WIDTH) ** np.log(factors["expert_size"])
    return factors["compute"] * factors["experts"] * width * _narrow(deployments, factors)


def _expert_flop(deployments: Deployments) -> FloatArray:
    """Return the operations of the experts, including shared ones, per token in all layers, shape (n,). [FLOP]"""
    d = deployments
    return 2 * d.n_expert_layers * (d.n_active + d.n_shared) * d.expert_parameters


def _common_flop(deployments: Deployments) -> FloatArray:
    d = deployments
    return 2 * (d.common_parameters - d.n_expert_layers * d.n_shared * d.expert_parameters)


def _launches_s(deployments: Deployments, factors: Factors) -> FloatArray:
    """Return the time to launch the kernels of all layers, shape (n,). [s]"""
    d = deployments
    layers = (
        factors["layer"] * d.n_layers
        + factors["expert_layer"] * d.n_expert_layers
        + factors["latent_layer"] * d.n_layers * d.latent
    )
    return layers * _early(d, factors, what="_launches")


def _left_of_network(
    deployments: Deployments,
    *,
    tokens: FloatArray,
    copies: FloatArray,
    stage: FloatArray,
    others_s: FloatArray,
) -> FloatArray:
    """Return the time that expert communication beyond the fast links adds. Shapes broadcast. [s]

    ``copies`` of each chip's ``tokens`` are sent in 8 bits if weights have no more, and return in 16. Two half-batches
    alternate, one computing while the other communicates, so only the longer time counts.

    References
    ----------
    DeepSeek-AI, "DeepSeek-V3 Technical Report", arXiv:2412.19437, sections 3.2.1 and 3.4.2 (overlap of two batches).
    """
    d = deployments
    byte = np.where(d.bits < 10, 1.0, 2.0) + 2.0
    one_s = NETWORK_START_S + copies * tokens * d.hidden * byte / NETWORK_BYTE_PER_S
    sent_s = d.n_expert_layers * one_s
    return np.where(stage > d.domain_size, np.maximum(sent_s - others_s, 0.0), 0.0)


def decode_step(deployments: Deployments, factors: Factors, *, requests: FloatArray) -> StepParts:
    """Return the parts of the time of a decode step with ``requests`` requests on all workers. Shapes broadcast. [s]

    Each data-parallel group reads its own copy of the non-expert weights and the cache of its own requests. All chips
    of a stage read and compute the experts together, as many as the step's tokens visit.

    References
    ----------
    Pope et al., "Efficiently Scaling Transformer Inference", arXiv:2211.05102, section 3 (weights, cache and
    communication); DeepSeek-AI, "DeepSeek-V3 Technical Report", arXiv:2412.19437, section 3.4 (data-parallel attention
    beside experts).
    """
    d = deployments
    stage = d.tensor * d.data
    together = np.maximum(requests / (d.decode_workers * d.pipeline), 1.0)
    own = np.maximum(together / d.data, 1.0)
    bandwidth, link = d.memory_bandwidth_byte_per_s, d.link_bandwidth_byte_per_s
    rows = 1.0 + d.drafted
    touched = (
        np.where(d.n_experts > 1, 1 - (1 - d.n_active / d.n_experts) ** (together * rows), 0.0)
        if np.any(d.n_experts > 1)
        else 0.0
    )
    common = (d.common_parameters * d.common_bits / 8 + 2 * d.output_parameters) / d.tensor
    weights = common + d.routed_parameters * d.bits / 8 / stage * touched
    cache = own * d.cache_read_byte / d.cache_shards
    common_s = _common_flop(d) * own * rows / d.tensor / d.common_peak_flop_per_s
    expert_s = _expert_flop(d) * together * rows / stage / d.expert_peak_flop_per_s
    sent = 2 * own * rows * d.hidden
    across = np.where(d.tensor > d.domain_size, ACROSS_DOMAINS, 1.0)
    reduces = (
        2
        * d.n_layers
        * (
            factors["reduce"] * np.sqrt(np.log2(np.maximum(d.tensor, 2.0)))
            + factors["link"] * 2 * (d.tensor - 1) / d.tensor * sent / link * across
        )
    )
    fan = np.minimum(d.n_active, stage) * np.where(d.data > 1, 1.0, 1 / d.tensor)
    exchanges = d.n_expert_layers * (
        factors["exchange"] + factors["link"] * 2 * fan * sent / link * (stage - 1) / stage
    )
    spread = (d.expert > 1) | ((d.data > 1) & (d.n_experts > 1))
    longer = engine_factor(d, factors)
    weights_s = longer * factors["weights"] * weights / bandwidth
    cache_s = longer * factors["cache"] * cache / bandwidth
    compute = factors["compute"] * _narrow(d, factors) * common_s + _expert_compute(d, factors) * expert_s
    compute_s = longer * compute
    busy_s = weights_s + cache_s + compute_s
    network_s = _left_of_network(
        d, tokens=own * rows / d.tensor, copies=d.n_active, stage=stage, others_s=busy_s
    )
    inside = longer * np.where(spread & (stage <= d.domain_size), exchanges, 0.0)
    return StepParts(
        weights_s=weights_s,
        cache_s=cache_s,
        compute_s=compute_s,
        links_s=longer * np.where(d.tensor > 1, reduces, 0.0) + inside + np.where(spread, network_s, 0.0),
        launches_s=longer
        * _installed(d, factors)
        * (_launches_s(d, factors) + factors["step"] + factors["request"] * own),
    )


def prompt_parts(deployments: Deployments, factors: Factors) -> PromptParts:
    """Return the parts of the time of one prompt on its chips, shape (n,). The chips may also decode. [s]"""
    d = deployments
    data = np.where(d.disaggregated, d.prefill_data, d.data)
    stage = np.where(d.disaggregated, d.prefill_chips, d.tensor * d.data)
    tensor = stage / data
    link, peak = d.link_bandwidth_byte_per_s, d.common_peak_flop_per_s
    spread = np.where(d.disaggregated, stage, d.expert) > 1
    narrow, tokens = _narrow(d, factors), d.prompt_tokens
    matrices = (
        factors["compute"] * narrow * _common_flop(d) * tokens / tensor / peak
        + _expert_compute(d, factors) * _expert_flop(d) * tokens / stage / d.expert_peak_flop_per_s
    )
    attention = factors["attention"] * d.prompt_attention_flop / tensor / peak
    sent = 2 * tokens * d.hidden
    reduces = 2 * d.n_layers * factors["link"] * 2 * (tensor - 1) / tensor * sent / link
    fan = np.minimum(d.n_active, stage) / tensor
    exchanges = d.n_expert_layers * factors["link"] * 2 * fan * sent / link * (stage - 1) / stage
    servers = np.maximum(stage / SERVER_CHIPS, 1.0)
    reached = servers * (
        1 - (1 - 1 / servers) ** d.n_active
    )  # )  # a server forwards a prompt's tokens to its own chips
    network_s = _left_of_network(
        d, tokens=tokens / tensor, copies=reached, stage=stage, others_s=matrices + attention
    )
    exchanges = np.where(stage > d.domain_size, network_s, exchanges)
    weights = (
        factors["weights"]
        * (d.common_parameters * d.common_bits / tensor + d.routed_parameters * d.bits / stage)
        / 8
        / d.memory_bandwidth_byte_per_s
    )
    first_layer = factors["first_layer"] * np.where(d.latent, factors["first_latent"], 1.0)
    return PromptParts(
        compute_s=matrices + attention,
        links_s=np.where(tensor > 1, reduces, 0.0) + np.where(spread | (data > 1), exchanges, 0.0),
        weights_s=0.5 * weights,
        layers_s=_launches_s(d, factors),
        launches_s=first_layer * d.n_layers * _installed(d, factors, what="_first"),
    )


def _steps_per_token(deployments: Deployments, factors: Factors) -> FloatArray:
    """Return the number of plain steps per token, shape (n,). It is below one if drafts are accepted. [1]"""
    accepted = (1 - ACCEPTED ** (1 + deployments.drafted)) / (1 - ACCEPTED)
    return np.where(deployments.drafted > 0, factors["drafting"] / accepted, 1.0)


def _running(
    deployments: Deployments, factors: Factors, *, offered: FloatArray, prompt: PromptParts
) -> FloatArray:
    """Return how many requests decode at once. Disaggregated prefill limits the number by its throughput."""
    d = deployments
    if not d.disaggregated.any():
        return offered
    prompt_s = factors["reading"] * (
        factors["first_own"] * prompt.own_s + factors["queue_steps"] * prompt.launches_s
    )
    per_s = np.where(d.prefill_workers > 0, d.prefill_workers * d.prefill_data, np.inf) / prompt_s
    running = offered
    for _ in range(ROUNDS):
        token = decode_step(d, factors, requests=running).total_s * _steps_per_token(d, factors)
        come = np.maximum(per_s * d.output_tokens * token, 1.0)
        running = np.where(d.disaggregated, np.sqrt(running * _smaller(offered, come)), offered)
    return running


def mixed_in(deployments: Deployments, factors: Factors, *, requests: FloatArray) -> FloatArray:
    """Return the share of a prompt's work that each output token waits for. Shapes broadcast. [1]

    Unless prefill is disaggregated, every request brings one prompt per answer, so each step includes that share of a
    prompt as chunked prefill.

    References
    ----------
    Agrawal et al., "Sarathi-Serve", arXiv:2403.02310, section 4.
    """
    d = deployments
    own = np.maximum(requests / (d.decode_workers * d.data * d.pipeline), 1.0)
    share = factors["mixing"] * engine_factor(d, factors) * own / d.output_tokens
    return np.where(d.disaggregated, 0.0, share)


def first_token_counts(
    deployments: Deployments, factors: Factors, *, requests: FloatArray
) -> FirstTokenCounts:
    """Return the weights of the parts of the time to first token if no request waits for memory.

    Earlier prompts count with a share fitted in closed loops, where the concurrency is constant: this is the queue
    inside an engine. In a burst half of the other prompts are ahead.
    """
    d = deployments
    trtllm = np.array([engine == "trtllm" for engine in d.engine], dtype=bool)
    reading = np.where(d.disaggregated, d.prefill_workers * d.prefill_data, d.data * d.decode_workers)
    queue = np.where(d.disaggregated, factors["queue_apart"], 1.0) * _by_engine(d, factors, before="queue_")
    others = np.where(d.burst, 0.5 * (requests - 1), queue * requests) / np.where(
        reading > 0, reading, np.inf
    )
    alone = np.where(d.disaggregated, np.where(trtllm, factors["apart_trtllm"], factors["apart"]), 1.0)
    later = _by_engine(d, factors, before="first_") * _early(d, factors, what="_first")
    gathering = np.where((d.data > 1) & ~d.disaggregated & trtllm, factors["gathering"], 0.0)
    waits = factors["queue_steps"] * others
    return FirstTokenCounts(
        own=later * factors["first_own"] * (alone + others),
        once=later * factors["first_own"] * alone,
        launches=later * (alone + waits),
        step=later * (1.0 + waits) / engine_factor(d, factors),
        token=factors["answer_share"] * d.output_tokens / requests + gathering,
        fixed_s=later * alone * factors["first"] * _installed(d, factors, what="_first"),
    )


def serving_times(
    deployments: Deployments, factors: Factors, *, concurrency: FloatArray | None = None
) -> ServingTimes:
    """Return the times of deployments in a closed loop, where each answer admits the next request.

    ``concurrency`` defaults to that of the deployments; shapes broadcast. Steps include their share of prompts
    (:func:`mixed_in`), first tokens wait as in :func:`first_token_counts`, and requests that do not fit in memory wait
    for earlier answers.

    References
    ----------
    Zhong et al., "DistServe", arXiv:2401.09670, section 3 (disaggregated prefill); Little's law for the closed loop.
    """
    d = deployments
    most = most_requests(d, factors)
    offered = d.concurrency if concurrency is None else np.asarray(concurrency, dtype=float)
    offered = np.where(np.isnan(offered), most, offered)
    prompt = prompt_parts(d, factors)
    running = _running(d, factors, offered=_smaller(offered, most), prompt=prompt)
    step = decode_step(d, factors, requests=running).total_s
    token = step * _steps_per_token(d, factors) + prompt.own_s * mixed_in(d, factors, requests=running)
    waiting = np.where(offered > running, (offered - running) / running * d.output_tokens * token, 0.0)
    counts = first_token_counts(d, factors, requests=np.minimum(offered, most))
    first = (
        counts.own * prompt.own_s
        + counts.once * np.maximum(prompt.weights_s, prompt.layers_s)
        + counts.launches * prompt.launches_s
        + counts.step * step
        + counts.token * token
        + counts.fixed_s
        + waiting
    )
    return ServingTimes(
        time_per_output_token_s=token,
        time_to_first_token_s=first,
        output_tokens_per_s_per_accelerator=throughput(d, token_s=token, first_s=first, concurrency=offered),
        decoding_requests=running,
    )


def throughput(
    deployments: Deployments, *, token_s: FloatArray, first_s: FloatArray, concurrency: FloatArray
) -> FloatArray:
    """Return the output rate per accelerator in a closed loop. Shapes broadcast. [tokens/s]"""
    d = deployments
    answer = first_s + np.maximum(d.output_tokens - 1, 0.0) * token_s
    return concurrency * d.output_tokens / answer / d.all_chips
