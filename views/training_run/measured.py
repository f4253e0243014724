"""Predicted against measured: what the model says about published runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from analysis.hardware.names import find_accelerator
from analysis.model.architecture import Architecture
from analysis.model.names import plain
from analysis.training_run.cases import parse
from analysis.training_run.pace import Paces
from analysis.training_run.predict import predict
from analysis.training_run.published import (
    KINDS,
    KindError,
    PublishedRun,
    error_of_all,
    errors_by_kind,
    left_out,
    model_of_row,
    paces_of,
    predicted_run,
)
from charts.chart import Bar, BarChart, Line, Points, Role, XYChart
from data.by_release import kept_by_release
from data.releases import load
from data.standing import rows, table
from views import wording
from views.axes import linear_axis, log_axis
from views.chips.linked import machine_of_row
from views.result import Exhibit
from views.table import Getter, column
from views.table import table as cells_of
from views.training_run.choices import trainable_rows
from views.training_run.words import percent

LLAMA_3 = "Llama 3.1 405B"
"""The model of the Llama 3 paper's runs, by its name in the table of architectures."""


def _rate_used(precision: str) -> str:
    return "fp8" if precision == "fp8" else "fp16"


@kept_by_release(4)
def unpaced_runs(release: str) -> tuple[PublishedRun, ...]:
    """Return every row of the published training rates beside the step-time model, on the chips of a frozen release."""
    loaded = load(release)
    parts = cast(list[dict[str, Any]], loaded.accelerators.to_dict("records"))
    years = {name: row["released_year"] for name, row in trainable_rows(loaded).items()}
    lines = cast(list[dict[str, Any]], table("published_training_rates").to_dict("records"))
    machines = {}
    for name, precision in {(row["accelerator"], row["precision"]) for row in lines}:
        part = find_accelerator(name, rows=parts)
        kept = _rate_used(precision)
        year = years[str(part["product"])]
        machines[name, kept] = machine_of_row(part, released_year=year, precision=kept)
    return tuple(
        predicted_run(
            row,
            model=model_of_row(row, architectures=rows("architectures", "name")),
            machine=machine,
            kinds=rows("training_kinds", "chip"),
        )
        for row, machine in (
            (row, machines[row["accelerator"], _rate_used(row["precision"])]) for row in lines
        )
    )


@kept_by_release(4)
def paces(release: str) -> Paces:
    """Return what published runs say of the pace of others, on the chips of a frozen release."""
    return paces_of(unpaced_runs(release))


@kept_by_release(4)
def published_runs(release: str) -> tuple[PublishedRun, ...]:
    """Return every published run, each predicted without those of its model on its chip."""
    return left_out(unpaced_runs(release))


@kept_by_release(4)
def errors(release: str) -> Mapping[str, KindError]:
    """Return the errors of the held-out runs by kind."""
    return errors_by_kind(published_runs(release))


@kept_by_release(4)
def runs_set_on(release: str) -> tuple[tuple[str, float, float, str], ...]:
    """Return every run a constant was set on: its name, measured and predicted rate [FLOP/s], and what is counted."""
    parts: Any = load(release).accelerators.to_dict("records")
    known = {plain(LLAMA_3): Architecture.from_row(rows("architectures", "name")[LLAMA_3])}
    cases = []
    frame: Any = table("published_megatron")
    for run in frame.to_dict("records"):
        case = {
            "layers": run["n_layers"],
            "hidden": run["hidden_size"],
            "heads": run["n_heads"],
            "vocabulary": run["vocabulary"],
            "sequence_length": run["sequence_tokens"],
            "global_batch": run["global_batch"],
            "recompute": "full",
            "accelerator": "A100 80 GB",
        }
        cases.append((f"Megatron-LM {run['n_parameters'] / 1e9:g}B", 2020.9, case, run))
    frame = table("published_llama_training")
    for run in frame.to_dict("records"):
        case = {
            "model": LLAMA_3,
            "sequence_length": run["sequence_tokens"],
            "global_batch": run["data_parallel"] * run["batch_per_copy"],
            "context_parallel": run["context_parallel"],
            "recompute": "none",
            "accelerator": "H100 SXM",
        }
        name = f"Llama 3 405B, {run['n_accelerators']:,.0f} × {run['sequence_tokens'] / 1024:.0f}k"
        cases.append((name, 2023.0, case, run))
    runs = []
    for name, year, case, run in cases:
        degrees = {key: run[key] for key in ("tensor_parallel", "pipeline_parallel", "data_parallel")}
        parsed = parse({key: str(value) for key, value in {**case, **degrees}.items()}, models=known)
        machine = machine_of_row(find_accelerator(parsed.accelerator, rows=parts), released_year=year)
        prediction = predict(parsed, machine=machine)
        runs.append(
            (
                name,
                float(run["achieved_flop_per_s_per_accelerator"]),
                prediction.flop_per_s_per_accelerator,
                f"{prediction.counts} FLOPs",
            )
        )
    return tuple(runs)


@dataclass(frozen=True, kw_only=True)
class _Checked:
    """A published run beside its prediction, in TFLOP/s; ``used`` where a constant was set on it."""

    run: str
    kind: str
    measured: float
    predicted: float
    used: bool

    @property
    def error(self) -> float:
        """Return by how much the prediction is too fast. [1]"""
        return self.predicted / self.measured - 1


RUN_COLUMNS: tuple[Getter[_Checked], ...] = (
    column("run", lambda run: run.run, label="Run", kind="text"),
    column("kind", lambda run: run.kind, label="Kind, or what is counted", kind="text"),
    column("measured_tflop_per_s", lambda run: run.measured, label="Measured", unit="TFLOP/s"),
    column("predicted_tflop_per_s", lambda run: run.predicted, label="Predicted", unit="TFLOP/s"),
    column("error", lambda run: run.error, label="Error", unit="1"),
    column("used", lambda run: "yes" if run.used else "no", label="A constant was set on it", kind="text"),
)
KIND_COLUMNS: tuple[Getter[KindError], ...] = (
    column("kind", lambda error: error.kind, label="Kind of run", kind="text"),
    column("runs", lambda error: error.runs, label="Runs"),
    column("median_size", lambda error: error.size, label="Median size of the error", unit="1"),
    column("median", lambda error: error.middle, label="Median error", unit="1"),
    column("low", lambda error: error.low, label="Eight in ten from", unit="1"),
    column("high", lambda error: error.high, label="to", unit="1"),
    column("worst", lambda error: error.worst, label="Worst", unit="1"),
    column("held", lambda error: error.held, label="Held by their own ranges", unit="1"),
)


def measured_exhibit(release: str, *, source: str) -> Exhibit:
    """Return predicted against measured rates: runs that set no constant, and the runs the model was set on."""
    unseen = error_of_all(published_runs(release))
    title = (
        f"Median error {percent(unseen.size)} on {unseen.runs} published runs that set none of its constants"
    )
    shown = [
        _Checked(
            run=run.run,
            kind=run.kind,
            measured=run.measured * run.flop_per_token / 1e12,
            predicted=run.predicted * run.flop_per_token / 1e12,
            used=not run.held_out,
        )
        for run in published_runs(release)
    ]
    shown += [
        _Checked(run=name, kind=counts, measured=was / 1e12, predicted=predicted / 1e12, used=True)
        for name, was, predicted, counts in runs_set_on(release)
    ]
    set_on = [abs(run.error) for run in shown if run.used]
    ends = [value for run in shown for value in (run.measured, run.predicted)]
    low, high = min(ends) * 0.9, max(ends) * 1.1

    def points(series: str, *, used: bool, role: Role) -> Points:
        part = [run for run in shown if run.used == used]
        return Points(
            series=series,
            role=role,
            x=tuple(run.measured for run in part),
            y=tuple(run.predicted for run in part),
            names=tuple(run.run for run in part),
            details=tuple(
                (
                    f"measured {run.measured:.0f}, predicted {run.predicted:.0f} TFLOP/s ({run.error:+.0%})",
                    run.kind,
                )
                for run in part
            ),
            hollow=used,
        )

    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=(
                "TFLOP/s per accelerator by the model's own operations, or as the source counts; both agree on the "
                "dotted line. Each is predicted without the runs of its model on its chip. "
                f"Grey: {len(set_on)} runs that constants were set on, "
                f"median error {percent(float(np.median(set_on)))}."
            ),
            alt=title,
            source=f"Sources of each run: table published_training_rates. {source}",
            x=log_axis("Measured [TFLOP/s]", [low, high], word=lambda value: wording.significant(value, 2)),
            y=log_axis("Predicted [TFLOP/s]", [low, high], word=lambda value: wording.significant(value, 2)),
            marks=(
                Line(series="Both agree", role="context", x=(low, high), y=(low, high), dash="dotted"),
                points("Constants were set on", used=True, role="context"),
                points("Never used", used=False, role="compute"),
            ),
        ),
        table=cells_of(RUN_COLUMNS, shown),
        section="sure",
    )


def kinds_exhibit(release: str, *, kind: str | None, source: str) -> Exhibit:
    """Return how far off the model is by kind of run, held-out runs alone; ``kind`` is that of the run asked for."""
    by_kind = errors(release)
    best = min(by_kind.values(), key=lambda error: error.size)
    worst = max(by_kind.values(), key=lambda error: error.size)
    title = f"Median error {percent(best.size)} on {best.kind}, {percent(worst.size)} on {worst.kind}"
    bars = tuple(
        Bar(
            label=wording.sentence_case(error.kind),
            value=100 * error.size,
            text=f"{percent(error.size)} ({error.runs})",
            role="compute" if error.kind in KINDS[:2] else "memory",
            emphasised=error.kind == kind,
            detail=(range_words(error),),
        )
        for error in by_kind.values()
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                "Median size of the error by kind of run (in brackets: runs), on runs that set no constant, each "
                "predicted without the runs of its model on its chip."
            ),
            alt=title,
            source=f"Sources of each run: table published_training_rates. {source}",
            x=linear_axis(
                "Median error [%]",
                [0.0, max(bar.value for bar in bars) * 1.1],
                word=lambda value: f"{value:g} %",
            ),
            base=0.0,
            bars=bars,
        ),
        table=cells_of(KIND_COLUMNS, tuple(by_kind.values())),
        section="sure",
    )


def range_words(error: KindError) -> str:
    """Return where the errors lie, in words: eight in ten of 57 predictions from 10 % too slow to 5 % too fast."""
    part = "eight in ten" if error.runs >= 10 else "all"

    def side(share: float) -> str:
        return f"{100 * abs(share):.0f} % too {'fast' if share >= 0 else 'slow'}"

    return f"{part} of {error.runs} predictions lie between {side(error.low)} and {side(error.high)}"
