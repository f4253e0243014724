"""Which gap, for which runs and chips: the settings, and the two histories they ask for."""

from dataclasses import dataclass
from typing import Any

from views.chips.choice import AcceleratorSettings
from views.runs.choice import UNDISCLOSED, TrainingComputeSettings
from views.settings import Option, choice, decimal, same_as, whole_number
from views.trend.fit import FitSettings
from views.view import ReleaseSettings

CHIPS: dict[str, Option] = {
    "nvidia-flagships": ("NVIDIA flagships", "NVIDIA's leading data-centre chip of each generation"),
    "flagships": ("All flagships", "every vendor's leading data-centre chip of each generation"),
    "all": ("All products", "every product"),
}
PICKED: dict[str, dict[str, Any]] = {
    "nvidia-flagships": {"rule": "flagships", "vendor": "nvidia"},
    "flagships": {"rule": "flagships"},
    "all": {"rule": "all"},
}
"""What each choice of chips asks of /accelerators."""


@dataclass(frozen=True, kw_only=True)
class GapSettings(ReleaseSettings):
    """Since when the two trends are compared, for which models and chips."""

    since: int = whole_number(
        2012,
        low=2008,
        high=2022,
        label="Since",
        help="The first year of both fits; on its 1 January both trends stand at 1×.",
        first_row=True,
    )
    domain: str = same_as(
        TrainingComputeSettings,
        "domain",
        help="Which training runs are considered, before the top 10 at release are picked.",
    )
    chips: str = choice(
        "nvidia-flagships",
        CHIPS,
        label="Chips",
        help="The chips whose memory bandwidth is compared with compute.",
        first_row=True,
    )
    level: str = same_as(FitSettings, "level")
    to: int = same_as(FitSettings, "to", low=2027, high=2040, help="The year that both trends are drawn to.")


@dataclass(frozen=True, kw_only=True)
class GrowthGapSettings(GapSettings):
    """Which gap, for which runs and chips, and which quoted rates it is held against."""

    compare: str = choice(
        "all",
        {
            "all": ("All three", "the three comparisons side by side"),
            "run-chip": ("Run against chip", "compute of a run against bandwidth of one chip"),
            "chip-chip": ("Chip against chip", "throughput against bandwidth of the same chips"),
            "run-run": ("Run against its chips", "FLOP/s of a run against the bandwidth of all its chips"),
        },
        label="Compare",
        help="What is compared with what. Only the last two compare like with like.",
        first_row=True,
    )
    top: int = same_as(
        TrainingComputeSettings, "top", help="How many runs count as the frontier at any time."
    )
    undisclosed: str = choice(
        "ignore",
        {name: UNDISCLOSED[name] for name in ("ignore", "censored")},
        label="Undisclosed flagships",
        help="What is done, run against chip, with known flagships since July 2025 whose compute is not published.",
        group="Data",
    )
    precision: str = choice(
        "fp16-matrix",
        {
            "fp32": ("FP32", "peak dense FP32 on the ordinary units"),
            "tf32": ("TF32", "peak dense TF32 on matrix units"),
            "fp16-matrix": ("FP16 or BF16, matrix units", "peak dense FP16 or BF16 of matrix units alone"),
            "fp16": (
                "FP16 or BF16, any units",
                "peak dense FP16 or BF16, of vector units where there are no others",
            ),
            "fp8": ("FP8", "peak dense FP8"),
            "int8": ("INT8", "peak dense INT8"),
        },
        label="Precision",
        help="The number format in which a chip's throughput is counted, chip against chip.",
        group="Hardware",
    )
    compute_growth: float = decimal(
        5.0,
        low=1.01,
        high=100.0,
        step=0.1,
        label="Quoted compute growth",
        help="A claim to check: the growth factor of compute in a year, such as 5.",
        group="Claim",
    )
    bandwidth_growth: float = decimal(
        1.28,
        low=1.01,
        high=100.0,
        step=0.01,
        label="Quoted bandwidth growth",
        help="A claim to check: the growth factor of bandwidth in a year; 28 % is 1.28.",
        group="Claim",
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

    The start page compares the top 10 and counts throughput at 16 bits on matrix units.
    """
    top, precision = (
        (settings.top, settings.precision) if isinstance(settings, GrowthGapSettings) else (10, "fp16-matrix")
    )
    runs = TrainingComputeSettings(
        since=str(settings.since),
        domain=settings.domain,
        top=top,
        undisclosed=settings.undisclosed if isinstance(settings, GrowthGapSettings) else "ignore",
        level=settings.level,
        to=settings.to,
        release=settings.release,
    )
    chips = AcceleratorSettings(
        since=runs.since, level=runs.level, to=runs.to, release=runs.release, **PICKED[settings.chips]
    )
    return Comparison(runs=runs, chips=chips, precision=precision, since=float(settings.since))
