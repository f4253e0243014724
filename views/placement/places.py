"""Places on /placement: typical devices of each class, on-premises machines, and rented accelerators."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from analysis.hardware.device_makers import chip
from analysis.placement.places import CHIPS_PER_SERVER, MOST_CHIPS, OWNED, PERSONAL, RENTED, Places
from analysis.placement.results import LEVEL
from analysis.serving.deployment import LINK_WHERE_UNKNOWN_BYTE_PER_S, ServingChip
from data import standing
from data.by_release import kept_by_release
from data.releases import Release
from views import wording, written
from views.chips.rents import rent
from views.kept import kept
from views.placement.amounts import CLASS_WORDS
from views.placement.settings import CLASS_OF, FIRST_YEAR, NONE, PlacementSettings, devices

Row = Mapping[str, Any]

CLOUD, SERVER_ROOM = "cloud", "server-room"
"""Classes of rented accelerators, and of an owned data-centre server with eight chips."""
PERSONAL_CLASSES = ("phone", "laptop")
SERVED_CLASSES = ("edge_server",)
"""On-premises classes that use the serving model, because their cards serve many users at once."""
POWER_WHERE_UNKNOWN_W = {"phone": 5.0, "laptop": 30.0, "embedded": 30.0}
"""Assumed power under load without a source, keyed by device class. [W]"""
HOUSE_BYTE_PER_S = 125e6
"""Bandwidth of a wired gigabit network. [byte/s]"""
LAN = "n001"
ONE_CHIP = {
    **{"maker": "", "accelerator": False, "chips": 1, "most_chips": 1, "domain_size": 1},
    **{"peak_fp8_flop_per_s": math.nan, "peak_fp4_flop_per_s": math.nan},
    **{"link_bandwidth_byte_per_s": LINK_WHERE_UNKNOWN_BYTE_PER_S, "price_usd_per_hour": 0.0},
}
"""Fields with the same value for all single devices."""
SERVED = {
    **{"kind": OWNED, "device_class": "datacenter_gpu", "speed_class": "datacenter_gpu", "backend": "GPU"},
    **{"accelerator": True, "chips": 0},
}
"""Default fields of accelerators as places."""
NETWORKS = written.toml(__file__, name="networks.toml")


@dataclass(frozen=True, kw_only=True)
class Network:
    """The network between a person and a place."""

    round_trip_s: float = 0.0
    uplink_byte_per_s: float = math.inf
    network_j_per_byte: float = 0.0
    network_usd_per_byte: float = 0.0


@kept_by_release(8)
def network(word: str) -> Network:
    """Return the network chosen by an option, from the table of networks."""
    rows, of = standing.rows("networks", "row_id"), NETWORKS[word]
    return Network(
        round_trip_s=sum(float(rows[trip]["round_trip_s"]) for trip in of["round_trip"]),
        uplink_byte_per_s=float(rows[of["uplink"]]["bandwidth_byte_per_s"]) * of.get("uplink_share", 1.0),
        network_j_per_byte=float(rows[of["energy"]]["energy_j_per_byte"]),
        network_usd_per_byte=float(rows[of["price"]]["price_usd_per_byte"]) if "price" in of else 0.0,
    )


@kept_by_release()
def house_network() -> Network:
    """Return the network between a person and an on-premises machine."""
    round_trip_s = float(standing.rows("networks", "row_id")[LAN]["round_trip_s"])
    return Network(round_trip_s=round_trip_s, uplink_byte_per_s=HOUSE_BYTE_PER_S)


@dataclass(frozen=True, kw_only=True)
class PlaceLabel:
    """Label of a place: its kind (laptop, cloud), its device without the vendor, and any later year.

    ``word`` is its option, and ``class_word`` that of its device class. ``rents`` are the bounds of providers' prices,
    relative to their median. [1]
    """

    word: str
    class_word: str
    kind: str
    device: str
    year: int | None = None
    rents: tuple[float, float] = (1.0, 1.0)

    @property
    def rented(self) -> bool:
        """Return whether the place is for rent."""
        return self.class_word == CLOUD

    @property
    def device_of_year(self) -> str:
        """Return the device, with a later year if any: Apple M5, Apple M5 of 2030."""
        return self.device if self.year is None else f"{self.device} of {self.year}"

    @property
    def text(self) -> str:
        """Return the full label: laptop (Apple M5), cloud H100."""
        return f"{self.kind} {self.device_of_year}" if self.rented else f"{self.kind} ({self.device_of_year})"

    @property
    def brief(self) -> str:
        """Return the label without the device if the kind suffices: laptop, cloud H100."""
        return self.text if self.rented else self.kind

    def named(self, *, brief: bool = False) -> str:
        """Return the place's name in a sentence: the cloud (B200), a laptop (Apple M5) or, if ``brief``, a laptop."""
        if self.rented:
            return f"the cloud ({self.device_of_year})"
        return wording.a(self.kind if brief else self.text)


@kept_by_release()
def _speed_classes() -> dict[str, str]:
    """Return the class in which each device's speeds were measured, keyed by device."""
    table = standing.table("measured_decode")
    return dict(zip(table["edge_device"].astype(str), table["device_class"].astype(str), strict=True))


@kept
def _accelerators(release: Release) -> Mapping[str, Row]:
    rows = cast(list[dict[str, Any]], release.accelerators.to_dict("records"))
    return {row["name"]: row for row in reversed(rows)}


def _device(row: Row) -> Row | None:
    """Return a device in the table as a place. None if its memory or bandwidth is unknown."""
    name, of = row["name"], row["device_class"]
    if not (row["memory_bandwidth_byte_per_s"] > 0 and row["memory_capacity_byte"] > 0):
        return None
    peak, power = row["peak_fp16_flop_per_s"], row["power_w"]
    return {
        **ONE_CHIP,
        "kind": PERSONAL if of in PERSONAL_CLASSES else OWNED,
        "device_class": of,
        "speed_class": _speed_classes().get(name, of),
        "backend": "GPU" if of != "embedded" or "NVIDIA" in name else "CPU",
        "device": chip(name),
        "memory_bandwidth_byte_per_s": row["memory_bandwidth_byte_per_s"],
        "memory_capacity_byte": row["memory_capacity_byte"],
        "peak_flop_per_s": peak if peak > 0 else row["peak_fp16_shader_flop_per_s"],
        "power_w": power if power > 0 else POWER_WHERE_UNKNOWN_W.get(of, 100.0),
        "price_usd": row["price_usd"],
    }


def _served(row: Row, **own: Any) -> Row | None:
    """Return on-premises accelerators as a place, with the fields in ``own``.

    Returns None if the release lacks their memory, bandwidth or peak.
    """
    listed = standing.rows("chip_links", "product").get(row["product"], {})
    try:
        one = ServingChip.from_row(
            row,
            link_byte_per_s=listed.get("chip_link_bandwidth_byte_per_s", math.nan),
            domain_size=listed.get("domain_size", math.nan),
        )
    except ValueError:
        return None
    far = row["chip_link_bandwidth_byte_per_s"] > 0
    return {
        **vars(one),
        **SERVED,
        "device": one.name,
        "most_chips": MOST_CHIPS if far else CHIPS_PER_SERVER,
        "power_w": row["power_w"],
        "price_usd": row["price_usd"],
        "price_usd_per_hour": 0.0,
        **own,
    }


def _placed(
    reference: Row, *, settings: PlacementSettings, release: Release
) -> tuple[PlaceLabel, Row] | None:
    """Return a place's label and numbers. None if the release lacks the numbers."""
    word, kind, accelerators, listed = reference["word"], reference["label"], _accelerators(release), None
    if reference["kind"] == "typical device":
        device = standing.rows("edge_devices", "name")[reference["edge_device"]]
        of = device["device_class"]
        short = device["name"].partition(" (")[0]
        class_word, called = CLASS_OF[of], short.removeprefix("NVIDIA ").removesuffix(" Workstation")
        if of in SERVED_CLASSES:
            part = accelerators.get(device["accelerator"])
            own = {"device_class": of, "speed_class": of, "price_usd": device["price_usd"]}
            row = None if part is None else _served(part, **own)
        else:
            row = _device(device)
        kind = kind or CLASS_WORDS[of]
    else:
        part = accelerators.get(reference["accelerator"])
        if part is None:
            return None
        called, class_word = str(part["product"]).removesuffix(" SXM"), CLOUD
        if reference["kind"] == "server room":
            called, class_word = f"{CHIPS_PER_SERVER} × {called}", SERVER_ROOM
            row = _served(part, chips=CHIPS_PER_SERVER, most_chips=CHIPS_PER_SERVER)
        else:
            listed = rent(release.stands_on, reference["accelerator"])
            own = {"kind": RENTED, "chips": settings.chips or 0, "price_usd": 0.0}
            row = None if listed is None else _served(part, **own, price_usd_per_hour=listed.middle)
    spread = (1.0, 1.0) if listed is None else listed.spread(LEVEL)
    label = PlaceLabel(word=word, class_word=class_word, kind=kind, device=called, rents=spread)
    return None if row is None else (label, row)


def compared(settings: PlacementSettings, release: Release) -> tuple[tuple[PlaceLabel, ...], Places]:
    """Return the places to compare, in a fixed order, and their labels in the chosen year.

    Devices that the release lacks, or has without bandwidth, memory or peak, are left out.
    """
    references = cast(list[dict[str, Any]], standing.table("reference_places").to_dict("records"))
    if settings.device != NONE:
        own = {"kind": "typical device", "word": settings.device, "label": ""}
        typical = sum(row["kind"] == "typical device" for row in references)
        references.insert(typical, {**own, "edge_device": devices()[settings.device]})
    placed = (_placed(reference, settings=settings, release=release) for reference in references)
    known = [place for place in placed if place is not None]
    ways = {PERSONAL: Network(), OWNED: house_network(), RENTED: network(settings.usual("network"))}
    rows = [{**row, "name": label.text, **vars(ways[row["kind"]])} for label, row in known]
    year = None if settings.year == FIRST_YEAR else settings.year
    return tuple(replace(label, year=year) for label, _ in known), Places.from_rows(rows)
