"""The tables that the command of serving predicts with, and the model fitted to them, once for a process."""

import math
from statistics import mode
from typing import Any, cast

import numpy as np
import pandas as pd

from analysis.model.architecture import Architecture
from analysis.model.names import formats, models
from analysis.serving.deployment import ServingChip
from analysis.serving.factors import NAMES
from analysis.serving.points import Points, full_load_points, points
from analysis.serving.predict import ServingFit, fitted
from analysis.serving.served_case import ServedTables
from data import releases, standing
from data.by_release import kept_by_release
from data.records import serving_fit


@kept_by_release()
def chips(release: str = "") -> dict[str, ServingChip]:
    """Return the accelerators of a release that can be predicted for, by name."""
    links = {str(row["product"]): row for row in standing.table("chip_links").to_dict("records")}
    found = {}
    for row in releases.load(release or releases.reference()).accelerators.to_dict("records"):
        link = links.get(str(row["product"]), {})
        try:
            found[str(row["name"])] = ServingChip.from_row(
                cast(dict[str, Any], row),
                link_byte_per_s=float(link.get("chip_link_bandwidth_byte_per_s", math.nan)),
                domain_size=float(link.get("domain_size", math.nan)),
            )
        except ValueError:
            continue
    return found


@kept_by_release()
def measured_points() -> Points:
    """Return the measured points that the model learns from, on the newest release's accelerators."""
    shapes = {str(row["name"]): Architecture.from_row(row) for row in _records("architectures")}
    prompts = {str(row["architecture"]): float(row["prompt_tokens"]) for row in _records("serving_tasks")}
    full = full_load_points(standing.table("measured_serving"), prompts=prompts)
    table = pd.concat([standing.table("measured_serving_points"), full], ignore_index=True)
    return points(table, models=shapes, chips=chips())


def _records(name: str) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], standing.table(name).to_dict("records"))


@kept_by_release()
def model() -> ServingFit:
    """Return the model with its recorded factors, and what they leave unexplained of the measured points."""
    recorded = serving_fit()
    factors = np.log([recorded["factors"][name] for name in NAMES])
    return fitted(measured_points(), factors=factors, quantiles=recorded["quantiles"])


@kept_by_release()
def measured_lengths() -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the shortest and longest prompt, and the same of answers, that the model learns from. [tokens]"""
    known = measured_points().deployments
    ends = [(float(np.min(of)), float(np.max(of))) for of in (known.prompt_tokens, known.output_tokens)]
    return ends[0], ends[1]


@kept_by_release()
def served_tables(release: str = "") -> ServedTables:
    """Return what names of a case are looked up in."""
    measured = standing.table("measured_decode")
    known = measured_points().deployments
    years: dict[tuple[str, str], list[float]] = {}
    own: dict[tuple[str, str, str, str], list[float]] = {}
    drafts: dict[tuple[str, str, str, str, str], set[bool]] = {}
    for i, engine in enumerate(known.engine):
        if not math.isnan(known.year[i]):
            year = float(known.year[i])
            years.setdefault((engine, known.version[i]), []).append(year)
            own.setdefault((engine, known.version[i], known.model[i], known.accelerator[i]), []).append(year)
        setup = (known.model[i], known.accelerator[i], engine, known.version[i], f"{known.year[i]:.2f}")
        drafts.setdefault(setup, set()).add(bool(known.drafted[i] > 0))
    return ServedTables(
        models=models(measured, standing.table("architectures"), same_shape=standing.table("model_names")),
        accelerators=cast(
            list[dict[str, Any]],
            releases.load(release or releases.reference()).accelerators.to_dict("records"),
        ),
        chips=chips(release),
        formats=formats(measured, standing.table("quantisation")),
        dates={setup: mode(values) for setup, values in years.items()},
        own_dates={setup: mode(values) for setup, values in own.items()},
        drafting=frozenset(setup for setup, marks in drafts.items() if marks == {True}),
    )
