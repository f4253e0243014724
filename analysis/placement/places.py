"""Where work can run: devices of one's own, machines in the house, accelerators for rent, as arrays."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray, Rows

PERSONAL, OWNED, RENTED = "personal", "owned", "rented"
KINDS = (PERSONAL, OWNED, RENTED)

CHIPS_PER_SERVER = 8
"""So many accelerators share a server's links; larger models go through stages of servers."""
MOST_CHIPS = 64
"""Chips that hold one copy at most, where they have a link of their own; else one server's. [1]"""


def among(values: Iterable[str], *, words: Container[str]) -> BoolArray:
    """Return which values are among some words, shape (n,)."""
    return np.array([value in words for value in values], dtype=bool)


@dataclass(frozen=True, kw_only=True)
class Places(Rows):
    """Places side by side; arrays have shape (places,), numbers are of one chip.

    ``kind`` is ``personal`` (each person has one), ``owned`` (machines in the house, as many as the load needs) or
    ``rented``. ``accelerator`` marks places whose speed comes from the throughput model of accelerators, others from
    that of devices, by ``speed_class``: the class whose measured speeds tell of the device. ``chips`` fixes how many
    chips hold one copy of the model, 0 for the fewest that do. ``peak_flop_per_s`` is at 16 bits; those at 8 and 4 are
    of accelerators, the next wider format's where they have none; ``domain_size`` chips share the fast links, and
    ``maker`` made them. ``round_trip_s`` and the network's figures lead from a person to the place. Unknown numbers
    are NaN.
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
        """Refuse columns of unequal length and kinds nobody knows."""
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
        """Return the peak that weights of so many bits compute at, shape (places,). [FLOP/s]"""
        if bits < 5:
            return self.peak_fp4_flop_per_s
        return self.peak_fp8_flop_per_s if bits < 10 else self.peak_flop_per_s

    @property
    def measured_like(self) -> dict[str, Any]:
        """Return what the models of measured devices know places by, as columns of their cases."""
        names = ("device", "backend", "memory_bandwidth_byte_per_s")
        return {"device_class": self.speed_class, **{name: getattr(self, name) for name in names}}

    def is_kind(self, kind: str) -> BoolArray:
        """Return which places are of a kind, shape (places,)."""
        return among(self.kind, words={kind})


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What surrounds the work; numbers, or arrays of shape (cells, 1).

    ``utilization`` is the share of full load that shared machines run at. ``by_hour`` rents whole machines around the
    clock, as many as the busiest hour needs; else only what is used is paid, at that utilization. ``share`` of the
    price of people's own devices is charged to this work over ``years``, machines in the house whole. ``pue`` is the
    data centre's total over its computers' power, ``server_power`` that of a chip with its share of the server over
    its own. ``engine`` is the program that runs the model on devices, ``serving_engine`` on accelerators (``vllm``,
    ``sglang``, ``trtllm``), ``""`` for what is usual.
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
    """By what factor each place's numbers have grown, scalars or shapes (places,) or (places, draws): 1 today."""

    bandwidth: float | FloatArray = 1.0
    flop: float | FloatArray = 1.0
    capacity: float | FloatArray = 1.0
    price: float | FloatArray = 1.0
    link: float | FloatArray = 1.0

    def of(self, place: NDArray[np.intp]) -> "HardwareGrowth":
        """Return the growth of these places where every number has the shape (places, draws)."""
        return HardwareGrowth(**{name: np.asarray(value)[place] for name, value in vars(self).items()})


TODAY = HardwareGrowth()
