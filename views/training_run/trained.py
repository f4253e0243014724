"""What is trained, on which accelerators and on how much: the first of the choices of /training-run."""

from dataclasses import dataclass
from typing import Any

from data.by_release import ByRelease
from data.standing import rows
from views.settings import choice, decimal, whole_number
from views.training_run.defaults import architectures, offered
from views.view import ReleaseSettings

CUSTOM = "custom"


def _chip_number(*, high: float, step: float, label: str, help: str) -> Any:
    """Return a field for a number of the chip that can be replaced; empty, or 0 in links of old, for its own."""
    return decimal(
        None,
        low=0.0,
        high=high,
        step=step,
        label=label,
        help=help,
        group="Own chip",
        unset="the chip's own",
        zero_is_unset=True,
    )


@dataclass(frozen=True, kw_only=True)
class TrainedSettings(ReleaseSettings):
    """Which model is trained on which accelerators, on how much. Empty means: its default."""

    model: str = choice(
        "llama-3.1-405b",
        ByRelease(lambda: {**architectures(), CUSTOM: ("Custom model", "any shape")}),
        label="Model",
        help="The model that is trained.",
        first_row=True,
    )
    accelerator: str = choice(
        "h100-sxm",
        ByRelease(offered),
        label="Accelerator",
        help="The chip it is trained on. Its numbers can be replaced under Adjust.",
        first_row=True,
    )
    accelerators: int = whole_number(
        16384, low=1, high=1_000_000, label="Accelerators", help="How many are wanted.", first_row=True
    )
    plan: str = choice(
        "auto",
        {
            "auto": ("Fastest plan", "the fastest of all plans that fit"),
            "manual": ("Manual plan", "degrees chosen by hand"),
        },
        label="Plan",
        help="How the run is split over the accelerators.",
        first_row=True,
    )
    tokens: int | None = whole_number(
        None,
        low=0,
        high=1_000_000,
        label="Tokens, billion",
        group="Workload",
        help="How many tokens it is trained on.",
        unset="the model's own, where published",
        zero_is_unset=True,
    )
    compute: int | None = whole_number(
        None,
        low=0,
        high=999_999_999,
        label="Compute, 10²¹ FLOP",
        group="Workload",
        help="Training compute instead of tokens, at 6 FLOP per active parameter and token.",
        unset="the tokens",
        zero_is_unset=True,
    )
    batch: float = decimal(
        16.8,
        low=0.01,
        high=1000.0,
        step=0.1,
        label="Batch, million tokens",
        group="Workload",
        help="Tokens of one step, rounded to whole sequences.",
    )
    sequence: int = whole_number(
        8192,
        low=128,
        high=1_048_576,
        label="Sequence length",
        group="Workload",
        help="Tokens of one sequence.",
    )
    ramp_from: float = decimal(
        1.0,
        low=0.01,
        high=1000.0,
        step=0.1,
        label="Ramp from, mn tokens",
        group="Workload",
        help="The batch at the start of the ramp, in million tokens.",
    )
    ramp_tokens: int | None = whole_number(
        None,
        low=0,
        high=1_000_000,
        label="Ramp over, bn tokens",
        group="Workload",
        help="Over how many billion tokens the batch grows to its full size.",
        unset="no ramp",
        zero_is_unset=True,
    )
    layers: int = whole_number(
        96, low=1, high=1000, label="Layers", group="Custom model", help="Layers of the custom model."
    )
    hidden: int = whole_number(
        12288,
        low=64,
        high=200_000,
        label="Hidden size",
        group="Custom model",
        help="Width of the custom model: how many numbers represent a token between layers.",
    )
    heads: int = whole_number(
        96,
        low=1,
        high=2048,
        label="Attention heads",
        group="Custom model",
        help="Attention heads in each layer of the custom model.",
    )
    vocabulary: int = whole_number(
        51200,
        low=256,
        high=1_000_000,
        label="Vocabulary size",
        group="Custom model",
        help="How many different tokens the custom model has.",
    )
    experts: int = whole_number(
        1,
        low=1,
        high=4096,
        label="Experts",
        group="Custom model",
        help="Experts in each layer of the custom model; 1 for a dense one.",
    )
    active_experts: int = whole_number(
        1,
        low=1,
        high=4096,
        label="Active experts",
        group="Custom model",
        help="Experts of the custom model that process each token.",
    )
    precision: str = choice(
        "fp16",
        {
            "fp16": ("FP16 or BF16", "FP16 or BF16 products"),
            "fp8": ("FP8", "FP8 products, where the chip has them"),
        },
        label="Matrix precision",
        group="Workload",
        help="The format of the matrix products; training states stay in mixed precision.",
    )
    peak: float | None = _chip_number(
        high=1e6, step=1.0, label="Peak, TFLOP/s", help="Dense peak throughput at the chosen precision."
    )
    bandwidth: float | None = _chip_number(
        high=1e4, step=0.1, label="Memory bandwidth, TB/s", help="Memory bandwidth."
    )
    memory: float | None = _chip_number(
        high=1e5, step=1.0, label="Memory capacity, GB", help="Memory capacity."
    )
    link: float | None = _chip_number(
        high=1e5,
        step=1.0,
        label="Chip link, GB/s",
        help="Bandwidth to chips of the same domain, per direction and chip.",
    )
    network: float | None = _chip_number(
        high=1e5,
        step=1.0,
        label="Network, Gbit/s",
        help="Bandwidth to chips of other domains, per direction and chip.",
    )
    domain: int | None = whole_number(
        None,
        low=0,
        high=100_000,
        label="Scale-up domain, chips",
        group="Own chip",
        help="How many chips share the chip link.",
        unset="as it is sold",
        zero_is_unset=True,
    )


def has_experts(settings: TrainedSettings) -> bool:
    """Return whether the model that is trained is a mixture of experts."""
    if settings.model == CUSTOM:
        return settings.experts > 1
    return rows("architectures", "name")[architectures()[settings.model]]["n_experts"] > 1
