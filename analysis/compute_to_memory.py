"""Machine balance of chips by number format, and the numbers of tokens that make chips compute-bound."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.growth_gap import drift
from analysis.hardware.roofline import Roof
from analysis.hardware.workloads import Bound, cache_intensity, tokens_to_fill
from analysis.trend.growth import Growth

LOWEST = ("fp4", "fp8", "int8", "fp16", "fp32")
"""Formats in the order of the search for a chip's lowest native one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Peaks:
    """Peak dense throughput of n chips [FLOP/s] and its format (a key of ``BYTE_OF``), each of shape (n,)."""

    flop_per_s: FloatArray
    formats: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Fill:
    """Number of tokens that makes a given year's chip compute-bound. Infinite if no number does.

    ``low`` to ``high`` is the confidence interval of the trend since the chip. [tokens]
    """

    year: int
    machine_balance: float
    tokens: float
    low: float
    high: float

    def bound_by(self, tokens: int) -> Bound:
        """Return the resource, compute or memory, that limits a linear layer over ``tokens`` tokens."""
        return "compute" if tokens >= self.tokens else "memory"


@dataclass(frozen=True, kw_only=True)
class Filling:
    """Numbers of tokens that make a chip and its yearly successors compute-bound."""

    tokens: float
    years: tuple[Fill, ...]
    cache_stays_bound: bool


def lowest_native(peaks: Mapping[str, FloatArray]) -> Peaks:
    """Return each chip's peak in its native format of lowest precision, shape (n,). NaN for chips without peaks."""
    highest = np.asarray(peaks[LOWEST[-1]], dtype=np.float64)
    rate, formats = highest, np.full(len(highest), LOWEST[-1], dtype=object)
    for name in reversed(LOWEST[:-1]):
        known = ~np.isnan(peaks[name])
        rate = np.where(known, peaks[name], rate)
        formats[known] = name
    return Peaks(flop_per_s=rate, formats=tuple(formats))


def later_roof(roof: Roof, *, balance: Growth, bandwidth: Growth, since: float, year: float) -> Roof:
    """Return the roof of a chip's successor in ``year``, extrapolated from the trends in balance and bandwidth."""
    moved, balanced = (float(drift(growth, since=since, year=year)[0][0]) for growth in (bandwidth, balance))
    later = roof.memory_bandwidth_byte_per_s * moved
    return Roof(peak_flop_per_s=roof.machine_balance * balanced * later, memory_bandwidth_byte_per_s=later)


def filling(roof: Roof, *, balance: Growth, precision: str, since: float, to: int) -> Filling:
    """Return the numbers of tokens that make a dense layer compute-bound, on each 1 January from ``since`` to ``to``.

    The chip's own balance follows the trend ``balance`` from ``since``, its release year. The year after ``since`` is
    always included.
    """
    first = int(np.ceil(since))
    years = np.arange(first, max(to, first + 1) + 1, dtype=float)
    ends = drift(balance, since=since, year=years)
    needed, low, high = (
        [tokens_to_fill(roof.machine_balance * float(step), precision=precision) for step in side]
        for side in ends
    )
    least = roof.machine_balance * min(map(float, ends[0]))
    return Filling(
        tokens=tokens_to_fill(roof.machine_balance, precision=precision),
        years=tuple(
            Fill(
                year=int(year),
                machine_balance=roof.machine_balance * float(step),
                tokens=tokens,
                low=under,
                high=over,
            )
            for year, step, tokens, under, over in zip(years, ends[0], needed, low, high, strict=True)
        ),
        cache_stays_bound=cache_intensity(precision=precision) < least,
    )
