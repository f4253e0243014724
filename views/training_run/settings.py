"""The choices of /training-run: model, machine, plan, reliability and cost."""

from dataclasses import dataclass
from typing import Any

from views.settings import Conflict, choice, decimal, whole_number
from views.training_run.choices import accelerators, architectures
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
        unset="the chip's own",
        zero_is_unset=True,
    )


@dataclass(frozen=True, kw_only=True)
class TrainingRunSettings(ReleaseSettings):
    """Which model is trained on what, how it is split, and what surrounds it. Empty means: as it comes."""

    model: str = choice(
        "llama-3.1-405b",
        {**{word: name for word, name in architectures().items()}, CUSTOM: "the shape given below"},
        label="Model",
        help="The model that is trained.",
        first_row=True,
    )
    accelerator: str = choice(
        "h100-sxm",
        {word: name for word, name in accelerators().items()},
        label="Accelerator",
        help="The chip it is trained on; its numbers can be replaced below.",
        first_row=True,
    )
    accelerators: int = whole_number(
        16384, low=1, high=1_000_000, label="Accelerators", help="How many are wanted.", first_row=True
    )
    plan: str = choice(
        "auto",
        {"auto": "the fastest of all plans that fit", "manual": "the degrees given below"},
        label="Plan",
        help="How the run is split over the accelerators.",
        first_row=True,
    )
    tokens: int | None = whole_number(
        None,
        low=0,
        high=1_000_000,
        label="Tokens, billion",
        help="How many tokens it is trained on.",
        unset="the model's own, where published",
        zero_is_unset=True,
    )
    compute: int | None = whole_number(
        None,
        low=0,
        high=999_999_999,
        label="Compute, 10²¹ FLOP",
        help="Training compute in place of tokens, at 6 FLOP per active parameter and token.",
        unset="the tokens",
        zero_is_unset=True,
    )
    batch: float = decimal(
        16.8,
        low=0.01,
        high=1000.0,
        step=0.1,
        label="Batch, million tokens",
        help="Tokens of one step, brought to a round number of sequences.",
    )
    sequence: int = whole_number(
        8192, low=128, high=1_048_576, label="Sequence length", help="Tokens of one sequence."
    )
    ramp_from: float = decimal(
        1.0,
        low=0.01,
        high=1000.0,
        step=0.1,
        label="Ramp from, million tokens",
        help="The batch at the start of the ramp.",
    )
    ramp_tokens: int = whole_number(
        0,
        low=0,
        high=1_000_000,
        label="Ramp over, billion tokens",
        help="Tokens over which the batch grows to its full size; 0 for none.",
    )
    layers: int = whole_number(96, low=1, high=1000, label="Layers", help="Of the custom model.")
    hidden: int = whole_number(12288, low=64, high=200_000, label="Hidden size", help="Of the custom model.")
    heads: int = whole_number(96, low=1, high=2048, label="Heads", help="Of the custom model.")
    vocabulary: int = whole_number(
        51200, low=256, high=1_000_000, label="Vocabulary", help="Of the custom model."
    )
    experts: int = whole_number(
        1, low=1, high=4096, label="Experts", help="Of the custom model; 1 for a dense one."
    )
    active_experts: int = whole_number(
        1, low=1, high=4096, label="Active experts", help="Of the custom model, per token."
    )
    precision: str = choice(
        "fp16",
        {"fp16": "FP16 or BF16 products", "fp8": "FP8 products, where the chip has them"},
        label="Matrix precision",
        help="The format of the matrix products; states stay in mixed precision.",
    )
    peak: float | None = _chip_number(high=1e6, step=1.0, label="Peak, TFLOP/s", help="Dense peak.")
    bandwidth: float | None = _chip_number(high=1e4, step=0.1, label="Memory, TB/s", help="Memory bandwidth.")
    memory: float | None = _chip_number(high=1e5, step=1.0, label="Memory, GB", help="Memory capacity.")
    link: float | None = _chip_number(
        high=1e5, step=1.0, label="Chip link, GB/s", help="Per direction and chip."
    )
    network: float | None = _chip_number(
        high=1e5, step=1.0, label="Network, Gbit/s", help="Per direction and chip."
    )
    domain: int | None = whole_number(
        None,
        low=0,
        high=100_000,
        label="Scale-up domain",
        help="Chips that share the chip link.",
        unset="as it is sold",
        zero_is_unset=True,
    )
    jitter: float = decimal(
        0.8,
        low=0.0,
        high=50.0,
        step=0.1,
        label="Jitter, %",
        help="Spread of one accelerator's step time; each step waits for the slowest.",
    )
    storage: float = decimal(
        2000.0,
        low=0.1,
        high=1e6,
        step=10.0,
        label="Storage, GB/s",
        help="Write bandwidth of all storage, for checkpoints.",
    )
    available: int | None = whole_number(
        None,
        low=0,
        high=1_000_000,
        label="Available",
        help="Only so many can be had.",
        unset="as many as wanted",
        zero_is_unset=True,
    )
    tensor: int = whole_number(8, low=1, high=1024, label="Tensor parallel", help="In a manual plan.")
    pipeline: int = whole_number(16, low=1, high=1000, label="Pipeline parallel", help="In a manual plan.")
    context: int = whole_number(1, low=1, high=1024, label="Context parallel", help="In a manual plan.")
    expert: int = whole_number(1, low=1, high=4096, label="Expert parallel", help="In a manual plan.")
    interleave: int = whole_number(
        8, low=1, high=100, label="Interleave", help="Pieces of the model on each stage, in a manual plan."
    )
    micro_batch: int = whole_number(
        1, low=1, high=1024, label="Micro-batch", help="Sequences at once, in a manual plan."
    )
    zero: str = choice(
        "1",
        {
            "0": "every device keeps all states",
            "1": "optimizer states split",
            "2": "gradients split too",
            "3": "weights split too (FSDP)",
        },
        label="ZeRO stage",
        help="What data-parallel devices split among them, in a manual plan.",
    )
    recompute: str = choice(
        "none",
        {
            "none": "all activations are kept",
            "selective": "the attention core is computed again",
            "full": "every layer is computed again",
        },
        label="Recompute",
        help="What the backward pass computes again to save memory, in a manual plan.",
    )
    overlap: int = whole_number(
        50,
        low=0,
        high=100,
        label="Overlap, %",
        help="Share of data-parallel and pipeline traffic that can hide behind computing.",
    )
    hours_per_failure: int = whole_number(
        50677,
        low=10,
        high=100_000_000,
        label="Hours per failure",
        help="Accelerator-hours between failures; Llama 3 had one in 50,677.",
    )
    restart: float = decimal(
        10.0,
        low=0.0,
        high=10000.0,
        step=1.0,
        label="Restart, minutes",
        help="From a failure to the next step.",
    )
    spares: float = decimal(
        0.0,
        low=0.0,
        high=50.0,
        step=0.5,
        label="Spares, %",
        help="Accelerators standing by, paid for and powered as the others; from 1 % a restart takes half as long.",
    )
    checkpoint: float = decimal(
        0.0,
        low=0.0,
        high=10000.0,
        step=1.0,
        label="Checkpoint every, minutes",
        help="0 for the interval that wastes least.",
    )
    saving: str = choice(
        "stop",
        {"stop": "the run stops while a checkpoint is written", "background": "it goes on meanwhile"},
        label="Saving",
        help="Whether the run waits for a checkpoint.",
    )
    price: float | None = decimal(
        None,
        low=0.0,
        high=10000.0,
        step=0.1,
        label="$ per hour",
        help="Per accelerator.",
        unset="the median on-demand price in our table",
        zero_is_unset=True,
    )
    power: float | None = decimal(
        None,
        low=0.0,
        high=100_000.0,
        step=10.0,
        label="Power, W",
        help="Per accelerator with its server.",
        unset="one and a half times the chip's own",
        zero_is_unset=True,
    )
    pue: float = decimal(
        1.2, low=1.0, high=3.0, step=0.01, label="PUE", help="Power of the hall over power of its servers."
    )
    sites: int = whole_number(1, low=1, high=1000, label="Sites", help="Places the run is spread over.")
    local_steps: int = whole_number(
        100, low=1, high=100_000, label="Local steps", help="Steps between two meetings of the sites."
    )
    wide_area: float = decimal(
        100.0,
        low=0.01,
        high=100_000.0,
        step=1.0,
        label="Between sites, Gbit/s",
        help="Per site and direction.",
    )

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return what cannot be together: experts, a batch and its sequences, a batch and the ramp to it."""
        conflicts: list[Conflict] = []
        if self.active_experts > self.experts:
            conflicts.append(
                Conflict(
                    names=("active_experts", "experts"),
                    allowed=f"at most as many active experts as experts ({self.experts})",
                )
            )
        if self.sequence > self.batch * 1e6:
            conflicts.append(
                Conflict(
                    names=("sequence", "batch"),
                    allowed=f"a batch of one sequence at least ({self.sequence:,} tokens)",
                )
            )
        if self.ramp_tokens and self.ramp_from > self.batch:
            conflicts.append(
                Conflict(
                    names=("ramp_from", "ramp_tokens", "batch"),
                    allowed=f"a ramp that starts at most at the batch ({self.batch:g} million tokens)",
                )
            )
        return tuple(conflicts)
