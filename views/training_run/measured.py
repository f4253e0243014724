"""Predicted against measured: what the model says about published runs."""

from functools import lru_cache
from typing import Any

import numpy as np

from analysis.hardware.chip import chip_of, find
from analysis.training_run.cases import parse
from analysis.training_run.predict import predict
from charts.chart import Bar, BarChart, Line, Points, Role, XYChart
from data.releases import load
from data.standing import table
from views import wording
from views.axes import linear_axis, log_axis
from views.result import Column, Exhibit, Table
from views.training_run.rates import KINDS, KindError, error_of_all, errors_by_kind, rates
from views.training_run.words import percent


@lru_cache(maxsize=4)
def measured(release: str) -> tuple[tuple[str, float, float, str], ...]:
    """Return every published run: its name, measured and predicted rate [FLOP/s], and what is counted."""
    rows: Any = load(release).accelerators.to_dict("records")
    found = []
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
        found.append((f"Megatron-LM {run['n_parameters'] / 1e9:g}B", 2020.9, case, run))
    frame = table("published_llama_training")
    for run in frame.to_dict("records"):
        case = {
            "layers": 126,
            "hidden": 16384,
            "heads": 128,
            "key_value_heads": 8,
            "feed_forward": 53248,
            "gated": "true",
            "vocabulary": 128256,
            "sequence_length": run["sequence_tokens"],
            "global_batch": run["data_parallel"] * run["batch_per_copy"],
            "context_parallel": run["context_parallel"],
            "recompute": "none",
            "accelerator": "H100 SXM",
        }
        name = f"Llama 3 405B, {run['n_accelerators']:,.0f} × {run['sequence_tokens'] / 1024:.0f}k"
        found.append((name, 2023.0, case, run))
    told = []
    for name, year, case, run in found:
        degrees = {key: run[key] for key in ("tensor_parallel", "pipeline_parallel", "data_parallel")}
        parsed = parse({key: str(value) for key, value in {**case, **degrees}.items()})
        chip = chip_of(find(parsed.accelerator, rows=rows), released_year=year)
        said = predict(parsed, chip=chip)
        told.append(
            (
                name,
                float(run["achieved_flop_per_s_per_accelerator"]),
                said.flop_per_s_per_accelerator,
                f"{said.counts} FLOPs",
            )
        )
    return tuple(told)


def measured_exhibit(release: str, *, source: str) -> Exhibit:
    """Return predicted against measured rates: runs that set no constant, and the runs the model was set on."""
    unseen = error_of_all(release)
    title = (
        f"On {unseen.runs} published runs that set none of its constants, the model is {percent(unseen.size)} off at "
        "the median"
    )
    shown: list[tuple[str, str, float, float, str]] = [
        (
            rate.run,
            rate.kind,
            rate.measured * rate.flop_per_token / 1e12,
            rate.predicted * rate.flop_per_token / 1e12,
            "no" if rate.held_out else "yes",
        )
        for rate in rates(release)
    ]
    shown += [(name, counts, was / 1e12, said / 1e12, "yes") for name, was, said, counts in measured(release)]
    set_on = [abs(said / was - 1) for _, _, was, said, used in shown if used == "yes"]
    ends = [value for _, _, was, said, _ in shown for value in (was, said)]
    low, high = min(ends) * 0.9, max(ends) * 1.1

    def points(series: str, used: str, role: Role) -> Points:
        part = [row for row in shown if row[4] == used]
        return Points(
            series=series,
            role=role,
            x=tuple(row[2] for row in part),
            y=tuple(row[3] for row in part),
            names=tuple(row[0] for row in part),
            details=tuple(
                (f"measured {was:.0f}, predicted {said:.0f} TFLOP/s ({said / was - 1:+.0%})", kind)
                for _, kind, was, said, _ in part
            ),
            hollow=used == "yes",
        )

    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=(
                "TFLOP/s per accelerator by the model's own operations, or as the source counts; both agree on the "
                f"dotted line. Grey: {len(set_on)} runs that constants were set on, "
                f"{percent(float(np.median(set_on)))} off at the median."
            ),
            alt=title,
            source=f"Sources of each run: table published_training_rates. {source}",
            x=log_axis("Measured [TFLOP/s]", [low, high], lambda value: wording.significant(value, 2)),
            y=log_axis("Predicted [TFLOP/s]", [low, high], lambda value: wording.significant(value, 2)),
            marks=(
                Line(series="Both agree", role="context", x=(low, high), y=(low, high), dash="dotted"),
                points("Constants were set on", "yes", "context"),
                points("Never used", "no", "compute"),
            ),
        ),
        table=Table(
            columns=(
                Column(name="run", label="Run", kind="text"),
                Column(name="kind", label="Kind, or what is counted", kind="text"),
                Column(name="measured_tflop_per_s", label="Measured", unit="TFLOP/s"),
                Column(name="predicted_tflop_per_s", label="Predicted", unit="TFLOP/s"),
                Column(name="error", label="Error", unit="1"),
                Column(name="used", label="A constant was set on it", kind="text"),
            ),
            rows=tuple((run, kind, was, said, said / was - 1, used) for run, kind, was, said, used in shown),
        ),
    )


def kinds_exhibit(release: str, *, kind: str | None, source: str) -> Exhibit:
    """Return how far off the model is by kind of run, held-out runs alone; ``kind`` is that of the run asked for."""
    errors = errors_by_kind(release)
    best = min(errors.values(), key=lambda found: found.size)
    worst = max(errors.values(), key=lambda found: found.size)
    title = f"The model is {percent(best.size)} off on {best.kind}, {percent(worst.size)} on {worst.kind} (medians)"
    bars = tuple(
        Bar(
            label=wording.sentence_case(found.kind),
            value=100 * found.size,
            text=f"{percent(found.size)} ({found.runs})",
            role="compute" if found.kind in KINDS[:2] else "memory",
            emphasised=found.kind == kind,
            detail=(range_words(found),),
        )
        for found in errors.values()
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                "Median size of the error by kind of run (in brackets: runs), on runs that set no constant. Runs of "
                "2023 on the H100 came out slower than predicted, runs with NVIDIA's software of 2024 and 2025 faster."
            ),
            alt=title,
            source=f"Sources of each run: table published_training_rates. {source}",
            x=linear_axis(
                "Median error [%]", [0.0, max(bar.value for bar in bars) * 1.1], lambda value: f"{value:g} %"
            ),
            base=0.0,
            bars=bars,
        ),
        table=Table(
            columns=(
                Column(name="kind", label="Kind of run", kind="text"),
                Column(name="runs", label="Runs"),
                Column(name="median_size", label="Median size of the error", unit="1"),
                Column(name="median", label="Median error", unit="1"),
                Column(name="low", label="Eight in ten from", unit="1"),
                Column(name="high", label="to", unit="1"),
                Column(name="worst", label="Worst", unit="1"),
            ),
            rows=tuple(
                (
                    found.kind,
                    found.runs,
                    found.size,
                    found.middle,
                    found.low,
                    found.high,
                    found.worst,
                )
                for found in errors.values()
            ),
        ),
    )


def range_words(found: KindError) -> str:
    """Return where the errors lie, in words: eight in ten of 57 predictions from 10 % too slow to 5 % too fast."""
    part = "eight in ten" if found.runs >= 10 else "all"

    def side(error: float) -> str:
        return f"{100 * abs(error):.0f} % too {'fast' if error >= 0 else 'slow'}"

    return f"{part} of {found.runs} predictions lie between {side(found.low)} and {side(found.high)}"
