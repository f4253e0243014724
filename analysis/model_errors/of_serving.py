"""Published serving throughputs and times, each predicted by a fit that omits its source."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.model_errors.comparison import Comparison, comparison
from analysis.model_errors.errors import LEVEL
from analysis.serving.fit_points import KINDS, LeftOut, Points
from analysis.serving.predict import ServingFit

MODELS = {"token": "serving: time per token", "first": "serving: first token", "load": "serving: full load"}
"""Serving models keyed by kind of point."""


def of_serving(points: Points, fit: ServingFit, *, without_source: LeftOut) -> tuple[Comparison, ...]:
    """Return all measured times and throughputs, each predicted by a fit without its source."""
    rows = points.rows.to_dict("records")
    compared = []
    for at, kind in enumerate(KINDS):
        half = fit.half_width(kind, without_source.scale[at], level=LEVEL)
        # At full load the log time is that of one token on one accelerator: a longer time is a lower throughput.
        full = kind == "load"
        measured, predicted = (
            np.exp(-logs[at] if full else logs[at])
            for logs in (without_source.measured, without_source.predicted)
        )
        compared += [
            comparison(
                row,
                model=MODELS[kind],
                row_id=str(row["point_id"]),
                case=_case(row),
                accelerator=str(row["accelerator"]),
                kind=_kind(row, mixture=points.deployments.n_experts[i] > 1),
                engine=str(row["software"]),
                software_date=points.deployments.year[i],
                measured=float(measured[i]),
                predicted=predicted[i],
                half_width=half[i],
                unit="tokens/s" if full else "s",
                held_out_by="without its source",
            )
            for i, row in enumerate(rows)
            if np.isfinite(measured[i])
        ]
    return tuple(compared)


def _kind(row: Mapping[Any, Any], *, mixture: bool) -> str:
    if row["mode"] == "disaggregated":
        return "Prompts read apart"
    return "Mixtures of experts" if mixture else "Dense models"


def _case(row: Mapping[Any, Any]) -> str:
    size = "" if np.isnan(row["n_accelerators"]) else f", {row['n_accelerators']:.0f} chips"
    flight = "" if np.isnan(row["concurrency"]) else f", {row['concurrency']:,.0f} in flight"
    return (
        f"{row['model']}, {row['quantisation']}{size}, {row['prompt_tokens']:,.0f} in, "
        f"{row['output_tokens']:,.0f} out{flight}"
    )
