"""The choices of /techniques: what together, for which model, phase and chip, what is saved, what a year is."""

from dataclasses import dataclass
from itertools import combinations

from analysis.techniques.catalogue import clash
from analysis.techniques.setup import Phase
from analysis.techniques.worth import BillField
from data.by_release import ByRelease
from views.chips.linked import CHIP_OPTIONS
from views.models import MODEL_OPTIONS
from views.settings import Conflict, Option, choice, month, whole_number
from views.techniques.evidence import EVIDENCE
from views.trend import fit as fit_settings
from views.view import ReleaseSettings
from views.wording import sentence_case


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What is compared before and after: field of a bill, words, unit, brief words, and the growth it is counted in."""

    field: BillField
    words: str
    meaning: str
    unit: str
    brief: str
    metric: str = "memory-bandwidth"
    growth: str = "bandwidth"


MEASURES = {
    "time": Measure(field="time_s", words="time", meaning="time per token", unit="s", brief="time"),
    "bytes": Measure(
        field="moved_byte",
        words="traffic to memory",
        meaning="bytes to and from memory per token",
        unit="byte",
        brief="memory traffic",
    ),
    "memory": Measure(
        field="memory_byte",
        words="memory",
        meaning="memory held on a chip, in years of capacity growth",
        unit="byte",
        brief="memory",
        metric="memory-capacity",
        growth="capacity",
    ),
    "flop": Measure(
        field="flop", words="operations", meaning="operations per token", unit="FLOP", brief="operations"
    ),
    "links": Measure(
        field="link_byte",
        words="traffic between chips",
        meaning="bytes to other chips per token, training",
        unit="byte",
        brief="link traffic",
    ),
}

NONE = "none"


OPTIONS: ByRelease[str, Option] = ByRelease(
    lambda: {name: (evidence.label, evidence.meaning) for name, evidence in EVIDENCE.items()}
)
FURTHER_OPTIONS: dict[str, ByRelease[str, Option]] = {
    of: ByRelease(lambda of=of: {NONE: ("None", f"no {of} technique"), **OPTIONS})
    for of in ("second", "third")
}


PHASES: dict[str, Option] = {
    "decode": ("Decode", "generating tokens one after another"),
    "prefill": ("Prefill", "reading the prompt at once"),
    "training": ("Training", "training with Adam on every chip alike"),
}


RULES = {
    "nvidia-flagships": ("NVIDIA flagships", "NVIDIA's leading data-centre product of each generation"),
    "flagships": ("All flagships", "every vendor's leading data-centre product of each generation"),
    "all": ("All data-centre chips", "every data-centre product"),
}
"""Which chips' growth is a year of hardware: label and meaning."""


@dataclass(frozen=True, kw_only=True)
class TechniquesSettings(ReleaseSettings):
    """Which techniques are used together, for which model, phase and chip, and what a year of hardware is."""

    technique: str = choice(
        "int4-weights", OPTIONS, label="Technique", help="What is changed.", first_row=True
    )
    phase: Phase = choice(  # noqa: RUF009 - choice makes a field
        "decode", PHASES, label="Phase", help="What the model is doing.", first_row=True
    )
    model: str = choice(
        "llama-3.1-70b",
        MODEL_OPTIONS,
        label="Model",
        help="The model, from the table of architectures.",
        first_row=True,
    )
    chip: str = choice(
        "h100", CHIP_OPTIONS, label="Chip", help="The kind of chip it runs on.", first_row=True
    )
    second: str = choice(
        NONE,
        FURTHER_OPTIONS["second"],
        label="Second technique",
        help="A second technique at the same time; the saving is computed on the combination.",
        group="Techniques",
    )
    third: str = choice(
        NONE,
        FURTHER_OPTIONS["third"],
        label="Third technique",
        help="A third one at the same time.",
        group="Techniques",
    )
    measure: str = choice(
        "time",
        {name: (sentence_case(measure.brief), measure.meaning) for name, measure in MEASURES.items()},
        label="Saving in",
        help="What is compared before and after.",
        group="Techniques",
    )
    batch: int = whole_number(
        1,
        low=1,
        high=4096,
        label="Batch, requests",
        help="Requests, or training sequences, a chip works on at once.",
        group="Workload",
    )
    context: int = whole_number(
        8192,
        low=1,
        high=1_000_000,
        label="Context, tokens",
        help="Tokens of context, prompt or training sequence.",
        group="Workload",
    )
    devices: int = whole_number(
        64,
        low=1,
        high=65536,
        label="Chips in training",
        help="How many chips train together; training only.",
        group="Workload",
    )
    rule: str = choice(
        "nvidia-flagships",
        RULES,
        label="Which chips",
        help="The chips whose growth is a year of hardware.",
        group="Data",
    )
    since: str = month(
        "2012",
        low=fit_settings.FIRST_YEAR,
        high=fit_settings.LAST_YEAR,
        label="Since",
        help="The first month or year of chips that enters the fit.",
        group="Data",
    )
    level: str = fit_settings.confidence_level()

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result: how many chips train only in training."""
        return super().applies(name) and (name != "devices" or self.phase == "training")

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflicts of techniques that fix the same part of the set-up."""
        named = {"technique": self.technique, "second": self.second, "third": self.third}
        for earlier, later in combinations([name for name, value in named.items() if value != NONE], 2):
            if clash([named[earlier], named[later]]):
                return (
                    Conflict(
                        names=(later, earlier),
                        allowed=f"a technique that goes with {named[earlier]}, which fixes the same part",
                    ),
                )
        return ()

    @property
    def chosen(self) -> tuple[str, ...]:
        """Return the techniques used together."""
        return tuple(name for name in (self.technique, self.second, self.third) if name != NONE)
