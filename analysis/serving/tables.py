"""Tables for the serving command, and the model fitted to them. Both are cached per process."""

import math
from typing import Any, cast

import numpy as np
import pandas as pd

from analysis.model.architecture import Architecture
from analysis.model.names import formats, models
from analysis.serving.deployment import ServingChip
from analysis.serving.points import Points, full_load_points, points
from analysis.serving.predict import ServingFit, fitted
from analysis.serving.served_case import ServedTables
from analysis.serving.times import NAMES
from data import releases, standing
from data.by_release import kept_by_release
from data.records import serving_fit

MEASURED = ("measured_serving", "measured_serving_points", "serving_tasks", "serving_sources")
READS = (*MEASURED, "architectures", "chip_links", "accelerators")
"""Tables that the model is fitted to."""


@kept_by_release()
def chips(release: str = "") -> dict[str, ServingChip]:
    """Return a release's accelerators whose speed can be predicted, keyed by name."""
    links, known = standing.rows("chip_links", "product"), {}
    for row in _accelerators(release):
        link = links.get(str(row["product"]), {})
        try:
            known[str(row["name"])] = ServingChip.from_row(
                row,
                link_byte_per_s=float(link.get("chip_link_bandwidth_byte_per_s", math.nan)),
                domain_size=float(link.get("domain_size", math.nan)),
            )
        except ValueError:
            continue
    return known


def _accelerators(release: str) -> list[dict[str, Any]]:
    parts = releases.load(release or releases.reference()).accelerators
    return cast(list[dict[str, Any]], parts.to_dict("records"))


@kept_by_release(reads=READS)
def measured_points() -> Points:
    """Return the measured points that the model is fitted to, on accelerators of the newest release."""
    shapes = {
        name: Architecture.from_row(row) for name, row in standing.rows("architectures", "name").items()
    }
    tasks = standing.rows("serving_tasks", "architecture")
    prompts = {name: float(row["prompt_tokens"]) for name, row in tasks.items()}
    full = full_load_points(standing.table("measured_serving"), prompts=prompts)
    table = pd.concat([standing.table("measured_serving_points"), full], ignore_index=True)
    tuning = {source: row["tuning"] for source, row in standing.rows("serving_sources", "source_id").items()}
    return points(table, models=shapes, chips=chips(), tuning=tuning)


@kept_by_release(reads=READS)
def model() -> ServingFit:
    """Return the model that holds the recorded factors and their residuals on the measured points."""
    recorded = serving_fit()
    factors = np.log([recorded["factors"][name] for name in NAMES])
    return fitted(measured_points(), factors=factors, quantiles=recorded["quantiles"])


@kept_by_release()
def measured_lengths() -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the shortest and longest prompt in the fit, and the shortest and longest answer. [tokens]"""
    known = measured_points().deployments
    ends = [(float(np.min(of)), float(np.max(of))) for of in (known.prompt_tokens, known.output_tokens)]
    return ends[0], ends[1]


@kept_by_release()
def served_tables(release: str = "") -> ServedTables:
    """Return the tables for looking up a case's names."""
    measured = standing.table("measured_decode")
    known = measured_points().deployments
    names = ("model", "accelerator", "engine", "version")
    frame = pd.DataFrame({**{name: getattr(known, name) for name in names}, "drafts": known.drafted > 0})
    drafts: dict[Any, Any] = dict(frame.loc[frame["version"] != ""].groupby(list(names))["drafts"].all())
    return ServedTables(
        models=models(measured, standing.table("architectures"), same_shape=standing.table("model_names")),
        accelerators=_accelerators(release),
        chips=chips(release),
        formats=formats(measured, standing.table("quantisation")),
        drafting=frozenset(setup for setup, all_draft in drafts.items() if all_draft),
    )
