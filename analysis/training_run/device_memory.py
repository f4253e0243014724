"""Parts of the memory that a training run needs on each accelerator."""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.hardware.machine import Machine
from analysis.model.activations import further_activation_byte, layer_activation_byte, stage_activation_byte
from analysis.model.architecture import Architecture
from analysis.model.training_states import GRADIENT_BYTE, WEIGHT_BYTE, training_states
from analysis.training_run.exchange_time import parameters_per_device
from analysis.training_run.plans import Plans, fullest_stage_layers, spare_places

USABLE_SHARE = 0.94
"""Share of memory that a run can use. The driver, kernels and communication buffers need the rest. [1]"""


@dataclass(frozen=True, kw_only=True)
class DeviceMemory:
    """Memory used on the fullest accelerator, split by use. Every array has the plans' shape. [byte]"""

    weight_byte: FloatArray
    gradient_byte: FloatArray
    optimizer_byte: FloatArray
    activation_byte: FloatArray
    working_byte: FloatArray

    @property
    def total_byte(self) -> FloatArray:
        """Return the total memory. [byte]"""
        return reduce(np.add, self.parts().values())

    def parts(self) -> dict[str, FloatArray]:
        """Return every part of the memory, keyed by display name. [byte]"""
        return {
            "weights": self.weight_byte,
            "gradients": self.gradient_byte,
            "optimizer states": self.optimizer_byte,
            "activations": self.activation_byte,
            "working space": self.working_byte,
        }


def device_memory(
    model: Architecture, machine: Machine, *, plans: Plans, global_batch: FloatArray | float
) -> DeviceMemory:
    """Return the parts of the memory on the fullest accelerator. [byte]

    It is in the first pipeline stage, or in the second if the first has a layer fewer. States are sharded over data-
    and context-parallel devices by the ZeRO stage, experts' states over the devices that store the same experts.
    ``working_byte`` is temporary: the layer being run or recomputed, and the weights gathered for it under stage 3.
    Gated layers recompute their product. Fused attention stores no dropout masks, as models of its time train without
    dropout.

    References
    ----------
    Rajbhandari et al., "ZeRO", SC 2020, section 5; Korthikanti et al., arXiv:2205.05198, section 4.
    """
    p = plans.pipeline_parallel
    most = fullest_stage_layers(model.n_layers, pipeline_parallel=p)
    short = spare_places(model.n_layers, pipeline_parallel=p) >= 2
    first = _stage_memory(
        model, machine, plans=plans, global_batch=global_batch, layers=most - short, stage=0
    )
    if not short.any():
        return first
    second = _stage_memory(model, machine, plans=plans, global_batch=global_batch, layers=most, stage=1)
    later = short & (second.total_byte > first.total_byte)
    each = {item.name for item in fields(DeviceMemory)}
    return DeviceMemory(
        **{name: np.where(later, getattr(second, name), getattr(first, name)) for name in each}
    )


def _stage_memory(
    model: Architecture,
    machine: Machine,
    *,
    plans: Plans,
    global_batch: FloatArray | float,
    layers: FloatArray,
    stage: int,
) -> DeviceMemory:
    """Return the parts of an accelerator's memory in the first or second stage, which has ``layers`` layers. [byte]"""
    c, d = np.asarray(plans.context_parallel), np.asarray(plans.data_parallel)
    own = parameters_per_device(model, plans=plans, layers=layers, embedded=stage == 0)
    states = training_states(own.common, data_parallel=own.replicas, zero_stage=plans.zero_stage)
    if model.n_experts > 1:
        states += training_states(own.routed, data_parallel=own.routed_replicas, zero_stage=plans.zero_stage)
    micro_batches = global_batch / (d * np.asarray(plans.micro_batch))
    # Unfused attention scores span the whole sequence; the tokens are those of one device.
    sequence = model.sequence_length / c
    width = 4.0 * model.active_feed_forward / model.hidden_size
    grouped = (4.0 + 4.0 * model.key_value_heads / model.n_heads) * model.attention_width / model.hidden_size

    def layer(recompute: object) -> FloatArray:
        return layer_activation_byte(
            sequence_length=sequence,
            micro_batch=plans.micro_batch,
            hidden_size=model.hidden_size,
            n_heads=model.n_heads,
            tensor_parallel=plans.tensor_parallel,
            recompute=recompute,  # type: ignore[arg-type]
            fused_attention=machine.fused_attention,
            feed_forward_byte=width,
            attention_byte=grouped,
            outside_byte=8.0 if machine.fused_attention else 10.0,
        )

    kept = layer(np.asarray(plans.recompute, dtype=int))
    # A recomputed layer's input stays sharded over the tensor-parallel devices.
    kept = np.where(np.asarray(plans.recompute) == 2, kept / np.asarray(plans.tensor_parallel), kept)
    held = stage_activation_byte(
        kept,
        n_layers=layers * np.asarray(plans.pipeline_parallel),
        pipeline_parallel=plans.pipeline_parallel,
        interleave=plans.interleave,
        micro_batches=micro_batches,
        stage=stage,
    )
    held = held + further_activation_byte(
        sequence_length=sequence,
        micro_batch=plans.micro_batch,
        hidden_size=model.hidden_size,
        vocabulary_size=model.vocabulary_size,
        tensor_parallel=plans.tensor_parallel,
        pipeline_parallel=plans.pipeline_parallel,
    )
    per_layer = own.total / np.maximum(layers, 1)
    third = np.asarray(plans.zero_stage) >= 3
    # Two layers' weights and one's gradients, but never more than the rank would store unsharded.
    gathered = np.minimum(
        (2 * WEIGHT_BYTE + GRADIENT_BYTE) * per_layer, WEIGHT_BYTE * own.total - states.weight_byte
    )
    gathered = np.where(third, gathered, 0.0)
    return DeviceMemory(
        weight_byte=states.weight_byte,
        gradient_byte=states.gradient_byte,
        optimizer_byte=states.optimizer_byte,
        activation_byte=held,
        working_byte=layer(0) + gathered,
    )


def fits(memory: DeviceMemory, machine: Machine) -> NDArray[np.bool_]:
    """Return a mask, in the shape of the plans, of plans that leave the machine's memory reserve free."""
    return memory.total_byte <= USABLE_SHARE * machine.chip.memory_capacity_byte


def lacking_words(needed_byte: float, machine: Machine) -> str:
    """Return the needed and the usable memory as text. Rounding never makes the two equal."""
    need, usable, capacity = needed_and_usable(needed_byte, machine)
    return f"{need} GB on each, but only {usable} of {capacity} GB can be used"


def needed_and_usable(needed_byte: float, machine: Machine) -> tuple[str, str, str]:
    """Return the needed, usable and total memory in GB, as text. Rounding never makes the first two equal."""

    def gigabytes(size_byte: float, *, rounded: Callable[[float], int]) -> str:
        digits = 1 if size_byte < 100e9 else 0
        return f"{rounded(size_byte * 10**digits / 1e9) / 10**digits:,.{digits}f}".removesuffix(".0")

    need = gigabytes(needed_byte - 1.0, rounded=math.ceil)
    capacity = machine.chip.memory_capacity_byte
    usable = gigabytes(USABLE_SHARE * capacity + 1.0, rounded=math.floor)
    return need, usable, gigabytes(capacity, rounded=round)
