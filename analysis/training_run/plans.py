"""The plans that split a run, and what refuses those that cannot split a model, whatever the machine."""

import math
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.model.activations import RECOMPUTE_CODE
from analysis.model.architecture import Architecture

RECOMPUTE_NAMES = tuple(RECOMPUTE_CODE)


@dataclass(frozen=True, kw_only=True)
class Plans:
    """How the run is split, one entry per plan: every field is an array of the same shape, or one number.

    ``recompute`` is 0 none, 1 selective, 2 full; ``overlap`` is the share of data-parallel and pipeline
    traffic that may hide behind computing.
    """

    tensor_parallel: ArrayLike = 1
    pipeline_parallel: ArrayLike = 1
    data_parallel: ArrayLike = 1
    context_parallel: ArrayLike = 1
    expert_parallel: ArrayLike = 1
    interleave: ArrayLike = 1
    micro_batch: ArrayLike = 1
    zero_stage: ArrayLike = 1
    recompute: ArrayLike = 0
    overlap: ArrayLike = 0.5
    _shape: tuple[int, ...] = field(default=(), init=False, repr=False)

    def __post_init__(self) -> None:
        """Bring every field to one shape, and refuse degrees below one."""
        names = [item.name for item in fields(self) if item.init]
        arrays = np.broadcast_arrays(*(np.asarray(getattr(self, name), dtype=np.float64) for name in names))
        for name, values in zip(names, arrays, strict=True):
            lowest = 0.0 if name in ("zero_stage", "recompute", "overlap") else 1.0
            if values.size and not (values >= lowest).all():
                raise ValueError(
                    f"{name} is at least {lowest:g}; got {values.min():g}. Pass {lowest:g} for none."
                )
            object.__setattr__(self, name, values)
        object.__setattr__(self, "_shape", arrays[0].shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of every field."""
        return self._shape

    @property
    def accelerators(self) -> FloatArray:
        """Return how many accelerators each plan takes."""
        return (
            self.tensor_parallel * self.pipeline_parallel * self.data_parallel * self.context_parallel  # type: ignore[operator]
        )

    def one(self, name: str) -> float:
        """Return a field of a single plan as a number."""
        return float(np.ravel(getattr(self, name))[0])

    def at(self, index: int) -> "Plans":
        """Return one plan of a flat list of them."""
        names = [item.name for item in fields(self) if item.init]
        return Plans(**{name: float(np.ravel(getattr(self, name))[index]) for name in names})


class ImpossiblePlan(ValueError):  # noqa: N818 - the reader's word for it
    """A plan that cannot split the model or the batch; the text says why and what to change."""


def refuse_impossible(
    model: Architecture,
    *,
    global_batch: int,
    tensor_parallel: int = 1,
    pipeline_parallel: int = 1,
    data_parallel: int = 1,
    context_parallel: int = 1,
    expert_parallel: int = 1,
    interleave: int = 1,
    micro_batch: int = 1,
) -> None:
    """Refuse degrees that leave heads, layers, experts, sequences or tokens over.

    Raises
    ------
    ImpossiblePlan
        With the first reason found.
    """
    t, p, d, c = tensor_parallel, pipeline_parallel, data_parallel, context_parallel
    if model.n_heads % t:
        raise ImpossiblePlan(
            f"{t:,} tensor-parallel accelerators cannot share {model.n_heads:,} attention heads evenly; choose a "
            f"divisor of {model.n_heads:,}"
        )
    if p > model.n_layers:
        raise ImpossiblePlan(
            f"{p:,} pipeline stages are more than the model's {model.n_layers:,} layers; lower them"
        )
    most = math.ceil(model.n_layers / p)
    if interleave > most:
        raise ImpossiblePlan(
            f"{p:,} stages of {interleave:,} pieces are too many for {model.n_layers:,} layers, {most:,} on the "
            "fullest stage; lower the interleave"
        )
    if interleave > 1 and p == 1:
        raise ImpossiblePlan(
            f"pieces interleave between pipeline stages; got {interleave:,} pieces and one stage. Interleave 1 is none"
        )
    if model.sequence_length % c:
        raise ImpossiblePlan(
            f"a sequence of {model.sequence_length:,} tokens cannot be split evenly over {c:,} context-parallel "
            "accelerators; choose a divisor"
        )
    if model.n_experts % expert_parallel:
        raise ImpossiblePlan(
            f"{expert_parallel:,} expert-parallel accelerators cannot share {model.n_experts:,} "
            f"{'expert' if model.n_experts == 1 else 'experts'} evenly; choose a divisor of {model.n_experts:,}"
        )
    if (c * d) % expert_parallel:
        raise ImpossiblePlan(
            f"experts are spread over accelerators that share data and context, {c * d:,} here, of which "
            f"{expert_parallel:,} are no even part; choose a divisor of {c * d:,}"
        )
    if global_batch % (d * micro_batch):
        raise ImpossiblePlan(
            f"a batch of {global_batch:,} sequences cannot be split over {d:,} data-parallel devices in micro-batches "
            f"of {micro_batch:,}; change one of them"
        )
