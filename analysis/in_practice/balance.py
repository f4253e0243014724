"""FLOP per byte that software meets: what large matrix products and streams reach of the data sheets."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Reached:
    """What a chip offers on its data sheet and what was measured on it; None where nobody measured it.

    Dense 16-bit FLOP/s and byte/s; ``released_year`` [decimal year].
    """

    chip: str
    released_year: float
    paper_flop_per_s: float
    paper_byte_per_s: float
    measured_flop_per_s: float
    measured_byte_per_s: float | None = None

    def __post_init__(self) -> None:
        """Refuse rates that nothing has."""
        rates = {
            "paper_flop_per_s": self.paper_flop_per_s,
            "paper_byte_per_s": self.paper_byte_per_s,
            "measured_flop_per_s": self.measured_flop_per_s,
        }
        if self.measured_byte_per_s is not None:
            rates["measured_byte_per_s"] = self.measured_byte_per_s
        for name, value in rates.items():
            if not (math.isfinite(value) and value > 0):
                raise ValueError(
                    f"{name} of {self.chip} is a positive number; got {value}. Take it from its source."
                )

    @property
    def paper(self) -> float:
        """Return FLOP per byte of the data sheet. [FLOP/byte]"""
        return self.paper_flop_per_s / self.paper_byte_per_s

    @property
    def flop_share(self) -> float:
        """Return what the best large matrix product reaches of the data sheet's FLOP/s. [1]"""
        return self.measured_flop_per_s / self.paper_flop_per_s

    @property
    def byte_share(self) -> float | None:
        """Return what the best stream reaches of the data sheet's bandwidth; None where unmeasured. [1]"""
        return None if self.measured_byte_per_s is None else self.measured_byte_per_s / self.paper_byte_per_s


@dataclass(frozen=True, kw_only=True)
class Balance:
    """FLOP per byte as measured; a range where bandwidth was not measured on the chip itself. [FLOP/byte]"""

    low: float
    value: float
    high: float


def balance(chip: Reached, *, byte_shares: Sequence[float]) -> Balance:
    """Return the measured FLOP per byte of a chip. [FLOP/byte]

    Where its own bandwidth was not measured it reaches between the least and the most of ``byte_shares``, what chips
    like it reach; the value is at their geometric mean.

    Raises
    ------
    ValueError
        Neither an own measurement nor a share of another chip.
    """
    if chip.byte_share is not None:
        shares = [chip.byte_share]
    elif byte_shares:
        shares = list(byte_shares)
    else:
        raise ValueError(
            f"the bandwidth of {chip.chip} was not measured; pass the shares that chips like it reach."
        )
    per_paper = chip.paper * chip.flop_share
    middle = math.exp(float(np.mean(np.log(shares))))
    return Balance(low=per_paper / max(shares), value=per_paper / middle, high=per_paper / min(shares))


def yearly_growth(first: float, last: float, *, years: float) -> float:
    """Return the growth a year from one value to another. [1]

    Raises
    ------
    ValueError
        No time between the two.
    """
    if not years > 0:
        raise ValueError(
            f"years between two chips is a positive number; got {years:g}. Order them by release."
        )
    return float((last / first) ** (1 / years))
