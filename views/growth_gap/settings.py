"""Settings of the gap, and the runs and chips that they select."""

from dataclasses import dataclass
from typing import Any

from views import written
from views.chips import within_chip
from views.chips.choice import AcceleratorSettings
from views.runs.choice import TrainingComputeSettings
from views.settings import choice, decimal, same_as, shared, whole_number
from views.trend.fit import FitSettings
from views.view import ReleaseSettings

WORDS = written.settings(__file__)
USUAL = "usual"
PICKED: dict[str, dict[str, Any]] = {
    USUAL: {"rule": "flagships", "vendor": "nvidia"},
    "nvidia-flagships": {"rule": "flagships", "vendor": "nvidia"},
    "flagships": {"rule": "flagships"},
    "all": {"rule": "all"},
}
"""Settings of /accelerators for each choice of chips, keyed by option."""


@dataclass(frozen=True, kw_only=True)
class GapSettings(ReleaseSettings):
    """Settings of every view with a gap: the first year, the models and the chips."""

    since: int = whole_number(2012, low=2008, high=2022, **WORDS["since"])
    domain: str = same_as(TrainingComputeSettings, "domain", **WORDS["domain"])
    chips: str = choice(USUAL, **WORDS["chips"])
    level: str = same_as(FitSettings, "level")
    to: int = same_as(FitSettings, "to", low=2027, high=2040, **WORDS["to"])


@dataclass(frozen=True, kw_only=True)
class GrowthGapSettings(GapSettings):
    """Settings of /growth-gap: the gap, its runs and chips, and the quoted rates to compare with it."""

    compare: str = choice("all", **WORDS["compare"])
    top: int = same_as(TrainingComputeSettings, "top", **WORDS["top"])
    undisclosed: str = same_as(
        TrainingComputeSettings, "undisclosed", only=("ignore",), **WORDS["undisclosed"]
    )
    precision: str = choice("fp16-matrix", **WORDS["precision"])
    compute_growth: float = decimal(5.0, low=1.01, high=100.0, step=0.1, **WORDS["compute_growth"])
    bandwidth_growth: float = decimal(1.28, low=1.01, high=100.0, step=0.01, **WORDS["bandwidth_growth"])

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result. ``undisclosed`` cannot, but old links contain it."""
        return super().applies(name) and name != "undisclosed"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Inputs of the levels: runs, chips, the precision of throughput, and the index year.

    ``within`` selects the chips whose own compute and bandwidth are compared.
    """

    runs: TrainingComputeSettings
    chips: AcceleratorSettings
    within: AcceleratorSettings
    precision: str
    since: float


def comparison(settings: GapSettings) -> Comparison:
    """Return the selected runs and chips, with the same window, interval and release.

    The start page compares the top 10 runs and counts 16-bit throughput on matrix units.
    """
    top, precision = (
        (settings.top, settings.precision) if isinstance(settings, GrowthGapSettings) else (10, "fp16-matrix")
    )
    since = str(settings.since)
    runs = shared(settings, TrainingComputeSettings, since=since, top=top)
    chips = shared(settings, AcceleratorSettings, since=since, **PICKED[settings.chips])
    within = chips
    if settings.chips == USUAL:
        begun = str(max(settings.since, within_chip.SINCE))
        within = shared(settings, AcceleratorSettings, since=begun, **within_chip.CHIPS)
    return Comparison(runs=runs, chips=chips, within=within, precision=precision, since=float(settings.since))
