"""Workloads on a roofline: their arithmetic intensity, and the resource that limits them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.hardware import roofline
from analysis.hardware.roofline import Roof, attainable_flop_per_s

HIDDEN, FEED_FORWARD = 8192, 28672
HEADS, KEY_VALUE_HEADS, HEAD_SIZE = 64, 8, 128
CONTEXT_TOKENS = 8192
EXPERTS, ACTIVE_EXPERTS = 256, 8
EXPERT_HIDDEN, EXPERT_FEED_FORWARD = 7168, 2048
BYTE_OF = {"fp32": 4.0, "tf32": 4.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "fp4": 0.5}
"""Size of an operand in each format. [byte]"""

Kind = Literal[
    "optimizer",
    "decode-cache",
    "decode-one",
    "decode-batch",
    "experts",
    "attention-unfused",
    "prefill",
    "attention-fused",
    "training",
]
Bound = Literal["memory", "compute"]


@dataclass(frozen=True, kw_only=True)
class Workload:
    """A kind of work: its intensity [FLOP/byte], and the number of tokens that share one read of the weights.

    ``tokens`` is None if more of them cannot raise the intensity.
    """

    kind: Kind
    intensity: float
    tokens: int | None = None

    def bound_by(self, roof: Roof) -> Bound:
        """Return the resource, compute or memory, that limits the work. Below the ridge point, it is memory."""
        return "memory" if self.intensity < roof.machine_balance else "compute"


@dataclass(frozen=True, kw_only=True)
class PlacedWorkload:
    """Work under a roof: attainable throughput [FLOP/s], share of peak, and limiting resource."""

    workload: Workload
    attainable_flop_per_s: float
    share_of_peak: float
    bound_by: Bound


def workloads(*, precision: str, batch: int, prompt: int, tokens: int) -> tuple[Workload, ...]:
    """Return the workloads of the roofline at a precision, lowest intensity first.

    ``batch`` requests decode together, prefill processes ``prompt`` tokens at once, and each device trains on
    ``tokens``. Activations use the format's bytes, at least one.
    """
    operand = BYTE_OF[precision]
    activation = max(operand, 1.0)
    unfused = roofline.unfused_attention_intensity(
        tokens=CONTEXT_TOKENS, head_size=HEAD_SIZE, activation_byte=activation
    )
    fused = roofline.fused_attention_intensity(
        tokens=CONTEXT_TOKENS, head_size=HEAD_SIZE, activation_byte=activation
    )
    every = (
        Workload(kind="optimizer", intensity=roofline.optimizer_intensity()),
        Workload(kind="decode-cache", intensity=cache_intensity(precision=precision)),
        Workload(kind="decode-one", intensity=_linear(1, operand_byte=operand), tokens=1),
        Workload(kind="decode-batch", intensity=_linear(batch, operand_byte=operand), tokens=batch),
        Workload(kind="experts", intensity=_experts(batch, operand_byte=operand), tokens=batch),
        Workload(kind="attention-unfused", intensity=unfused),
        Workload(kind="prefill", intensity=_linear(prompt, operand_byte=operand), tokens=prompt),
        Workload(kind="attention-fused", intensity=fused),
        Workload(kind="training", intensity=_linear(tokens, operand_byte=operand), tokens=tokens),
    )
    return tuple(sorted(every, key=lambda work: work.intensity))


def placed(work: Sequence[Workload], roof: Roof) -> tuple[PlacedWorkload, ...]:
    """Return each workload with its attainable throughput under a roof."""
    attained = attainable_flop_per_s(roof, [item.intensity for item in work])
    return tuple(
        PlacedWorkload(
            workload=item,
            attainable_flop_per_s=float(rate),
            share_of_peak=float(rate) / roof.peak_flop_per_s,
            bound_by=item.bound_by(roof),
        )
        for item, rate in zip(work, attained, strict=True)
    )


def cache_intensity(*, precision: str) -> float:
    """Return the intensity of reading the KV cache at a precision of at least 8 bits. [FLOP/byte]"""
    return roofline.decode_attention_intensity(
        query_heads=HEADS, key_value_heads=KEY_VALUE_HEADS, cache_byte=max(BYTE_OF[precision], 1.0)
    )


def tokens_to_fill(machine_balance: float, *, precision: str) -> float:
    """Return the number of tokens that makes a dense layer compute-bound. Infinite if no number does. [tokens]"""
    operand = BYTE_OF[precision]
    return float(
        roofline.tokens_to_fill(
            machine_balance,
            inner=HIDDEN,
            columns=FEED_FORWARD,
            weight_byte=operand,
            activation_byte=max(operand, 1.0),
        )
    )


def _linear(tokens: float, *, operand_byte: float) -> float:
    return float(
        roofline.matrix_intensity(
            rows=tokens,
            inner=HIDDEN,
            columns=FEED_FORWARD,
            weight_byte=operand_byte,
            activation_byte=max(operand_byte, 1.0),
        )
    )


def _experts(tokens: float, *, operand_byte: float) -> float:
    return float(
        roofline.expert_layer_intensity(
            tokens=tokens,
            experts=EXPERTS,
            active=ACTIVE_EXPERTS,
            inner=EXPERT_HIDDEN,
            columns=EXPERT_FEED_FORWARD,
            weight_byte=operand_byte,
            activation_byte=max(operand_byte, 1.0),
        )
    )
