"""Every way to split a run over so many accelerators: the plans worth trying."""

from functools import lru_cache

import numpy as np

from analysis.model.architecture import Architecture
from analysis.training_run.device_memory import DeviceMemory
from analysis.training_run.plans import Plans

MICRO_BATCHES = (1, 2, 4, 8, 16)
MOST_TENSOR = 64
MOST_CONTEXT = 64
MOST_INTERLEAVE = 16


class NoPlanFits(ValueError):  # noqa: N818 - the reader's word for it
    """No plan of the run fits the machine; the text says what to change, ``leanest`` what the leanest plan needs."""

    def __init__(self, text: str, *, leanest: DeviceMemory | None = None) -> None:
        """Take the text, and the memory of the leanest plan where one could be tried."""
        super().__init__(text)
        self.leanest = leanest


def candidates(
    model: Architecture,
    *,
    accelerators: int,
    global_batch: int,
    overlap: float,
    domain_size: int = 8,
    fused_attention: bool = False,
) -> Plans:
    """Return every way to split the run over exactly ``accelerators`` that may be the fastest, as flat arrays.

    Tensor parallelism in powers of two that divide the heads, at most two scale-up domains wide; pipeline
    stages with at least one layer each; context parallelism only where the sequence is long (8,192 tokens
    and more a device); expert parallelism up to the number of experts; interleaving that adds no layer to the
    fullest stage; the ZeRO stages of :func:`zero_stages` and all kinds of recomputation. Two kinds are left out, as
    another of the same split is never slower nor larger: ZeRO stage 0 where there is a rank to split the
    optimizer's states with, and selective recomputation where ``fused_attention`` writes no scores to recompute.
    """
    rows: list[tuple[int, ...]] = []
    for t in _powers(min(MOST_TENSOR, 2 * domain_size, accelerators)):
        if model.n_heads % t or accelerators % t:
            continue
        for c in _powers(min(MOST_CONTEXT, max(model.sequence_length // 8192, 1))):
            if accelerators % (t * c) or model.sequence_length % c:
                continue
            for p in _divisors(accelerators // (t * c), most=model.n_layers):
                d = accelerators // (t * c * p)
                if d > global_batch or global_batch % d:
                    continue
                rows.extend(
                    (t, c, p, d, b, v) for b, v in _schedules(model, sequences=global_batch // d, stages=p)
                )
    experts = [e for e in _powers(model.n_experts) if model.n_experts % e == 0]
    if not rows:
        raise NoPlanFits(
            f"no plan splits {accelerators:,} accelerators over a batch of {global_batch:,} sequences; choose a "
            f"number of accelerators with small divisors, or a larger batch."
        )
    t, c, p, d, b, v = np.array(rows, dtype=np.float64).T
    e, z = np.array(experts, dtype=np.float64), np.arange(4.0)
    r = np.array([0.0, 2.0] if fused_attention else [0.0, 1.0, 2.0])
    spread = d[:, None] % e == 0
    staged = ((p[:, None] == 1) | (z <= max(zero_stages(2)))) & ((z > 0) == (d * c > 1)[:, None])
    sound = spread[:, :, None, None] & staged[:, None, :, None] & np.ones(len(r), dtype=bool)
    row, with_e, with_z, with_r = np.nonzero(sound)
    t, c, p, d, b, v = (column[row] for column in (t, c, p, d, b, v))
    e, z, r = e[with_e], z[with_z], r[with_r]
    return Plans(
        tensor_parallel=t,
        context_parallel=c,
        pipeline_parallel=p,
        data_parallel=d,
        expert_parallel=e,
        micro_batch=b,
        interleave=v,
        zero_stage=z,
        recompute=r,
        overlap=overlap,
    )


def zero_stages(pipeline_parallel: int) -> tuple[int, ...]:
    """Return the ZeRO stages a run may be given that does not say its own: 0 and 1 alone with a pipeline.

    Its stages would reduce gradients (2) and gather weights (3) for every one of many micro-batches.

    References
    ----------
    DeepSpeed, deepspeed/runtime/pipe/engine.py, which refuses stages 2 and 3 with a pipeline.
    """
    return (0, 1, 2, 3) if pipeline_parallel == 1 else (0, 1)


def _powers(most: int) -> list[int]:
    return [2**k for k in range(max(most, 1).bit_length()) if 2**k <= most]


def _divisors(number: int, *, most: int) -> list[int]:
    return [k for k in range(1, min(number, most) + 1) if number % k == 0]


def _schedules(model: Architecture, *, sequences: int, stages: int) -> list[tuple[int, int]]:
    """Return the micro-batch sizes and interleavings of ``sequences`` for each data-parallel rank."""
    schedules = []
    for b in MICRO_BATCHES:
        if sequences % b:
            continue
        schedules.append((b, 1))
        if stages > 1 and sequences // b >= stages:
            schedules.extend((b, v) for v in interleavings(model.n_layers, stages=stages) if v > 1)
    return schedules


@lru_cache(maxsize=4096)
def interleavings(n_layers: int, *, stages: int) -> tuple[int, ...]:
    """Return how many pieces a stage's layers can be cut into without adding a layer to the fullest stage."""
    most = -(-n_layers // stages)
    return tuple(
        v for v in range(1, min(most, MOST_INTERLEAVE) + 1) if -(-n_layers // (stages * v)) * v == most
    )
