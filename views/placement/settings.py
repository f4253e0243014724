"""Settings of /placement: the work, where it may run, and the conditions."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from analysis.measured.decode import usable
from analysis.measured.engines import REFERENCE, engine
from analysis.measured.prefill_cases import prefill_usable
from data import standing
from data.by_release import ByRelease, kept_by_release
from views import written
from views.chips.rents import RentSettings
from views.models import MODEL_OPTIONS, slug
from views.settings import choice, decimal, same_as, whole_number
from views.view import ReleaseSettings

WORDS = written.settings(__file__)
ALL_TIME_S = 3600.0
"""Time to first token from which the limit has no effect. [s]"""
NO_SPEED = 0.1
"""Required speed below which the requirement has no effect. [tokens/s]"""


@dataclass(frozen=True, kw_only=True)
class WeightFormat:
    """A weight format: its names on devices and on accelerators, and how devices unpack its weights."""

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
"""Label and meaning of the device classes on offer, keyed by option."""
CLASS_OF: dict[str, str] = written.toml(__file__, name="names.toml")["class_of"]
"""Class shown for each device class in the table. Accelerators depend on whether they are rented."""
LONGEST_NAME = 36


@kept_by_release()
def engine_options() -> dict[str, tuple[str, str]]:
    """Return the engines, except the usual one, with which devices were measured, keyed by option."""
    table = standing.table("measured_decode")
    names = set(map(engine, table.loc[usable(table) | prefill_usable(table), "software"]))
    return {slug(name): (name, name) for name in sorted(names - {"", REFERENCE}, key=str.lower)}


def device_options() -> dict[str, tuple[str, str]]:
    """Return each device's short and full names, keyed by option."""
    return {
        word: (name if len(name) <= LONGEST_NAME else name.partition(" ")[2], name)
        for word, name in devices().items()
    }


@kept_by_release()
def devices() -> dict[str, str]:
    """Return the names of devices in the table that can be a place, keyed by option."""
    table = standing.table("edge_devices")
    known = table.loc[table[["memory_bandwidth_byte_per_s", "memory_capacity_byte"]].notna().all(axis=1)]
    return {slug(name): str(name) for name in sorted(known["name"])}


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A task with its usual numbers, which have the settings' names. ``label`` is the task's short name.

    ``first_token`` [s] and ``speed`` [tokens/s] are the requirements, 0 for none. ``kept`` tokens are in the cache from
    earlier turns, and ``prompt`` tokens need prefill. ``share`` of a device's price is charged to the work, 0 if people
    own it anyway. Fine-tuning trains on ``tuning_tokens`` million tokens within ``deadline`` hours.
    """

    label: str
    words: str
    noun: str
    model: str
    format: str = "4-bit"
    prompt: int = 1000
    output: int = 300
    kept: int = 0
    requests: int = 1000
    people: int = 1
    peak: float = 4.0
    first_token: float = 0.0
    speed: float = 0.0
    stay: str = "anywhere"
    network: str = "fixed"
    share: float = 1.0
    edge_model: str = "llama-3.2-3b"
    kept_on_edge: int = 70
    tuning: str = ""
    tuning_tokens: float = 0.0
    deadline: float = 0.0


PRESETS = {word: Preset(**fields) for word, fields in written.toml(__file__, name="presets.toml").items()}
"""Realistic tasks, keyed by option."""
USUAL = "usual"
CUSTOM = "custom"
usual_count = partial(whole_number, None, unset="the task's usual number")
usual_number = partial(decimal, None, unset="the task's usual number")
"""Return a setting for a number of the workload, by default the task's usual number."""
FIRST_YEAR, LAST_YEAR = 2026, 2040
MOST_PEOPLE = 10_000_000
NONE, TYPICAL = "none", "typical"
TUNING = frozenset({"tuning", "tuning_tokens", "deadline"})
"""Settings for fine-tuning only."""
ANSWERING = frozenset(
    {
        *("format", "prompt", "kept", "output", "requests", "people", "each", "peak", "first_token", "speed"),
        *("renting", "utilization", "network", "sustained", "edge_model", "kept_on_edge", "split"),
        *("engine", "serving_engine", "map"),
    }
)
"""Settings for answering requests only."""


@dataclass(frozen=True, kw_only=True)
class PlacementSettings(ReleaseSettings):
    """Settings of /placement: the work, where it runs, and the conditions.

    The option ``usual``, and an empty number, stand for the task's usual value.
    """

    work: str = choice(
        "laptop-coding",
        computed={word: (preset.label, preset.words) for word, preset in PRESETS.items()},
        **WORDS["work"],
    )
    model: str = choice(USUAL, computed=MODEL_OPTIONS, **WORDS["model"])
    stay: str = choice(USUAL, **WORDS["stay"])
    year: int = whole_number(FIRST_YEAR, low=FIRST_YEAR, high=LAST_YEAR, **WORDS["year"])
    people: int | None = usual_count(low=1, high=MOST_PEOPLE, **WORDS["people"])
    each: float | None = usual_number(low=0.0, high=10_000.0, step=5.0, **WORDS["each"])
    only: str = choice(ANY, **WORDS["only"])
    format: str = choice(USUAL, **WORDS["format"])
    billions: float = decimal(8.0, low=0.1, high=5000.0, step=1.0, **WORDS["billions"])
    prompt: int | None = usual_count(low=1, high=1_000_000, **WORDS["prompt"])
    kept: int | None = usual_count(low=0, high=1_000_000, **WORDS["kept"])
    output: int | None = usual_count(low=1, high=100_000, **WORDS["output"])
    requests: int | None = usual_count(low=1, high=999_999_999, **WORDS["requests"])
    peak: float | None = usual_number(low=1.0, high=100.0, step=0.5, **WORDS["peak"])
    first_token: float | None = usual_number(low=0.01, high=ALL_TIME_S, step=0.5, **WORDS["first_token"])
    speed: float | None = usual_number(low=NO_SPEED, high=10_000.0, step=5.0, **WORDS["speed"])
    budget: float | None = decimal(None, low=0.001, high=1_000_000.0, step=0.5, **WORDS["budget"])
    offline: str = choice("no", **WORDS["offline"])
    sure: int = whole_number(80, low=5, high=99, **WORDS["sure"])
    device: str = choice(NONE, computed=ByRelease(device_options), **WORDS["device"])
    chips: int | None = whole_number(None, low=1, high=64, **WORDS["chips"])
    renting: str = choice("by-use", **WORDS["renting"])
    rent_change: int = whole_number(100, low=5, high=500, **WORDS["rent_change"])
    rents: str = same_as(RentSettings, "rents", **WORDS["rents"])
    utilization: int = whole_number(60, low=1, high=95, **WORDS["utilization"])
    engine: str = choice(
        TYPICAL,
        computed=ByRelease(
            lambda: {TYPICAL: ("Typical", f"{REFERENCE}, as most measurements"), **engine_options()}
        ),
        **WORDS["engine"],
    )
    serving_engine: str = choice(TYPICAL, **WORDS["serving_engine"])
    network: str = choice(USUAL, **WORDS["network"])
    years: float = decimal(4.0, low=0.5, high=15.0, step=0.5, **WORDS["years"])
    charged: str = choice(USUAL, **WORDS["charged"])
    electricity: float = decimal(0.165, low=0.0, high=2.0, step=0.01, **WORDS["electricity"])
    sustained: str = choice("by-work", **WORDS["sustained"])
    edge_model: str = choice(USUAL, computed=MODEL_OPTIONS, **WORDS["edge_model"])
    kept_on_edge: int | None = usual_count(low=0, high=100, **WORDS["kept_on_edge"])
    split: str = choice("after-try", **WORDS["split"])
    map: str = choice("requests", **WORDS["map"])
    tuning: str = choice(USUAL, **WORDS["tuning"])
    tuning_tokens: float | None = usual_number(
        low=0.01, high=1_000_000.0, step=10.0, **WORDS["tuning_tokens"]
    )
    deadline: float | None = usual_number(low=0.1, high=10_000.0, step=1.0, **WORDS["deadline"])

    @property
    def preset(self) -> Preset:
        """Return the usual numbers of the chosen task."""
        return PRESETS[self.work]

    def usual(self, name: str) -> str:
        """Return the value of a choice, by default the task's usual value."""
        value = getattr(self, name)
        return getattr(self.preset, name) if value == USUAL else value

    @classmethod
    def migrated(cls, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values of a link as meant when it was made. Old links state total requests and have no ``each``.

        A link that contains every setting except ``each`` is such an old link; a short link of today has ``requests``
        only to replace the product.
        """
        before = "requests" in values and "each" not in values
        if before and values["requests"] is None and values.get("people") is not None:
            return {**values, "each": 0.0}
        return values

    @property
    def total(self) -> float:
        """Return the daily requests of all people, by default the number of people times the requests per person."""
        if self.requests is not None:
            return float(self.requests)
        usual = self.preset.requests / self.preset.people
        if self.each == 0 or (self.each is None and self.people is None):
            return float(self.preset.requests)
        return self.number("people") * (usual if self.each is None else self.each)

    def number(self, name: str) -> float:
        """Return the value of a number, by default the task's usual number."""
        if name == "requests":
            return self.total
        value = getattr(self, name)
        return float(getattr(self.preset, name) if value is None else value)

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result. Answering and fine-tuning have different settings."""
        if name == "billions":
            return self.usual("model") == CUSTOM
        if name == "rents" and self.preset.tuning:
            return self.year > FIRST_YEAR
        if name == "each" and self.requests is not None:
            return False
        elsewhere = ANSWERING if self.preset.tuning else TUNING
        return super().applies(name) and name not in elsewhere

    def option_label(self, name: str, word: str) -> str:
        """Return the label of an option. For ``usual``, it includes the task's usual value."""
        label = super().option_label(name, word)
        if word != USUAL:
            return label
        if name == "charged":
            return f"{label}: {100 * self.preset.share:.0f}%"
        usual = str(getattr(self.preset, name))
        return f"{label}: {super().option_label(name, usual)}" if usual else label

    def stands_for(self, name: str, word: str) -> str:
        """Return the option that ``word`` stands for, such as the task's usual one."""
        if word != USUAL:
            return word
        return (
            f"{100 * self.preset.share:.0f}" if name == "charged" else str(getattr(self.preset, name)) or word
        )

    @property
    def share(self) -> float:
        """Return the share of a device's price charged to the work, from 0 to 1."""
        return self.preset.share if self.charged == USUAL else float(self.charged) / 100

    def where_empty(self, name: str) -> str:
        """Return the text shown for an empty setting, such as the task's usual number."""
        if name in ("requests", "each"):
            count = self.total if name == "requests" else self.total / self.number("people")
            return f"{count:,.0f}" if count >= 100 else f"{count:.3g}"
        usual = getattr(self.preset, name, None)
        if usual is None:
            return super().where_empty(name)
        return "any" if usual == 0 and name not in ("kept", "kept_on_edge") else f"{usual:,.12g}"
