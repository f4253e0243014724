"""Specification of a chip: peaks, memory, links and power, from a row of the accelerator table."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.refusal import Refusal


@dataclass(frozen=True, kw_only=True)
class CoreMesh:
    """A square mesh of cores that pass values to their neighbours. A hop takes ``hop_s``.

    Weights stay on the cores, so a layer is read only by the cores that store it. ``reductions_per_layer`` times a
    layer, all those cores synchronize.
    """

    cores: int
    hop_s: float
    reductions_per_layer: int

    def __post_init__(self) -> None:
        for name in ("cores", "reductions_per_layer"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is a count of at least 1; got {getattr(self, name)}.")
        if not (math.isfinite(self.hop_s) and self.hop_s >= 0):
            raise ValueError(f"hop_s is a time in seconds, 0 or more; got {self.hop_s}.")

    def layer_wait_s(self, share: ArrayLike) -> FloatArray:
        """Return the time that one layer's reductions take on a share of the cores. [s]

        Each reduction goes to the centre and back: 2 (w + h)/2 hops for w by h cores, which is least for a square.
        """
        side = np.sqrt(np.asarray(share, dtype=np.float64) * self.cores)
        return self.reductions_per_layer * 2 * side * self.hop_s

    def best_share(self, reading_s: ArrayLike, *, layers: float, least: ArrayLike) -> FloatArray:
        """Return the share of the cores per layer that minimizes the time per token.

        ``reading_s`` is the time to read all layers if every core stored part of each [s]; ``least`` is the smallest
        share whose memory fits a layer. More cores read faster and synchronize longer: the optimum balances both.
        """
        wait = float(self.layer_wait_s(1.0)) * layers
        even = (np.asarray(reading_s, dtype=np.float64) / wait) ** (2 / 3) if wait > 0 else np.inf
        return np.minimum(np.maximum(even, least), 1.0)

    def slowed(self, times: float) -> "CoreMesh":
        """Return the mesh with the hop time multiplied by ``times``."""
        return replace(self, hop_s=self.hop_s * times)


PRECISIONS = ("fp8", "fp16", "tf32", "fp32")

FUSED_SINCE = 2022.4
"""Release date from which chips are assumed to train with FlashAttention (arXiv:2205.14135). [year]"""

SERVER_SIZE = 8
"""Assumed number of chips that share the chip link if the table states none. [1]"""
LINK_WHERE_UNKNOWN = 300e9
NETWORK_WHERE_UNKNOWN = {True: 50e9, False: 25e9}
"""Assumed network rate per accelerator. One port of 400 Gbit/s for chips since mid-2022, as in a DGX H100, and of 200
Gbit/s before. [byte/s]"""
POWER_WHERE_UNKNOWN_W = 500.0

LINK_LATENCY_S = 0.45e-6
"""Latency of one message over NVLink or Infinity Fabric. The least in table hwLat of NCCL's cost model of 2020 is 0.47
microseconds, others are up to 4, https://github.com/NVIDIA/nccl/blob/master/src/graph/tuning.cc. [s]"""

NETWORK_LATENCY_S = 1e-6
"""Assumed latency of one message over network cards. It is below the least in the same table, 2.7 to 11 microseconds.
Latencies here are lower bounds: usual ones would put the floor above what is possible. [s]"""

STEP_LATENCY_S = 0.1e-6
"""Assumed time for all parts of a chip to synchronize on one matmul. At least one access to the shared cache, 222
cycles or more on an NVIDIA L40 (arXiv:2606.22588), 0.09 microseconds. Measured times are longer: under 1.5 microseconds
for all cores of a wafer (Rocki et al., SC 2020). [s]"""

COLUMN_WORDS = {
    "peak_fp16_dense_flop_per_s": "16-bit rate",
    "peak_fp8_dense_flop_per_s": "FP8 rate",
    "memory_bandwidth_byte_per_s": "memory bandwidth",
    "memory_capacity_byte": "memory capacity",
}
"""Display names of the columns that a chip requires."""

Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Chip:
    """One accelerator. Dense peaks [FLOP/s] are NaN if not stated; link rates [byte/s] count one direction.

    ``domain_size`` chips share the chip link, through switches or, with ``torus`` dimensions, between neighbours.
    Latencies are per hop; ``step_latency_s`` is the time for all parts of the chip to synchronize on one matmul, unless
    a ``mesh`` of cores defines it. Chips with ``direct_links`` have no switch that could reduce in the network.
    ``assumed`` lists values missing from the table.
    """

    name: str = ""
    peak_fp16_flop_per_s: float = math.nan
    peak_fp8_flop_per_s: float = math.nan
    peak_tf32_flop_per_s: float = math.nan
    peak_fp32_flop_per_s: float = math.nan
    memory_bandwidth_byte_per_s: float
    memory_capacity_byte: float
    link_bandwidth_byte_per_s: float
    network_bandwidth_byte_per_s: float
    domain_size: int = SERVER_SIZE
    torus: int = 0
    link_latency_s: float = LINK_LATENCY_S
    network_latency_s: float = NETWORK_LATENCY_S
    step_latency_s: float = STEP_LATENCY_S
    mesh: CoreMesh | None = None
    direct_links: bool = False
    power_w: float = POWER_WHERE_UNKNOWN_W
    released_year: float = math.inf
    assumed: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Return whether all fields are equal. NaN peaks are equal, unlike in the default method since Python 3.13."""
        return isinstance(other, Chip) and tuple(vars(self).values()) == tuple(vars(other).values())

    def __post_init__(self) -> None:
        rates = ("memory_bandwidth_byte_per_s", "link_bandwidth_byte_per_s", "network_bandwidth_byte_per_s")
        for name in (*rates, "memory_capacity_byte", "domain_size", "power_w"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} is a positive number; got {value}. Take it from the datasheet.")
        for precision in PRECISIONS:
            value = self.stated_peak(precision)
            if value <= 0:
                raise ValueError(
                    f"peak_{precision}_flop_per_s is a positive number, or NaN where nobody states it; got {value}. "
                    "Take it from the datasheet."
                )
        for name in ("torus", "link_latency_s", "network_latency_s", "step_latency_s"):
            value = getattr(self, name)
            if not value >= 0:
                raise ValueError(f"{name} is 0 or more; got {value}. Take it from the datasheet.")

    @classmethod
    def from_row(
        cls, row: Row, *, links: Mapping[str, Row], released_year: float, needed: str | None = None
    ) -> "Chip":
        """Return the chip described by a row of the accelerator table, with its assumed values listed.

        ``links`` are the rows of the table of chip links by product, used for what the row leaves open.

        Raises Refusal if the row has no bandwidth, no capacity, or no rate at the precision ``needed``.
        """
        product = str(row["product"])
        columns = ("memory_bandwidth_byte_per_s", "memory_capacity_byte")
        columns = columns if needed is None else (f"peak_{needed}_dense_flop_per_s", *columns)
        missing = [name for name in columns if known(row.get(name)) is None]
        if missing:
            raise Refusal(
                f"{product} has no {' and no '.join(COLUMN_WORDS[name] for name in missing)} in this release",
                remedy=f"choose another accelerator{' or 16-bit matmuls' if needed == 'fp8' else ''}.",
            )
        own = _links_of(product, links)
        assumed: list[str] = []
        link = link_of(row, links) or LINK_WHERE_UNKNOWN
        unsure = bool(own.get("assumed")) or known(own.get("chip_link_bandwidth_byte_per_s")) is None
        if known(row.get("chip_link_bandwidth_byte_per_s")) is None and unsure:
            assumed.append(f"chip link {link / 1e9:.0f} GB/s per direction")
        network = known(row.get("network_link_bandwidth_byte_per_s"))
        if network is None:
            network = NETWORK_WHERE_UNKNOWN[released_year >= FUSED_SINCE]
            assumed.append(f"network {network * 8 / 1e9:.0f} Gbit/s per accelerator")
        power = known(row.get("power_w"))
        if power is None:
            power = POWER_WHERE_UNKNOWN_W
            assumed.append(f"power {power:.0f} W")
        return cls(
            name=product,
            peak_fp8_flop_per_s=_peak(row, "fp8"),
            peak_fp16_flop_per_s=_peak(row, "fp16"),
            peak_tf32_flop_per_s=_peak(row, "tf32"),
            peak_fp32_flop_per_s=_peak(row, "fp32"),
            memory_bandwidth_byte_per_s=float(row["memory_bandwidth_byte_per_s"]),
            memory_capacity_byte=float(row["memory_capacity_byte"]),
            link_bandwidth_byte_per_s=link,
            network_bandwidth_byte_per_s=network,
            domain_size=int(known(own.get("domain_size")) or SERVER_SIZE),
            torus=int(known(own.get("torus_dimensions")) or 0),
            link_latency_s=known(own.get("link_latency_s")) or LINK_LATENCY_S,
            power_w=power,
            released_year=released_year,
            assumed=tuple(assumed),
        )

    def stated_peak(self, precision: str) -> float:
        """Return the dense peak at a precision. NaN if not stated. [FLOP/s]"""
        if precision not in PRECISIONS:
            raise ValueError(f"a precision is one of {', '.join(PRECISIONS)}; got {precision!r}.")
        return float(getattr(self, f"peak_{precision}_flop_per_s"))

    def usable_peak(self, number_byte: float) -> float:
        """Return the highest peak for numbers of size ``number_byte``. Infinite if no peak is stated. [FLOP/s]

        It is the peak of their own format if the chip computes in it, otherwise that of 16 bits.
        """
        order: tuple[str, ...] = ("fp16",)
        if number_byte > 2:
            order = ("tf32", "fp32", "fp16")
        elif number_byte == 1:
            order = ("fp8", "fp16")
        return next((peak for peak in map(self.stated_peak, order) if peak > 0), math.inf)

    def with_peak(self, precision: str, peak_flop_per_s: float) -> "Chip":
        """Return the chip with a different dense peak at one precision."""
        return replace(self, **{f"peak_{precision}_flop_per_s": peak_flop_per_s})  # type: ignore[arg-type]

    def with_latencies(self, times: float) -> "Chip":
        """Return the chip with every latency multiplied by ``times``."""
        return replace(
            self,
            link_latency_s=self.link_latency_s * times,
            network_latency_s=self.network_latency_s * times,
            step_latency_s=self.step_latency_s * times,
            mesh=self.mesh and self.mesh.slowed(times),
        )


def link_of(row: Row, links: Mapping[str, Row]) -> float | None:
    """Return a chip's link rate per direction, from its row or else from our table. None if unknown. [byte/s]"""
    column = "chip_link_bandwidth_byte_per_s"
    return known(row.get(column)) or known(_links_of(str(row["product"]), links).get(column))


def known(value: Any) -> float | None:
    """Return the number in a cell. None if the cell is empty or the number not positive."""
    number = float(value) if value is not None and value != "" else math.nan
    return number if math.isfinite(number) and number > 0 else None


def _peak(row: Row, precision: str) -> float:
    return known(row.get(f"peak_{precision}_dense_flop_per_s")) or math.nan


def _links_of(product: str, links: Mapping[str, Row]) -> Row:
    """Return a product's row in the table of links, or else the row of its family."""
    return links.get(product) or links.get(product.split()[0]) or {}
