"""What the choices of /placement offer: their words, formats of weights, classes of device, engines and devices."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.measured.decode import usable
from analysis.measured.engines import REFERENCE, engine
from analysis.measured.prefill_cases import prefill_usable
from data import standing
from data.by_release import kept_by_release
from views import written
from views.models import slug

WORDS = written.settings(__file__)
ALL_TIME_S = 3600.0
"""So long a wait asks for nothing."""
NO_SPEED = 0.1
"""So slow an answer asks for next to nothing. [tokens/s]"""


@dataclass(frozen=True, kw_only=True)
class WeightFormat:
    """How weights are kept: as rows of the table of quantisation, and how devices unpack them."""

    on_devices: str
    on_accelerators: str
    family: str


FORMATS = {
    "fp16": WeightFormat(on_devices="FP16", on_accelerators="FP16", family="16-bit"),
    "8-bit": WeightFormat(on_devices="Q8_0", on_accelerators="FP8", family="8-bit"),
    "6-bit": WeightFormat(on_devices="Q6_K", on_accelerators="FP8", family="block 4-bit"),
    "4-bit": WeightFormat(on_devices="Q4_K_M", on_accelerators="NVFP4", family="block 4-bit"),
    "3-bit": WeightFormat(on_devices="Q3_K_M", on_accelerators="NVFP4", family="block 4-bit"),
}
ANY = "any"
CLASSES: Mapping[str, tuple[str, str]] = {
    word: option for word, option in WORDS["only"]["options"].items() if word != ANY
}
"""Classes of device that can be asked about, by their word: label and meaning."""
CLASS_OF = {
    "phone": "phone",
    "laptop": "laptop",
    "embedded": "embedded",
    "workstation": "workstation",
    "desktop_gpu": "desktop",
    "workstation_gpu": "desktop",
    "edge_server": "edge-server",
}
"""The class asked about that a device of the table belongs to; accelerators are told by whether they are rented."""
LONGEST_NAME = 36


@kept_by_release()
def engine_options() -> dict[str, tuple[str, str]]:
    """Return the engines that devices were measured with by their word, but for the one that is usual."""
    table = standing.table("measured_decode")
    names = set(map(engine, table.loc[usable(table) | prefill_usable(table), "software"]))
    return {slug(name): (name, name) for name in sorted(names - {"", REFERENCE}, key=str.lower)}


def device_options() -> dict[str, tuple[str, str]]:
    """Return the devices by their word: name, without its maker where it is long, and full name."""
    return {
        word: (name if len(name) <= LONGEST_NAME else name.partition(" ")[2], name)
        for word, name in devices().items()
    }


@kept_by_release()
def devices() -> dict[str, str]:
    """Return the devices that can be placed: word in a link, name in the table."""
    table = standing.table("edge_devices")
    known = table.loc[table[["memory_bandwidth_byte_per_s", "memory_capacity_byte"]].notna().all(axis=1)]
    return {slug(name): str(name) for name in sorted(known["name"])}
