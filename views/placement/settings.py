"""The choices of /placement: what is asked, where it may run, and what surrounds it."""

from dataclasses import dataclass

from analysis.measured.engines import REFERENCE
from data.by_release import ByRelease
from views.chips.rents import RentSettings
from views.models import MODEL_OPTIONS
from views.placement.options import WORDS, device_options, engine_options
from views.placement.workload import CUSTOM, FIRST_YEAR, USUAL, USUAL_NUMBER, WorkloadSettings
from views.settings import choice, decimal, same_as, whole_number

NONE, TYPICAL = "none", "typical"
TUNING = frozenset({"tuning", "tuning_tokens", "deadline"})
"""The settings that only fine-tuning uses."""
ANSWERING = frozenset(
    {
        *("format", "prompt", "kept", "output", "requests", "people", "each", "peak", "first_token", "speed"),
        *("renting", "utilization", "network", "sustained", "edge_model", "kept_on_edge", "split"),
        *("engine", "serving_engine", "map"),
    }
)
"""The settings that only answering requests uses."""


@dataclass(frozen=True, kw_only=True)
class PlacementSettings(WorkloadSettings):
    """Which work runs where, and what surrounds it."""

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
    kept_on_edge: int | None = whole_number(
        None, low=0, high=100, unset=USUAL_NUMBER, **WORDS["kept_on_edge"]
    )
    split: str = choice("after-try", **WORDS["split"])
    map: str = choice("requests", **WORDS["map"])
    tuning: str = choice(USUAL, **WORDS["tuning"])
    tuning_tokens: float | None = decimal(
        None, low=0.01, high=1_000_000.0, step=10.0, unset=USUAL_NUMBER, **WORDS["tuning_tokens"]
    )
    deadline: float | None = decimal(
        None, low=0.1, high=10_000.0, step=1.0, unset=USUAL_NUMBER, **WORDS["deadline"]
    )

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result: answering and fine-tuning have settings of their own."""
        if name == "billions":
            return self.usual("model") == CUSTOM
        if name == "rents" and self.preset.tuning:
            return self.year > FIRST_YEAR
        if name == "each" and self.requests is not None:
            return False
        elsewhere = ANSWERING if self.preset.tuning else TUNING
        return super().applies(name) and name not in elsewhere

    def option_label(self, name: str, word: str) -> str:
        """Return what a reader picks an option by; the preset with what it is of the chosen work."""
        label = super().option_label(name, word)
        if word != USUAL:
            return label
        if name == "charged":
            return f"{label}: {100 * self.preset.share:.0f} %"
        usual = str(getattr(self.preset, name))
        return f"{label}: {super().option_label(name, usual)}" if usual else label

    @property
    def device_engine(self) -> str:
        """Return the name of the engine on devices, "" for the typical one."""
        return "" if self.engine == TYPICAL else engine_options()[self.engine][0]

    @property
    def accelerator_engine(self) -> str:
        """Return the word of the engine on accelerators, "" for the typical one."""
        return "" if self.serving_engine == TYPICAL else self.serving_engine

    @property
    def share(self) -> float:
        """Return the share of a device's price that is charged to the work, 0 to 1."""
        return self.preset.share if self.charged == USUAL else float(self.charged) / 100

    def where_empty(self, name: str) -> str:
        """Return the work's usual number, or what else stands for a setting that is left empty."""
        if name in ("requests", "each"):
            count = self.total if name == "requests" else self.each_a_day
            return f"{count:,.0f}" if count >= 100 else f"{count:.3g}"
        usual = getattr(self.preset, name, None)
        if usual is None:
            return super().where_empty(name)
        return "any" if usual == 0 and name not in ("kept", "kept_on_edge") else f"{usual:,.12g}"
