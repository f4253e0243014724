"""Published training speeds the model was not set on, each predicted as it is, in kinds of run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

import numpy as np

from analysis.hardware.chip import Chip, chip_of, find
from analysis.model.architecture import Architecture, training_flop_per_token
from analysis.training_run.cases import parse
from analysis.training_run.predict import predict
from data.releases import load
from data.standing import rows, table
from views.training_run.inputs import model_of
from views.training_run.settings import TrainingRunSettings, slug, trainable_rows

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
class Rate:
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


def chip_kind(product: str) -> str:
    """Return which chips a product is held against, by the standing table ``training_kinds``; ``""`` for none."""
    row = rows("training_kinds", "chip").get(product.split()[0])
    return "" if row is None else str(row["kind"])


def kind_of(
    *, product: str, precision: str, sequence_token: float, accelerators: float, experts: int
) -> str | None:
    """Return the kind of a run, one of ``KINDS``; None on chips of which no published run is at hand."""
    chip = chip_kind(product)
    if chip in ("", "TPU"):
        return chip or None
    if experts > 1:
        return "mixtures of experts"
    if precision == "fp8" or chip == "Blackwell":
        return "8-bit products or Blackwell"
    if accelerators >= THOUSANDS:
        return "thousands of A100 or H100"
    return f"longer sequences on {chip}" if sequence_token > LONG_SEQUENCE else f"{chip} up to 8,192 tokens"


def _model(row: Mapping[str, Any]) -> Architecture:
    if row["architecture"]:
        asked = TrainingRunSettings(model=slug(row["architecture"]), sequence=int(row["sequence_tokens"]))
        return model_of(asked)[1]
    return Architecture(
        n_layers=int(row["n_layers"]),
        hidden_size=int(row["hidden_size"]),
        n_heads=int(row["n_heads"]),
        n_key_value_heads=int(row["n_kv_heads"]),
        feed_forward_size=int(row["ffn_size"]),
        gated=row["n_ffn_matrices"] == 3,
        vocabulary_size=int(row["vocabulary"]),
        sequence_length=int(row["sequence_tokens"]),
    )


def _cell(value: Any) -> str:
    return "" if value == "" or value != value else str(value)


def _rate(row: Mapping[str, Any], chips: Mapping[tuple[str, str], Chip]) -> Rate:
    model = _model(row)
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
    chip = chips[row["accelerator"], case.precision]
    said = predict(case, chip=chip)
    predicted = case.global_batch * model.sequence_length / said.step_s / case.accelerators
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
        measured = predicted * flop / said.flop_per_s_per_accelerator
    else:
        measured = predicted * row["mfu_percent"] / 100 / said.mfu
    kind = kind_of(
        product=chip.name,
        precision=row["precision"],
        sequence_token=model.sequence_length,
        accelerators=case.accelerators,
        experts=model.n_experts,
    )
    return Rate(
        run=row["run"],
        kind=kind or "",
        held_out=bool(row["held_out"]),
        measured=float(measured),
        predicted=predicted,
        flop_per_token=training_flop_per_token(model),
    )


@lru_cache(maxsize=4)
def rates(release: str) -> tuple[Rate, ...]:
    """Return every row of the published training rates, predicted with the chips of a frozen release."""
    loaded = load(release)
    parts = cast(list[dict[str, Any]], loaded.accelerators.to_dict("records"))
    years = {name: row["released_year"] for name, row in trainable_rows(loaded).items()}
    lines = cast(list[dict[str, Any]], table("published_training_rates").to_dict("records"))
    chips = {}
    for name, precision in {(row["accelerator"], row["precision"]) for row in lines}:
        part = find(name, rows=parts)
        kept = "fp8" if precision == "fp8" else "fp16"
        year = years[str(part["product"])]
        chips[name, kept] = chip_of(part, released_year=year, precision=kept)
    return tuple(_rate(row, chips) for row in lines)


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
    found = np.array(errors)
    low, high = np.quantile(found, (0.1, 0.9) if found.size >= 10 else (0.0, 1.0))
    return KindError(
        kind=kind,
        runs=int(found.size),
        size=float(np.median(np.abs(found))),
        middle=float(np.median(found)),
        low=float(low),
        high=float(high),
        worst=float(found[np.argmax(np.abs(found))]),
    )


@lru_cache(maxsize=4)
def errors_by_kind(release: str) -> Mapping[str, KindError]:
    """Return the errors of the held-out runs by kind, in the order of ``KINDS``."""
    found = [rate for rate in rates(release) if rate.held_out]
    by_kind = {kind: [rate.error for rate in found if rate.kind == kind] for kind in KINDS}
    return {kind: _summary(kind, errors) for kind, errors in by_kind.items() if errors}


@lru_cache(maxsize=4)
def error_of_all(release: str) -> KindError:
    """Return the errors of all held-out runs together."""
    return _summary("all", [rate.error for rate in rates(release) if rate.held_out])
