"""Measured matmul rates by kind of chip and matrix size."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray

Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class MatmulShare:
    """The best measured matmul rate as a share of the data-sheet rate, and the measured chip."""

    share: float
    of: str
    measured: bool


@dataclass(frozen=True, kw_only=True)
class MatmulRates:
    """Best measured matmul rates relative to data-sheet peaks, by precision and chip family.

    ``same_die`` names the measured family with the same matrix units as a chip.
    """

    shares: Mapping[str, Mapping[str, float]]
    same_die: Mapping[str, str]

    @classmethod
    def from_rows(cls, measured: Iterable[Row], *, same_die: Iterable[Row]) -> "MatmulRates":
        """Return the rates from tables of measured matmuls and of chips with the same die.

        References
        ----------
        Bekman, "Machine Learning Engineering", compute/accelerator, table of maximum achievable matmul FLOPS.
        """
        shares: dict[str, dict[str, float]] = {precision: {} for precision in ("fp16", "fp8")}
        for row in measured:
            precision = "fp16" if row["precision"] == "bf16" else row["precision"]
            share = row["measured_flop_per_s"] / row["peak_flop_per_s"]
            shares[precision][family_of(str(row["listed_as"]))] = share
        return cls(shares=shares, same_die={row["product"]: row["same_die_as"] for row in same_die})

    def share(self, chip: str, *, precision: str = "fp16") -> MatmulShare:
        """Return the best measured matmul rate on ``chip`` as a share of its data-sheet rate.

        ``chip`` is a product's name ("A100 80 GB", "H100 SXM"). Chips without a measurement get the median of the
        measured ones, as stated in ``measured``. ``precision`` is fp16 (or BF16) or fp8.
        """
        if precision not in self.shares:
            raise ValueError(f"precision is fp16 or fp8; got {precision!r}. BF16 counts as fp16.")
        shares = self.shares[precision]
        family = family_of(chip)
        family = self.same_die.get(family, family)
        if family in shares:
            return MatmulShare(share=shares[family], of=family, measured=True)
        return MatmulShare(
            share=median(shares.values()), of="the median of the measured chips", measured=False
        )


def family_of(chip: str) -> str:
    """Return the first word of a product's name, such as H100 for H100 SXM. The product's variants share that word."""
    return chip.split()[0] if chip.split() else ""


def matmul_s(
    rows: ArrayLike,
    *,
    inner: ArrayLike,
    columns: ArrayLike,
    matmul_flop_per_s: float,
    memory_byte_per_s: float,
    element_byte: float = 2.0,
    weight_uses: ArrayLike = 1.0,
) -> FloatArray:
    """Return the time to multiply (rows x inner) by (inner x columns). Shapes broadcast. [s]

    It is the time of the operations at the best measured rate plus that of moving every operand once. Large matmuls
    reach the best rate; narrow ones are limited by memory. The times add, instead of taking the larger, because a
    kernel fills and drains. ``weight_uses`` is the number of weight matrices that the rows are spread over.

    References
    ----------
    NVIDIA, "Matrix Multiplication Background User's Guide", section "Math and memory bounds".
    """
    m, k, n, uses = (np.asarray(x, dtype=np.float64) for x in (rows, inner, columns, weight_uses))
    moved = element_byte * (m * k + uses * k * n + m * n)
    return 2 * m * k * n / matmul_flop_per_s + moved / memory_byte_per_s
