"""Settings of the decomposition: which training runs, and the level of intervals."""

from dataclasses import dataclass

from views import written
from views.growth_accounting.effective import ALGORITHMS, NONE
from views.runs.choice import TrainingComputeSettings
from views.settings import Conflict, choice, same_as, shared
from views.trend import fit as fit_settings
from views.view import ReleaseSettings

WORDS = written.settings(__file__)


@dataclass(frozen=True, kw_only=True)
class GrowthAccountingSettings(ReleaseSettings):
    """Which training runs, since when, and the level of intervals."""

    rule: str = same_as(TrainingComputeSettings, "rule")
    top: int = same_as(TrainingComputeSettings, "top")
    domain: str = same_as(TrainingComputeSettings, "domain")
    since: str = same_as(TrainingComputeSettings, "since", default="2018")
    until: str = same_as(TrainingComputeSettings, "until")
    confidence: str = same_as(TrainingComputeSettings, "confidence")
    interval: str = same_as(
        fit_settings.FitSettings, "interval", only=("bootstrap", "clustered"), **WORDS["interval"]
    )
    level: str = same_as(TrainingComputeSettings, "level")
    algorithms: str = choice(NONE, computed=ALGORITHMS, **WORDS["algorithms"])

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflict of a window that ends before it starts, if any."""
        return fit_settings.until_before_since(self.since, self.until)


def run_settings(settings: GrowthAccountingSettings) -> TrainingComputeSettings:
    """Return the selection of runs as settings of /training-compute."""
    return shared(settings, TrainingComputeSettings)
