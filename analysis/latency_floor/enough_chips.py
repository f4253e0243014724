"""Number of chips that a model needs, the number beyond which more chips do not help, and the speed at each number."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.hardware.chip import Chip
from analysis.latency_floor.floor import Floor, Request, groups_under_way, latency_floor, resident_byte
from analysis.latency_floor.today import Today, today_s
from analysis.model.architecture import Architecture

MOST_CHIPS = 4096
"""Maximum number of chips per layer to try."""

ENOUGH = 0.1
"""If all further chips together would save less than this share of the time, there are enough. [1]"""


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A model and its requests on one kind of chip, and the chip's current latencies if known."""

    name: str
    chip: Chip
    model: Architecture
    request: Request
    today: Today | None = None

    @property
    def peak_flop_per_s(self) -> float:
        """Return the peak for the requests' matmuls. Infinite if no peak is stated. [FLOP/s]"""
        return self.chip.usable_peak(self.request.product_byte)

    @property
    def resident_byte(self) -> float:
        """Return the memory that the model and the KV caches need on all chips together. [byte]"""
        return float(resident_byte(self.model, self.request))

    @property
    def fewest(self) -> int:
        """Return the minimum number of chips for the model and the KV caches."""
        return max(1, int(np.ceil(self.resident_byte / self.chip.memory_capacity_byte - 1e-9)))

    def stages(self, *, tensor: ArrayLike) -> FloatArray:
        """Return the fewest pipeline stages of ``tensor`` chips that can hold the model. Infinite if no number can.

        Stages consist of whole layers, so the fullest stage decides.
        """
        room = self.chip.memory_capacity_byte * np.asarray(tensor, dtype=np.float64)
        layers = np.floor(room * self.model.n_layers / self.resident_byte + 1e-9)
        return np.where(layers >= 1, np.ceil(self.model.n_layers / np.maximum(layers, 1)), np.inf)

    def floor(self, *, tensor: ArrayLike, stages: ArrayLike) -> Floor:
        """Return the minimum time per token on ``stages`` stages of ``tensor`` chips each, by part. [s]"""
        return latency_floor(
            self.model, self.request, chip=self.chip, tensor_parallel=tensor, pipeline_parallel=stages
        )

    def times(self, chips: ArrayLike) -> FloatArray:
        """Return the minimum time per token for each number of chips per layer. Infinite if the model does not fit. [s]

        Pipeline stages are added as memory requires.
        """
        counts = np.asarray(chips, dtype=np.float64)
        stages = self.stages(tensor=counts)
        held = np.isfinite(stages)
        return np.where(held, self.floor(tensor=counts, stages=np.where(held, stages, 1.0)).total_s, np.inf)

    @property
    def best(self) -> int | None:
        """Return how many chips per layer are enough. None if :data:`MOST_CHIPS` chips cannot hold the model.

        This is the smallest number within :data:`ENOUGH` of the least time, from which reading no longer dominates, or
        the largest number tried if doubling up to it still saves more.
        """
        counts = np.arange(1, MOST_CHIPS + 1)
        times = self.times(counts)
        least = float(np.min(times))
        if not np.isfinite(least):
            return None
        if times[(MOST_CHIPS - 1) // 2] > times[-1] * (1 + ENOUGH):
            return MOST_CHIPS
        return int(counts[np.argmax(times <= least * (1 + ENOUGH))])

    def today_s(self, *, tensor: ArrayLike, stages: ArrayLike) -> FloatArray:
        """Return the time per token with current latencies. NaN if the latencies are unknown. [s]"""
        if self.today is None:
            return np.full(np.broadcast(np.asarray(tensor), np.asarray(stages)).shape, np.nan)
        return today_s(
            self.model,
            self.request,
            chip=self.chip,
            today=self.today,
            tensor_parallel=tensor,
            pipeline_parallel=stages,
        )

    def today_times(self, chips: ArrayLike) -> FloatArray:
        """Return the time per token with current latencies, for each number of chips per layer. [s]

        The time is inf if the model does not fit, and NaN if current latencies are unknown.
        """
        stages = self.stages(tensor=chips)
        held = np.isfinite(stages)
        return np.where(held, self.today_s(tensor=chips, stages=np.where(held, stages, 1.0)), np.inf)

    def groups(self, *, tensor: int, stages: int) -> int:
        """Return how many batches can be in flight: one per stage, or fewer if their KV caches do not fit."""
        under_way = groups_under_way(
            self.model, self.request, chip=self.chip, tensor_parallel=tensor, pipeline_parallel=stages
        )
        return int(under_way)
