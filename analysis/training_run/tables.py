"""Tables for training runs: accelerators, models, published runs and paces."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import pandas as pd

from analysis.hardware.chip import Chip
from analysis.hardware.machine import Machine, machine_of
from analysis.hardware.matmul_rates import MatmulRates
from analysis.hardware.names import UnknownAccelerator, find_accelerator
from analysis.model.architecture import Architecture
from analysis.model.names import models
from analysis.refusal import Refusal
from analysis.training_run.pace import Paces
from analysis.training_run.published import PublishedRun, left_out, paces_of, predicted_runs
from analysis.training_run.recipes import KnownRun, known_runs
from analysis.trend.calendar_year import decimal_year
from data import standing
from data.by_release import kept_by_release
from data.releases import load


@dataclass(frozen=True, kw_only=True)
class Tables:
    """Tables for cases: accelerators, models by normalized name, kinds of chip and software stacks."""

    accelerators: Sequence[Mapping[str, Any]]
    models: Mapping[str, Architecture]
    kinds: Mapping[str, Mapping[str, Any]]
    stacks: Mapping[str, Mapping[str, Any]]


@kept_by_release(2)
def tables(release: str) -> Tables:
    """Return the tables for cases, from a release's accelerators and the standing tables."""
    named = models(
        standing.table("measured_decode"),
        standing.table("architectures"),
        same_shape=standing.table("model_names"),
    )
    return Tables(
        accelerators=_accelerators(release),
        models=named,
        kinds=standing.rows("training_kinds", "chip"),
        stacks=standing.rows("training_stacks", "software"),
    )


def machine_of_part(
    part: Mapping[str, Any], *, precision: str = "fp16", released_year: float | None = None
) -> Machine:
    """Return the machine in an accelerator's row. Without ``released_year``, the row's own release date is used.

    Raises Refusal if the row has no rate at the precision, no bandwidth or no capacity.
    """
    year = released_year
    if year is None:
        dates = pd.Series([part["released_on"]]) if "released_on" in part else None
        year = math.inf if dates is None else float(decimal_year(dates)[0])
    chip = Chip.from_row(
        part, links=standing.rows("chip_links", "product"), released_year=year, needed=precision
    )
    return machine_of(chip, _matmul_rates(), precision=precision)


@kept_by_release()
def _matmul_rates() -> MatmulRates:
    return MatmulRates.from_rows(_lines("published_matmul"), same_die=_lines("same_die"))


def _machines(release: str) -> Callable[[str, str], Machine | None]:
    """Return a function that finds a release's accelerator by name and precision, or returns None."""
    accelerators = _accelerators(release)

    def machine(name: str, precision: str) -> Machine | None:
        try:
            return machine_of_part(find_accelerator(name, rows=accelerators), precision=precision)
        except (Refusal, UnknownAccelerator):
            # An older release lacks the chip or its rate.
            return None

    return machine


@kept_by_release(4)
def known(release: str) -> tuple[KnownRun, ...]:
    """Return all runs that have recipes and use the chips of a release."""
    return known_runs(
        _lines("training_recipes"),
        machine=_machines(release),
        architectures=standing.rows("architectures", "name"),
        kinds=standing.rows("training_kinds", "chip"),
        stacks=standing.rows("training_stacks", "software"),
        others=unpaced_runs(release),
    )


@kept_by_release(4)
def unpaced_runs(release: str) -> tuple[PublishedRun, ...]:
    """Return the published training rates on the chips of a release, with step-time predictions."""
    return predicted_runs(
        _lines("published_training_rates"),
        machine=_machines(release),
        architectures=standing.rows("architectures", "name"),
        kinds=standing.rows("training_kinds", "chip"),
        stacks=standing.rows("training_stacks", "software"),
    )


@kept_by_release(4)
def paces(release: str) -> Paces:
    """Return the paces of published runs on the chips of a release."""
    return paces_of(unpaced_runs(release))


@kept_by_release(4)
def published_runs(release: str) -> tuple[PublishedRun, ...]:
    """Return all published runs, each predicted without runs of its model on its chip."""
    return left_out(unpaced_runs(release))


@kept_by_release()
def calibration_sources() -> frozenset[str]:
    """Return the sources of the runs with which the constants of the step-time model were chosen."""
    rates = standing.table("published_training_rates")
    whole = (standing.table(name) for name in ("published_megatron", "published_llama_training"))
    return frozenset(pd.concat([rates.loc[~rates["held_out"]], *whole])["source_id"])


def _lines(table: str) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], standing.table(table).to_dict("records"))


def _accelerators(release: str) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], load(release).accelerators.to_dict("records"))
