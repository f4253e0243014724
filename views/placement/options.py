"""What the choices of /placement offer, in words: formats, networks, ways of fine-tuning, devices."""

from analysis.measured.decode import usable
from analysis.measured.engines import REFERENCE, engine
from analysis.measured.prefill_cases import prefill_usable
from data import standing
from data.by_release import kept_by_release
from views.models import slug

ALL_TIME_S = 3600.0
"""So long a wait asks for nothing."""
NO_SPEED = 0.1
"""So slow an answer asks for next to nothing. [tokens/s]"""
FORMATS = {
    "fp16": "16 bits a weight",
    "8-bit": "Q8_0 on devices (8.5 bits a weight), FP8 on accelerators",
    "6-bit": "Q6_K on devices (6.56 bits a weight), FP8 on accelerators",
    "4-bit": "Q4_K_M on devices (4.84 bits a weight), 4-bit blocks on accelerators (4.5)",
    "3-bit": "Q3_K_M on devices (3.91 bits a weight), 4-bit blocks on accelerators (4.5)",
}
FORMAT_LABELS = {
    "fp16": "16 bits",
    "8-bit": "8 bits",
    "6-bit": "6 bits",
    "4-bit": "4 bits",
    "3-bit": "3 bits",
}
NETWORKS = {
    "office": "the office network, then a wired line",
    "fixed": "a wired line to the nearest cloud region",
    "5g": "a 5G connection",
    "4g": "a 4G connection",
    "far": "a cloud region on another continent",
}
NETWORK_LABELS = {
    "office": "Office network",
    "fixed": "Wired line",
    "5g": "5G",
    "4g": "4G",
    "far": "Distant region",
}
TUNINGS = {
    "full": "all weights",
    "lora": "adapters beside 16-bit weights",
    "qlora": "adapters on 4-bit weights",
}

TUNING_LABELS = {"full": "All weights", "lora": "LoRA", "qlora": "QLoRA"}
STAYS = {
    "anywhere": ("Anywhere", "it may go to a cloud"),
    "premises": ("On premises", "it stays on the premises"),
    "device": ("On the device", "it stays on the user's own device"),
}
CHARGES = {
    "0": ("Nothing", "nothing: the device is there anyway"),
    "10": ("10 %", "a tenth of its price"),
    "25": ("25 %", "a quarter of its price"),
    "50": ("50 %", "half its price"),
    "100": ("100 %", "all its price"),
}
ANY = "any"
CLASS_LABELS = {
    "phone": "Phone",
    "laptop": "Laptop",
    "embedded": "Embedded computer",
    "workstation": "Desk workstation",
    "desktop": "Desktop with GPU",
    "edge-server": "Edge server",
    "server-room": "Server room",
    "cloud": "Cloud",
}
CLASS_MEANINGS = {
    "phone": "each person's phone",
    "laptop": "each person's laptop, a usual or a top one",
    "embedded": "a small computer for machines",
    "workstation": "a small workstation with shared memory",
    "desktop": "a desktop or workstation with one GPU",
    "edge-server": "a server on the premises with inference GPUs",
    "server-room": "a server of eight data-centre GPUs on the premises",
    "cloud": "rented accelerators",
}
"""Classes of device that can be asked about, by their word."""
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
