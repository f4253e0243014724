"""An accelerator as a training run uses it: at one precision, with the kernels of its time."""

import math
from dataclasses import dataclass, fields


@dataclass(frozen=True, kw_only=True)
class Machine:
    """One accelerator of many, and what connects it.

    ``matmul_flop_per_s`` is the best measured matrix rate; both links are per direction and accelerator.
    ``domain_size`` accelerators share the chip link. ``jitter`` is the standard deviation of one
    accelerator's step time as a share of the step. ``before_hopper`` chips run the slower first kernels of
    fused attention.
    """

    peak_flop_per_s: float
    matmul_flop_per_s: float
    memory_bandwidth_byte_per_s: float
    memory_capacity_byte: float
    link_bandwidth_byte_per_s: float
    network_bandwidth_byte_per_s: float
    domain_size: int = 8
    jitter: float = 0.008
    fused_attention: bool = True
    before_hopper: bool = False
    element_byte: float = 2.0

    def __post_init__(self) -> None:
        """Refuse quantities no machine has."""
        for item in fields(self):
            value = getattr(self, item.name)
            lowest = 0 if item.name == "jitter" else None
            if item.name in ("fused_attention", "before_hopper"):
                continue
            if not math.isfinite(value) or (value < 0 if lowest == 0 else value <= 0):
                raise ValueError(
                    f"{item.name} is a positive number; got {value}. Take it from the datasheet."
                )
