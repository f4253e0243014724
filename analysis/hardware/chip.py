"""What a chip is: its peaks, its memory, its links and its power, from a row of the table of accelerators."""

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
    """Cores in a square that pass values from neighbour to neighbour, one hop in ``hop_s``. [s]

    Weights stay where they are, so a layer is read by the cores that hold it, and ``reductions_per_layer`` times a
    layer all of them wait for one another.
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
        """Return how long the reductions of a layer take that a share of the cores holds. [s]

        Each goes to the middle and back: 2 (w + h)/2 hops of w by h cores, which is least for a square.
        """
        side = np.sqrt(np.asarray(share, dtype=np.float64) * self.cores)
        return self.reductions_per_layer * 2 * side * self.hop_s

    def best_share(self, reading_s: ArrayLike, *, layers: float, least: ArrayLike) -> FloatArray:
        """Return the share of the cores that a layer is spread over where its token takes least.

        ``reading_s`` is what reading all layers would take if every core had its part of each [s]; ``least`` the share
        whose memory a layer needs. More cores read faster and wait longer: as much of one as of the other is best.
        """
        wait = float(self.layer_wait_s(1.0)) * layers
        even = (np.asarray(reading_s, dtype=np.float64) / wait) ** (2 / 3) if wait > 0 else np.inf
        return np.minimum(np.maximum(even, least), 1.0)

    def slowed(self, times: float) -> "CoreMesh":
        """Return the mesh with hops so many times as long."""
        return replace(self, hop_s=self.hop_s * times)


PRECISIONS = ("fp8", "fp16", "tf32", "fp32")

FUSED_SINCE = 2022.4
"""FlashAttention came in May 2022 (arXiv:2205.14135); chips released later are taken to train with it. [year]"""

SERVER_SIZE = 8
"""Chips that share the chip link, where nothing else is known of them."""
LINK_WHERE_UNKNOWN = 300e9
NETWORK_WHERE_UNKNOWN = {True: 50e9, False: 25e9}
"""One port of 400 Gbit/s an accelerator for chips since mid-2022, as in a DGX H100, of 200 Gbit/s before; assumed.
[byte/s]"""
POWER_WHERE_UNKNOWN_W = 500.0

LINK_LATENCY_S = 0.45e-6
"""One exchange through NVLink or Infinity Fabric: the least in table hwLat of NCCL's cost model in its version of 2020
is 0.47, others up to 4 by protocol, https://github.com/NVIDIA/nccl/blob/master/src/graph/tuning.cc. [s]"""

NETWORK_LATENCY_S = 1e-6
"""One exchange through network cards, assumed, below the least that the same table has: 2.7 to 11 by protocol.
Latencies here are least ones: a floor that charged usual ones would be undercut. [s]"""

STEP_LATENCY_S = 0.1e-6
"""All parts of a chip passing on one matrix product, assumed: not below one access to the cache they share, 222 cycles
at least on an NVIDIA L40 (arXiv:2606.22588), 0.09 microseconds. What is measured is longer: under 1.5 microseconds for
all cores of a wafer (Rocki et al., SC 2020). [s]"""

COLUMN_WORDS = {
    "peak_fp16_dense_flop_per_s": "16-bit rate",
    "peak_fp8_dense_flop_per_s": "FP8 rate",
    "memory_bandwidth_byte_per_s": "memory bandwidth",
    "memory_capacity_byte": "memory capacity",
}
"""What a reader calls the columns that a chip cannot do without."""

Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Chip:
    """One accelerator. Dense peaks [FLOP/s], NaN where nobody states one; rates in byte/s, links per direction.

    ``domain_size`` chips share the chip link, over switches or, with ``torus`` dimensions, from neighbour to
    neighbour. Latencies are those of one hop; ``step_latency_s`` is what all parts of the chip need to agree on one
    matrix product, where a ``mesh`` of cores does not say it. Chips with ``direct_links`` have no switch that could add
    up between them. ``assumed`` says what its table left open.
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
        """Return whether all is the same; by default a peak that nobody states (NaN) is not, from Python 3.13 on."""
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
        """Return the chip of a row of the table of accelerators; what the row leaves open is assumed, and said.

        ``links`` are the rows of the table of chip links by product: what they say counts where the row is silent.

        Raises
        ------
        Refusal
            If the row has no bandwidth, no capacity, or no rate at the precision ``needed``.
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
        """Return the dense peak at a precision, NaN where nobody states it. [FLOP/s]"""
        if precision not in PRECISIONS:
            raise ValueError(f"a precision is one of {', '.join(PRECISIONS)}; got {precision!r}.")
        return float(getattr(self, f"peak_{precision}_flop_per_s"))

    def usable_peak(self, number_byte: float) -> float:
        """Return the densest peak that numbers of so many byte can use; infinite where nobody states one. [FLOP/s]

        That of their own format where the chip computes in it, else at 16 bits.
        """
        order: tuple[str, ...] = ("fp16",)
        if number_byte > 2:
            order = ("tf32", "fp32", "fp16")
        elif number_byte == 1:
            order = ("fp8", "fp16")
        return next((peak for peak in map(self.stated_peak, order) if peak > 0), math.inf)

    def with_peak(self, precision: str, peak_flop_per_s: float) -> "Chip":
        """Return the chip with another dense peak at a precision. [FLOP/s]"""
        return replace(self, **{f"peak_{precision}_flop_per_s": peak_flop_per_s})  # type: ignore[arg-type]

    def with_latencies(self, times: float) -> "Chip":
        """Return the chip with every latency so many times as long."""
        return replace(
            self,
            link_latency_s=self.link_latency_s * times,
            network_latency_s=self.network_latency_s * times,
            step_latency_s=self.step_latency_s * times,
            mesh=self.mesh and self.mesh.slowed(times),
        )


def link_of(row: Row, links: Mapping[str, Row]) -> float | None:
    """Return the rate of a chip's links per direction, by its row or our table; None by neither. [byte/s]"""
    column = "chip_link_bandwidth_byte_per_s"
    return known(row.get(column)) or known(_links_of(str(row["product"]), links).get(column))


def known(value: Any) -> float | None:
    """Return a cell as a positive number, None where it is empty or none."""
    number = float(value) if value is not None and value != "" else math.nan
    return number if math.isfinite(number) and number > 0 else None


def _peak(row: Row, precision: str) -> float:
    return known(row.get(f"peak_{precision}_dense_flop_per_s")) or math.nan


def _links_of(product: str, links: Mapping[str, Row]) -> Row:
    """Return what the table of links says of a product, or of the family its first word names."""
    return links.get(product) or links.get(product.split()[0]) or {}
