"""What running a model costs per token with or without a technique, and how many years of bandwidth that is."""

import math
from dataclasses import dataclass
from typing import Literal

from analysis.techniques.setup import PHASES, Phase, Setup
from analysis.techniques.work import activations, decode, prefill, training


@dataclass(frozen=True, kw_only=True)
class Bill:
    """What one token costs on one chip; memory is what the chip must hold at once. [byte, FLOP, s]

    ``activations_byte`` is the part of the memory that training keeps of the forward pass; 0 in other phases.
    """

    memory_byte: float
    moved_byte: float
    link_byte: float
    flop: float
    time_s: float
    activations_byte: float
    bound_by: Literal["memory", "compute", "links"]


def bill(setup: Setup, phase: Phase) -> Bill:
    """Return what one token costs in a phase, per chip.

    Each kernel takes as long as computing or moving its bytes, whichever is longer; the exchange between chips
    runs beside the kernels and counts only where it takes longer than all of them.

    References
    ----------
    Williams, Waterman and Patterson, "Roofline", Commun. ACM 52(4), 2009; Narayanan et al., arXiv:2104.04473.
    """
    if phase not in PHASES:
        raise ValueError(f"phase is one of {', '.join(PHASES)}; got {phase!r}. Choose one of these.")
    if phase == "training":
        memory, kernels, link_byte, link_s, tokens = training(setup)
    else:
        memory, kernels, tokens = decode(setup) if phase == "decode" else prefill(setup)
        link_byte = link_s = 0.0
    kept = activations(setup) if phase == "training" else 0.0
    rate = setup.hardware.memory_bandwidth_byte_per_s
    compute = [kernel.flop / kernel.peak_flop_per_s for kernel in kernels]
    moving = [kernel.byte / rate for kernel in kernels]
    longer = [max(pair) for pair in zip(compute, moving, strict=True)]
    on_chip = sum(longer)
    by_memory = sum(time for time, move in zip(longer, moving, strict=True) if move == time)
    bound: Literal["memory", "compute", "links"]
    bound = "links" if link_s > on_chip else "memory" if by_memory > on_chip / 2 else "compute"
    return Bill(
        memory_byte=memory,
        moved_byte=sum(kernel.byte for kernel in kernels) / tokens,
        link_byte=link_byte / tokens,
        flop=sum(kernel.flop for kernel in kernels) / tokens,
        time_s=max(on_chip, link_s) / tokens,
        activations_byte=kept,
        bound_by=bound,
    )


def years_of_growth(saving: float, *, yearly_growth: float) -> float:
    """Return how many years of growth a saving is worth: log(saving)/log(growth). [year]

    Infinite where the growth is none; negative for a technique that costs more than it saves.
    """
    if not saving > 0 or not yearly_growth > 0:
        raise ValueError(
            f"saving and yearly_growth are positive factors; got {saving} and {yearly_growth}. "
            "Pass before over after, such as 4 for a quarter of the bytes."
        )
    if math.isclose(saving, 1, rel_tol=1e-9):
        return 0.0
    return (
        math.log(saving) / math.log(yearly_growth)
        if yearly_growth > 1
        else math.copysign(math.inf, saving - 1)
    )
