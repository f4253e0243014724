"""Settings of /track-record, and the history of the series to forecast."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from analysis.trend.estimators import Estimator
from analysis.trend.growth import Series
from analysis.trend.selection import Rule
from charts.chart import Role
from data.releases import Release
from views import written
from views.chips import choice as chip_choice
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS
from views.runs import choice as run_choice
from views.runs import disclosure
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings
from views.settings import choice, same_as, shared, whole_number
from views.table import Getter, stated_columns
from views.trend import fit as fit_settings
from views.view import ReleaseSettings
from views.wording import sentence_case

WORDS = written.settings(__file__)
COLUMNS = written.toml(__file__, name="columns.toml")
TRAINING = "training-compute"
CHIP_SERIES = ("memory-bandwidth", "memory-capacity", "fp32", "fp16", "chip-link", "power", "flop-per-watt")


@dataclass(frozen=True, kw_only=True)
class TrackRecordSettings(ReleaseSettings):
    """Settings of /track-record: the series, its rule and estimator, and how far ahead to forecast."""

    series: str = choice(
        TRAINING,
        computed={
            name: (sentence_case(METRICS[name].noun), f"{METRICS[name].noun} of chips")
            for name in CHIP_SERIES
        },
        **WORDS["series"],
    )
    rule: Literal["frontier", "all", "records"] = choice("frontier", **WORDS["rule"])
    horizon: int = whole_number(2, low=1, high=4, **WORDS["horizon"])
    since: str = same_as(TrainingComputeSettings, "since", **WORDS["since"])
    top: int = same_as(TrainingComputeSettings, "top", **WORDS["top"])
    domain: str = same_as(TrainingComputeSettings, "domain", **WORDS["domain"])
    estimator: Estimator = same_as(  # noqa: RUF009 - same_as makes a field
        fit_settings.FitSettings, "estimator", **WORDS["estimator"]
    )
    level: str = choice("90", **WORDS["level"])


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The quantity to forecast: its name within a sentence, unit, colour role, point name and rule."""

    noun: str
    unit: str
    role: Role
    point: str
    words: str

    @property
    def axis(self) -> str:
        """Return the title of the axis, with the unit."""
        return f"{sentence_case(self.noun)} [{self.unit}]"

    def columns(self, name: str) -> tuple[Getter[Any], ...]:
        """Return the table columns from columns.toml, with the subject's names and unit inserted."""
        words = {"unit": self.unit, "point": sentence_case(self.point), "noun": sentence_case(self.noun)}
        return stated_columns(COLUMNS[name], words)


def chosen(settings: TrackRecordSettings) -> TrainingComputeSettings | AcceleratorSettings:
    """Return the settings of the series' trend view that select the same points."""
    if settings.series == TRAINING:
        return shared(
            settings, TrainingComputeSettings, rule="notable" if settings.rule == "all" else settings.rule
        )
    return shared(settings, AcceleratorSettings, metric=settings.series)


def history(release: Release, settings: TrackRecordSettings) -> tuple[Series, Subject]:
    """Return the series to forecast, with all points from which the rule selects, and the series' description."""
    choices = chosen(settings)
    if isinstance(choices, TrainingComputeSettings):
        frame = run_rows.candidates(release, choices)
        words = run_choice.rule_words(choices)
        subject = Subject(
            noun="training compute", unit=run_rows.UNIT, role="compute", point="run", words=words
        )
        return run_rows.series(frame), subject
    metric = METRICS[settings.series]
    subject = Subject(
        noun=metric.noun,
        unit=metric.unit,
        role=metric.role,
        point="chip",
        words=chip_choice.rule_words(choices),
    )
    frame = chip_rows.candidates(release, choices)
    products = frame["product"].where(frame["product"] != "", frame["name"])
    return replace(chip_rows.series(frame), name=products.to_numpy(dtype=object)), subject


def known(release: Release, settings: TrackRecordSettings) -> tuple[tuple[str, ...], str]:
    """Return sentences on the disclosure of runs, and a warning about late starts. Both are empty for chips."""
    choices = chosen(settings)
    if not isinstance(choices, TrainingComputeSettings):
        return (), ""
    return disclosure.sentence(release, choices), disclosure.warning(release, choices)


def rule(settings: TrackRecordSettings) -> Rule:
    """Return the rule that selects points."""
    return Rule(kind=settings.rule, top=settings.top)
