"""The choices of /placement: the work, what an answer must be, where it may run, and what surrounds it."""

from dataclasses import dataclass

from views.models import meanings
from views.placement.options import ALL_TIME_S, FORMATS, NETWORKS, NO_SPEED, TUNINGS, devices
from views.placement.presets import PRESETS, Preset
from views.settings import choice, decimal, whole_number
from views.view import ReleaseSettings

USUAL = "usual"
CUSTOM = "custom"
NONE = "none"
USUAL_NUMBER = "the work's usual number"
FIRST_YEAR, LAST_YEAR = 2026, 2040


@dataclass(frozen=True, kw_only=True)
class PlacementSettings(ReleaseSettings):
    """Which work runs where. ``usual``, and a number left empty, stand for what the chosen work usually has."""

    work: str = choice(
        "laptop-coding",
        {word: preset.words for word, preset in PRESETS.items()},
        label="Work",
        help="A work with its usual numbers; each can be replaced under More choices.",
        first_row=True,
    )
    model: str = choice(
        USUAL,
        {USUAL: "the work's usual model", CUSTOM: "a dense model of the size below", **meanings()},
        label="Model",
        help="The model that answers, from the table of architectures.",
        first_row=True,
    )
    stay: str = choice(
        USUAL,
        {
            USUAL: "as the work usually has it",
            "anywhere": "it may go to a cloud",
            "premises": "it stays in the house",
            "device": "it stays on the person's own device",
        },
        label="Text stays",
        help="How far requests may travel.",
        first_row=True,
    )
    year: int = whole_number(
        FIRST_YEAR,
        low=FIRST_YEAR,
        high=LAST_YEAR,
        label="Year",
        help="Devices and chips move along their fitted trends up to that year.",
        first_row=True,
    )
    format: str = choice(
        USUAL,
        {USUAL: "the work's usual format", **FORMATS},
        label="Weights",
        help="How many bits each weight takes.",
    )
    billions: float = decimal(
        8.0, low=0.1, high=5000.0, step=1.0, label="Size, billion", help="Parameters of a custom model."
    )
    prompt: int | None = whole_number(
        None,
        low=1,
        high=1_000_000,
        label="Prompt",
        help="Tokens of a request that are read anew.",
        unset=USUAL_NUMBER,
    )
    kept: int | None = whole_number(
        None,
        low=0,
        high=1_000_000,
        label="Context kept",
        help="Tokens already in the cache from earlier turns.",
        unset=USUAL_NUMBER,
    )
    output: int | None = whole_number(
        None, low=1, high=100_000, label="Answer", help="Tokens of an answer.", unset=USUAL_NUMBER
    )
    requests: int | None = whole_number(
        None,
        low=1,
        high=999_999_999,
        label="Requests a day",
        help="Of all people together.",
        unset=USUAL_NUMBER,
    )
    people: int | None = whole_number(
        None,
        low=1,
        high=999_999_999,
        label="People",
        help="Each has a phone or laptop of their own; other machines are shared.",
        unset=USUAL_NUMBER,
    )
    peak: float | None = decimal(
        None,
        low=1.0,
        high=100.0,
        step=0.5,
        label="Peak factor",
        help="Requests in the busiest hour over those of the mean hour.",
        unset=USUAL_NUMBER,
    )
    first_token: float | None = decimal(
        None,
        low=0.01,
        high=ALL_TIME_S,
        step=0.5,
        label="First token within, s",
        help="Seconds until the answer begins; 3,600 asks for nothing.",
        unset=USUAL_NUMBER,
    )
    speed: float | None = decimal(
        None,
        low=NO_SPEED,
        high=10_000.0,
        step=5.0,
        label="Tokens a second",
        help="How fast an answer must be written; 0.1 asks for next to nothing.",
        unset=USUAL_NUMBER,
    )
    budget: float | None = decimal(
        None,
        low=0.001,
        high=1_000_000.0,
        step=0.5,
        label="Budget, $ per 1,000",
        help="The most that 1,000 requests may cost, or one fine-tuning.",
        unset="any price",
    )
    offline: str = choice(
        "no",
        {"no": "a connection may be needed", "yes": "it works without the internet"},
        label="Works offline",
        help="Whether the work must go on without the internet.",
    )
    sure: int = whole_number(
        80,
        low=5,
        high=99,
        label="Sure, %",
        help="How likely a place must meet what is asked to count as meeting it.",
    )
    device: str = choice(
        NONE,
        {NONE: "only typical devices", **devices()},
        label="Further device",
        help="A device of the table to compare beside the typical ones.",
    )
    chips: int | None = whole_number(
        None,
        low=1,
        high=64,
        label="Accelerators",
        help="Chips that hold one copy of the model in the cloud.",
        unset="the fewest",
    )
    renting: str = choice(
        "by-use",
        {
            "by-use": "what is used is paid, on shared machines",
            "by-hour": "whole machines are rented around the clock",
        },
        label="Renting",
        help="How accelerators in a cloud are paid.",
    )
    rent_change: int = whole_number(
        100, low=5, high=500, label="Rent, % of listed", help="The listed on-demand price times this."
    )
    utilization: int = whole_number(
        60, low=1, high=95, label="Utilization, %", help="Share of full load that shared machines run at."
    )
    network: str = choice(
        USUAL,
        {USUAL: "as the work usually has it", **NETWORKS},
        label="Network",
        help="How requests reach a cloud.",
    )
    years: float = decimal(
        4.0, low=0.5, high=15.0, step=0.5, label="Years kept", help="How long a device of one's own is used."
    )
    charged: str = choice(
        USUAL,
        {
            USUAL: "as the work usually has it",
            "0": "nothing: the device is there anyway",
            "10": "a tenth of its price",
            "25": "a quarter of its price",
            "50": "half its price",
            "100": "all its price",
        },
        label="Price charged, %",
        help="Share of the price of a person's own device charged to this work; machines in the house are charged "
        "whole.",
    )
    electricity: float = decimal(
        0.165,
        low=0.0,
        high=2.0,
        step=0.01,
        label="Electricity, $/kWh",
        help="What a device of one's own pays; 0.165 is the mean of US homes in 2024.",
    )
    sustained: str = choice(
        "by-work",
        {
            "by-work": "phones slow down as far as the work keeps them busy",
            "always": "phones run at the speed they hold for ten minutes",
            "never": "phones keep their first speed",
        },
        label="Phones under load",
        help="Phones get hot: after ten minutes of work they ran at about half their first speed.",
    )
    edge_model: str = choice(
        USUAL,
        {USUAL: "the work's usual small model", **meanings()},
        label="Small model",
        help="The model kept at the edge where requests are split in two tiers.",
    )
    kept_on_edge: int | None = whole_number(
        None,
        low=0,
        high=100,
        label="Answered at the edge, %",
        help="Share of requests the small model answers well enough; the rest goes to the cloud.",
        unset=USUAL_NUMBER,
    )
    split: str = choice(
        "after-try",
        {
            "after-try": "each request is tried at the edge first",
            "before": "a router knows beforehand which to send on",
        },
        label="Escalation",
        help="Whether requests that go to the cloud were tried at the edge before.",
    )
    map: str = choice(
        "requests",
        {"requests": "model size and requests a day", "context": "model size and context"},
        label="Map over",
        help="What the map of the cheapest place is drawn over.",
    )
    tuning: str = choice(
        USUAL,
        {USUAL: "as the work has it", **TUNINGS},
        label="Fine-tuning",
        help="Which weights are trained, where the work is fine-tuning.",
    )
    tuning_tokens: float | None = decimal(
        None,
        low=0.01,
        high=1_000_000.0,
        step=10.0,
        label="Tuning, million tokens",
        help="Tokens read in all, every pass counted.",
        unset=USUAL_NUMBER,
    )
    deadline: float | None = decimal(
        None,
        low=0.1,
        high=10_000.0,
        step=1.0,
        label="Done within, h",
        help="Hours that a fine-tuning may take.",
        unset=USUAL_NUMBER,
    )

    @property
    def preset(self) -> Preset:
        """Return the usual numbers of the chosen work."""
        return PRESETS[self.work]

    def usual(self, name: str) -> str:
        """Return a choice, or the work's usual one where the reader left it."""
        value = getattr(self, name)
        return getattr(self.preset, name) if value == USUAL else value

    @property
    def share(self) -> float:
        """Return the share of a device's price that is charged to the work, 0 to 1."""
        return self.preset.share if self.charged == USUAL else float(self.charged) / 100

    def number(self, name: str) -> float:
        """Return a number, or the work's usual one where the reader left it empty."""
        value = getattr(self, name)
        return float(getattr(self.preset, name) if value is None else value)

    def where_empty(self, name: str) -> str:
        """Return the work's usual number, or what else stands for a setting that is left empty."""
        usual = getattr(self.preset, name, None)
        if usual is None:
            return super().where_empty(name)
        return "any" if usual == 0 and name not in ("kept", "kept_on_edge") else f"{usual:,.12g}"
