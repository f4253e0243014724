"""Every published throughput and time of serving beside what fits without its model, or its chip, say of it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.measured.engines import engine
from analysis.model_errors.comparison import Comparison, comparison
from analysis.model_errors.errors import LEVEL
from analysis.serving.fit_points import KINDS, LeftOut, Points
from analysis.serving.predict import ServingFit

TIMES = {"token": "serving: time per token", "first": "serving: first token"}
"""The models of times under load, by the kind of point."""
FULL_LOAD = KINDS.index("load")


def of_full_load(
    points: Points,
    fit: ServingFit,
    *,
    without_model: LeftOut,
    without_chip: LeftOut,
    measured_serving: Mapping[str, Mapping[str, Any]],
    architectures: Mapping[str, Mapping[str, Any]],
) -> tuple[Comparison, ...]:
    """Return every row of the table at full load, predicted by a fit without its model and by one without its chip.

    The tables are ``measured_serving`` by row and ``architectures`` by name.
    """
    compared = []
    for name, held_out_by, left_out in (
        ("serving: full load", "without its model", without_model),
        ("serving: full load, new chip", "without its chip", without_chip),
    ):
        half = fit.half_width("load", left_out.scale[FULL_LOAD], level=LEVEL)
        # Log times: a token of one accelerator takes as long as its throughput is low.
        measured = np.exp(-left_out.measured[FULL_LOAD])
        predicted = np.exp(-left_out.predicted[FULL_LOAD])
        for i, point in enumerate(points.rows["point_id"]):
            if point not in measured_serving or not np.isfinite(measured[i]):
                continue
            row = measured_serving[point]
            mixture = architectures[row["architecture"]]["n_experts"] > 1
            compared.append(
                comparison(
                    row,
                    model=name,
                    row_id=str(point),
                    case=f"{row['model']}, {row['precision']}, {row['n_accelerators']:.0f} chips",
                    accelerator=str(row["accelerator"]),
                    kind="Mixtures of experts" if mixture else "Dense models",
                    engine=engine(row["software"]),
                    software_date=row["measured_in"],
                    measured=float(measured[i]),
                    predicted=predicted[i],
                    half_width=half[i],
                    unit="tokens/s",
                    held_out_by=held_out_by,
                )
            )
    return tuple(compared)


def of_times(points: Points, fit: ServingFit, *, without_chip: LeftOut) -> tuple[Comparison, ...]:
    """Return every point measured in a closed loop, its times predicted by a fit without its chip."""
    rows = points.rows.to_dict("records")
    compared = []
    for kind, name in TIMES.items():
        at = KINDS.index(kind)
        half = fit.half_width(kind, without_chip.scale[at], level=LEVEL)
        measured, predicted = np.exp(without_chip.measured[at]), np.exp(without_chip.predicted[at])
        compared += [
            comparison(
                row,
                model=name,
                row_id=str(row["point_id"]),
                case=_case(row),
                accelerator=str(row["accelerator"]),
                kind=_kind(row),
                engine=str(row["software"]),
                software_date=points.deployments.year[i],
                measured=float(measured[i]),
                predicted=predicted[i],
                half_width=half[i],
                unit="s",
                held_out_by="without its chip",
            )
            for i, row in enumerate(rows)
            if np.isfinite(measured[i])
        ]
    return tuple(compared)


def _kind(row: Mapping[Any, Any]) -> str:
    if row["mode"] == "disaggregated":
        return "Prompts read apart"
    return "Mixtures of experts" if row["expert_quantisation"] else "Dense models"


def _case(row: Mapping[Any, Any]) -> str:
    size = "" if np.isnan(row["n_accelerators"]) else f", {row['n_accelerators']:.0f} chips"
    return (
        f"{row['model']}, {row['quantisation']}{size}, {row['prompt_tokens']:,.0f} in, "
        f"{row['output_tokens']:,.0f} out, {row['concurrency']:,.0f} in flight"
    )
