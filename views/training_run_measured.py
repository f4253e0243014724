"""Predicted against measured: what the model says about published runs."""

from functools import lru_cache
from typing import Any

import numpy as np

from analysis.training_run.cases import parse
from analysis.training_run.machines import chip_of, find
from analysis.training_run.predict import predict
from charts.chart import Line, Points, XYChart
from data.releases import load
from data.standing import table
from views import wording
from views.axes import log_axis
from views.result import Cell, Column, Exhibit, Table
from views.training_run_words import percent


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
    """Return predicted against measured rates of the published runs."""
    runs = measured(release)
    errors = [abs(said / was - 1) for _, was, said, _ in runs]
    title = (
        f"The model is {percent(float(np.median(errors)))} off in the middle of {len(runs)} published runs, "
        f"{percent(max(errors))} at worst"
    )
    ends = [value / 1e12 for _, was, said, _ in runs for value in (was, said)]
    low, high = min(ends) * 0.9, max(ends) * 1.1
    points = Points(
        series="Published runs",
        role="compute",
        x=tuple(was / 1e12 for _, was, _, _ in runs),
        y=tuple(said / 1e12 for _, _, said, _ in runs),
        names=tuple(name for name, *_ in runs),
        details=tuple(
            (
                f"measured {was / 1e12:.0f}, predicted {said / 1e12:.0f} TFLOP/s ({said / was - 1:+.0%})",
                counts,
            )
            for _, was, said, counts in runs
        ),
        marked=tuple((i, runs[i][0]) for i in (len(runs) - 3, len(runs) - 1, 0, 9) if 0 <= i < len(runs)),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, was / 1e12, said / 1e12, said / was - 1, counts) for name, was, said, counts in runs
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="Achieved TFLOP/s per accelerator as each source counts; on the dotted line both agree.",
            alt=title,
            source=f"Narayanan et al. 2021, table 1; Llama Team 2024, table 4. {source}",
            x=log_axis("Measured [TFLOP/s]", [low, high], lambda value: wording.significant(value, 2)),
            y=log_axis("Predicted [TFLOP/s]", [low, high], lambda value: wording.significant(value, 2)),
            marks=(
                Line(series="Both agree", role="context", x=(low, high), y=(low, high), dash="dotted"),
                points,
            ),
        ),
        table=Table(
            columns=(
                Column(name="run", label="Run", kind="text"),
                Column(name="measured_tflop_per_s", label="Measured", unit="TFLOP/s"),
                Column(name="predicted_tflop_per_s", label="Predicted", unit="TFLOP/s"),
                Column(name="error", label="Error", unit="1"),
                Column(name="counts", label="Counted", kind="text"),
            ),
            rows=rows,
        ),
    )
