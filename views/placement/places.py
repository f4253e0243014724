"""The places that /placement compares: typical devices of each class, machines in the house, accelerators for rent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from analysis.hardware.device_makers import chip
from analysis.model.formats import PEAKS
from analysis.placement.places import (
    CHIPS_PER_SERVER,
    MOST_CHIPS,
    OWNED,
    PERSONAL,
    RENTED,
    Places,
)
from analysis.serving.deployment import DOMAIN_WHERE_UNKNOWN, LINK_WHERE_UNKNOWN_BYTE_PER_S
from data import standing
from data.by_release import kept_by_release
from data.releases import Release
from views.chips.rents import rent
from views.kept import kept
from views.placement.options import devices
from views.placement.settings import NONE, PlacementSettings
from views.placement.workload import FIRST_YEAR

Row = Mapping[str, Any]

CLASS_WORDS = {
    "phone": "phone",
    "laptop": "laptop",
    "embedded": "embedded computer",
    "workstation": "workstation",
    "desktop_gpu": "desktop with a GPU",
    "workstation_gpu": "workstation GPU",
    "edge_server": "edge server",
}
SERVER_ROOM = "server-room"
"""A data-centre server of one's own: eight chips, bought."""
PERSONAL_CLASSES = ("phone", "laptop")
SERVED_CLASSES = ("edge_server",)
"""Classes of the house whose cards serve many at once, several to a model: the throughput model is theirs."""

TEXTS = ("kind", "device_class", "speed_class", "backend", "device", "maker")
NUMBERS = (
    *("chips", "most_chips", "memory_bandwidth_byte_per_s", "memory_capacity_byte", "peak_flop_per_s"),
    *("peak_fp8_flop_per_s", "peak_fp4_flop_per_s", "link_bandwidth_byte_per_s", "domain_size", "power_w"),
    *("price_usd", "price_usd_per_hour"),
)
"""The columns of places that stand as they are in the rows they are made of."""
POWER_WHERE_UNKNOWN_W = {"phone": 5.0, "laptop": 30.0, "embedded": 30.0}
"""Power at work where no source states it, assumed. [W]"""

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


@dataclass(frozen=True, kw_only=True)
class PlaceLabel:
    """What a place is called: its kind (laptop, cloud), its device without the vendor, and a year later than today."""

    kind: str
    device: str
    rented: bool = False
    year: int | None = None

    @property
    def device_of_year(self) -> str:
        """Return the device with the year it is of: Apple M5, Apple M5 of 2030."""
        return self.device if self.year is None else f"{self.device} of {self.year}"

    @property
    def text(self) -> str:
        """Return the whole label: laptop (Apple M5), cloud H100."""
        return f"{self.kind} {self.device_of_year}" if self.rented else f"{self.kind} ({self.device_of_year})"

    @property
    def brief(self) -> str:
        """Return the label without the device of what can be told by its kind: laptop, cloud H100."""
        return self.text if self.rented else self.kind


@kept_by_release()
def _reference(kind: str) -> tuple[Row, ...]:
    """Return what stands for the places of a kind, in the order they are compared."""
    rows = cast(list[dict[str, Any]], standing.table("reference_places").to_dict("records"))
    return tuple(row for row in rows if row["kind"] == kind)


def _peak(row: Row, bits: int) -> float:
    known = [float(row[name]) for name in PEAKS[bits] if row[name] > 0]
    return known[0] if known else np.nan


@kept_by_release()
def _speed_classes() -> dict[str, str]:
    """Return the class that each measured device's speeds stand in: a desk computer may hold a desktop's GPU."""
    table = standing.table("measured_decode")
    return dict(zip(table["edge_device"].astype(str), table["device_class"].astype(str), strict=True))


def _device(word: str, name: str, *, label: str) -> dict[str, Any]:
    row = standing.rows("edge_devices", "name")[name]
    kind = PERSONAL if row["device_class"] in PERSONAL_CLASSES else OWNED
    peak = row["peak_fp16_flop_per_s"]
    power = row["power_w"]
    return {
        "word": word,
        "label": PlaceLabel(kind=label or CLASS_WORDS[row["device_class"]], device=plain_name(name)),
        "kind": kind,
        "device_class": row["device_class"],
        "speed_class": _speed_classes().get(name, row["device_class"]),
        "backend": "GPU" if row["device_class"] != "embedded" or "NVIDIA" in name else "CPU",
        "device": chip(name),
        "maker": "",
        "accelerator": False,
        "chips": 1.0,
        "most_chips": 1.0,
        "memory_bandwidth_byte_per_s": row["memory_bandwidth_byte_per_s"],
        "memory_capacity_byte": row["memory_capacity_byte"],
        "peak_flop_per_s": peak if peak > 0 else row["peak_fp16_shader_flop_per_s"],
        "peak_fp8_flop_per_s": np.nan,
        "peak_fp4_flop_per_s": np.nan,
        "link_bandwidth_byte_per_s": LINK_WHERE_UNKNOWN_BYTE_PER_S,
        "domain_size": 1.0,
        "power_w": power if power > 0 else POWER_WHERE_UNKNOWN_W.get(row["device_class"], 100.0),
        "price_usd": row["price_usd"],
        "price_usd_per_hour": 0.0,
    }


def plain_name(name: str) -> str:
    """Return a device's name without its vendor's and what stands in brackets."""
    short = name.partition(" (")[0]
    return short.removeprefix("NVIDIA ").removesuffix(" Workstation")


def first_known(*values: Any) -> float:
    """Return the first of the numbers that is above 0, NaN where none is."""
    return next((float(value) for value in values if value is not None and value > 0), np.nan)


def _served(word: str, row: Row, *, label: PlaceLabel, kind: str, chips: int) -> dict[str, Any]:
    listed = standing.rows("chip_links", "product").get(row["product"], {})
    own_link = row["chip_link_bandwidth_byte_per_s"]
    link = first_known(own_link, listed.get("chip_link_bandwidth_byte_per_s"))
    domain = first_known(listed.get("domain_size"))
    return {
        "word": word,
        "label": label,
        "kind": kind,
        "device_class": "datacenter_gpu" if kind == RENTED else "edge_server",
        "speed_class": "datacenter_gpu" if kind == RENTED else "edge_server",
        "backend": "GPU",
        "device": row["name"],
        "maker": row["vendor"],
        "accelerator": True,
        "chips": float(chips),
        "most_chips": float(MOST_CHIPS if own_link > 0 else CHIPS_PER_SERVER),
        "memory_bandwidth_byte_per_s": row["memory_bandwidth_byte_per_s"],
        "memory_capacity_byte": row["memory_capacity_byte"],
        "peak_flop_per_s": _peak(row, 16),
        "peak_fp8_flop_per_s": _peak(row, 8),
        "peak_fp4_flop_per_s": _peak(row, 4),
        "link_bandwidth_byte_per_s": link if link > 0 else LINK_WHERE_UNKNOWN_BYTE_PER_S,
        "domain_size": domain if domain > 0 else DOMAIN_WHERE_UNKNOWN,
        "power_w": row["power_w"],
        "price_usd": np.nan,
        "price_usd_per_hour": np.nan,
    }


def _edge_server(word: str, device: str, *, label: str, parts: Mapping[str, Row]) -> dict[str, Any] | None:
    own = standing.rows("edge_devices", "name")[device]
    row = parts.get(own["accelerator"])
    if row is None:
        return None
    named = PlaceLabel(kind=label or CLASS_WORDS["edge_server"], device=plain_name(device))
    place = _served(word, row, label=named, kind=OWNED, chips=0)
    return {**place, "price_usd": own["price_usd"], "price_usd_per_hour": 0.0}


def _server_room(reference: Row, parts: Mapping[str, Row]) -> dict[str, Any] | None:
    row = parts.get(reference["accelerator"])
    if row is None:
        return None
    device = f"{CHIPS_PER_SERVER} × {_product(row)}"
    label = PlaceLabel(kind=reference["label"], device=device)
    place = _served(reference["word"], row, label=label, kind=OWNED, chips=CHIPS_PER_SERVER)
    return {
        **place,
        "device_class": "datacenter_gpu",
        "speed_class": "datacenter_gpu",
        "most_chips": float(CHIPS_PER_SERVER),
        "price_usd": row["price_usd"],
        "price_usd_per_hour": 0.0,
    }


def _rented(reference: Row, parts: Mapping[str, Row], *, chips: int, release: str) -> dict[str, Any] | None:
    accelerator = reference["accelerator"]
    row, listed = parts.get(accelerator), rent(release, accelerator)
    if row is None or listed is None:
        return None
    label = PlaceLabel(kind=reference["label"], device=_product(row), rented=True)
    place = _served(reference["word"], row, label=label, kind=RENTED, chips=chips)
    return {**place, "price_usd": 0.0, "price_usd_per_hour": listed.middle}


def _product(row: Row) -> str:
    return str(row["product"]).removesuffix(" SXM")


@kept
def _accelerators(release: Release) -> Mapping[str, Row]:
    rows = cast(list[dict[str, Any]], release.accelerators.to_dict("records"))
    return {row["name"]: row for row in reversed(rows)}


@dataclass(frozen=True, kw_only=True)
class ComparedPlaces:
    """The places that settings compare, in a fixed order: each with its word in a link and its label in a year."""

    words: tuple[str, ...]
    labels: tuple[PlaceLabel, ...]
    places: Places


def compared(settings: PlacementSettings, release: Release) -> ComparedPlaces:
    """Return the places that the settings compare.

    What the release does not know, or knows without bandwidth, memory or peak, is left out.
    """
    parts = _accelerators(release)
    chosen = [(row["word"], row["edge_device"], row["label"]) for row in _reference("typical device")]
    if settings.device != NONE:
        chosen.append((settings.device, devices()[settings.device], ""))
    rows: list[dict[str, Any] | None] = []
    for word, name, label in chosen:
        served = standing.rows("edge_devices", "name")[name]["device_class"] in SERVED_CLASSES
        rows.append(
            _edge_server(word, name, label=label, parts=parts) if served else _device(word, name, label=label)
        )
    rows += [_server_room(row, parts) for row in _reference("server room")]
    chips, name = settings.chips or 0, release.stands_on
    rows += [_rented(row, parts, chips=chips, release=name) for row in _reference("cloud")]
    known = [row for row in rows if row is not None and _known(row)]
    year = None if settings.year == FIRST_YEAR else settings.year
    return ComparedPlaces(
        words=tuple(row["word"] for row in known),
        labels=tuple(replace(row["label"], year=year) for row in known),
        places=_places(known, network(settings.usual("network"))),
    )


def _known(row: dict[str, Any]) -> bool:
    needed = ["memory_bandwidth_byte_per_s", "memory_capacity_byte"]
    needed += ["peak_flop_per_s"] if row["accelerator"] else []
    return all(row[name] > 0 for name in needed)


def _places(rows: Sequence[dict[str, Any]], to_cloud: Network) -> Places:
    lan = house_round_trip_s()
    rented = np.array([row["kind"] == RENTED for row in rows])
    owned = np.array([row["kind"] == OWNED for row in rows])
    columns: dict[str, Any] = {name: tuple(str(row[name]) for row in rows) for name in TEXTS}
    columns |= {name: np.array([float(row[name]) for row in rows]) for name in NUMBERS}
    return Places(
        **columns,
        name=tuple(row["label"].text for row in rows),
        accelerator=np.array([row["accelerator"] for row in rows], dtype=bool),
        round_trip_s=np.where(rented, to_cloud.round_trip_s, np.where(owned, lan, 0.0)),
        uplink_byte_per_s=np.where(
            rented, to_cloud.uplink_byte_per_s, np.where(owned, HOUSE_BYTE_PER_S, np.inf)
        ),
        network_j_per_byte=np.where(rented, to_cloud.energy_j_per_byte, 0.0),
        network_usd_per_byte=np.where(rented, to_cloud.usd_per_byte, 0.0),
    )
