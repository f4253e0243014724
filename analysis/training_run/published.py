"""Published training speeds, their predictions, and the errors for each kind of run."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analysis.arrays import FloatArray
from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.training_run.cases import STATED, TrainingCase, parse
from analysis.training_run.pace import EIGHT_IN_TEN, Pace, Paces, Traits
from analysis.training_run.predict import predict
from analysis.trend.calendar_year import decimal_year

LONG_SEQUENCE = 8192
"""Longest sequence of a run that counts as ordinary. [tokens]"""
THOUSANDS = 2048
"""Number of accelerators above which a run is large-scale."""
KINDS = (
    "A100 up to 8,192 tokens",
    "H100 up to 8,192 tokens",
    "longer sequences on A100",
    "longer sequences on H100",
    "thousands of A100 or H100",
    "8-bit products or Blackwell",
    "mixtures of experts",
    "TPU",
    "AMD Instinct",
)
"""Kinds of run, closest to the calibration runs first. A run has the last kind that fits."""
APART = {"TPU": "TPU", "Instinct": "AMD Instinct"}
"""Kinds of run that only their chip defines."""

PLAN: Sequence[str] = STATED["plan"]
"""Columns of published training rates that define a run's split, named as in a case."""

HALF_A_MONTH = 0.5 / 12
"""Offset from the first day of a month to its middle, used as date of software. [year]"""


@dataclass(frozen=True, kw_only=True)
class PublishedRun:
    """One published run: its kind, and its measured and predicted tokens a second per accelerator.

    ``unpaced`` is the step-time model's prediction, ``pace`` the factor from other published runs, 1 before they are
    compared.
    """

    run: str
    kind: str
    held_out: bool
    measured: float
    unpaced: float
    traits: Traits
    source_id: str
    pace: Pace = field(default_factory=Pace)

    @property
    def predicted(self) -> float:
        """Return the predicted tokens a second per accelerator, at the pace of other runs."""
        return self.unpaced * self.pace.share

    def bounds(self, spreads: float) -> tuple[float, float]:
        """Return the predictions at paces ``spreads`` standard deviations below and above the predicted pace."""
        low, high = self.pace.bounds(spreads)
        return self.unpaced * low, self.unpaced * high

    @property
    def error(self) -> float:
        """Return the relative error of the prediction, positive if it is too fast. [1]"""
        return self.predicted / self.measured - 1

    @property
    def within(self) -> bool:
        """Return whether the measured speed is within the prediction's 80% range."""
        low, high = self.bounds(EIGHT_IN_TEN)
        return low <= self.measured <= high


def kind_of(
    *, chip_kind: str, precision: str, sequence_token: float, accelerators: float, experts: int
) -> str | None:
    """Return the kind of a run, one of ``KINDS``. None if no runs on its chips are published.

    ``chip_kind`` is the reference group of its chips in the table ``training_kinds``; empty for none.
    """
    chip = chip_kind
    if chip in APART or not chip:
        return APART.get(chip)
    if experts > 1:
        return "mixtures of experts"
    if precision == "fp8" or chip == "Blackwell":
        return "8-bit products or Blackwell"
    if accelerators >= THOUSANDS:
        return "thousands of A100 or H100"
    return f"longer sequences on {chip}" if sequence_token > LONG_SEQUENCE else f"{chip} up to 8,192 tokens"


def chip_of(product: str) -> str:
    """Return the chip of a product: the first word of its name, or the whole name for TPUs."""
    return product if product.startswith("TPU") else product.split()[0] if product else ""


def traits_of(
    model: Architecture,
    *,
    product: str,
    precision: str,
    year: float,
    kinds: Mapping[str, Mapping[str, Any]],
    plan: str = "",
    stack: str = "",
) -> Traits:
    """Return the traits of a run. ``kinds`` are the rows of the table ``training_kinds``, keyed by chip."""
    row = kinds.get(product.split()[0] if product else "", {})
    return Traits(
        maker=str(row.get("maker", "")),
        kind=str(row.get("kind", "")),
        chip=chip_of(product),
        shape=f"{model.n_layers} x {model.hidden_size} x {model.n_experts}",
        mixture=model.n_experts > 1,
        precision="fp8" if precision == "fp8" else "fp16",
        year=year,
        plan=plan,
        stack=stack,
    )


def stack_of(software: str, *, stacks: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the family of training software with the longest matching name. Empty if none matches."""
    known = [name for name in stacks if name.casefold() in software.casefold()]
    return str(stacks[max(known, key=len)]["stack"]) if known else ""


def plan_words(case: TrainingCase) -> str:
    """Return the label of a case's split, for comparison with published runs."""
    degrees = (case.tensor_parallel, case.pipeline_parallel, case.context_parallel, case.expert_parallel)
    return " x ".join(map(str, (*degrees, case.micro_batch or "")))


def model_of_row(row: Mapping[str, Any], *, architectures: Mapping[str, Mapping[str, Any]]) -> Architecture:
    """Return the model in a row of published training rates, from ``architectures`` or the row's own shape."""
    shape = architectures[row["architecture"]] if row["architecture"] else row
    return replace(Architecture.from_row(shape), sequence_length=int(row["sequence_tokens"]))


def predicted_run(
    row: Mapping[str, Any],
    *,
    model: Architecture,
    machine: Machine,
    kinds: Mapping[str, Mapping[str, Any]],
    stacks: Mapping[str, Mapping[str, Any]],
) -> PublishedRun:
    """Return a row of published training rates with the step-time model's prediction for it.

    ``kinds`` as in :func:`traits_of`, ``stacks`` as in :func:`stack_of`.
    """
    cells = {name: str(row[name]) if row[name] == row[name] else "" for name in PLAN}
    counts = "hardware" if row["counts_recompute"] else "model"
    attention = "full" if row["counts_full_attention"] else "causal"
    case = parse(
        {**cells, "model": "own", "counts": counts, "attention_counted": attention}, models={"own": model}
    )
    year = float(decimal_year([row["software_on"]])[0]) + HALF_A_MONTH
    case = replace(case, software_year=year)
    prediction = predict(case, machine=machine)
    predicted = prediction.tokens_per_s_per_accelerator
    step, tokens, flop = (
        row["step_s"],
        row["achieved_tokens_per_s_per_accelerator"],
        row["achieved_flop_per_s_per_accelerator"],
    )
    if step == step:
        measured = case.global_batch * model.sequence_length / step / case.accelerators
    elif tokens == tokens:
        measured = tokens
    elif flop == flop:
        measured = predicted * flop / prediction.flop_per_s_per_accelerator
    else:
        measured = predicted * row["mfu_percent"] / 100 / prediction.mfu
    traits = traits_of(
        model,
        product=machine.chip.name,
        precision=row["precision"],
        year=year,
        kinds=kinds,
        plan=plan_words(case),
        stack=stack_of(row["software"], stacks=stacks),
    )
    kind = kind_of(
        chip_kind=traits.kind,
        precision=row["precision"],
        sequence_token=model.sequence_length,
        accelerators=case.accelerators,
        experts=model.n_experts,
    )
    return PublishedRun(
        run=row["run"],
        kind=kind or "",
        held_out=bool(row["held_out"]),
        measured=float(measured),
        unpaced=predicted,
        traits=traits,
        source_id=str(row["source_id"]),
    )


def predicted_runs(
    lines: Iterable[Mapping[str, Any]],
    *,
    machine: Callable[[str, str], Machine | None],
    architectures: Mapping[str, Mapping[str, Any]],
    **shared: Mapping[str, Mapping[str, Any]],
) -> tuple[PublishedRun, ...]:
    """Return the published training rates with predictions. Rows for unknown chips are omitted.

    ``machine`` returns an accelerator by name and precision, fp8 or fp16, or None if unknown. ``architectures`` are as
    in :func:`model_of_row`, ``shared`` as in :func:`predicted_run`.
    """
    machines: dict[tuple[str, str], Machine | None] = {}
    runs = []
    for row in lines:
        key = row["accelerator"], "fp8" if row["precision"] == "fp8" else "fp16"
        if key not in machines:
            machines[key] = machine(*key)
        used = machines[key]
        if used is not None:
            model = model_of_row(row, architectures=architectures)
            runs.append(predicted_run(row, model=model, machine=used, **shared))
    return tuple(runs)


def paces_of(runs: Iterable[PublishedRun]) -> Paces:
    """Return the paces of published runs, for predicting other runs."""
    runs = tuple(runs)
    return Paces(
        runs=tuple(run.traits for run in runs),
        sources=tuple(run.source_id for run in runs),
        log_paces=tuple(math.log(run.measured / run.unpaced) for run in runs),
    )


def model_on_chip(run: Traits) -> tuple[str, ...]:
    """Return the run's group: its model and its chip."""
    return run.shape, run.chip


def left_out(
    runs: Sequence[PublishedRun], *, groups: Callable[[Traits], tuple[str, ...]] = model_on_chip
) -> tuple[PublishedRun, ...]:
    """Return the runs, each predicted from runs that differ from it in model or chip.

    Neither the run itself nor a similar run in its group influences its prediction.
    """
    paces = paces_of(runs).without_its_group(groups)
    return tuple(replace(run, pace=pace) for run, pace in zip(runs, paces, strict=True))


def error_sizes(runs: Sequence[PublishedRun], *, kind: str = "") -> FloatArray:
    """Return the absolute error of each held-out run, optionally of one kind. [1]"""
    held_out = (run for run in runs if run.held_out and kind in ("", run.kind))
    return np.abs([run.error for run in held_out])
