"""Candidate plans: every way to split a run over its accelerators."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from analysis.arrays import BoolArray, FloatArray, IntArray
from analysis.refusal import Refusal
from analysis.training_run.device_memory import DeviceMemory
from analysis.training_run.plans import Plans
from analysis.training_run.run import TrainingRun

MICRO_BATCHES = (1, 2, 4, 8, 16)
MOST_TENSOR = 64
MOST_CONTEXT = 64
MOST_INTERLEAVE = 16


class NoPlanFits(Refusal):
    """Error if no plan of a run fits the machine. ``leanest`` is the least memory that any evaluated plan needs."""

    def __init__(self, reason: str, *, remedy: str, leanest: DeviceMemory | None = None) -> None:
        """Store the reason, the remedy and the least memory that any evaluated plan needs."""
        super().__init__(reason, remedy=remedy)
        self.leanest = leanest


SPLIT = (
    "tensor_parallel",
    "context_parallel",
    "pipeline_parallel",
    "data_parallel",
    "micro_batch",
    "interleave",
    "zero_stage",
)


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """Candidate plans: every combination of split, degree of expert parallelism and kind of recomputation.

    ``splits`` has shape (n, 7), a column for each name in ``SPLIT``; ``expert_parallel`` has shape (e,), ``recompute``
    shape (k,). Quantities that depend only on the split are computed once per split.
    """

    splits: FloatArray
    expert_parallel: FloatArray
    recompute: FloatArray
    overlap: float

    def plans(self) -> Plans:
        """Return the plans, shape (n, e, k), including those that are not ``sound``."""
        split = dict(zip(SPLIT, self.splits.T[..., None, None], strict=True))
        return Plans(
            **split,
            expert_parallel=self.expert_parallel[:, None],
            recompute=self.recompute,
            overlap=self.overlap,
        )

    def splits_alone(self) -> Plans:
        """Return the splits, shape (n,), without expert parallelism or recomputation."""
        return Plans(**dict(zip(SPLIT, self.splits.T, strict=True)), overlap=self.overlap)

    @property
    def number(self) -> int:
        """Return the number of sound plans."""
        return int(self.sound().sum()) * len(self.recompute)

    def sound(self) -> BoolArray:
        """Return a mask, shape (n, e, 1), of plans whose expert-parallel degree divides the data-parallel degree."""
        ranks = self.splits[:, SPLIT.index("data_parallel"), None, None]
        return ranks % self.expert_parallel[:, None] == 0

    def at(self, rows: slice | IntArray) -> "Candidates":
        """Return the plans of the splits in ``rows``."""
        return replace(self, splits=self.splits[rows])


def candidates(run: TrainingRun) -> Candidates:
    """Return every split of the run that uses all its accelerators and may be the fastest.

    Tensor parallelism is in powers of two that divide the heads, at most two scale-up domains wide; pipeline stages
    have at least one layer each; context parallelism is used only for long sequences (at least 8,192 tokens a device);
    expert parallelism goes up to the number of experts; interleaving adds no layer to the fullest stage. The ZeRO
    stages are those of :func:`zero_stages`, with all kinds of recomputation. Two kinds are excluded because another
    plan of the same split is never slower or larger: ZeRO stage 0 if optimizer states can be sharded, and selective
    recomputation if fused attention writes no scores.

    Raises NoPlanFits if the batch cannot be split over that many accelerators.
    """
    model, accelerators = run.model, run.accelerators
    splits = _splits(
        accelerators=accelerators,
        global_batch=run.global_batch,
        most_tensor=min(MOST_TENSOR, 2 * run.machine.chip.domain_size, accelerators),
        n_heads=model.n_heads,
        n_layers=model.n_layers,
        sequence_length=model.sequence_length,
    )
    if not len(splits):
        raise NoPlanFits(
            f"no plan splits {accelerators:,} accelerators over a batch of {run.global_batch:,} sequences",
            remedy="choose a number of accelerators with small divisors, or a larger batch.",
        )
    experts = [e for e in _powers(model.n_experts) if model.n_experts % e == 0]
    return Candidates(
        splits=splits,
        expert_parallel=np.array(experts, dtype=np.float64),
        recompute=np.array([0.0, 2.0] if run.machine.fused_attention else [0.0, 1.0, 2.0]),
        overlap=run.overlap,
    )


@lru_cache(maxsize=64)
def _splits(
    *,
    accelerators: int,
    global_batch: int,
    most_tensor: int,
    n_heads: int,
    n_layers: int,
    sequence_length: int,
) -> FloatArray:
    """Return the splits, shape (n, 7), with a column for each name in ``SPLIT``. The largest result takes 1 MB."""
    rows: list[tuple[int, ...]] = []
    for t in _powers(most_tensor):
        if n_heads % t or accelerators % t:
            continue
        for c in _powers(min(MOST_CONTEXT, max(sequence_length // 8192, 1))):
            if accelerators % (t * c) or sequence_length % c:
                continue
            for p in range(1, min(accelerators // (t * c), n_layers) + 1):
                d, rest = divmod(accelerators, t * c * p)
                if rest or d > global_batch or global_batch % d:
                    continue
                stages = [z for z in zero_stages(p) if z > 0] if d * c > 1 else [0]
                rows.extend(
                    (t, c, p, d, b, v, z)
                    for b, v in _schedules(n_layers, sequences=global_batch // d, stages=p)
                    for z in stages
                )
    splits = np.array(rows, dtype=np.float64).reshape(-1, len(SPLIT))
    splits.flags.writeable = False
    return splits


def zero_stages(pipeline_parallel: int) -> tuple[int, ...]:
    """Return the ZeRO stages to try for a run that states none. With a pipeline, only 0 and 1 are tried.

    Stages 2 and 3 would reduce gradients and gather weights for each of many micro-batches.

    References
    ----------
    DeepSpeed, deepspeed/runtime/pipe/engine.py, which rejects stages 2 and 3 with a pipeline.
    """
    return (0, 1, 2, 3) if pipeline_parallel == 1 else (0, 1)


def _powers(most: int) -> list[int]:
    return [2**k for k in range(max(most, 1).bit_length()) if 2**k <= most]


def _schedules(n_layers: int, *, sequences: int, stages: int) -> list[tuple[int, int]]:
    """Return the micro-batch sizes and interleavings for ``sequences`` per data-parallel rank."""
    schedules = []
    for b in MICRO_BATCHES:
        if sequences % b:
            continue
        schedules.append((b, 1))
        if stages > 1 and sequences // b >= stages:
            schedules.extend((b, v) for v in interleavings(n_layers, stages=stages) if v > 1)
    return schedules


@lru_cache(maxsize=4096)
def interleavings(n_layers: int, *, stages: int) -> tuple[int, ...]:
    """Return the numbers of pieces into which a stage can be split without adding layers to the fullest stage."""
    most = -(-n_layers // stages)
    return tuple(
        v for v in range(1, min(most, MOST_INTERLEAVE) + 1) if -(-n_layers // (stages * v)) * v == most
    )
