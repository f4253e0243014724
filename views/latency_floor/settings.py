"""Which model runs on which chips, split how: the settings of /latency-floor and what they stand for."""

from dataclasses import dataclass, replace

import numpy as np

from analysis.latency_floor.enough_chips import MOST_CHIPS, Placed
from analysis.latency_floor.floor import Request
from analysis.model.architecture import Architecture
from data.releases import Release, load
from views.chips.linked import CHIP_OPTIONS, NAMES, linked_chip, today
from views.models import MODEL_OPTIONS, architecture
from views.models import names as model_names
from views.settings import Conflict, choice, decimal, whole_number
from views.view import ReleaseSettings, pinned

FORMATS = {
    "fp32": (4.0, "FP32", "32 bits a weight"),
    "fp16": (2.0, "FP16 or BF16", "16 bits a weight (FP16 or BF16)"),
    "fp8": (1.0, "FP8", "8 bits a weight, computed in FP8 where the chip can"),
    "int8": (1.0, "INT8", "8 bits a weight"),
    "int4": (4.15625 / 8, "INT4", "4 bits a weight and a scale for every 128, computed at 16 bits"),
    "mxfp4": (4.25 / 8, "MXFP4", "4 bits a weight and a scale for every 32"),
}
"""Formats of weights: bytes of each with its share of the scales, label, meaning."""
CACHE_FORMATS = {
    "fp16": (2.0, "FP16", "16 bits"),
    "fp8": (1.0, "FP8", "8 bits"),
    "int4": (0.5, "INT4", "4 bits"),
}
"""Formats of the KV cache: bytes of a number, label, meaning."""
FEWEST_STAGES = "as few as hold the model"
"""What stands for pipeline stages that are left empty."""
DRAFTING = frozenset({"acceptance", "draft_share"})
"""The settings that only speculative decoding uses."""


@dataclass(frozen=True, kw_only=True)
class LatencyFloorSettings(ReleaseSettings):
    """Which model runs on which chips, split how, for how many requests at once."""

    model: str = choice(
        "llama-3.1-70b",
        MODEL_OPTIONS,
        label="Model",
        help="The model that generates, from the table of architectures.",
        first_row=True,
    )
    format: str = choice(
        "fp8",
        {name: (label, words) for name, (_, label, words) in FORMATS.items()},
        label="Weight format",
        help="How many bits each weight takes, with its share of the scales.",
        first_row=True,
    )
    chip: str = choice(
        "h100",
        CHIP_OPTIONS,
        label="Chip",
        help="The kind of chip. Its links are listed on the Methods page.",
        first_row=True,
    )
    tensor_parallel: int = whole_number(
        8,
        low=1,
        high=MOST_CHIPS,
        label="Chips per layer",
        help="How many chips share each layer (tensor parallelism) and read its weights at the same time.",
        first_row=True,
    )
    pipeline_parallel: int | None = whole_number(
        None,
        low=0,
        high=256,
        label="Pipeline stages",
        help="How many groups of chips hold different layers. A token passes through all of them in turn: stages add "
        "memory and throughput, but no speed.",
        group="Hardware",
        unset=FEWEST_STAGES,
        zero_is_unset=True,
    )
    context: int = whole_number(
        8192,
        low=1,
        high=10_000_000,
        label="Context, tokens",
        help="How many earlier tokens each new token attends to.",
        group="Workload",
    )
    batch: int = whole_number(
        1,
        low=1,
        high=4096,
        label="Batch, requests",
        help="How many requests are generated together and share each read of the weights.",
        group="Workload",
    )
    cache_format: str = choice(
        "fp16",
        {name: (label, words) for name, (_, label, words) in CACHE_FORMATS.items()},
        label="KV cache format",
        help="How many bits each number of the KV cache takes.",
        group="Model",
    )
    active_share: float = decimal(
        1.0,
        low=0.01,
        high=1.0,
        step=0.05,
        label="Active weights, share",
        help="The share of the model's active parameters that each token uses. All parameters stay in memory, and "
        "every request is assumed to use the same ones.",
        group="Model",
    )
    speculative_tokens: int | None = whole_number(
        None,
        low=0,
        high=16,
        label="Draft tokens",
        help="How many tokens a draft model proposes for each pass of the model.",
        group="Speculative decoding",
        unset="no draft model",
        zero_is_unset=True,
    )
    acceptance: float = decimal(
        0.8,
        low=0.0,
        high=1.0,
        step=0.05,
        label="Acceptance rate",
        help="How likely each proposed token is to be accepted.",
        group="Speculative decoding",
    )
    draft_share: float = decimal(
        0.05,
        low=0.0,
        high=1.0,
        step=0.01,
        label="Draft model size, share",
        help="Size of the draft model as a share of the model's own weights.",
        group="Speculative decoding",
    )
    latency: float = decimal(
        1.0,
        low=0.0,
        high=20.0,
        step=0.5,
        label="Latency multiplier",
        help="Multiplies the lowest possible latency of every exchange and step: 0 counts bandwidth only, 5 to 10 is "
        "closer to today's software.",
        group="Hardware",
    )

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result: what describes a draft only where one is proposed."""
        return super().applies(name) and (name not in DRAFTING or bool(self.speculative_tokens))

    def where_empty(self, name: str) -> str:
        """Return what stands for a setting that is left empty: of pipeline stages, how many there are then."""
        words = super().where_empty(name)
        if name != "pipeline_parallel":
            return words
        release = load(pinned(self).release)
        on_chip = placed(self, release, chip=self.chip)
        if on_chip is None or not np.isfinite(on_chip.stages(tensor=self.tensor_parallel)):
            return words
        return f"{int(on_chip.stages(tensor=self.tensor_parallel)):,}, {words}"

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflict of more pipeline stages than the model has layers, if there is one."""
        layers = architecture(self.model).n_layers
        if self.pipeline_parallel and self.pipeline_parallel > layers:
            return (
                Conflict(
                    names=("pipeline_parallel", "model"),
                    allowed=f"at most one stage a layer: {layers} in {model_names()[self.model]}",
                ),
            )
        return ()


def sized(settings: LatencyFloorSettings) -> Architecture:
    """Return the model, with fewer active parameters where the settings ask for it."""
    model = architecture(settings.model)
    if settings.active_share == 1:
        return model
    active = (model.parameters.active - model.parameters.lookup) * settings.active_share
    return replace(model, stated=replace(model.parameters, active=active, lookup=0.0))


def requested(settings: LatencyFloorSettings) -> Request:
    """Return what is generated, as the settings say."""
    return Request(
        context_tokens=settings.context,
        batch=settings.batch,
        weight_byte=FORMATS[settings.format][0],
        cache_byte=CACHE_FORMATS[settings.cache_format][0],
        draft_tokens=settings.speculative_tokens or 0,
        acceptance=settings.acceptance,
        draft_share=settings.draft_share,
    )


def placed(settings: LatencyFloorSettings, release: Release, *, chip: str) -> Placed | None:
    """Return the chosen model and requests on a kind of chip; None where the release lacks its numbers."""
    linked = linked_chip(chip, release)
    if linked is None:
        return None
    linked = linked.with_latencies(settings.latency)
    return Placed(
        name=NAMES[chip], chip=linked, model=sized(settings), request=requested(settings), today=today(chip)
    )


def stages_of(settings: LatencyFloorSettings, placed: Placed) -> int:
    """Return the pipeline stages asked for; where none are, the fewest that hold the model if any do."""
    if settings.pipeline_parallel:
        return settings.pipeline_parallel
    needed = float(placed.stages(tensor=settings.tensor_parallel))
    return int(needed) if np.isfinite(needed) else placed.model.n_layers
