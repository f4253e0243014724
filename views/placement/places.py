"""The places that /placement compares: typical devices of each class, machines in the house, accelerators for rent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from analysis.hardware.device_makers import chip
from analysis.placement.places import CHIPS_PER_SERVER, MOST_CHIPS, OWNED, PERSONAL, RENTED, Places
from analysis.serving.deployment import LINK_WHERE_UNKNOWN_BYTE_PER_S, ServingChip
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


@kept_by_release()
def _speed_classes() -> dict[str, str]:
    """Return the class that each measured device's speeds stand in: a desk computer may hold a desktop's GPU."""
    table = standing.table("measured_decode")
    return dict(zip(table["edge_device"].astype(str), table["device_class"].astype(str), strict=True))


def _device(word: str, row: Row, *, label: PlaceLabel) -> dict[str, Any] | None:
    """Return a device of the table as a place; None where its memory or bandwidth is unknown."""
    name, of = row["name"], row["device_class"]
    if not (row["memory_bandwidth_byte_per_s"] > 0 and row["memory_capacity_byte"] > 0):
        return None
    peak, power = row["peak_fp16_flop_per_s"], row["power_w"]
    return {
        "word": word,
        "label": label,
        "kind": PERSONAL if of in PERSONAL_CLASSES else OWNED,
        "device_class": of,
        "speed_class": _speed_classes().get(name, of),
        "backend": "GPU" if of != "embedded" or "NVIDIA" in name else "CPU",
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
        "power_w": power if power > 0 else POWER_WHERE_UNKNOWN_W.get(of, 100.0),
        "price_usd": row["price_usd"],
        "price_usd_per_hour": 0.0,
    }


def plain_name(name: str) -> str:
    """Return a device's name without its vendor's and what stands in brackets."""
    short = name.partition(" (")[0]
    return short.removeprefix("NVIDIA ").removesuffix(" Workstation")


def _served(word: str, row: Row | None, *, label: PlaceLabel, **own: Any) -> dict[str, Any] | None:
    """Return accelerators as a place, ``own`` being what they do not have of their row.

    None where the release has none, or not its memory, bandwidth or peak.
    """
    if row is None:
        return None
    listed = standing.rows("chip_links", "product").get(row["product"], {})
    try:
        one = ServingChip.from_row(
            row,
            link_byte_per_s=listed.get("chip_link_bandwidth_byte_per_s", np.nan),
            domain_size=listed.get("domain_size", np.nan),
        )
    except ValueError:
        return None
    far = row["chip_link_bandwidth_byte_per_s"] > 0
    return {
        "word": word,
        "label": label,
        "device_class": "datacenter_gpu",
        "speed_class": "datacenter_gpu",
        "backend": "GPU",
        "device": one.name,
        "maker": one.maker,
        "accelerator": True,
        "most_chips": float(MOST_CHIPS if far else CHIPS_PER_SERVER),
        "memory_bandwidth_byte_per_s": one.memory_bandwidth_byte_per_s,
        "memory_capacity_byte": one.memory_capacity_byte,
        "peak_flop_per_s": one.peak(16),
        "peak_fp8_flop_per_s": one.peak(8),
        "peak_fp4_flop_per_s": one.peak(4),
        "link_bandwidth_byte_per_s": one.link_bandwidth_byte_per_s,
        "domain_size": one.domain_size,
        "power_w": row["power_w"],
        **own,
    }


def _of_the_table(word: str, name: str, *, kind: str, parts: Mapping[str, Row]) -> dict[str, Any] | None:
    """Return a device of the table, or the cards of an edge server, as a place."""
    row = standing.rows("edge_devices", "name")[name]
    label = PlaceLabel(kind=kind or CLASS_WORDS[row["device_class"]], device=plain_name(name))
    if row["device_class"] not in SERVED_CLASSES:
        return _device(word, row, label=label)
    return _served(
        word,
        parts.get(row["accelerator"]),
        label=label,
        kind=OWNED,
        device_class="edge_server",
        speed_class="edge_server",
        chips=0.0,
        price_usd=row["price_usd"],
        price_usd_per_hour=0.0,
    )


def _server_room(reference: Row, row: Row | None) -> dict[str, Any] | None:
    if row is None:
        return None
    device = f"{CHIPS_PER_SERVER} × {_product(row)}"
    return _served(
        reference["word"],
        row,
        label=PlaceLabel(kind=reference["label"], device=device),
        kind=OWNED,
        chips=float(CHIPS_PER_SERVER),
        most_chips=float(CHIPS_PER_SERVER),
        price_usd=row["price_usd"],
        price_usd_per_hour=0.0,
    )


def _rented(reference: Row, row: Row | None, *, chips: int, release: str) -> dict[str, Any] | None:
    listed = rent(release, reference["accelerator"])
    if row is None or listed is None:
        return None
    label = PlaceLabel(kind=reference["label"], device=_product(row), rented=True)
    costs = {"price_usd": 0.0, "price_usd_per_hour": listed.middle}
    return _served(reference["word"], row, label=label, kind=RENTED, chips=float(chips), **costs)


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
    parts, chips = _accelerators(release), settings.chips or 0
    chosen = [(row["word"], row["edge_device"], row["label"]) for row in _reference("typical device")]
    if settings.device != NONE:
        chosen.append((settings.device, devices()[settings.device], ""))
    rows = [_of_the_table(word, name, kind=kind, parts=parts) for word, name, kind in chosen]
    rows += [_server_room(row, parts.get(row["accelerator"])) for row in _reference("server room")]
    rows += [
        _rented(row, parts.get(row["accelerator"]), chips=chips, release=release.stands_on)
        for row in _reference("cloud")
    ]
    known = [row for row in rows if row is not None]
    year = None if settings.year == FIRST_YEAR else settings.year
    return ComparedPlaces(
        words=tuple(row["word"] for row in known),
        labels=tuple(replace(row["label"], year=year) for row in known),
        places=_places(known, network(settings.usual("network"))),
    )


def _places(rows: Sequence[dict[str, Any]], to_cloud: Network) -> Places:
    rented, owned = (np.array([row["kind"] == kind for row in rows]) for kind in (RENTED, OWNED))
    columns: dict[str, Any] = {name: tuple(str(row[name]) for row in rows) for name in TEXTS}
    columns |= {name: np.array([float(row[name]) for row in rows]) for name in NUMBERS}
    return Places(
        **columns,
        name=tuple(row["label"].text for row in rows),
        accelerator=np.array([row["accelerator"] for row in rows], dtype=bool),
        round_trip_s=np.where(rented, to_cloud.round_trip_s, np.where(owned, house_round_trip_s(), 0.0)),
        uplink_byte_per_s=np.where(
            rented, to_cloud.uplink_byte_per_s, np.where(owned, HOUSE_BYTE_PER_S, np.inf)
        ),
        network_j_per_byte=np.where(rented, to_cloud.energy_j_per_byte, 0.0),
        network_usd_per_byte=np.where(rented, to_cloud.usd_per_byte, 0.0),
    )
