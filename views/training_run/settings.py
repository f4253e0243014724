"""The choices of /training-run: what is trained on what, its plan, reliability and cost."""

from dataclasses import dataclass
from typing import Any

from views.chips.rents import RENTS, STEADY
from views.settings import Conflict, Option, choice, decimal, month, whole_number
from views.training_run.defaults import (
    CHIP_NUMBERS,
    accelerators,
    chip_number,
    price_in_words,
    tokens_in_words,
)
from views.training_run.inputs import AS_SEARCHED, CHIPS_TIME, DEGREES, searched_degree
from views.training_run.trained import CUSTOM, TrainedSettings, has_experts
from views.view import pinned

SHAPE = frozenset({"layers", "hidden", "heads", "vocabulary", "experts", "active_experts"})
"""The settings that only a custom model has."""
SEARCHED = "what the fastest plan has"
"""What stands for a degree of a manual plan that is left empty."""
BETWEEN_SITES = frozenset({"local_steps", "wide_area"})
"""The settings that only a run on several sites has."""


def _degree(label: str, *, high: int, help: str) -> Any:
    """Return a field for a degree of a manual plan."""
    return whole_number(
        None, low=1, high=high, label=label, group="Plan", help=f"{help}, in a manual plan.", unset=SEARCHED
    )


def _kind(label: str, *, options: dict[str, Option], help: str) -> Any:
    """Return a field for a degree of a manual plan that is a word."""
    searched: dict[str, Option] = {AS_SEARCHED: ("As the fastest plan", "that of the fastest plan")}
    return choice(AS_SEARCHED, searched | options, label=label, group="Plan", help=help)


@dataclass(frozen=True, kw_only=True)
class TrainingRunSettings(TrainedSettings):
    """What is trained on what, how it is split, and what surrounds it."""

    jitter: float = decimal(
        0.8,
        low=0.0,
        high=50.0,
        step=0.1,
        label="Step-time jitter, %",
        group="Reliability",
        help="Spread of one accelerator's step time. Each step waits for the slowest accelerator.",
    )
    storage: float = decimal(
        2000.0,
        low=0.1,
        high=1e6,
        step=10.0,
        label="Storage writes, GB/s",
        group="Reliability",
        help="Write bandwidth of all storage, for checkpoints.",
    )
    available: int | None = whole_number(
        None,
        low=0,
        high=1_000_000,
        label="Available accelerators",
        group="Plan",
        help="How many accelerators there are, if fewer than wanted.",
        unset="as many as wanted",
        zero_is_unset=True,
    )
    tensor: int | None = _degree("Tensor parallel", high=1024, help="How many accelerators share each layer")
    pipeline: int | None = _degree(
        "Pipeline parallel", high=1000, help="How many stages the layers are cut into"
    )
    context: int | None = _degree(
        "Context parallel", high=1024, help="How many accelerators share each sequence"
    )
    expert: int | None = _degree(
        "Expert parallel", high=4096, help="How many accelerators share the experts of a layer"
    )
    interleave: int | None = _degree("Interleaving", high=100, help="Pieces of the model on each stage")
    micro_batch: int | None = _degree("Micro-batch", high=1024, help="Sequences computed at once")
    zero: str = _kind(
        "ZeRO stage",
        options={
            "0": ("0: nothing split", "every device keeps all states"),
            "1": ("1: optimizer states", "optimizer states split"),
            "2": ("2: gradients too", "gradients split too"),
            "3": ("3: weights too (FSDP)", "weights split too (FSDP)"),
        },
        help="What data-parallel devices split among them, in a manual plan.",
    )
    recompute: str = _kind(
        "Recomputation",
        options={
            "none": ("None", "all activations are kept"),
            "selective": ("Attention core", "the attention core is computed again"),
            "full": ("Every layer", "every layer is computed again"),
        },
        help="What the backward pass computes again to save memory, in a manual plan.",
    )
    overlap: int = whole_number(
        50,
        low=0,
        high=100,
        label="Traffic overlap, %",
        group="Plan",
        help="Share of data-parallel and pipeline traffic that can overlap with computing.",
    )
    expert_overlap: int = whole_number(
        0,
        low=0,
        high=100,
        label="Expert overlap, %",
        group="Plan",
        help="Share of the exchange between experts that the software runs beside computing, as DeepSeek-V3's does.",
    )
    software: str = month(
        CHIPS_TIME,
        low=2020,
        high=2026,
        unbounded=CHIPS_TIME,
        no_limit="Of the chip's time",
        label="Software date",
        group="Plan",
        help="When the training software is of: newer software is faster. By default a year and a half after the "
        "chip, or the newest known.",
    )
    hours_per_failure: int = whole_number(
        50677,
        low=10,
        high=100_000_000,
        label="Hours per failure",
        group="Reliability",
        help="Accelerator-hours between failures; Llama 3 had one in 50,677.",
    )
    restart: float = decimal(
        10.0,
        low=0.0,
        high=10000.0,
        step=1.0,
        label="Restart, minutes",
        group="Reliability",
        help="From a failure to the next step.",
    )
    spares: float = decimal(
        0.0,
        low=0.0,
        high=50.0,
        step=0.5,
        label="Spares, %",
        group="Reliability",
        help="Accelerators on standby, paid for and powered like the others. From 1 %, a restart takes half as long.",
    )
    checkpoint: float | None = decimal(
        None,
        low=0.0,
        high=10000.0,
        step=1.0,
        label="Checkpoints, minutes",
        group="Reliability",
        help="Minutes between checkpoints.",
        unset="the interval that wastes least",
        zero_is_unset=True,
    )
    saving: str = choice(
        "stop",
        {
            "stop": ("Run stops", "the run stops while a checkpoint is written"),
            "background": ("In the background", "the run continues meanwhile"),
        },
        label="Checkpoint writing",
        group="Reliability",
        help="Whether the run waits for a checkpoint.",
    )
    price: float | None = decimal(
        None,
        low=0.0,
        high=10000.0,
        step=0.1,
        label="Price, $ per hour",
        group="Money",
        help="Price of one accelerator for an hour.",
        unset="the median on-demand price in our table",
        zero_is_unset=True,
    )
    rents: str = choice(
        STEADY,
        RENTS,
        label="Rents",
        group="Money",
        help="How rents move until the later years of the chips that the run would take then.",
    )
    power: float | None = decimal(
        None,
        low=0.0,
        high=100_000.0,
        step=10.0,
        label="Power, W",
        group="Money",
        help="Power of one accelerator, including its share of the server.",
        unset="one and a half times the chip's own",
        zero_is_unset=True,
    )
    pue: float = decimal(
        1.2,
        low=1.0,
        high=3.0,
        step=0.01,
        label="PUE",
        group="Money",
        help="Power of the data centre over the power of its servers.",
    )
    sites: int = whole_number(
        1, low=1, high=1000, label="Sites", group="Plan", help="How many sites the run is spread over."
    )
    local_steps: int = whole_number(
        100,
        low=1,
        high=100_000,
        label="Steps between syncs",
        group="Plan",
        help="Steps that each site takes between two exchanges of weights with the others.",
    )
    wide_area: float = decimal(
        100.0,
        low=0.01,
        high=100_000.0,
        step=1.0,
        label="Between sites, Gbit/s",
        group="Plan",
        help="Bandwidth of each site's link to the others, per direction.",
    )

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result: not of a model, plan, ramp or link there is none of."""
        if not super().applies(name):
            return False
        if name in SHAPE:
            return self.model == CUSTOM
        if name == "expert_overlap":
            return has_experts(self)
        if name in DEGREES:
            return self.plan == "manual"
        if name in BETWEEN_SITES:
            return self.sites > 1
        return {"ramp_from": bool(self.ramp_tokens), "tokens": not self.compute}.get(name, True)

    def where_empty(self, name: str) -> str:
        """Return the number that stands for a setting that is left empty, and whose it is; its words if unknown."""
        if name == "tokens":
            return tokens_in_words(self.model)
        if name in DEGREES and self.plan == "manual":
            degree = searched_degree(self, name)
            if isinstance(degree, int):
                return f"{degree:,}, as the fastest plan"
            return degree or super().where_empty(name)
        if name not in (*CHIP_NUMBERS, "price"):
            return super().where_empty(name)
        product, release = accelerators()[self.accelerator], pinned(self).release
        if name == "price":
            return price_in_words(product, release=release)
        number = chip_number(name, product, precision=self.precision, release=release)
        return number or super().where_empty(name)

    def option_label(self, name: str, word: str) -> str:
        """Return what a reader picks an option by; of one left to the fastest plan, what it is there."""
        label = super().option_label(name, word)
        if name not in DEGREES or word != AS_SEARCHED or self.plan != "manual":
            return label
        degree = searched_degree(self, name)
        return label if degree is None else f"{super().option_label(name, str(degree))} (fastest plan)"

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return what cannot be together: experts, a batch and its sequences, a batch and the ramp to it."""
        rules = (
            (
                self.active_experts > self.experts,
                ("active_experts", "experts"),
                f"at most as many active experts as experts ({self.experts})",
            ),
            (
                self.sequence > self.batch * 1e6,
                ("sequence", "batch"),
                f"a batch of one sequence at least ({self.sequence:,} tokens)",
            ),
            (
                bool(self.ramp_tokens) and self.ramp_from > self.batch,
                ("ramp_from", "ramp_tokens", "batch"),
                f"a ramp that starts at most at the batch ({self.batch:g} million tokens)",
            ),
        )
        return tuple(Conflict(names=names, allowed=allowed) for broken, names, allowed in rules if broken)
