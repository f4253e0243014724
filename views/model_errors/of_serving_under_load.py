"""Serving with so many requests in flight: every measured point beside what a fit without its chip says of it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.model_errors import LEVEL
from analysis.serving.fit_points import KINDS, LeftOut, left_out
from analysis.serving.tables import measured_points, model
from data.by_release import kept_by_release
from views.model_errors.compared import Compared

MODELS = {"token": "serving: time per token", "first": "serving: first token"}


def _kind(row: Mapping[str, Any]) -> str:
    if row["mode"] == "disaggregated":
        return "Prompts read apart"
    return "Mixtures of experts" if row["expert_quantisation"] else "Dense models"


def _case(row: Mapping[str, Any]) -> str:
    size = "" if np.isnan(row["n_accelerators"]) else f", {row['n_accelerators']:.0f} chips"
    return (
        f"{row['model']}, {row['quantisation']}{size}, {row['prompt_tokens']:,.0f} in, "
        f"{row['output_tokens']:,.0f} out, {row['concurrency']:,.0f} in flight"
    )


@kept_by_release()
def without_chip() -> LeftOut:
    """Return every point as predicted by a fit without its chip; half a minute and more, so keep the answer."""
    points = measured_points()
    return left_out(points, groups=points.deployments.accelerator, start=model().factors)


def compared() -> tuple[Compared, ...]:
    """Return every point measured in a closed loop, its times predicted by a fit without its chip."""
    points, fit = measured_points(), model()
    held = without_chip()
    rows = points.rows.to_dict("records")
    found = []
    for kind, name in MODELS.items():
        at = KINDS.index(kind)
        wide = fit.half_width(kind, held.scale[at], level=LEVEL)
        for i, row in enumerate(rows):
            if not np.isfinite(held.measured[at, i]):
                continue
            predicted = float(np.exp(held.predicted[at, i]))
            found.append(
                Compared(
                    model=name,
                    row_id=str(row["point_id"]),
                    case=_case(row),
                    architecture=str(row["architecture"]),
                    accelerator=str(row["accelerator"]),
                    kind=_kind(row),
                    engine=str(row["software"]),
                    software_date=float(points.deployments.year[i]),
                    measured=float(np.exp(held.measured[at, i])),
                    predicted=predicted,
                    low=predicted * float(np.exp(-wide[i])),
                    high=predicted * float(np.exp(wide[i])),
                    unit="s",
                    way="without its chip",
                    source_id=str(row["source_id"]),
                    locator=str(row["locator"]),
                )
            )
    return tuple(found)
