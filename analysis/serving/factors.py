"""The fitted factors of serving: what each means, and what was held about it before any measurement."""

import math

import numpy as np

from analysis.arrays import FloatArray

FACTORS = {
    "weights": (1.35, 0.3, "longer than paper bandwidth: weights"),
    "cache": (1.8, 0.5, "longer than paper bandwidth: cache"),
    "compute": (1.7, 0.4, "longer than paper FLOP/s: matrices"),
    "experts": (1.5, 0.5, "longer still: experts 2,048 wide"),
    "expert_size": (math.exp(-0.3), 0.3, "per e-fold of an expert's width"),
    "attention": (2.5, 0.6, "longer than paper FLOP/s: attention to a prompt"),
    "narrow": (1.3, 0.3, "longer than paper FLOP/s: 4 bits"),
    "layer": (8e-6, 0.7, "a layer's launches [s]"),
    "expert_layer": (12e-6, 0.7, "further ones of a layer with experts [s]"),
    "latent_layer": (10e-6, 0.7, "further ones of latent attention [s]"),
    "reduce": (8e-6, 0.7, "one all-reduce [s]"),
    "link": (1.5, 0.5, "longer than paper link bandwidth"),
    "exchange": (15e-6, 0.7, "one expert exchange [s]"),
    "step": (5e-4, 1.0, "scheduling a step [s]"),
    "request": (1e-5, 1.0, "scheduling one request of a step [s]"),
    "mixing": (1.0, 0.3, "prompt work that a step does not hide"),
    "trtllm": (1.0, 0.15, "TensorRT-LLM: a step"),
    "vllm": (1.0, 0.15, "vLLM: a step"),
    "sglang": (1.0, 0.15, "SGLang: a step"),
    "amd": (1.0, 0.2, "AMD"),
    "tpu": (1.0, 0.3, "Google"),
    "year": (math.exp(-0.15), 0.3, "per year of software: a step"),
    "year_launches": (math.exp(-0.15), 0.3, "per year of software: launches"),
    "year_first": (math.exp(-0.15), 0.3, "per year of software: first token"),
    "early": (1.0, 0.3, "before May 2025: a step"),
    "early_launches": (1.0, 0.5, "before May 2025: launches"),
    "early_first": (1.0, 0.5, "before May 2025: first token"),
    "drafting": (1.2, 0.3, "a step that tries drafted tokens"),
    "memory": (0.95, 0.05, "share of the memory engines take"),
    "first": (0.02, 0.7, "before the first token [s]"),
    "first_layer": (5e-4, 0.7, "launches of a prompt's layer [s]"),
    "first_latent": (2.0, 0.7, "longer with latent attention"),
    "first_own": (1.0, 0.3, "a prompt's own work"),
    "first_trtllm": (1.0, 0.3, "TensorRT-LLM: first token"),
    "first_vllm": (1.0, 0.3, "vLLM: first token"),
    "first_sglang": (1.0, 0.3, "SGLang: first token"),
    "queue_trtllm": (0.05, 0.7, "share of other prompts waited for, TensorRT-LLM"),
    "queue_vllm": (0.05, 0.7, "the same, vLLM"),
    "queue_sglang": (0.05, 0.7, "the same, SGLang and others"),
    "queue_steps": (0.3, 0.7, "launches of a prompt that others wait for"),
    "queue_apart": (1.0, 0.7, "the queue where prompts are read apart"),
    "reading": (1.0, 0.5, "a prompt where prompts are read apart"),
    "answer_share": (0.01, 1.0, "share of an answer waited for"),
    "apart_trtllm": (1.0, 0.7, "read apart: first token, TensorRT-LLM"),
    "apart": (1.0, 0.7, "read apart: first token, others"),
    "gathering": (100.0, 0.5, "steps TensorRT-LLM waits to fill its data-parallel groups"),
}
"""By name: the typical value before any measurement, the spread of its logarithm about that, and what it means."""
NAMES = tuple(FACTORS)
PRIOR_MEAN: FloatArray = np.array([math.log(typical) for typical, *_ in FACTORS.values()])
PRIOR_SPREAD: FloatArray = np.array([spread for _, spread, _ in FACTORS.values()])


def by_name(logs: FloatArray) -> dict[str, float]:
    """Return factors by name, given their logarithms in the order of :data:`FACTORS`."""
    return dict(zip(NAMES, map(float, np.exp(logs)), strict=True))
