"""Time per token with current latencies of kernel launches and communication."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.hardware.chip import Chip
from analysis.latency_floor.floor import ALL_REDUCES_PER_LAYER, Request, latency_floor, resident_byte
from analysis.model.architecture import Architecture


@dataclass(frozen=True, kw_only=True)
class Today:
    """Current latencies of a kind of chip. None for those that do not apply. [s]

    ``launch_s`` separates two kernels, of which a layer has ``launches_per_layer``. An all-reduce takes ``exchange_s``
    plus ``exchange_step_s`` for each of its 2 (n - 1) steps among at most ``exchange_ranks`` chips (beyond, switches
    reduce), plus ``exchange_network_s`` for each of 2 log2 of its domains. ``link_hop_s`` is a hop between chips,
    ``core_hop_s`` one between cores. If ``in_a_row``, the chips work one after another, each on its own part of the
    model.
    """

    launch_s: float | None = None
    launches_per_layer: float = 0.0
    exchange_s: float | None = None
    exchange_step_s: float = 0.0
    exchange_ranks: float = 8.0
    exchange_network_s: float = 0.0
    link_hop_s: float | None = None
    core_hop_s: float | None = None
    in_a_row: bool = False

    def __post_init__(self) -> None:
        times = (self.launch_s, self.exchange_s, self.exchange_step_s, self.exchange_network_s)
        for value in (*times, self.link_hop_s, self.core_hop_s, self.launches_per_layer):
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise ValueError(f"latencies and counts of today are 0 or more; got {value}.")

    def all_reduce_s(self, ranks: ArrayLike, *, domain_size: int) -> FloatArray:
        """Return the time of a small all-reduce among ``ranks`` chips. Zero for one chip. [s]"""
        n = np.asarray(ranks, dtype=np.float64)
        inside = np.minimum(np.minimum(n, domain_size), self.exchange_ranks)
        domains = np.ceil(n / domain_size)
        taken = (
            (self.exchange_s or 0.0)
            + 2 * (inside - 1) * self.exchange_step_s
            + 2 * np.log2(domains) * self.exchange_network_s
        )
        return np.where(n > 1, taken, 0.0)


def today_s(
    model: Architecture,
    request: Request,
    *,
    chip: Chip,
    today: Today,
    tensor_parallel: ArrayLike,
    pipeline_parallel: ArrayLike,
) -> FloatArray:
    """Return the time per token with peak bandwidth and today's latencies. It is never below the floor. [s]

    Reads stay at peak bandwidth; only launches, communication and hops use current latencies.
    """
    split = {"tensor_parallel": tensor_parallel, "pipeline_parallel": pipeline_parallel}
    least = latency_floor(model, request, chip=chip, **split).total_s
    if today.in_a_row:
        chips = np.asarray(tensor_parallel, dtype=np.float64) * np.asarray(
            pipeline_parallel, dtype=np.float64
        )
        return np.maximum(_in_a_row_s(model, request, chip=chip, today=today, chips=chips), least)
    met = latency_floor(model, request, chip=_with_hops_of(today, chip), **split)
    layers, per_pass = model.n_layers, request.tokens_per_pass
    drafted = request.draft_tokens * request.draft_share ** (1 / 3)
    launches = (1 + drafted) / per_pass * layers * today.launches_per_layer * (today.launch_s or 0.0)
    waiting = met.latency_s
    if today.exchange_s is not None:
        each = today.all_reduce_s(tensor_parallel, domain_size=chip.domain_size)
        waiting = np.maximum(ALL_REDUCES_PER_LAYER * layers * each / per_pass, waiting)
    rest = met.total_s - met.latency_s - met.steps_s
    return np.maximum(rest + waiting + np.maximum(launches, met.steps_s), least)


def _with_hops_of(today: Today, chip: Chip) -> Chip:
    """Return the chip with its current hop times between cores and between chips."""
    if today.core_hop_s is not None and chip.mesh is not None:
        chip = replace(chip, mesh=replace(chip.mesh, hop_s=max(chip.mesh.hop_s, today.core_hop_s)))
    if today.link_hop_s is not None:
        chip = replace(chip, link_latency_s=max(chip.link_latency_s, today.link_hop_s))
    return chip


def _in_a_row_s(
    model: Architecture, request: Request, *, chip: Chip, today: Today, chips: FloatArray
) -> FloatArray:
    """Return the time per token if the chips work in sequence, each on its part of the model. [s]"""
    one = latency_floor(model, request, chip=chip)
    fewest = np.ceil(float(resident_byte(model, request)) / chip.memory_capacity_byte - 1e-9)
    hop = chip.link_latency_s if today.link_hop_s is None else max(today.link_hop_s, chip.link_latency_s)
    passes = (1 + request.draft_tokens) / request.tokens_per_pass
    return one.total_s + passes * np.minimum(chips, fewest) * hop
