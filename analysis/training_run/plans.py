"""Plans that split a run, and checks for impossible plans."""

from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.model.activations import RECOMPUTE_CODE
from analysis.model.architecture import Architecture
from analysis.refusal import Refusal
from analysis.training_run.run import TrainingRun

RECOMPUTE_NAMES = tuple(RECOMPUTE_CODE)


@dataclass(frozen=True, kw_only=True)
class Plans:
    """Degrees of parallelism. Fields are numbers or arrays that broadcast to one entry per plan.

    ``recompute`` is 0 none, 1 selective, 2 full; ``overlap`` is the share of data-parallel and pipeline traffic that
    may overlap with computing.
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
        """Convert every field to an array. Raise an error if a degree is below one."""
        arrays: list[FloatArray] = []
        for item in fields(self):
            if not item.init:
                continue
            values = np.asarray(getattr(self, item.name), dtype=np.float64)
            lowest = 0.0 if item.name in ("zero_stage", "recompute", "overlap") else 1.0
            if values.size and not (values >= lowest).all():
                raise ValueError(
                    f"{item.name} is at least {lowest:g}; got {values.min():g}. Pass {lowest:g} for none."
                )
            object.__setattr__(self, item.name, values)
            arrays.append(values)
        object.__setattr__(self, "_shape", np.broadcast_shapes(*(values.shape for values in arrays)))

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape that the fields broadcast to."""
        return self._shape

    @property
    def accelerators(self) -> FloatArray:
        """Return the number of accelerators that each plan uses."""
        return (
            self.tensor_parallel * self.pipeline_parallel * self.data_parallel * self.context_parallel  # type: ignore[operator]
        )

    def one(self, name: str) -> float:
        """Return a field of a single plan as a number."""
        return float(np.ravel(getattr(self, name))[0])

    def at(self, index: int) -> "Plans":
        """Return the plan at a flat index. The last axis varies fastest."""
        names = [item.name for item in fields(self) if item.init]
        return Plans(
            **{name: float(np.broadcast_to(getattr(self, name), self.shape).flat[index]) for name in names}
        )


class ImpossiblePlan(Refusal):
    """Error for a plan that cannot split the model or the batch."""


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
    """Raise an error if degrees do not divide heads, layers, experts, sequences or tokens.

    Raises ImpossiblePlan with the first reason found.
    """
    t, p, d, c, e = tensor_parallel, pipeline_parallel, data_parallel, context_parallel, expert_parallel
    heads, layers, experts, most = model.n_heads, model.n_layers, model.n_experts, -(-model.n_layers // p)
    refusals = (
        (
            heads % t,
            f"{t:,} tensor-parallel accelerators cannot share {heads:,} attention heads evenly",
            f"choose a divisor of {heads:,}",
        ),
        (p > layers, f"{p:,} pipeline stages are more than the model's {layers:,} layers", "lower them"),
        (
            interleave > most,
            f"{p:,} stages of {interleave:,} pieces are too many for {layers:,} layers, {most:,} on the fullest stage",
            "lower the interleave",
        ),
        (
            interleave > 1 and p == 1,
            f"pieces interleave between pipeline stages; got {interleave:,} pieces and one stage",
            "Interleave 1 is none",
        ),
        (
            model.sequence_length % c,
            f"a sequence of {model.sequence_length:,} tokens cannot be split evenly over {c:,} context-parallel "
            "accelerators",
            "choose a divisor",
        ),
        (
            experts % e,
            f"{e:,} expert-parallel accelerators cannot share {experts:,} {'expert' if experts == 1 else 'experts'} "
            "evenly",
            f"choose a divisor of {experts:,}",
        ),
        (
            (c * d) % e,
            f"experts are spread over accelerators that share data and context, {c * d:,} here, of which {e:,} are no "
            "even part",
            f"choose a divisor of {c * d:,}",
        ),
        (
            global_batch % (d * micro_batch),
            f"a batch of {global_batch:,} sequences cannot be split over {d:,} data-parallel devices in micro-batches "
            f"of {micro_batch:,}",
            "change one of them",
        ),
    )
    for broken, reason, remedy in refusals:
        if broken:
            raise ImpossiblePlan(reason, remedy=remedy)


def fullest_stage_layers(n_layers: ArrayLike, *, pipeline_parallel: ArrayLike) -> FloatArray:
    """Return the number of layers in the fullest stage. [layers]

    Layers are whole: 96 and 128 on 64 stages both give two in the fullest, which decides time and memory.
    """
    layers, p = (np.asarray(x, dtype=np.float64) for x in (n_layers, pipeline_parallel))
    return np.ceil(layers / p)


def spare_places(n_layers: ArrayLike, *, pipeline_parallel: ArrayLike) -> FloatArray:
    """Return how many more layers would make all stages as full as the fullest. [layers]

    The first gap is on the last stage, which also has the output layer; the second is on the first stage, which keeps
    the most micro-batches in flight; all others are on the last, as far as possible.

    References
    ----------
    Llama Team, "The Llama 3 Herd of Models", arXiv:2407.21783, section 3.3.2: 126 layers on 16 stages, one fewer on the
    first and on the last.
    """
    layers, p = (np.asarray(x, dtype=np.float64) for x in (n_layers, pipeline_parallel))
    return fullest_stage_layers(layers, pipeline_parallel=p) * p - layers


def largest_piece_layers(
    n_layers: ArrayLike, *, pipeline_parallel: ArrayLike, interleave: ArrayLike
) -> FloatArray:
    """Return the number of layers in the largest of a stage's ``interleave`` pieces. [layers]

    Each stage fills and drains by one piece: 126 layers on 16 stages of 7 pieces give pieces of one and two.
    """
    layers, p, v = (np.asarray(x, dtype=np.float64) for x in (n_layers, pipeline_parallel, interleave))
    return np.ceil(layers / (p * v))


def plan_by_hand(
    run: TrainingRun,
    *,
    tensor_parallel: int,
    pipeline_parallel: int,
    context_parallel: int,
    interleave: int,
    **others: int,
) -> Plans:
    """Return the plan with the given degrees. Data parallelism takes the remaining accelerators.

    ``others`` are expert parallelism, micro-batch, ZeRO stage and recomputation, as in :class:`Plans`.

    Raises ImpossiblePlan if the degrees do not divide the accelerators, the batch or the model.
    """
    accelerators, one_copy = run.accelerators, tensor_parallel * pipeline_parallel * context_parallel
    if accelerators % one_copy:
        raise ImpossiblePlan(
            f"tensor × pipeline × context parallel is {one_copy:,}, which does not divide {accelerators:,} "
            "accelerators",
            remedy="change one of them, or use the fastest plan",
        )
    degrees = {
        "tensor_parallel": tensor_parallel,
        "pipeline_parallel": pipeline_parallel,
        "context_parallel": context_parallel,
        "data_parallel": accelerators // one_copy,
        "interleave": interleave if pipeline_parallel > 1 else 1,
        "expert_parallel": others["expert_parallel"],
        "micro_batch": others["micro_batch"],
    }
    refuse_impossible(run.model, global_batch=run.global_batch, **degrees)
    return Plans(
        **degrees, zero_stage=others["zero_stage"], recompute=others["recompute"], overlap=run.overlap
    )
