"""Settings of /latency-floor (model, chips and parallelism), and their conversion into inputs."""

import math
from dataclasses import dataclass, replace

from analysis.latency_floor.enough_chips import MOST_CHIPS, Placed
from analysis.latency_floor.floor import Request
from analysis.model.architecture import Architecture
from data.releases import Release, load
from views import written
from views.chips.linked import CHIP_OPTIONS, NAMES, linked_chip, today
from views.models import MODEL_OPTIONS, architecture
from views.models import names as model_names
from views.settings import Conflict, choice, decimal, whole_number
from views.view import ReleaseSettings, pinned

WORDS = written.settings(__file__)
FORMATS = {"fp32": 4.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 4.15625 / 8, "mxfp4": 4.25 / 8}
"""Size of a weight, including its share of the scales, keyed by format. [byte]"""
CACHE_FORMATS = {"fp16": 2.0, "fp8": 1.0, "int4": 0.5}
"""Size of a number in the KV cache, keyed by format. [byte]"""
DRAFTING = frozenset({"acceptance", "draft_share"})
"""Settings for speculative decoding only."""


@dataclass(frozen=True, kw_only=True)
class LatencyFloorSettings(ReleaseSettings):
    """Settings of /latency-floor: the model, the chips, their parallelism, and the concurrent requests."""

    model: str = choice("llama-3.1-70b", computed=MODEL_OPTIONS, **WORDS["model"])
    format: str = choice("fp8", **WORDS["format"])
    chip: str = choice("h100", computed=CHIP_OPTIONS, **WORDS["chip"])
    tensor_parallel: int = whole_number(8, low=1, high=MOST_CHIPS, **WORDS["tensor_parallel"])
    pipeline_parallel: int | None = whole_number(
        None, low=0, high=256, zero_is_unset=True, **WORDS["pipeline_parallel"]
    )
    context: int = whole_number(8192, low=1, high=10_000_000, **WORDS["context"])
    batch: int = whole_number(1, low=1, high=4096, **WORDS["batch"])
    cache_format: str = choice("fp16", **WORDS["cache_format"])
    active_share: float = decimal(1.0, low=0.01, high=1.0, step=0.05, **WORDS["active_share"])
    speculative_tokens: int | None = whole_number(
        None, low=0, high=16, zero_is_unset=True, **WORDS["speculative_tokens"]
    )
    acceptance: float = decimal(0.8, low=0.0, high=1.0, step=0.05, **WORDS["acceptance"])
    draft_share: float = decimal(0.05, low=0.0, high=1.0, step=0.01, **WORDS["draft_share"])
    latency: float = decimal(1.0, low=0.0, high=20.0, step=0.5, **WORDS["latency"])

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result. Without draft tokens, the draft model's settings cannot."""
        return super().applies(name) and (name not in DRAFTING or bool(self.speculative_tokens))

    def where_empty(self, name: str) -> str:
        """Return the text shown for an empty setting. For pipeline stages, it includes the resulting number."""
        words = super().where_empty(name)
        if name != "pipeline_parallel":
            return words
        release = load(pinned(self).release)
        on_chip = placed(self, release, chip=self.chip)
        if on_chip is None or not math.isfinite(on_chip.stages(tensor=self.tensor_parallel)):
            return words
        return f"{int(on_chip.stages(tensor=self.tensor_parallel)):,}, {words}"

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return a conflict if there are more pipeline stages than the model has layers."""
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
    """Return the model's architecture, with the chosen number of active parameters if given."""
    model = architecture(settings.model)
    if settings.active_share == 1:
        return model
    active = (model.parameters.active - model.parameters.lookup) * settings.active_share
    return replace(model, stated=replace(model.parameters, active=active, lookup=0.0))


def requested(settings: LatencyFloorSettings) -> Request:
    """Return the request that the settings describe."""
    return Request(
        context_tokens=settings.context,
        batch=settings.batch,
        weight_byte=FORMATS[settings.format],
        cache_byte=CACHE_FORMATS[settings.cache_format],
        draft_tokens=settings.speculative_tokens or 0,
        acceptance=settings.acceptance,
        draft_share=settings.draft_share,
    )


def placed(settings: LatencyFloorSettings, release: Release, *, chip: str) -> Placed | None:
    """Return the chosen model and requests on a kind of chip. None if the release lacks the chip's numbers."""
    linked = linked_chip(chip, release)
    if linked is None:
        return None
    linked = linked.with_latencies(settings.latency)
    return Placed(
        name=NAMES[chip], chip=linked, model=sized(settings), request=requested(settings), today=today(chip)
    )
