"""How many chips hold a model, how many are enough, and how fast each number of them can be."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.hardware.chip import Chip
from analysis.latency_floor.floor import Floor, Request, groups_under_way, latency_floor, resident_byte
from analysis.latency_floor.today import Today, today_s
from analysis.model.architecture import Architecture

MOST_CHIPS = 4096
"""The most chips sharing a layer that are tried."""

ENOUGH = 0.1
"""Where all further chips together save less than this share of the time, more no longer help."""


def fewest_chips(model: Architecture, request: Request, *, chip: Chip) -> int:
    """Return how many chips are needed to hold the model and the KV caches. [chips]"""
    return max(1, int(np.ceil(float(resident_byte(model, request)) / chip.memory_capacity_byte - 1e-9)))


def stages_needed(
    model: Architecture, request: Request, *, chip: Chip, tensor_parallel: ArrayLike
) -> FloatArray:
    """Return the fewest pipeline stages that hold the model; inf where it has too few layers for them.

    Stages hold whole layers, so the fullest decides.
    """
    room = chip.memory_capacity_byte * np.asarray(tensor_parallel, dtype=np.float64)
    layers = np.floor(room * model.n_layers / float(resident_byte(model, request)) + 1e-9)
    return np.where(layers >= 1, np.ceil(model.n_layers / np.maximum(layers, 1)), np.inf)


def fastest_by_chips(model: Architecture, request: Request, *, chip: Chip, chips: ArrayLike) -> FloatArray:
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


def best_chips(model: Architecture, request: Request, *, chip: Chip, most: int = MOST_CHIPS) -> int | None:
    """Return how many chips sharing each layer are enough, up to ``most``; None if no number holds the model.

    The fewest that come within :data:`ENOUGH` of the least time: beyond them reading is no longer what takes time.
    ``most`` itself where doubling up to it still saves more than that.
    """
    counts = np.arange(1, most + 1)
    times = fastest_by_chips(model, request, chip=chip, chips=counts)
    least = float(np.min(times))
    if not np.isfinite(least):
        return None
    if times[(most - 1) // 2] > times[-1] * (1 + ENOUGH):
        return most
    return int(counts[np.argmax(times <= least * (1 + ENOUGH))])


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A model and its requests on one kind of chip, with today's latencies where any are known of it."""

    name: str
    chip: Chip
    model: Architecture
    request: Request
    today: Today | None = None

    @property
    def peak_flop_per_s(self) -> float:
        """Return the peak that the requests' products can use, infinite where nobody states one. [FLOP/s]"""
        return self.chip.usable_peak(self.request.product_byte)

    def times(self, chips: ArrayLike) -> FloatArray:
        """Return the least time per token by number of chips sharing each layer; inf where none holds it. [s]"""
        return fastest_by_chips(self.model, self.request, chip=self.chip, chips=chips)

    def stages(self, *, tensor: ArrayLike) -> FloatArray:
        """Return the fewest pipeline stages of ``tensor`` chips that hold the model; inf where layers are too few."""
        return stages_needed(self.model, self.request, chip=self.chip, tensor_parallel=tensor)

    def floor(self, *, tensor: ArrayLike, stages: ArrayLike) -> Floor:
        """Return the least time per token, part by part, on ``stages`` of ``tensor`` chips."""
        return latency_floor(
            self.model, self.request, chip=self.chip, tensor_parallel=tensor, pipeline_parallel=stages
        )

    def today_s(self, *, tensor: ArrayLike, stages: ArrayLike) -> FloatArray:
        """Return the time per token with today's latencies; NaN where none are known of the chip. [s]"""
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
        """Return time per token with today's latencies by number of chips sharing each layer. [s]

        inf where none holds the model, NaN where no latencies of today are known.
        """
        stages = self.stages(tensor=chips)
        held = np.isfinite(stages)
        return np.where(held, self.today_s(tensor=chips, stages=np.where(held, stages, 1.0)), np.inf)

    def groups(self, *, tensor: int, stages: int) -> int:
        """Return how many batches can be under way at once: one in each stage, as far as their KV caches fit."""
        under_way = groups_under_way(
            self.model, self.request, chip=self.chip, tensor_parallel=tensor, pipeline_parallel=stages
        )
        return int(under_way)

    @property
    def resident_byte(self) -> float:
        """Return what all chips together must hold. [byte]"""
        return float(resident_byte(self.model, self.request))

    @property
    def fewest(self) -> int:
        """Return how many chips are needed to hold the model and the KV caches. [chips]"""
        return fewest_chips(self.model, self.request, chip=self.chip)

    @property
    def best(self) -> int | None:
        """Return how many chips sharing each layer are enough, None where no number holds the model."""
        return best_chips(self.model, self.request, chip=self.chip)

    def slows(self, *, tensor: int, best: int) -> bool:
        """Return whether sharing a layer over ``tensor`` chips is slower than over the ``best`` number of them."""
        fewer, many = self.times(np.array([best, tensor]))
        return tensor > best and bool(many > fewer * (1 + ENOUGH))
