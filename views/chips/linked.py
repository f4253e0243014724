"""The chips whose links are known: numbers from the release, scale-up domain and latency as stated here."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.latency_floor.floor import Chip
from data.releases import Release

NETWORK_BYTE_PER_S = 50e9
"""One 400 Gb/s port for each chip, as in a DGX H100; where the release has no figure. [byte/s]"""

NETWORK_LATENCY_S = 1e-6
"""One exchange through network cards, assumed, below the least that NCCL's cost model has: 2.7 to 11 by protocol in
table hwLat, https://github.com/NVIDIA/nccl/blob/master/src/graph/tuning.cc. Latencies here are least ones: a floor that
charged usual ones would be undercut. [s]"""

SWITCH_LATENCY_S = 0.45e-6
"""One exchange through NVLink or Infinity Fabric: the least in NCCL's same table in its version of 2020 is 0.47,
others up to 4 by protocol. [s]"""

STEP_LATENCY_S = 0.1e-6
"""All parts of a chip passing on one matrix product, assumed: not below one access to the cache they share, 222 cycles
at least on an NVIDIA L40 (arXiv:2606.22588), 0.09 microseconds. What is measured is longer: under 1.5 microseconds for
all cores of a wafer (Rocki et al., SC 2020). [s]"""

TORUS_LATENCY_S = 0.5e-6
"""One hop between neighbouring TPUs, assumed half of the microsecond it is "typically around": Google DeepMind, "How to
Scale Your Model", 2025, chapter 3, note on ICI latency,
https://github.com/jax-ml/scaling-book/blob/main/sharding.md. [s]"""


@dataclass(frozen=True, kw_only=True)
class Links:
    """A product's links where the release is silent: per direction, and how many chips they join."""

    product: str
    kind: str
    domain: int
    latency_s: float = SWITCH_LATENCY_S
    torus: int = 0
    step_latency_s: float = STEP_LATENCY_S
    link_byte_per_s: float | None = None
    stated: str = ""


# Pods of 8,960, 256 and 9,216 TPUs, and 1,200 GB/s both ways for the v7: https://docs.cloud.google.com/tpu/docs/tpu7x.
# MI300X, seven links of 128 GB/s both ways: https://www.wheelersnetwork.com/2024/01/.
# Groq, 10,440 chips in under 3 microseconds: abstract of Abts et al., ISCA 2022; no source of its links' rate found.
# WSE-3, 1.2 Tb/s, twelve ports of 100 Gbit/s: https://vengineer.hatenablog.com/entry/2025/07/02/080000.
LINKS = {
    "h100": Links(product="H100 SXM", kind="HBM", domain=8),
    "h200": Links(product="H200", kind="HBM", domain=8),
    "b200": Links(product="B200", kind="HBM", domain=8),
    "gb200": Links(product="GB200", kind="HBM", domain=72),
    "mi300x": Links(
        product="MI300X",
        kind="HBM",
        domain=8,
        link_byte_per_s=448e9,
        stated="seven Infinity Fabric links of 64 GB/s",
    ),
    "tpu-v5p": Links(product="TPU v5p", kind="HBM", domain=8960, latency_s=TORUS_LATENCY_S, torus=3),
    "tpu-v6e": Links(product="TPU v6e", kind="HBM", domain=256, latency_s=TORUS_LATENCY_S, torus=2),
    "tpu-v7": Links(
        product="TPU v7",
        kind="HBM",
        domain=9216,
        latency_s=TORUS_LATENCY_S,
        torus=3,
        link_byte_per_s=600e9,
        stated="1,200 GB/s both ways (Google Cloud documentation, TPU7x)",
    ),
    "groq-lpu": Links(
        product="GroqChip LPU v1",
        kind="SRAM",
        domain=576,
        link_byte_per_s=224e9,
        stated="assumed are sixteen links of 14 GB/s, 576 chips sharing them and 0.45 microseconds an exchange; "
        "published is under 3 microseconds across 10,440 chips (Abts et al., ISCA 2022)",
    ),
    "wse-3": Links(
        product="WSE-3",
        kind="SRAM",
        domain=16,
        latency_s=NETWORK_LATENCY_S,
        link_byte_per_s=150e9,
        stated="1.2 Tb/s of Ethernet for each wafer system (Cerebras); assumed are 16 wafers that share them and the "
        "latency of a network",
    ),
}
DDR5_SERVER = "ddr5-server"
CHIPS = {
    **{word: f"{links.product}, {links.kind}" for word, links in LINKS.items()},
    DDR5_SERVER: "a server socket with twelve channels of DDR5-6400",
}
NAMES = {**{word: links.product for word, links in LINKS.items()}, DDR5_SERVER: "DDR5 server"}

DDR5_BYTE_PER_S = 12 * 8 * 6.4e9
"""Twelve 64-bit channels at 6.4 GT/s (JEDEC JESD79-5). [byte/s]"""

DDR5_CAPACITY_BYTE = 12 * 64e9
DDR5_PEAK_FLOP_PER_S = 60 * 2.0e9 * 1024
"""Sixty cores, 1,024 BF16 operations a cycle with AMX at 2 GHz (Intel, Optimization Manual, ch. 20). [FLOP/s]"""

NUMBERS = (
    "memory_bandwidth_byte_per_s",
    "memory_capacity_byte",
    "chip_link_bandwidth_byte_per_s",
    "network_link_bandwidth_byte_per_s",
    "peak_tf32_dense_flop_per_s",
    "peak_fp32_dense_flop_per_s",
    "peak_fp16_dense_flop_per_s",
    "peak_fp8_dense_flop_per_s",
)
"""What is read of a chip's row."""


def linked_chip(
    word: str, release: Release, *, weight_byte: float, latency_scale: float = 1.0
) -> Chip | None:
    """Return a chip with its links; None where the release has no row or no bandwidth and memory of it.

    Peak throughput is that of the weights' format where the chip computes in it, else at 16 bits; infinite
    where nobody states it densely.
    """
    if word == DDR5_SERVER:
        return Chip(
            memory_bandwidth_byte_per_s=DDR5_BYTE_PER_S,
            memory_capacity_byte=DDR5_CAPACITY_BYTE,
            peak_flop_per_s=DDR5_PEAK_FLOP_PER_S,
            link_bandwidth_byte_per_s=NETWORK_BYTE_PER_S,
            network_bandwidth_byte_per_s=NETWORK_BYTE_PER_S,
            domain_size=1,
            link_latency_s=NETWORK_LATENCY_S * latency_scale,
            network_latency_s=NETWORK_LATENCY_S * latency_scale,
            step_latency_s=STEP_LATENCY_S * latency_scale,
        )
    links = LINKS[word]
    parts = release.accelerators
    found = np.flatnonzero((parts["product"] == links.product) & parts["representative"])
    if not found.size:
        return None
    row = {column: float(parts[column].iat[found[0]]) for column in NUMBERS}
    bandwidth, capacity = row["memory_bandwidth_byte_per_s"], row["memory_capacity_byte"]
    link = _known(row, "chip_link_bandwidth_byte_per_s", links.link_byte_per_s)
    if not (bandwidth > 0 and capacity > 0 and link > 0):
        return None
    return Chip(
        memory_bandwidth_byte_per_s=bandwidth,
        memory_capacity_byte=capacity,
        peak_flop_per_s=_peak(row, weight_byte),
        link_bandwidth_byte_per_s=link,
        network_bandwidth_byte_per_s=_known(row, "network_link_bandwidth_byte_per_s", NETWORK_BYTE_PER_S),
        domain_size=links.domain,
        link_latency_s=links.latency_s * latency_scale,
        network_latency_s=NETWORK_LATENCY_S * latency_scale,
        step_latency_s=links.step_latency_s * latency_scale,
        torus=links.torus,
    )


def _known(row: Mapping[str, float], column: str, otherwise: float | None) -> float:
    value = row[column]
    return value if value > 0 else otherwise if otherwise is not None else math.nan


def _peak(row: Mapping[str, float], weight_byte: float) -> float:
    """Return the densest peak a format of that size can use. [FLOP/s]"""
    if weight_byte > 2:
        columns = ["peak_tf32_dense_flop_per_s", "peak_fp32_dense_flop_per_s", "peak_fp16_dense_flop_per_s"]
    elif weight_byte == 1:
        columns = ["peak_fp8_dense_flop_per_s", "peak_fp16_dense_flop_per_s"]
    else:
        columns = ["peak_fp16_dense_flop_per_s"]
    found = [row[column] for column in columns if row[column] > 0]
    return found[0] if found else math.inf
