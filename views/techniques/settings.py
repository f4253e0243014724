"""Settings of /techniques: the techniques, workload, measure and definition of a year of hardware progress."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, cast

from analysis.techniques.catalogue import clash
from analysis.techniques.setup import PHASES, Phase
from analysis.techniques.worth import BillField
from data import sources, standing
from data.by_release import ByRelease
from views import written
from views.chips.linked import CHIP_OPTIONS
from views.models import MODEL_OPTIONS
from views.settings import Conflict, Option, choice, month, same_as, whole_number
from views.trend import fit as fit_settings
from views.view import ReleaseSettings
from views.wording import sentence_case


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Text on a technique: its label, meaning, cost, published effect on quality, and source address.

    ``limit`` is shown in the phases where it applies, ``costly`` only if the technique increases what it should save.
    """

    label: str
    meaning: str
    costs: str
    quality: str
    source: str
    idle: str = "It has no effect in this phase."
    acts_on: str = "the technique acts on something else"
    limit: str = ""
    limit_phases: tuple[Phase, ...] = PHASES
    costly: str = ""
    plural: bool = False

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Evidence":
        """Return the evidence in a row of the standing table ``techniques``."""
        optional = {name: row[name] for name in ("idle", "acts_on", "limit", "costly") if row[name]}
        if row["limit_phases"]:
            optional["limit_phases"] = cast(tuple[Phase, ...], tuple(row["limit_phases"].split(";")))
        return cls(
            label=row["label"],
            meaning=row["meaning"],
            costs=row["costs"],
            quality=row["quality"],
            source=sources.address(row["source_id"]),
            plural=bool(row["plural"]),
            **optional,
        )


EVIDENCE = ByRelease(
    lambda: {
        str(row["technique"]): Evidence.from_row(cast(Mapping[str, Any], row))
        for row in standing.table("techniques").to_dict("records")
    }
)
"""Evidence on each technique, keyed by technique, in display order."""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """The quantity compared with and without techniques: its field in a bill, its names, and the growth of a year."""

    field: BillField
    words: str
    meaning: str
    brief: str
    metric: str = "memory-bandwidth"
    growth: str = "bandwidth"


MEASURES = {name: Measure(**stated) for name, stated in written.toml(__file__, name="measures.toml").items()}
"""The measures, keyed by option."""

WORDS = written.settings(__file__)
NONE = "none"
OPTIONS: ByRelease[str, Option] = ByRelease(
    lambda: {name: (evidence.label, evidence.meaning) for name, evidence in EVIDENCE.items()}
)
RULES: Mapping[str, tuple[str, str]] = WORDS["rule"]["options"]
"""Label and meaning of the chips whose growth defines a year, keyed by option."""


@dataclass(frozen=True, kw_only=True)
class TechniquesSettings(ReleaseSettings):
    """Settings of /techniques: the techniques, workload, measure and definition of a year of hardware progress."""

    technique: str = choice("int4-weights", computed=OPTIONS, **WORDS["technique"])
    phase: Phase = choice("decode", **WORDS["phase"])  # noqa: RUF009 - choice makes a field
    model: str = choice("llama-3.1-70b", computed=MODEL_OPTIONS, **WORDS["model"])
    chip: str = choice("h100", computed=CHIP_OPTIONS, **WORDS["chip"])
    second: str = choice(NONE, computed=OPTIONS, **WORDS["second"])
    third: str = choice(NONE, computed=OPTIONS, **WORDS["third"])
    measure: str = choice(
        "time",
        computed={
            name: (sentence_case(measure.brief), measure.meaning) for name, measure in MEASURES.items()
        },
        **WORDS["measure"],
    )
    batch: int = whole_number(1, low=1, high=4096, **WORDS["batch"])
    context: int = whole_number(8192, low=1, high=1_000_000, **WORDS["context"])
    devices: int = whole_number(64, low=1, high=65536, **WORDS["devices"])
    rule: str = choice("nvidia-flagships", **WORDS["rule"])
    since: str = month("2012", low=fit_settings.FIRST_YEAR, high=fit_settings.LAST_YEAR, **WORDS["since"])
    level: str = same_as(fit_settings.FitSettings, "level")

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result. Some matter only in training."""
        return super().applies(name) and (name != "devices" or self.phase == "training")

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return a conflict if two techniques set the same part of the setup."""
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
        """Return the options of the techniques to combine."""
        return tuple(name for name in (self.technique, self.second, self.third) if name != NONE)
