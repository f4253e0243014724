"""Which gap, for which runs and chips: the settings, and the two histories they ask for."""

from dataclasses import dataclass
from typing import Any

from views.chips.choice import AcceleratorSettings
from views.runs.choice import TrainingComputeSettings
from views.settings import choice, decimal, whole_number
from views.trend.fit import LEVELS
from views.view import ReleaseSettings

CHIPS: dict[str, tuple[str, dict[str, Any]]] = {
    "nvidia-flagships": (
        "NVIDIA's leading data-centre chip of each generation",
        {"rule": "flagships", "vendor": "nvidia"},
    ),
    "flagships": ("every vendor's leading data-centre chip of each generation", {"rule": "flagships"}),
    "all": ("every product", {"rule": "all"}),
}


@dataclass(frozen=True, kw_only=True)
class GapSettings(ReleaseSettings):
    """Since when the two trends are compared, for which models and chips."""

    since: int = whole_number(
        2012,
        low=2008,
        high=2022,
        label="Since",
        help="The first year that enters both fits; on 1 January of it both trends stand at 1×.",
        first_row=True,
    )
    domain: str = choice(
        "all",
        {"all": "models of every domain", "language": "models whose domains include language"},
        label="Domain",
        help="Which training runs are considered, before the top 10 at release are picked.",
        first_row=True,
    )
    chips: str = choice(
        "nvidia-flagships",
        {name: meaning for name, (meaning, _) in CHIPS.items()},
        label="Chips",
        help="Whose memory bandwidth stands for the chip's side.",
        first_row=True,
    )
    level: str = choice("90", LEVELS, label="Level, %", help="The confidence level of every interval shown.")
    to: int = whole_number(
        2030, low=2027, high=2040, label="Project to", help="The year that both trends are drawn to."
    )


@dataclass(frozen=True, kw_only=True)
class GrowthGapSettings(GapSettings):
    """Which gap, for which runs and chips, and which quoted rates it is held against."""

    compare: str = choice(
        "all",
        {
            "all": "the three levels side by side",
            "run-chip": "compute of a run against bandwidth of a chip, as quoted",
            "chip-chip": "throughput against bandwidth of the same chips",
            "run-run": "FLOP/s of a run against the bandwidth of all its chips",
        },
        label="Compare",
        help="What is put against what. Only the last two compare like with like.",
        first_row=True,
    )
    top: int = whole_number(
        10, low=1, high=100, label="Top k", help="How many runs count as the frontier at any time."
    )
    precision: str = choice(
        "fp16",
        {
            "fp32": "peak dense FP32 on the ordinary units",
            "tf32": "peak dense TF32 on matrix units",
            "fp16": "peak dense FP16 or BF16",
            "fp8": "peak dense FP8",
            "int8": "peak dense INT8",
        },
        label="Precision",
        help="The format that a chip's throughput is counted in, chip against chip.",
    )
    compute_growth: float = decimal(
        5.0,
        low=1.01,
        high=100.0,
        step=0.1,
        label="Quoted compute growth",
        help="A claim to hold against the data: growth factor a year of compute.",
    )
    bandwidth_growth: float = decimal(
        1.28,
        low=1.01,
        high=100.0,
        step=0.01,
        label="Quoted bandwidth growth",
        help="A claim to hold against the data: growth factor a year of bandwidth; 28 % is 1.28.",
    )


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What the levels compare: which runs and chips, throughput at which precision, indexed to which year."""

    runs: TrainingComputeSettings
    chips: AcceleratorSettings
    precision: str
    since: float


def comparison(settings: GapSettings) -> Comparison:
    """Return the runs and chips that the settings name, under the same window, interval and release.

    The start page compares the top 10 and counts throughput at 16 bits.
    """
    top, precision = (
        (settings.top, settings.precision) if isinstance(settings, GrowthGapSettings) else (10, "fp16")
    )
    runs = TrainingComputeSettings(
        since=str(settings.since),
        domain=settings.domain,
        top=top,
        level=settings.level,
        to=settings.to,
        release=settings.release,
    )
    _, chosen = CHIPS[settings.chips]
    chips = AcceleratorSettings(
        since=runs.since, level=runs.level, to=runs.to, release=runs.release, **chosen
    )
    return Comparison(runs=runs, chips=chips, precision=precision, since=float(settings.since))
