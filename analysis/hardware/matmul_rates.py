"""How fast chips really multiply matrices, by kind of chip and size of matrix."""

from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray

MEASURED_16_BIT = {
    "A100": 271.2e12,
    "H100": 794.5e12,
    "B200": 1745.0e12,
    "B300": 1769.0e12,
    "GB200": 1822.0e12,
    "MI300X": 668.4e12,
    "MI325X": 784.9e12,
    "MI355X": 1565.0e12,
}
"""Highest rate found over all sizes of one BF16 matrix product. [FLOP/s]
Bekman, "Machine Learning Engineering", compute/accelerator, table of maximum achievable matmul FLOPS."""

DATASHEET_16_BIT = {
    "A100": 312e12,
    "H100": 989e12,
    "B200": 2250e12,
    "B300": 2250e12,
    "GB200": 2500e12,
    "MI300X": 1300e12,
    "MI325X": 1300e12,
    "MI355X": 2300e12,
}
"""What the same table sets beside them. [FLOP/s]"""

MEASURED_8_BIT = {"H100": 1402.6e12, "B200": 3432.5e12}
DATASHEET_8_BIT = {"H100": 1979e12, "B200": 4500e12}
"""The same for FP8. [FLOP/s]"""

SAME_DIE = {
    "H800": "H100",
    "H200": "H100",
    "GH200": "H100",
    "A800": "A100",
    "GB300": "B300",
    "MI350X": "MI355X",
}
"""Chips whose matrix units are those of a measured one."""


@dataclass(frozen=True, kw_only=True)
class MatmulShare:
    """The best measured matrix rate as a share of the datasheet's, and whose measurement it is."""

    share: float
    of: str
    measured: bool


def matmul_share(chip: str, *, precision: str = "fp16") -> MatmulShare:
    """Return what share of the datasheet's rate the best matrix product reaches on ``chip``.

    ``chip`` is a product's name ("A100 80 GB", "H100 SXM"). Chips without a measurement get the median of the
    measured ones, and ``measured`` says so. ``precision`` is fp16 (or BF16) or fp8.

    References
    ----------
    As ``MEASURED_16_BIT``.
    """
    if precision not in ("fp16", "fp8"):
        raise ValueError(f"precision is fp16 or fp8; got {precision!r}. BF16 counts as fp16.")
    best, sheet = (
        (MEASURED_16_BIT, DATASHEET_16_BIT) if precision == "fp16" else (MEASURED_8_BIT, DATASHEET_8_BIT)
    )
    family = chip.split()[0] if chip.split() else ""
    family = SAME_DIE.get(family, family)
    if family in best:
        return MatmulShare(share=best[family] / sheet[family], of=family, measured=True)
    middle = median(best[name] / sheet[name] for name in best)
    return MatmulShare(share=middle, of="the median of the measured chips", measured=False)


def matmul_s(
    rows: ArrayLike,
    *,
    inner: ArrayLike,
    columns: ArrayLike,
    matmul_flop_per_s: float,
    memory_byte_per_s: float,
    launch_s: float = 0.0,
    element_byte: float = 2.0,
    weight_uses: ArrayLike = 1.0,
) -> FloatArray:
    """Return the time of (rows x inner) times (inner x columns), the shape the sizes broadcast to. [s]

    Operations at the best measured rate, plus every operand moved once, plus the launch: large products reach
    the best rate, narrow ones fall towards memory. The sum, not the larger of the two, since a kernel fills
    and drains. ``weight_uses`` is how many weight matrices of this size the rows are spread over.

    References
    ----------
    NVIDIA, "Matrix Multiplication Background User's Guide", section "Math and memory bounds".
    """
    m, k, n, uses = (np.asarray(x, dtype=np.float64) for x in (rows, inner, columns, weight_uses))
    moved = element_byte * (m * k + uses * k * n + m * n)
    return 2 * m * k * n / matmul_flop_per_s + moved / memory_byte_per_s + launch_s
