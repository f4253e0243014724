"""Measured FLOP per byte, and the shares of data-sheet rates that large matmuls and memory streams attain."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Reached:
    """Data-sheet rates of a chip and the rates measured on it. A measured rate is None if unknown.

    Rates are dense 16-bit FLOP/s and byte/s; ``released_year`` is a decimal year.
    """

    chip: str
    vendor: str
    flagship: bool
    released_year: float
    paper_flop_per_s: float
    paper_byte_per_s: float
    measured_flop_per_s: float
    measured_byte_per_s: float | None = None

    def __post_init__(self) -> None:
        """Validate that rates are positive and finite."""
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
        """Return the data sheet's FLOP per byte. [FLOP/byte]"""
        return self.paper_flop_per_s / self.paper_byte_per_s

    @property
    def flop_share(self) -> float:
        """Return the best large matmul's share of the data-sheet FLOP/s. [1]"""
        return self.measured_flop_per_s / self.paper_flop_per_s

    @property
    def byte_share(self) -> float | None:
        """Return the best stream's share of the data-sheet bandwidth. None if not measured. [1]"""
        return None if self.measured_byte_per_s is None else self.measured_byte_per_s / self.paper_byte_per_s


@dataclass(frozen=True, kw_only=True)
class Balance:
    """Measured FLOP per byte. It is a range if bandwidth was not measured on the chip itself. [FLOP/byte]"""

    reached: Reached
    low: float
    value: float
    high: float


def balance(chip: Reached, *, byte_shares: Sequence[float]) -> Balance:
    """Return the measured FLOP per byte of a chip. [FLOP/byte]

    If its bandwidth was not measured, it ranges between the least and the largest of ``byte_shares``, those of
    comparable chips; the value uses their geometric mean.
    """
    shares = byte_shares if chip.byte_share is None else [chip.byte_share]
    per_paper = chip.paper * chip.flop_share
    middle = math.exp(float(np.mean(np.log(shares))))
    return Balance(
        reached=chip, low=per_paper / max(shares), value=per_paper / middle, high=per_paper / min(shares)
    )


def balances(chips: Sequence[Reached]) -> tuple[Balance, ...]:
    """Return the measured FLOP per byte of each chip. Chips whose bandwidth cannot be inferred are omitted.

    Chips of one vendor are comparable; if fewer than two of a vendor were measured, all chips are used.
    """

    def shares(vendor: str | None = None) -> list[float]:
        of = [one.byte_share for one in chips if vendor in (None, one.vendor)]
        return [share for share in of if share is not None]

    alike = {one.vendor: own if len(own := shares(one.vendor)) > 1 else shares() for one in chips}
    return tuple(
        balance(one, byte_shares=alike[one.vendor])
        for one in chips
        if one.byte_share is not None or alike[one.vendor]
    )


@dataclass(frozen=True, kw_only=True)
class BalanceGrowth:
    """Yearly growth of FLOP per byte between two chips, by data sheet and by measurement with its range. [1/year]"""

    first: Reached
    last: Reached
    paper: float
    measured: float
    low: float
    high: float


def flagship_growth(chips: Sequence[Balance]) -> BalanceGrowth | None:
    """Return the growth from NVIDIA's first chip to its last flagship. None if there is no later flagship.

    ``chips`` are in order of release. The bounds of the interval are those of the last chip.
    """
    own = [one for one in chips if one.reached.vendor == "NVIDIA"]
    flagships = [one for one in own if one.reached.flagship]
    if not flagships or flagships[-1].reached.released_year <= own[0].reached.released_year:
        return None
    first, last = own[0], flagships[-1]
    years = last.reached.released_year - first.reached.released_year

    def a_year(before: float, after: float) -> float:
        return float((after / before) ** (1 / years))

    return BalanceGrowth(
        first=first.reached,
        last=last.reached,
        paper=a_year(first.reached.paper, last.reached.paper),
        measured=a_year(first.value, last.value),
        low=a_year(first.value, last.low),
        high=a_year(first.value, last.high),
    )
