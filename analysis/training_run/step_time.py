"""Parts of the time of one training step."""

from dataclasses import dataclass, fields, replace
from functools import reduce

import numpy as np

from analysis.arrays import FloatArray
from analysis.hardware.machine import Machine
from analysis.hardware.roofline import ADAM_BYTE_PER_PARAMETER
from analysis.model.architecture import Architecture
from analysis.training_run.exchange_time import ExchangeTime, exchange_time, parameters_per_device
from analysis.training_run.layer_time import SUSTAINED, layer_time, output_layer_s
from analysis.training_run.plans import Plans, fullest_stage_layers, largest_piece_layers, spare_places


@dataclass(frozen=True, kw_only=True)
class StepTime:
    """Parts of the time of one step, in the plans' shape. Communication excludes overlapped time. [s]"""

    matrix_s: FloatArray
    attention_s: FloatArray
    memory_bound_s: FloatArray
    tensor_s: FloatArray
    context_s: FloatArray
    expert_s: FloatArray
    pipeline_s: FloatArray
    data_s: FloatArray
    imbalance_s: FloatArray
    bubble_s: FloatArray
    optimizer_s: FloatArray
    jitter_s: FloatArray

    @property
    def total_s(self) -> FloatArray:
        """Return the total time of the step. [s]"""
        return reduce(np.add, self.parts().values())

    def paced(self, pace: float) -> "StepTime":
        """Return the step time with all parts divided by the pace."""
        if pace == 1.0:
            return self
        return StepTime(**{item.name: getattr(self, item.name) / pace for item in fields(self)})

    def parts(self) -> dict[str, FloatArray]:
        """Return every part of the step time, keyed by name. [s]"""
        return {item.name: getattr(self, item.name) for item in fields(self)}


def step_time(
    model: Architecture,
    machine: Machine,
    *,
    plans: Plans,
    global_batch: FloatArray | float,
    exchange: ExchangeTime | None = None,
) -> StepTime:
    """Return the parts of the time of a step over ``global_batch`` sequences. Shapes broadcast. [s]

    The slowest pipeline stage sets the pace: the one with most layers, or the last with the output layer added. Stages
    then wait p - 1 times for the largest piece of a micro-batch. Data-parallel traffic overlaps with computing up to
    the plan's ``overlap``; stage 3 gathers the weights twice for each micro-batch. Expert-parallel communication
    overlaps up to the machine's ``expert_overlap`` and the layer's computing time. Every step waits for the slowest
    accelerator: their spread times sqrt(2 ln n). The machine's pace divides all parts. ``exchange`` is the
    communication time of the plans, computed if not given.

    References
    ----------
    Narayanan et al., arXiv:2104.04473, sections 2.2 and 3; Rajbhandari et al., "ZeRO", SC 2020, section 7; DeepSeek-AI,
    "DeepSeek-V3 Technical Report", arXiv:2412.19437, section 3.2.1 (DualPipe); for the slowest of n, Cramer,
    "Mathematical Methods of Statistics", 1946, section 28.6.
    """
    layer = layer_time(model, machine, plans=plans)
    exchange = exchange or exchange_time(model, machine, plans=plans)
    p, v, d = (np.asarray(x) for x in (plans.pipeline_parallel, plans.interleave, plans.data_parallel))
    micro_batches = global_batch / (d * np.asarray(plans.micro_batch))
    output = output_layer_s(model, machine, plans=plans)

    # Attention over one block of the sequence overlaps with communication of the next.
    context = np.maximum(exchange.context_s - np.asarray(plans.overlap) * layer.attention_s, 0.0)
    # If the software can, one micro-batch computes while the experts of another exchange its tokens.
    expert = exchange.expert_s - np.minimum(machine.expert_overlap * exchange.expert_s, layer.total_s)
    per_layer = layer.total_s + exchange.tensor_s + context + expert
    most = fullest_stage_layers(model.n_layers, pipeline_parallel=p)
    piece = largest_piece_layers(model.n_layers, pipeline_parallel=p, interleave=v) / most
    spare = spare_places(model.n_layers, pipeline_parallel=p)
    last = np.maximum(most - np.where(spare >= 2, spare - 1, spare), 0)
    slowest = np.maximum(most * per_layer, last * per_layer + output)
    even = (model.n_layers * per_layer + output) / p
    hop = np.where(p > 1, v * exchange.stage_s * (1 - np.asarray(plans.overlap)), 0.0)
    bubble = (p - 1) * piece * (slowest + hop)

    layers = model.n_layers / p * micro_batches
    data = _data_parallel_s(plans, exchange, micro_batches=micro_batches, even=even)
    stage = np.asarray(plans.zero_stage)
    own = parameters_per_device(model, plans=plans)
    split = stage >= 1
    optimizer = own.common / np.where(split, own.replicas, 1.0)
    optimizer = optimizer + own.routed / np.where(split, own.routed_replicas, 1.0)
    optimizer = (
        optimizer * ADAM_BYTE_PER_PARAMETER / (machine.chip.memory_bandwidth_byte_per_s * SUSTAINED.memory)
    )
    busy = slowest * micro_batches
    spread = machine.jitter * np.sqrt(2 * np.log(plans.accelerators))
    return StepTime(
        matrix_s=layers * layer.matrix_s + output / p * micro_batches,
        attention_s=layers * layer.attention_s,
        memory_bound_s=layers * layer.memory_bound_s,
        tensor_s=layers * exchange.tensor_s,
        context_s=layers * context,
        expert_s=layers * expert,
        pipeline_s=hop * micro_batches,
        data_s=data,
        imbalance_s=busy - even * micro_batches,
        bubble_s=bubble,
        optimizer_s=optimizer,
        jitter_s=spread * (busy + bubble),
    ).paced(machine.pace)


def least_step_s(
    model: Architecture, machine: Machine, *, plans: Plans, global_batch: FloatArray | float
) -> FloatArray:
    """Return a lower bound on each split's step time, whatever its expert parallelism and recomputation. [s]

    It assumes no recomputation, one expert per device, and no wait for communication between experts or data-parallel
    ranks. ``expert_parallel`` and ``recompute`` of the plans are ignored.
    """
    lightest = replace(plans, expert_parallel=model.n_experts, recompute=0)
    none = np.zeros(())
    exchange = exchange_time(model, machine, plans=lightest)
    exchange = replace(exchange, expert_s=none, gradient_s=none, gather_s=none)
    step = step_time(model, machine, plans=lightest, global_batch=global_batch, exchange=exchange)
    return step.total_s


def _data_parallel_s(
    plans: Plans, exchange: ExchangeTime, *, micro_batches: FloatArray, even: FloatArray
) -> FloatArray:
    """Return the time of data-parallel traffic that does not overlap. At most the share ``overlap`` can overlap. [s]

    Up to stage 2, gradients are reduced and weights gathered once a step, alongside one micro-batch; stage 3 gathers
    twice and reduces once for every micro-batch, alongside all of them.
    """
    gradient_s, gather_s = exchange.gradient_s, exchange.gather_s
    third = np.asarray(plans.zero_stage) >= 3
    overlap = np.asarray(plans.overlap)
    traffic = np.where(third, micro_batches * (2 * gather_s + gradient_s), gather_s + gradient_s)
    beside = np.where(third, micro_batches, 1.0) * even
    return traffic - np.minimum(overlap * traffic, overlap * beside)
