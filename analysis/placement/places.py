"""Places where work can run, as arrays: devices, on-premises machines and rented accelerators."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray, Rows

PERSONAL, OWNED, RENTED = "personal", "owned", "rented"
KINDS = (PERSONAL, OWNED, RENTED)

CHIPS_PER_SERVER = 8
"""Number of accelerators in a server. Larger models use pipeline stages of servers. [1]"""
MOST_CHIPS = 64
"""Maximum number of chips per copy if the chips have a link of their own. Otherwise, one server. [1]"""


def among(values: Iterable[str], *, words: Container[str]) -> BoolArray:
    """Return a mask, shape (n,), of the values that are among ``words``."""
    return np.array([value in words for value in values], dtype=bool)


@dataclass(frozen=True, kw_only=True)
class Places(Rows):
    """Places as columns. Arrays have shape (places,), and numbers are per chip.

    ``kind`` is ``personal`` (one per person), ``owned`` (on-premises machines, as many as the load needs) or
    ``rented``. ``accelerator`` marks places whose speed comes from the serving model of accelerators; other places use
    that of devices by ``speed_class``, the class whose measured speeds apply. ``chips`` fixes the number of chips per
    copy of the model, 0 for the fewest that fit it. ``peak_flop_per_s`` is at 16 bits; accelerators also have those at
    8 and 4 bits, or the next wider format's. ``domain_size`` chips share the fast links; ``maker`` is the vendor.
    ``round_trip_s`` and the network's figures describe the path from a person to the place. Unknown numbers are NaN.
    """

    name: tuple[str, ...]
    kind: tuple[str, ...]
    device_class: tuple[str, ...]
    speed_class: tuple[str, ...]
    backend: tuple[str, ...]
    device: tuple[str, ...]
    maker: tuple[str, ...]
    accelerator: BoolArray
    chips: FloatArray
    most_chips: FloatArray
    memory_bandwidth_byte_per_s: FloatArray
    memory_capacity_byte: FloatArray
    peak_flop_per_s: FloatArray
    peak_fp8_flop_per_s: FloatArray
    peak_fp4_flop_per_s: FloatArray
    link_bandwidth_byte_per_s: FloatArray
    domain_size: FloatArray
    power_w: FloatArray
    price_usd: FloatArray
    price_usd_per_hour: FloatArray
    round_trip_s: FloatArray
    uplink_byte_per_s: FloatArray
    network_j_per_byte: FloatArray
    network_usd_per_byte: FloatArray

    def __post_init__(self) -> None:
        """Validate that columns have equal lengths and known kinds."""
        lengths = {name: len(value) for name, value in vars(self).items()}
        if len(set(lengths.values())) > 1:
            counted = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise ValueError(
                f"every column of places has one entry per place; got {counted}. Fill in the rest."
            )
        unknown = sorted(set(self.kind) - set(KINDS))
        if unknown:
            raise ValueError(f"a place is {', '.join(KINDS)}; got {', '.join(unknown)}. Choose one of these.")

    def __len__(self) -> int:
        """Return the number of places."""
        return len(self.name)

    def peak(self, bits: float) -> FloatArray:
        """Return the peak compute rate for weights of ``bits`` bits, shape (places,). [FLOP/s]"""
        if bits < 5:
            return self.peak_fp4_flop_per_s
        return self.peak_fp8_flop_per_s if bits < 10 else self.peak_flop_per_s

    @property
    def measured_like(self) -> dict[str, Any]:
        """Return the columns that identify places in the models of measured devices."""
        names = ("device", "backend", "memory_bandwidth_byte_per_s")
        return {"device_class": self.speed_class, **{name: getattr(self, name) for name in names}}

    def is_kind(self, kind: str) -> BoolArray:
        """Return a mask, shape (places,), of places of the given kind."""
        return among(self.kind, words={kind})


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Conditions of the work, as numbers or arrays of shape (cells, 1).

    ``utilization`` is the share of full load that shared machines run at. ``by_hour`` rents whole machines around the
    clock, as many as the busiest hour needs; otherwise only use is paid, at that utilization. ``share`` of the price of
    personal devices is charged to this work over ``years``; on-premises machines are charged in full. ``pue`` is the
    data centre's total power over IT power, ``server_power`` a chip's power including its share of the server over its
    own. ``engine`` runs the model on devices, ``serving_engine`` on accelerators (``vllm``, ``sglang``, ``trtllm``);
    ``""`` is the usual one.
    """

    utilization: float | FloatArray = 0.6
    by_hour: bool = False
    years: float | FloatArray = 4.0
    share: float | FloatArray = 1.0
    usd_per_kwh: float | FloatArray = 0.165
    pue: float | FloatArray = 1.2
    server_power: float = 1.5
    price_times: float | FloatArray = 1.0
    bandwidth_times: float | FloatArray = 1.0
    round_trip_times: float | FloatArray = 1.0
    engine: str = ""
    serving_engine: str = ""


@dataclass(frozen=True, kw_only=True)
class HardwareGrowth(Rows):
    """Growth factors of each place's numbers, 1 today. They are scalars, or of shape (places,) or (places, draws)."""

    bandwidth: float | FloatArray = 1.0
    flop: float | FloatArray = 1.0
    capacity: float | FloatArray = 1.0
    price: float | FloatArray = 1.0
    link: float | FloatArray = 1.0

    def of(self, place: NDArray[np.intp]) -> "HardwareGrowth":
        """Return the growth at the given places. Every factor must have the shape (places, draws)."""
        return HardwareGrowth(**{name: np.asarray(value)[place] for name, value in vars(self).items()})


TODAY = HardwareGrowth()
