"""Results for /latency-floor: the model on the chosen chips, and its least time per token."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.latency_floor.enough_chips import MOST_CHIPS, Placed
from analysis.latency_floor.floor import Floor
from analysis.latency_floor.published import PublishedSpeed
from data.releases import Release
from views import wording, written
from views.latency_floor.published import speeds
from views.latency_floor.settings import LatencyFloorSettings

PARTS: dict[str, Any] = written.toml(__file__, name="parts.toml")
"""Names and colours of the parts of a token's time, keyed by name in Floor."""


@dataclass(frozen=True, kw_only=True)
class FloorAnswer:
    """The model on the chosen kind of chip. Other results are computed on first access and cached."""

    settings: LatencyFloorSettings
    release: Release
    placed: Placed

    @property
    def tensor(self) -> int:
        """Return the number of chips that share each layer."""
        return self.settings.tensor_parallel

    @cached_property
    def stages(self) -> int:
        """Return the number of pipeline stages, by default the fewest with which the model fits."""
        if self.settings.pipeline_parallel:
            return self.settings.pipeline_parallel
        needed = float(self.placed.stages(tensor=self.tensor))
        return int(needed) if math.isfinite(needed) else self.placed.model.n_layers

    @property
    def chips(self) -> int:
        """Return the total number of chips."""
        return self.tensor * self.stages

    @cached_property
    def floor(self) -> Floor:
        """Return the least time per token, divided into parts."""
        return self.placed.floor(tensor=self.tensor, stages=self.stages)

    @property
    def total_s(self) -> float:
        """Return the least time per token. [s]"""
        return float(self.floor.total_s)

    @cached_property
    def parts_s(self) -> dict[str, float]:
        """Return each part of the least time per token, keyed by the part's name. [s]"""
        return {name: float(getattr(self.floor, name)) for name in PARTS}

    @property
    def largest(self) -> str:
        """Return the name of the part that takes the most time."""
        return max(self.parts_s, key=self.parts_s.__getitem__)

    @property
    def largest_share(self) -> float:
        """Return the largest part's share of the time. [1]"""
        return min(self.parts_s[self.largest] / self.total_s, 1.0)

    @cached_property
    def best(self) -> int | None:
        """Return the best number of chips per layer, as in :attr:`Placed.best`. None if the model never fits."""
        return self.placed.best

    @cached_property
    def best_s(self) -> float:
        """Return the time per token with the best number of chips per layer. Infinite if the model never fits. [s]"""
        return float(self.placed.times(self.best or MOST_CHIPS))

    @cached_property
    def today_tokens_per_s(self) -> float:
        """Return one request's speed with current latencies. NaN if these are unknown. [tokens/s]"""
        return 1 / float(self.placed.today_s(tensor=self.tensor, stages=self.stages))

    @cached_property
    def groups(self) -> int:
        """Return the number of batches that the stages process at once."""
        return self.placed.groups(tensor=self.tensor, stages=self.stages)

    @property
    def fits(self) -> bool:
        """Return whether every chip can hold its part of the model and of the KV cache in memory."""
        return float(self.floor.memory_byte_per_chip) <= self.placed.chip.memory_capacity_byte * (1 + 1e-9)

    @property
    def published(self) -> list[PublishedSpeed]:
        """Return the published speeds on the chosen kind of chip."""
        return [speed for speed in speeds(self.release) if speed.chip == self.placed.name]


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds as text: 2.8 ms."""
    return f"{wording.significant(seconds * 1e3)} ms"
