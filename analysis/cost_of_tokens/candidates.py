"""Candidate deployments, as columns: each rented accelerator with each way to shard the model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import BoolArray, FloatArray, Rows
from analysis.model.architecture import Architecture
from analysis.serving.deployment import Deployments, Load, Plan, ServingChip, Software, deployment
from analysis.serving.times import SERVER_CHIPS

MOST_TENSOR = 16.0
MOST_EXPERT = 64.0
"""Maximum number of accelerators that share a model's experts. Decoding was measured on 72 and 144. [1]"""
GROWING = ("bandwidth", "flop", "capacity", "link")


@dataclass(frozen=True, kw_only=True)
class Rented:
    """An accelerator for rent, with its serving specification and its hourly rent. [USD/h]"""

    chip: ServingChip
    usd_per_hour: float


@dataclass(frozen=True, kw_only=True)
class Work:
    """A workload: tokens per request, weight format, and tuning of the servers.

    ``tuning`` is "tuned" if experts configured the servers, and "installed" if they run with defaults.
    """

    format_name: str
    bits: float
    prompt_tokens: float
    output_tokens: float
    cached_tokens: float = 0.0
    drafted: float = 0.0
    tuning: str = "tuned"


@dataclass(frozen=True, kw_only=True)
class Candidates(Rows):
    """Candidate deployments of one model, with each candidate's hourly rent per accelerator, shape (n,). [USD/h]"""

    deployments: Deployments
    usd_per_hour: FloatArray

    def __len__(self) -> int:
        """Return the number of candidates."""
        return len(self.deployments)

    def of(self, accelerator: str) -> BoolArray:
        """Return a mask, shape (n,), of the candidates that run on the given accelerator."""
        return np.array([name == accelerator for name in self.deployments.accelerator], dtype=bool)

    def loaded(self, concurrency: FloatArray) -> "Candidates":
        """Return the candidates with ``concurrency``, shape (n,), as their numbers of concurrent requests."""
        return replace(self, deployments=replace(self.deployments, concurrency=concurrency))

    def grown(
        self, factor: Mapping[str, FloatArray | float], *, rent: FloatArray | float = 1.0
    ) -> "Candidates":
        """Return the candidates on later accelerators, with specifications scaled by ``factor``. Shapes broadcast."""
        d = self.deployments
        flop = factor["flop"]
        later = replace(
            d,
            memory_bandwidth_byte_per_s=d.memory_bandwidth_byte_per_s * factor["bandwidth"],
            memory_capacity_byte=d.memory_capacity_byte * factor["capacity"],
            link_bandwidth_byte_per_s=d.link_bandwidth_byte_per_s * factor["link"],
            expert_peak_flop_per_s=d.expert_peak_flop_per_s * flop,
            common_peak_flop_per_s=d.common_peak_flop_per_s * flop,
        )
        return Candidates(deployments=later, usd_per_hour=self.usd_per_hour * rent)


def plans(model: Architecture, chip: ServingChip, *, across: bool = False) -> tuple[Plan, ...]:
    """Return the ways to shard a model within an accelerator's scale-up domain.

    Tensor parallelism is tried in powers of two up to sixteen. Mixtures of experts may instead use data-parallel
    attention with experts on two to 64 accelerators at full speed, or ``across`` servers of eight over the network.
    """
    most = max(chip.domain_size, 1.0)
    tensor = [Plan(tensor=2.0**power) for power in range(7) if 2**power <= min(most, MOST_TENSOR)]
    if not model.is_mixture:
        return tuple(tensor)
    fast = min(most, MOST_EXPERT)
    reach = min(MOST_EXPERT if across and most >= SERVER_CHIPS else fast, model.n_experts)
    spread = [2.0**power for power in range(1, 7) if 2**power <= reach]
    return (*tensor, *(Plan(tensor=1.0, data=chips, expert=chips) for chips in spread))


def candidates(
    model: Architecture, rented: Sequence[Rented], *, work: Work, engine: str, across: bool = False
) -> Candidates:
    """Return every way to serve the model on the accelerators. vLLM replaces unsupported engines.

    ``across`` allows experts to be spread over several servers.

    Raises ValueError if no accelerator is given.
    """
    if not rented:
        raise ValueError("tokens are priced on at least one accelerator; got none. Pass one with a rent.")
    load = Load(
        prompt_tokens=work.prompt_tokens - work.cached_tokens,
        output_tokens=work.output_tokens,
        cached_tokens=work.cached_tokens,
        drafted=work.drafted,
    )
    of_plans = [(place, plan) for place in rented for plan in plans(model, place.chip, across=across)]
    rows = [
        deployment(
            model,
            chip=place.chip,
            format_name=work.format_name,
            bits=work.bits,
            plan=plan,
            load=load,
            software=Software(engine=engine_on(place.chip, engine), tuning=work.tuning),
        )
        for place, plan in of_plans
    ]
    rents = np.array([place.usd_per_hour for place, _ in of_plans])
    return Candidates(deployments=Deployments.from_rows(rows), usd_per_hour=rents)


def engine_on(chip: ServingChip, engine: str) -> str:
    """Return the engine to use on an accelerator. TensorRT-LLM needs NVIDIA; SGLang needs NVIDIA or AMD."""
    only = {"trtllm": ("NVIDIA",), "sglang": ("NVIDIA", "AMD")}.get(engine)
    return engine if only is None or chip.maker in only else "vllm"
