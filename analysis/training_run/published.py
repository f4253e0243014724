"""Published training speeds, each predicted as it is: how far off the model is, kind by kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.model.flop import training_flop_per_token
from analysis.training_run.cases import parse
from analysis.training_run.predict import predict

LONG_SEQUENCE = 8192
"""Tokens of a sequence up to which a run counts as one of ordinary sequences."""
THOUSANDS = 2048
"""Accelerators from which a run counts as one on thousands of chips."""
KINDS = (
    "A100 up to 8,192 tokens",
    "H100 up to 8,192 tokens",
    "longer sequences on A100",
    "longer sequences on H100",
    "thousands of A100 or H100",
    "8-bit products or Blackwell",
    "mixtures of experts",
    "TPU",
)
"""Kinds of run, from the nearest to what the constants were set on; a run is of the last that fits it."""


@dataclass(frozen=True, kw_only=True)
class PublishedRun:
    """One published run: what kind it is, tokens a second and accelerator as measured and as predicted.

    ``flop_per_token`` are the model's own, attention counted in full. [FLOP]
    """

    run: str
    kind: str
    held_out: bool
    measured: float
    predicted: float
    flop_per_token: float

    @property
    def error(self) -> float:
        """Return by how much the prediction is too fast, as a share of the measured rate. [1]"""
        return self.predicted / self.measured - 1


def kind_of(
    *, chip_kind: str, precision: str, sequence_token: float, accelerators: float, experts: int
) -> str | None:
    """Return the kind of a run, one of ``KINDS``; None on chips of which no published run is at hand.

    ``chip_kind`` is which chips its own are held against, as in the table ``training_kinds``; empty for none.
    """
    chip = chip_kind
    if chip in ("", "TPU"):
        return chip or None
    if experts > 1:
        return "mixtures of experts"
    if precision == "fp8" or chip == "Blackwell":
        return "8-bit products or Blackwell"
    if accelerators >= THOUSANDS:
        return "thousands of A100 or H100"
    return f"longer sequences on {chip}" if sequence_token > LONG_SEQUENCE else f"{chip} up to 8,192 tokens"


def _cell(value: Any) -> str:
    return "" if value == "" or value != value else str(value)


def predicted_run(
    row: Mapping[str, Any], *, model: Architecture, machine: Machine, chip_kind: str
) -> PublishedRun:
    """Return a row of the published training rates beside what the step-time model says of it.

    ``chip_kind`` as in :func:`kind_of`.
    """
    same = ("micro_batch", "tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel")
    cells = {name: _cell(row[name]) for name in (*same, "interleave", "zero_stage", "recompute", "precision")}
    # Megatron spreads experts over tensor-parallel accelerators too; the model does so over the others alone.
    copies = row["n_accelerators"] / row["tensor_parallel"] / row["pipeline_parallel"]
    cells["expert_parallel"] = str(min(row["expert_parallel"], copies))
    case = parse(
        {
            **cells,
            "layers": str(model.n_layers),
            "hidden": str(model.hidden_size),
            "heads": str(model.n_heads),
            "experts": str(model.n_experts),
            "active_experts": str(model.n_active_experts),
            "vocabulary": str(model.vocabulary_size),
            "sequence_length": str(model.sequence_length),
            "global_batch": _cell(row["global_batch"]),
            "accelerator": row["accelerator"],
            "accelerators": _cell(row["n_accelerators"]),
            "counts": "hardware" if row["counts_recompute"] else "model",
            "attention_counted": "full" if row["counts_full_attention"] else "causal",
        }
    )
    case = replace(case, model=model)
    prediction = predict(case, machine=machine)
    predicted = case.global_batch * model.sequence_length / prediction.step_s / case.accelerators
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
    kind = kind_of(
        chip_kind=chip_kind,
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
        predicted=predicted,
        flop_per_token=training_flop_per_token(model),
    )


@dataclass(frozen=True, kw_only=True)
class KindError:
    """How far off the model is on the held-out runs of a kind. [1]

    ``size`` is the median of the error's size, ``middle`` of the error itself; eight in ten errors lie between
    ``low`` and ``high``, or all of them where there are fewer than ten.
    """

    kind: str
    runs: int
    size: float
    middle: float
    low: float
    high: float
    worst: float


def _summary(kind: str, errors: Sequence[float]) -> KindError:
    sizes = np.array(errors)
    low, high = np.quantile(sizes, (0.1, 0.9) if sizes.size >= 10 else (0.0, 1.0))
    return KindError(
        kind=kind,
        runs=int(sizes.size),
        size=float(np.median(np.abs(sizes))),
        middle=float(np.median(sizes)),
        low=float(low),
        high=float(high),
        worst=float(sizes[np.argmax(np.abs(sizes))]),
    )


def errors_by_kind(runs: Sequence[PublishedRun]) -> Mapping[str, KindError]:
    """Return the errors of the held-out runs by kind, in the order of ``KINDS``."""
    held_out = [run for run in runs if run.held_out]
    by_kind = {kind: [run.error for run in held_out if run.kind == kind] for kind in KINDS}
    return {kind: _summary(kind, errors) for kind, errors in by_kind.items() if errors}


def error_of_all(runs: Sequence[PublishedRun]) -> KindError:
    """Return the errors of all held-out runs together."""
    return _summary("all", [run.error for run in runs if run.held_out])
