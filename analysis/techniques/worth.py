"""Cost per token with and without a technique, and the years of hardware growth equivalent to the saving."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.techniques.catalogue import before_and_after
from analysis.techniques.setup import PHASES, Phase, Setup
from analysis.techniques.work import activations, decode, prefill, training


@dataclass(frozen=True, kw_only=True)
class Bill:
    """Cost of one token on one chip. Memory is the chip's peak use. [byte, FLOP, s]

    ``activations_byte`` is the part of the memory that training stores for the backward pass; 0 in other phases.
    """

    memory_byte: float
    moved_byte: float
    link_byte: float
    flop: float
    time_s: float
    activations_byte: float
    bound_by: Literal["memory", "compute", "links"]


def bill(setup: Setup, phase: Phase) -> Bill:
    """Return the cost of one token in a phase on each chip.

    Each kernel takes the longer of computing and moving its bytes. Communication between chips overlaps with the
    kernels and counts only if it takes longer than all of them.

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
    rate = setup.chip.memory_bandwidth_byte_per_s
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
    """Return the years of growth that a saving is worth: log(saving) / log(growth). [year]

    It is infinite without growth, and negative for a technique that costs more than it saves.
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


def bills(setup: Setup, chosen: Sequence[str], *, phase: Phase) -> tuple[Bill, Bill]:
    """Return the cost of a token without and with the chosen techniques."""
    before, after = before_and_after(setup, chosen, phase=phase)
    return bill(before, phase), bill(after, phase)


@dataclass(frozen=True, kw_only=True)
class HardwareYear:
    """Yearly growth of hardware, with its interval and the interval's level."""

    growth: float
    low: float
    high: float
    level: float


LEAST_CHANGE = 0.005
"""Smallest share that counts as a saving. [1]"""


@dataclass(frozen=True, kw_only=True)
class Worth:
    """A saving as a factor, and the years of growth it equals, with an interval. ``high`` may be infinite."""

    saving: float
    years: float
    low: float
    high: float

    @property
    def nothing(self) -> bool:
        """Return whether the saving is too small to count."""
        return abs(self.saving - 1) < LEAST_CHANGE


def worth(saving: float, year: HardwareYear) -> Worth:
    """Return the years of growth that a saving is worth, with their interval."""
    years = years_of_growth(saving, yearly_growth=year.growth)
    ends = sorted(years_of_growth(saving, yearly_growth=growth) for growth in (year.low, year.high))
    return Worth(saving=saving, years=years, low=ends[0], high=ends[1])


BillField = Literal["time_s", "moved_byte", "memory_byte", "flop", "link_byte"]


@dataclass(frozen=True, kw_only=True)
class Effect:
    """Effect of techniques: the cost without and with them, and the years that the saving is worth."""

    before: Bill
    after: Bill
    worth: Worth


def saving(before: Bill, after: Bill, *, field: BillField) -> float:
    """Return the factor by which a part of the cost shrinks. 1 if that part was or becomes zero."""
    was, now = float(getattr(before, field)), float(getattr(after, field))
    return was / now if was > 0 and now > 0 else 1.0


def effect(
    setup: Setup, chosen: Sequence[str], *, phase: Phase, field: BillField, year: HardwareYear
) -> Effect:
    """Return the combined effect of the techniques on one part of the cost."""
    before, after = bills(setup, chosen, phase=phase)
    return Effect(before=before, after=after, worth=worth(saving(before, after, field=field), year))
