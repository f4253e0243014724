"""Which plans cannot split a model, whatever the machine, and why."""

import math

from analysis.model.architecture import Architecture


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
