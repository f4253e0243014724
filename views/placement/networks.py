"""The way from a person to a machine in the house or to a cloud, from the table of networks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from data import standing
from data.by_release import kept_by_release

HOUSE_BYTE_PER_S = 125e6
"""A wired gigabit. [byte/s]"""
LAN, FIXED, FAR = "n001", "n008", "n021"


@dataclass(frozen=True, kw_only=True)
class Network:
    """The way from a person to a cloud."""

    round_trip_s: float
    uplink_byte_per_s: float
    energy_j_per_byte: float
    usd_per_byte: float


def _row(row_id: str) -> Mapping[str, Any]:
    return standing.rows("networks", "row_id")[row_id]


@kept_by_release(8)
def network(word: str) -> Network:
    """Return a network of the settings from its rows in the table of networks.

    4G uploads are taken at half the 5G rate: the table has no row for them. Energy is that of the access network.
    """
    uplink, energy = _row("n028")["bandwidth_byte_per_s"], _row("n033")["energy_j_per_byte"]
    fixed = float(_row(FIXED)["round_trip_s"])
    trips = {
        "office": fixed + float(_row(LAN)["round_trip_s"]),
        "fixed": fixed,
        "5g": float(_row("n013")["round_trip_s"]),
        "4g": float(_row("n012")["round_trip_s"]),
        "far": fixed + float(_row(FAR)["round_trip_s"]),
    }
    if word in ("5g", "4g"):
        uplink = _row("n026")["bandwidth_byte_per_s"] * (1.0 if word == "5g" else 0.5)
        energy = _row("n037" if word == "5g" else "n036")["energy_j_per_byte"]
    return Network(
        round_trip_s=trips[word],
        uplink_byte_per_s=float(uplink),
        energy_j_per_byte=float(energy),
        usd_per_byte=float(_row("n031")["price_usd_per_byte"]) if word == "far" else 0.0,
    )


@kept_by_release()
def house_round_trip_s() -> float:
    """Return the round trip to a machine in the house. [s]"""
    return float(_row(LAN)["round_trip_s"])
