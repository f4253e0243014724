"""The fitted factors of serving: what each means, and what was held about it before any measurement."""

import math
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray


@dataclass(frozen=True, kw_only=True)
class Factor:
    """One factor: its typical value before any measurement, and the spread of its logarithm about that."""

    name: str
    typical: float
    spread: float
    means: str


def _factor(name: str, typical: float, spread: float, means: str) -> Factor:  # noqa: PLR0917
    return Factor(name=name, typical=typical, spread=spread, means=means)


FACTORS = (
    _factor("weights", 1.35, 0.3, "longer than paper bandwidth: weights"),
    _factor("cache", 1.8, 0.5, "longer than paper bandwidth: cache"),
    _factor("compute", 1.7, 0.4, "longer than paper FLOP/s: matrices"),
    _factor("experts", 1.5, 0.5, "longer still: experts 2,048 wide"),
    _factor("expert_size", math.exp(-0.3), 0.3, "per e-fold of an expert's width"),
    _factor("attention", 2.5, 0.6, "longer than paper FLOP/s: attention to a prompt"),
    _factor("narrow", 1.3, 0.3, "longer than paper FLOP/s: 4 bits"),
    _factor("layer", 8e-6, 0.7, "a layer's launches [s]"),
    _factor("expert_layer", 12e-6, 0.7, "further ones of a layer with experts [s]"),
    _factor("latent_layer", 10e-6, 0.7, "further ones of latent attention [s]"),
    _factor("reduce", 8e-6, 0.7, "one all-reduce [s]"),
    _factor("link", 1.5, 0.5, "longer than paper link bandwidth"),
    _factor("exchange", 15e-6, 0.7, "one expert exchange [s]"),
    _factor("step", 5e-4, 1.0, "scheduling a step [s]"),
    _factor("request", 1e-5, 1.0, "scheduling one request of a step [s]"),
    _factor("mixing", 1.0, 0.3, "prompt work that a step does not hide"),
    _factor("trtllm", 1.0, 0.15, "TensorRT-LLM: a step"),
    _factor("vllm", 1.0, 0.15, "vLLM: a step"),
    _factor("sglang", 1.0, 0.15, "SGLang: a step"),
    _factor("amd", 1.0, 0.2, "AMD"),
    _factor("tpu", 1.0, 0.3, "Google"),
    _factor("year", math.exp(-0.15), 0.3, "per year of software: a step"),
    _factor("year_launches", math.exp(-0.15), 0.3, "per year of software: launches"),
    _factor("year_first", math.exp(-0.15), 0.3, "per year of software: first token"),
    _factor("early", 1.0, 0.3, "before May 2025: a step"),
    _factor("early_launches", 1.0, 0.5, "before May 2025: launches"),
    _factor("early_first", 1.0, 0.5, "before May 2025: first token"),
    _factor("drafting", 1.2, 0.3, "a step that tries drafted tokens"),
    _factor("memory", 0.95, 0.05, "share of the memory engines take"),
    _factor("first", 0.02, 0.7, "before the first token [s]"),
    _factor("first_layer", 5e-4, 0.7, "launches of a prompt's layer [s]"),
    _factor("first_latent", 2.0, 0.7, "longer with latent attention"),
    _factor("first_own", 1.0, 0.3, "a prompt's own work"),
    _factor("first_trtllm", 1.0, 0.3, "TensorRT-LLM: first token"),
    _factor("first_vllm", 1.0, 0.3, "vLLM: first token"),
    _factor("first_sglang", 1.0, 0.3, "SGLang: first token"),
    _factor("queue_trtllm", 0.05, 0.7, "share of other prompts waited for, TensorRT-LLM"),
    _factor("queue_vllm", 0.05, 0.7, "the same, vLLM"),
    _factor("queue_sglang", 0.05, 0.7, "the same, SGLang and others"),
    _factor("queue_steps", 0.3, 0.7, "launches of a prompt that others wait for"),
    _factor("queue_apart", 1.0, 0.7, "the queue where prompts are read apart"),
    _factor("reading", 1.0, 0.5, "a prompt where prompts are read apart"),
    _factor("answer_share", 0.01, 1.0, "share of an answer waited for"),
    _factor("apart_trtllm", 1.0, 0.7, "read apart: first token, TensorRT-LLM"),
    _factor("apart", 1.0, 0.7, "read apart: first token, others"),
    _factor("gathering", 100.0, 0.5, "steps TensorRT-LLM waits to fill its data-parallel groups"),
)
NAMES = tuple(factor.name for factor in FACTORS)
PRIOR_MEAN: FloatArray = np.array([math.log(factor.typical) for factor in FACTORS])
PRIOR_SPREAD: FloatArray = np.array([factor.spread for factor in FACTORS])


def by_name(logs: FloatArray) -> dict[str, float]:
    """Return factors by name, given their logarithms in the order of :data:`FACTORS`."""
    return dict(zip(NAMES, map(float, np.exp(logs)), strict=True))
