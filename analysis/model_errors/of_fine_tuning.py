"""Published fine-tuning runs on accelerators, predicted from the matmul shares of other sources."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.fine_tuning.memory import ALL_LINEAR, ATTENTION, Adapters, Target, fine_tune_flop
from analysis.hardware.matmul_rates import family_of
from analysis.measured.held_out import unseen_half_widths
from analysis.model.architecture import Architecture
from analysis.model_errors.comparison import Comparison, comparison
from analysis.model_errors.errors import LEVEL

ALL_BUT_KEY: tuple[Target, ...] = ("query", "value", "output", "gate", "up", "down")
TARGETS = {"all-linear": ALL_LINEAR, "all-but-key": ALL_BUT_KEY, "attention": ATTENTION}
KINDS = {"full": "Full fine-tuning", "lora": "LoRA"}
"""Kinds of fine-tuning. QLoRA is excluded, because its dequantisation cost was fitted to these runs."""


def tuned_model(run: Mapping[str, Any], *, architectures: Mapping[str, Mapping[str, Any]]) -> Architecture:
    """Return the model of a published run, from the architecture table or the sizes in the run's row."""
    if run["architecture"]:
        return Architecture.from_row(architectures[run["architecture"]])
    return Architecture.from_row({**run, "n_ffn_matrices": 3, "tied_embeddings": False})


def tokens_per_s(run: Mapping[str, Any]) -> float:
    """Return the training speed per accelerator in a published run. [tokens/s]"""
    if np.isnan(run["duration_s"]):
        return float(run["achieved_tokens_per_s_per_accelerator"])
    return float(run["n_sequences"] * run["sequence_tokens"] / run["duration_s"] / run["n_accelerators"])


def flop_per_token(run: Mapping[str, Any], *, architectures: Mapping[str, Mapping[str, Any]]) -> float:
    """Return the operations per token of a published run. [FLOP]"""
    adapters = Adapters()
    if not np.isnan(run["lora_rank"]):
        adapters = Adapters(rank=run["lora_rank"], targets=TARGETS[run["lora_targets"]])
    flop = fine_tune_flop(
        tuned_model(run, architectures=architectures),
        tokens=1,
        method=run["method"],
        sequence_length=run["sequence_tokens"],
        checkpointing=run["recompute"] != "none",
        adapters=adapters,
    )
    return float(flop.total_flop)


def source_of(run: Mapping[str, Any]) -> str:
    """Return the source held out with a run. All MLPerf results count as one source."""
    return "MLPerf" if "mlperf" in run["source_id"] else str(run["source_id"])


def of_fine_tuning(
    lines: Sequence[Mapping[str, Any]],
    *,
    matmul_rates: Sequence[Mapping[str, Any]],
    architectures: Mapping[str, Mapping[str, Any]],
) -> tuple[Comparison, ...]:
    """Return all runs of the fit, predicted with the matmul share that other sources attain.

    ``lines`` are those of the table ``measured_fine_tuning``, ``matmul_rates`` those of ``published_matmul``. Shares
    are medians of source medians, as in :data:`analysis.fine_tuning.time.SHARE_OF_MATMUL`.
    """
    rates = {
        (family_of(row["listed_as"]), row["precision"]): float(row["measured_flop_per_s"])
        for row in matmul_rates
    }
    runs = [run for run in lines if run["in_fit"] and run["method"] in KINDS]
    rate = np.array(
        [rates[run["accelerator"], "fp8" if run["precision"] == "fp8" else "bf16"] for run in runs]
    )
    measured = np.array([tokens_per_s(run) for run in runs])
    flop = np.array([flop_per_token(run, architectures=architectures) for run in runs])
    sources = [source_of(run) for run in runs]
    share = measured * flop / rate
    of_source = {name: float(np.median(share[np.array(sources) == name])) for name in dict.fromkeys(sources)}
    others = np.array(
        [np.median([of for name, of in of_source.items() if name != source]) for source in sources]
    )
    predicted = others * rate / flop
    half = unseen_half_widths(
        np.log(measured / predicted),
        devices=sources,
        classes=[run["method"] for run in runs],
        kinds=["run"] * len(runs),
        sources=sources,
        level=LEVEL,
    )
    return tuple(
        comparison(
            run,
            model="fine-tuning",
            row_id=str(run["run_id"]),
            case=f"{run['model']}, {run['method']}, {run['precision']}, {run['sequence_tokens']:,.0f} tokens",
            accelerator=str(run["accelerator"]),
            kind=KINDS[run["method"]],
            engine="",
            measured=float(measured[i]),
            predicted=predicted[i],
            half_width=half[i],
            unit="tokens/s",
            held_out_by="without its source",
        )
        for i, run in enumerate(runs)
    )
