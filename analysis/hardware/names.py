"""Device lookup by name. All spellings of a device share one record. Edge devices precede accelerators."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import mode
from typing import Any

import pandas as pd

from analysis.hardware.chip import known
from analysis.hardware.device_makers import BACKENDS, chip, maker

CLASS_OF_SEGMENT = {"consumer": "desktop_gpu", "workstation": "workstation_gpu"}

_MAKERS = {
    "NVIDIA": "nvidia|geforce|tesla|quadro|jetson",
    "AMD": "amd|radeon|instinct",
    "Apple": "apple|macbookpro|macbookair|macstudio|macmini|imac",
    "Intel": "intel|habana",
    "Qualcomm": "qualcomm",
    "Google": "google",
    "Huawei": "huawei",
}
_PREFIX = re.compile("^(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _MAKERS.items()) + ")(?=.)")
_SUFFIX = re.compile(r"(?<=.)(gpu|graphics|developerkit|devkit)$")
_NOT_A_NAME = re.compile(r"core|mode|original|mini|studio|\dGB$|QRD|Galaxy|OnePlus", re.IGNORECASE)
_MEMORY = re.compile(r"\s*\b\d+\s?GB\b", re.IGNORECASE)
_FORM = re.compile(r"\s*\b(SXM\d?|PCIe|PCle|NVL|Workstation|Generation)\b", re.IGNORECASE)
SAME_BANDWIDTH = 0.01


@dataclass(frozen=True, kw_only=True)
class Device:
    """A device in our tables. Numbers may be NaN. ``chip`` is the device's name in the measured rows."""

    name: str
    chip: str
    maker: str
    device_class: str
    backend: str
    memory_bandwidth_byte_per_s: float
    peak_flop_per_s: float
    memory_capacity_byte: float


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A device under one spelling, and the distance of that spelling from the device's full name, 0 (equal) to 3."""

    device: Device
    table: int
    distance: int


@dataclass(frozen=True, kw_only=True)
class DeviceNames:
    """Known device names. ``entries`` lists each spelling's devices, most likely first.

    ``usual`` resolves a short name that several devices share to the most common one, which the case reports.
    """

    entries: Mapping[str, Sequence[Entry]]
    usual: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Named:
    """The device that a name means (None if ambiguous), and the other devices that the name could mean.

    ``unsure`` marks a name that was not the device's own, so that the reader should see which device was used.
    """

    device: Device | None
    others: tuple[Device, ...] = ()
    unsure: bool = False


def letters(name: str) -> str:
    """Return a name normalized for comparison, with only lower-case letters, digits and dots."""
    return re.sub(r"[^a-z0-9.]", "", name.lower())


def without_maker(name: str) -> tuple[frozenset[str], str]:
    """Return the vendors at the start of a name, and the rest of the name, normalized."""
    makers, text = set(), letters(name)
    while prefix := _PREFIX.match(text):
        makers.add(str(prefix.lastgroup))
        text = text[prefix.end() :]
    return frozenset(makers), _SUFFIX.sub("", text).replace("mobile", "laptop").replace("laptopgpu", "laptop")


def spellings(name: str) -> Iterator[tuple[str, int]]:
    """Yield short names of a device, without the vendor, each with its distance from the full name."""
    name = re.sub(r"[_-]+", " ", name)
    short = re.sub(r"\s*\(.*?\)", "", name)
    bare = _MEMORY.sub("", short)
    yield without_maker(name)[1], 0
    yield without_maker(short)[1], 1
    for inside in re.findall(r"\((.*?)\)", name):
        if not _NOT_A_NAME.search(inside):
            yield without_maker(inside)[1], 1
    yield without_maker(bare)[1], 2
    yield without_maker(_FORM.sub("", short))[1], 2
    yield without_maker(_FORM.sub("", bare))[1], 3


def devices(
    *,
    measured: pd.DataFrame,
    edge_devices: pd.DataFrame,
    accelerators: pd.DataFrame,
    usual_devices: pd.DataFrame,
) -> DeviceNames:
    """Return the devices that each spelling may mean, and the usual meaning of each short name."""
    by_spelling: dict[str, list[Entry]] = {}
    for table, device, names in _records(measured, edge_devices=edge_devices, accelerators=accelerators):
        for name in dict.fromkeys((device.name, *names)):
            for spelling, distance in spellings(name):
                entries = by_spelling.setdefault(spelling, [])
                if spelling and all(entry.device is not device for entry in entries):
                    entries.append(Entry(device=device, table=table, distance=distance))
    return DeviceNames(
        entries={
            spelling: tuple(sorted(entries, key=lambda entry: (entry.table, entry.distance)))
            for spelling, entries in by_spelling.items()
        },
        usual=dict(zip(usual_devices["short_name"], usual_devices["device"], strict=True)),
    )


def find_device(name: str, known: DeviceNames) -> Named:
    """Return the device that a name means, ignoring case, spaces, hyphens and vendor."""
    makers, text = without_maker(name)
    near = [key for key, _ in spellings(name) if key in known.entries]
    if text in known.usual or near:
        text = text if text in known.usual else near[0]
    usual = known.entries.get(without_maker(known.usual.get(text, ""))[1], ())
    entries = [
        entry
        for entry in (*usual[:1], *known.entries.get(text, ()))
        if not makers or not entry.device.maker or entry.device.maker in makers
    ]
    if not entries:
        return Named(device=None)
    best = [e.device for e in entries if (e.table, e.distance) == (entries[0].table, entries[0].distance)]
    if form := _FORM.search(name):
        best = [device for device in best if form[1][:3].lower() in device.name.lower()] or best
    chosen = best[0] if usual or _alike(best) else None
    plain = entries[0].distance == 0 and not usual
    rest = () if chosen and plain else (entry.device for entry in entries)
    others = tuple(dict.fromkeys(one for one in rest if chosen is None or not _alike([chosen, one])))
    return Named(device=chosen, others=others, unsure=bool(others) or text != without_maker(name)[1])


def _alike(devices: Sequence[Device]) -> bool:
    bandwidths = [device.memory_bandwidth_byte_per_s for device in devices]
    return len(devices) == 1 or max(bandwidths) <= (1 + SAME_BANDWIDTH) * min(bandwidths)


def _records(
    measured: pd.DataFrame, *, edge_devices: pd.DataFrame, accelerators: pd.DataFrame
) -> Iterator[tuple[int, Device, list[str]]]:
    """Yield each device once, with the rank of its table and all its names. Edge devices come first."""
    rows: list[dict[str, Any]] = measured.to_dict("records")  # type: ignore[assignment]
    rows = [row for row in rows if row["backend"] in BACKENDS and row["n_devices"] == 1]
    parts = {str(row["name"]): row for row in accelerators.to_dict("records")}
    taken: set[str] = set()
    for row in edge_devices.to_dict("records"):
        own = [one for one in rows if one["edge_device"] == row["name"]]
        linked = {str(row["accelerator"]), *(one["accelerator"] for one in own)} & set(parts)
        taken |= linked
        names = [one["device"] for one in own]
        for name in sorted(linked):
            names += [name, str(parts[name]["product"])]
        yield 0, _edge_device(row, own), names
    for name in dict.fromkeys(row["device"] for row in rows if not row["edge_device"]):
        own = [one for one in rows if one["device"] == name and not one["edge_device"]]
        part = next((parts[one["accelerator"]] for one in own if one["accelerator"] in parts), None)
        device = _measured_device(name, own=own, part=part)
        if math.isnan(device.memory_bandwidth_byte_per_s):
            continue
        if part is not None:
            taken.add(str(part["name"]))
        yield 1, device, [] if part is None else [name, str(part["name"]), str(part["product"])]
    for name, part in parts.items():
        if name not in taken:
            yield 2, _accelerator(part), [str(part["product"])]


def _backend(own: Sequence[Mapping[str, Any]], otherwise: str) -> str:
    backends = [row["backend"] for row in own]
    return "GPU" if "GPU" in backends else backends[0] if backends else otherwise


def _edge_device(row: Mapping[Any, Any], own: Sequence[Mapping[str, Any]]) -> Device:
    name, matrix, shader = row["name"], row["peak_fp16_flop_per_s"], row["peak_fp16_shader_flop_per_s"]
    boards = row["device_class"] == "embedded" and row["vendor"] != "NVIDIA"
    return Device(
        name=name,
        chip=chip(own[0]["device"] if own else name),
        maker=maker(name),
        device_class=mode(one["device_class"] for one in own) if own else row["device_class"],
        backend=_backend(own, "CPU" if boards else "GPU"),
        memory_bandwidth_byte_per_s=float(row["memory_bandwidth_byte_per_s"]),
        peak_flop_per_s=float(shader if math.isnan(matrix) else matrix),
        memory_capacity_byte=float(row["memory_capacity_byte"]),
    )


def _measured_device(
    name: str, *, own: Sequence[Mapping[str, Any]], part: Mapping[Any, Any] | None
) -> Device:
    backend = _backend(own, "GPU")
    row = next(one for one in own if one["backend"] == backend)
    size = re.search(r"\b(\d+)\s?GB\b", name)
    return Device(
        name=name if part is None else str(part["name"]),
        chip=chip(name),
        maker=maker(name),
        device_class=row["device_class"],
        backend=backend,
        memory_bandwidth_byte_per_s=float(row["memory_bandwidth_byte_per_s"]),
        peak_flop_per_s=math.nan if part is None else float(part["peak_fp16_dense_flop_per_s"]),
        memory_capacity_byte=1e9 * float(size[1])
        if size
        else math.nan
        if part is None
        else float(part["memory_capacity_byte"]),
    )


def _accelerator(part: Mapping[Any, Any]) -> Device:
    name = str(part["name"])
    return Device(
        name=name,
        chip=chip(name),
        maker=str(part["vendor"]),
        device_class=CLASS_OF_SEGMENT.get(str(part["segment"]), "datacenter_gpu"),
        backend="GPU",
        memory_bandwidth_byte_per_s=float(part["memory_bandwidth_byte_per_s"]),
        peak_flop_per_s=float(part["peak_fp16_dense_flop_per_s"]),
        memory_capacity_byte=float(part["memory_capacity_byte"]),
    )


class UnknownAccelerator(LookupError):  # noqa: N818 - the reader's word for it
    """Error for an accelerator that is not in the table. The message lists similar names."""


def find_accelerator(wanted: str, *, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the row of the accelerator that a name means, such as H100 SXM for "H100".

    Exact products come first. Otherwise every requested word must be in the name, and the server board (SXM) with the
    most memory is preferred. Last, the name may add only form, memory or system to a product: "b200_sxm", "GB200
    NVL72", "NVIDIA H100-NVL-94GB".

    Raises UnknownAccelerator if there is none; the message lists near matches.
    """
    words = _words(wanted)
    exact = [row for row in rows if words and _words(str(row["product"])) == words]
    if exact:
        return max(exact, key=_preference)
    inside = [row for row in rows if words and set(words) <= set(_words(f"{row['product']} {row['name']}"))]
    if inside:
        return max(inside, key=_preference)
    named = [row for row in rows if words and _is_named(row, words)]
    if named:
        return max(named, key=lambda row: (len(_words(str(row["product"]))), *_preference(row)))
    bare = {word for word in words if not _BUILD_WORDS.fullmatch(word)}
    inside = [row for row in rows if bare and bare <= set(_words(f"{row['product']} {row['name']}"))]
    if inside:
        return max(inside, key=_preference)
    near = sorted(
        {str(row["product"]) for row in rows if set(words) & set(_words(f"{row['product']} {row['name']}"))}
    )
    advice = f"near: {', '.join(near[:8])}" if near else "for example A100 80 GB, H100 SXM, TPU v4"
    raise UnknownAccelerator(f"no accelerator is called {wanted!r}; {advice}.")


_BUILD_WORDS = re.compile(
    r"sxm|pcie|oam|hgx|dgx|mgx|nvl\d*|x?\d{1,2}x?|superchip|grace|hopper|blackwell|ultra|trillium|ironwood|server|edition"
    r"|bse|se|platform|hbm\d?e?|\d+gb|power|cap|\d+w?|w|tdp"
)
"""Words for the form factor of a part. They do not identify it."""


def _is_named(row: Mapping[str, Any], words: Sequence[str]) -> bool:
    product = set(_words(str(row["product"])))
    rest = set(words) - product
    return product <= set(words) and all(_BUILD_WORDS.fullmatch(word) for word in rest)


@lru_cache(4096)
def _words(text: str) -> tuple[str, ...]:
    text = re.sub(r"(\d)\s*gb\b", r"\1gb", text.lower())
    text = re.sub(
        r"\bsxm\d\b", "sxm", re.sub(r"\bnvidia\b|\bgoogle\b|\bamd\b|\binstinct\b|\bgpu\b", " ", text)
    )
    text = re.sub(r"\btpu[ _-]?v?(\d\w?)", r"tpu v\1", text).replace("tpu v7x", "tpu v7")
    return tuple(sorted(re.findall(r"[a-z0-9]+", text)))


def _preference(row: Mapping[str, Any]) -> tuple[bool, bool, float, bool]:
    name = f"{row['product']} {row['name']}"
    capacity = known(row.get("memory_capacity_byte")) or 0.0
    has_rate = known(row.get("peak_fp16_dense_flop_per_s")) is not None
    return has_rate, "SXM" in name, capacity, known(row.get("chip_link_bandwidth_byte_per_s")) is not None
