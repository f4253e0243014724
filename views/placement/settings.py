"""The choices of /placement: what is asked, where it may run, and what surrounds it."""

from dataclasses import dataclass

from analysis.measured.engines import REFERENCE
from data.by_release import ByRelease
from views.chips.rents import RENTS, STEADY
from views.models import with_models
from views.placement.options import (
    CHARGES,
    NETWORKS,
    TUNINGS,
    device_options,
    engine_options,
)
from views.placement.workload import CUSTOM, FIRST_YEAR, PRESET, USUAL, USUAL_NUMBER, WorkloadSettings
from views.settings import choice, decimal, whole_number

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

    device: str = choice(
        NONE,
        ByRelease(lambda: {NONE: ("None", "only typical devices"), **device_options()}),
        label="Additional device",
        help="A device of the table to compare beside the typical ones.",
        group="Hardware",
    )
    chips: int | None = whole_number(
        None,
        low=1,
        high=64,
        label="Cloud accelerators",
        help="Chips that hold one copy of the model in the cloud.",
        group="Hardware",
        unset="the fewest",
    )
    renting: str = choice(
        "by-use",
        {
            "by-use": ("Pay per use", "only what is used is paid for, on shared machines"),
            "by-hour": ("Whole machines", "whole machines are rented around the clock"),
        },
        label="Renting",
        help="How accelerators in a cloud are paid for.",
        group="Money",
    )
    rent_change: int = whole_number(
        100,
        low=5,
        high=500,
        label="Rent, % of listed",
        help="The listed on-demand price times this.",
        group="Money",
    )
    rents: str = choice(
        STEADY,
        RENTS,
        label="Rents",
        help="How rents move until later years.",
        group="Money",
    )
    utilization: int = whole_number(
        60,
        low=1,
        high=95,
        label="Utilization, %",
        help="Share of full load that shared machines run at.",
        group="Hardware",
    )
    engine: str = choice(
        TYPICAL,
        ByRelease(lambda: {TYPICAL: ("Typical", f"{REFERENCE}, as most measurements"), **engine_options()}),
        label="Engine on devices",
        help="The program that runs the model on phones, computers and cards; each has the factor of its measurements.",
        group="Hardware",
    )
    serving_engine: str = choice(
        TYPICAL,
        {
            TYPICAL: ("Typical", "the mean of the engines that were measured"),
            "vllm": ("vLLM", "vLLM"),
            "sglang": ("SGLang", "SGLang"),
            "trtllm": ("TensorRT-LLM", "TensorRT-LLM"),
        },
        label="Engine on accelerators",
        help="The program that serves the model in clouds, server rooms and edge servers.",
        group="Hardware",
    )
    network: str = choice(
        USUAL,
        {USUAL: PRESET, **NETWORKS},
        label="Network",
        help="How requests reach a cloud.",
        group="Hardware",
    )
    years: float = decimal(
        4.0,
        low=0.5,
        high=15.0,
        step=0.5,
        label="Years in use",
        help="How long owned hardware is used.",
        group="Money",
    )
    charged: str = choice(
        USUAL,
        {USUAL: PRESET, **CHARGES},
        label="Device price charged",
        help="Share of the price of a user's own device charged to this workload; on-premises machines are charged "
        "whole.",
        group="Money",
    )
    electricity: float = decimal(
        0.165,
        low=0.0,
        high=2.0,
        step=0.01,
        label="Electricity, $/kWh",
        help="What owned hardware pays; 0.165 is the mean of US homes in 2024.",
        group="Money",
    )
    sustained: str = choice(
        "by-work",
        {
            "by-work": ("Throttle with load", "phones slow down as far as the workload keeps them busy"),
            "always": ("Always throttled", "phones run at the speed they hold for ten minutes"),
            "never": ("Never throttled", "phones keep their first speed"),
        },
        label="Phones under load",
        help="Phones get hot: after ten minutes of work they ran at about half their first speed.",
        group="Hardware",
    )
    edge_model: str = choice(
        USUAL,
        with_models({USUAL: ("Preset", "the workload's usual small model")}),
        label="Small edge model",
        help="The model kept at the edge where requests are split in two tiers.",
        group="Model",
    )
    kept_on_edge: int | None = whole_number(
        None,
        low=0,
        high=100,
        label="Answered at the edge, %",
        help="Share of requests the small model answers well enough; the rest goes to the cloud.",
        group="Model",
        unset=USUAL_NUMBER,
    )
    split: str = choice(
        "after-try",
        {
            "after-try": ("After an edge attempt", "each request is tried at the edge first"),
            "before": ("Routed beforehand", "a router knows beforehand which requests to send on"),
        },
        label="Escalation",
        help="Whether requests that go to the cloud were tried at the edge before.",
        group="Model",
    )
    map: str = choice(
        "requests",
        {
            "requests": ("Size and requests a day", "model size and requests a day"),
            "context": ("Size and context", "model size and context"),
        },
        label="Map over",
        help="What the map of the cheapest option is drawn over.",
        group="Workload",
    )
    tuning: str = choice(
        USUAL,
        {USUAL: PRESET, **TUNINGS},
        label="Fine-tuning",
        help="Which weights are trained, where the workload is fine-tuning.",
        group="Workload",
    )
    tuning_tokens: float | None = decimal(
        None,
        low=0.01,
        high=1_000_000.0,
        step=10.0,
        label="Tuning, million tokens",
        help="Tokens read in all, every pass counted.",
        group="Workload",
        unset=USUAL_NUMBER,
    )
    deadline: float | None = decimal(
        None,
        low=0.1,
        high=10_000.0,
        step=1.0,
        label="Deadline, hours",
        help="Hours that a fine-tuning may take.",
        group="Requirements",
        unset=USUAL_NUMBER,
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
