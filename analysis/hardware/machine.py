"""A chip as a training run uses it: at one precision, with the kernels of the chip's time."""

import math
from dataclasses import dataclass, replace
from typing import Any

from analysis.hardware.chip import FUSED_SINCE, Chip
from analysis.hardware.matmul_rates import MatmulRates


@dataclass(frozen=True, kw_only=True)
class Machine:
    """One of many chips in a run, at the precision of the run's matmuls.

    ``matmul_flop_per_s`` is the best measured matmul rate. ``jitter`` is the standard deviation of one accelerator's
    step time as a share of the step. ``before_hopper`` chips use the slower first kernels of fused attention,
    ``early_kernels`` those of software without kernels for the chip. ``expert_overlap`` is the share of expert-parallel
    communication that can overlap with computing. ``pace`` is the factor by which steps are faster than the sum of
    their parts, from comparable published runs. ``assumed`` lists assumed values.
    """

    chip: Chip
    matmul_flop_per_s: float
    precision: str = "fp16"
    jitter: float = 0.008
    fused_attention: bool = True
    before_hopper: bool = False
    early_kernels: bool = False
    expert_overlap: float = 0.0
    pace: float = 1.0
    assumed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        positive = {
            "peak_flop_per_s": self.peak_flop_per_s,
            "matmul_flop_per_s": self.matmul_flop_per_s,
            "pace": self.pace,
        }
        for name, value in positive.items():
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} is a positive number; got {value}. Take it from the datasheet.")
        if not (math.isfinite(self.jitter) and self.jitter >= 0):
            raise ValueError(f"jitter is 0 or more; got {self.jitter}. Pass 0 for none.")
        if not 0 <= self.expert_overlap <= 1:
            raise ValueError(
                f"expert_overlap is a share from 0 to 1; got {self.expert_overlap}. Pass 1 where all can overlap."
            )

    @property
    def peak_flop_per_s(self) -> float:
        """Return the dense peak at the run's precision. [FLOP/s]"""
        return self.chip.stated_peak(self.precision)

    @property
    def element_byte(self) -> float:
        """Return the size of one element of a matmul. [byte]"""
        return 1.0 if self.precision == "fp8" else 2.0

    def with_chip(self, **values: Any) -> "Machine":
        """Return the machine with other values for chip fields, such as ``memory_capacity_byte``."""
        return replace(self, chip=replace(self.chip, **values))

    def with_rates(self, *, peak_flop_per_s: float, matmul_flop_per_s: float) -> "Machine":
        """Return the machine with these rates [FLOP/s] as the peak at its precision and as the measured matmul rate."""
        chip = self.chip.with_peak(self.precision, peak_flop_per_s)
        return replace(self, chip=chip, matmul_flop_per_s=matmul_flop_per_s)


def machine_of(chip: Chip, rates: MatmulRates, *, precision: str = "fp16") -> Machine:
    """Return a chip as a run uses it, with its measured matmul rate and the kernels of the chip's time."""
    later = chip.released_year >= FUSED_SINCE
    share = rates.share(chip.name, precision=precision)
    guess = () if share.measured else (f"matrix rate {100 * share.share:.0f}% of peak, {share.of}",)
    return Machine(
        chip=chip,
        matmul_flop_per_s=chip.stated_peak(precision) * share.share,
        precision=precision,
        fused_attention=later,
        before_hopper=not later,
        assumed=(*guess, *chip.assumed),
    )
