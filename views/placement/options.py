"""What the choices of /placement offer, in words: formats, networks, ways of fine-tuning, devices."""

from dataclasses import dataclass

from analysis.fine_tuning.memory import Method
from analysis.measured.decode import usable
from analysis.measured.engines import REFERENCE, engine
from analysis.measured.prefill_cases import prefill_usable
from data import standing
from data.by_release import kept_by_release
from views.models import slug
from views.settings import Option

ALL_TIME_S = 3600.0
"""So long a wait asks for nothing."""
NO_SPEED = 0.1
"""So slow an answer asks for next to nothing. [tokens/s]"""


@dataclass(frozen=True, kw_only=True)
class WeightFormat:
    """How weights are kept: in words, as rows of the table of quantisation, and how devices unpack them."""

    label: str
    meaning: str
    on_devices: str
    on_accelerators: str
    family: str

    @property
    def option(self) -> Option:
        """Return its label and meaning."""
        return self.label, self.meaning


FORMATS = {
    "fp16": WeightFormat(
        label="16 bits",
        meaning="16 bits a weight",
        on_devices="FP16",
        on_accelerators="FP16",
        family="16-bit",
    ),
    "8-bit": WeightFormat(
        label="8 bits",
        meaning="Q8_0 on devices (8.5 bits a weight), FP8 on accelerators",
        on_devices="Q8_0",
        on_accelerators="FP8",
        family="8-bit",
    ),
    "6-bit": WeightFormat(
        label="6 bits",
        meaning="Q6_K on devices (6.56 bits a weight), FP8 on accelerators",
        on_devices="Q6_K",
        on_accelerators="FP8",
        family="block 4-bit",
    ),
    "4-bit": WeightFormat(
        label="4 bits",
        meaning="Q4_K_M on devices (4.84 bits a weight), 4-bit blocks on accelerators (4.5)",
        on_devices="Q4_K_M",
        on_accelerators="NVFP4",
        family="block 4-bit",
    ),
    "3-bit": WeightFormat(
        label="3 bits",
        meaning="Q3_K_M on devices (3.91 bits a weight), 4-bit blocks on accelerators (4.5)",
        on_devices="Q3_K_M",
        on_accelerators="NVFP4",
        family="block 4-bit",
    ),
}
NETWORKS: dict[str, Option] = {
    "office": ("Office network", "the office network, then a wired line"),
    "fixed": ("Wired line", "a wired line to the nearest cloud region"),
    "5g": ("5G", "a 5G connection"),
    "4g": ("4G", "a 4G connection"),
    "far": ("Distant region", "a cloud region on another continent"),
}
TUNINGS: dict[Method, tuple[str, str]] = {
    "full": ("All weights", "all weights"),
    "lora": ("LoRA", "adapters beside 16-bit weights"),
    "qlora": ("QLoRA", "adapters on 4-bit weights"),
}
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
CLASSES = {
    "phone": ("Phone", "each person's phone"),
    "laptop": ("Laptop", "each person's laptop, a usual or a top one"),
    "embedded": ("Embedded computer", "a small computer for machines"),
    "workstation": ("Desk workstation", "a small workstation with shared memory"),
    "desktop": ("Desktop with GPU", "a desktop or workstation with one GPU"),
    "edge-server": ("Edge server", "a server on the premises with inference GPUs"),
    "server-room": ("Server room", "a server of eight data-centre GPUs on the premises"),
    "cloud": ("Cloud", "rented accelerators"),
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
