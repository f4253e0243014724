"""What of a chip is followed over time, and how it is read from the table of accelerators."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import pandas as pd

from charts.chart import Role
from data import standing
from views.wording import sentence_case


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A quantity of a chip: how it is read from the table, its unit, name in a sentence, and colour role."""

    of: Callable[[pd.DataFrame], pd.Series]
    unit: str
    noun: str
    meaning: str
    role: Role
    column: str


def _column(name: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda chips: cast(pd.Series, chips[name])


def peak_16_bit(chips: pd.DataFrame) -> pd.Series:
    """Return peak dense 16-bit throughput: of matrix units, else of full-rate shaders. [FLOP/s]

    Before matrix units, some chips ran 16-bit arithmetic at a small fraction of the 32-bit rate for
    compatibility only; those are left out, since no one computed in 16 bits on them.
    """
    shader = _column("peak_fp16_shader_dense_flop_per_s")(chips)
    full_rate = shader.where(shader >= chips["peak_fp32_dense_flop_per_s"].fillna(0))
    return _column("peak_fp16_dense_flop_per_s")(chips).fillna(full_rate)


def fp16_engine(chips: pd.DataFrame) -> pd.Series:
    """Return what computes in 16 bits on each chip: matrix, vector, or "" where the table of engines does not say.

    A listed peak of matrix units says "matrix"; the rest is a standing table, with sources.
    """
    engines = standing.rows("sixteen_bit_engines", "accelerator")
    listed = [str(engines[name]["fp16_engine"]) if name in engines else "" for name in chips["name"]]
    known = METRICS["fp16-matrix"].of(chips).notna()
    return pd.Series(listed, index=chips.index, dtype=object).mask(known, "matrix")


METRICS = {
    "memory-bandwidth": Metric(
        of=_column("memory_bandwidth_byte_per_s"),
        unit="byte/s",
        noun="memory bandwidth",
        meaning="bytes a second between the chip and its own memory",
        role="memory",
        column="memory_bandwidth_byte_per_s",
    ),
    "memory-capacity": Metric(
        of=_column("memory_capacity_byte"),
        unit="byte",
        noun="memory capacity",
        meaning="bytes of the chip's own memory",
        role="memory",
        column="memory_capacity_byte",
    ),
    "fp32": Metric(
        of=_column("peak_fp32_dense_flop_per_s"),
        unit="FLOP/s",
        noun="FP32 throughput",
        meaning="peak dense FP32 on the ordinary units",
        role="compute",
        column="peak_fp32_dense_flop_per_s",
    ),
    "tf32": Metric(
        of=_column("peak_tf32_dense_flop_per_s"),
        unit="FLOP/s",
        noun="TF32 throughput",
        meaning="peak dense TF32 on matrix units",
        role="compute",
        column="peak_tf32_dense_flop_per_s",
    ),
    "fp16": Metric(
        of=peak_16_bit,
        unit="FLOP/s",
        noun="16-bit throughput",
        meaning="peak dense FP16 or BF16, matrix units where there are any",
        role="compute",
        column="peak_fp16_dense_flop_per_s",
    ),
    "fp16-matrix": Metric(
        of=_column("peak_fp16_dense_flop_per_s"),
        unit="FLOP/s",
        noun="16-bit matrix throughput",
        meaning="peak dense FP16 or BF16 of matrix units alone",
        role="compute",
        column="peak_fp16_matrix_dense_flop_per_s",
    ),
    "fp8": Metric(
        of=_column("peak_fp8_dense_flop_per_s"),
        unit="FLOP/s",
        noun="FP8 throughput",
        meaning="peak dense FP8",
        role="compute",
        column="peak_fp8_dense_flop_per_s",
    ),
    "fp4": Metric(
        of=_column("peak_fp4_dense_flop_per_s"),
        unit="FLOP/s",
        noun="FP4 throughput",
        meaning="peak dense FP4",
        role="compute",
        column="peak_fp4_dense_flop_per_s",
    ),
    "int8": Metric(
        of=_column("peak_int8_dense_op_per_s"),
        unit="OP/s",
        noun="INT8 throughput",
        meaning="peak dense INT8 operations",
        role="compute",
        column="peak_int8_dense_op_per_s",
    ),
    "chip-link": Metric(
        of=_column("chip_link_bandwidth_byte_per_s"),
        unit="byte/s",
        noun="chip-to-chip bandwidth",
        meaning="bytes a second to neighbouring chips, per direction",
        role="links",
        column="chip_link_bandwidth_byte_per_s",
    ),
    "network-link": Metric(
        of=_column("network_link_bandwidth_byte_per_s"),
        unit="byte/s",
        noun="network bandwidth",
        meaning="bytes a second to other machines, per direction",
        role="links",
        column="network_link_bandwidth_byte_per_s",
    ),
    "power": Metric(
        of=_column("power_w"),
        unit="W",
        noun="power",
        meaning="thermal design power",
        role="context",
        column="power_w",
    ),
    "price": Metric(
        of=_column("price_usd"),
        unit="USD",
        noun="price",
        meaning="price at release, not adjusted for inflation",
        role="context",
        column="price_usd",
    ),
    "flop-per-watt": Metric(
        of=lambda chips: peak_16_bit(chips) / chips["power_w"],
        unit="FLOP/s/W",
        noun="16-bit throughput per watt",
        meaning="peak dense 16-bit throughput over thermal design power",
        role="compute",
        column="peak_fp16_dense_flop_per_s_per_w",
    ),
    "flop-per-dollar": Metric(
        of=lambda chips: peak_16_bit(chips) / chips["price_usd"],
        unit="FLOP/s/USD",
        noun="16-bit throughput per dollar",
        meaning="peak dense 16-bit throughput over price at release",
        role="compute",
        column="peak_fp16_dense_flop_per_s_per_usd",
    ),
}
PARTS = {
    sentence_case(metric.noun): metric.noun
    for metric in METRICS.values()
    if metric.role in ("compute", "memory", "links")
    and " per watt" not in metric.noun
    and "dollar" not in metric.noun
}
"""The quantities that are parts of a chip, not ratios or costs: heading and name in a sentence of each."""
