"""Training runs as described in papers: recipe, predicted speed and published speed."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.hardware.machine import Machine
from analysis.predict.columns import CaseError
from analysis.training_run.cases import parse
from analysis.training_run.pace import Pace
from analysis.training_run.plan_search import fastest_run
from analysis.training_run.plans import RECOMPUTE_NAMES, Plans
from analysis.training_run.predict import overlap_of, predict, with_software
from analysis.training_run.published import HALF_A_MONTH, PublishedRun, model_of_row, paces_of, predicted_run
from analysis.training_run.run import Circumstances, TrainingRun
from analysis.trend.calendar_year import decimal_year
from analysis.units import HOUR_S

SPLIT = (
    *("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel"),
    *("interleave", "micro_batch", "zero_stage"),
)
"""Columns of a recipe that are degrees of parallelism, named as in a plan."""
MEASURED = (
    *("accelerator_time_s", "step_s", "achieved_tokens_per_s_per_accelerator"),
    *("achieved_flop_per_s_per_accelerator", "mfu_percent"),
)
"""Columns with the speed of a recipe's run. If all are empty, its speed is not published."""


def degrees_of(row: Mapping[str, Any]) -> dict[str, int]:
    """Return the degrees of parallelism that a recipe publishes. Empty if its split is not published."""
    if math.isnan(row["tensor_parallel"]):
        return {}
    degrees = {name: int(row[name]) for name in SPLIT if not math.isnan(row[name])}
    if row["recompute"]:
        degrees["recompute"] = RECOMPUTE_NAMES.index(row["recompute"])
    return degrees


def software_year_of(row: Mapping[str, Any]) -> float:
    """Return the software date of a recipe as a decimal year."""
    return float(decimal_year([row["software_on"]])[0]) + HALF_A_MONTH


def published_plan(row: Mapping[str, Any], *, run: TrainingRun) -> Plans | None:
    """Return a run's plan with the degrees of a recipe. Missing degrees are taken from the fastest plan.

    None if the recipe has no plan, or one that does not split this run or does not fit.
    """
    if not (degrees := degrees_of(row)):
        return None
    recompute = degrees.pop("recompute", None)
    cells = {
        **degrees,
        "model": "own",
        "recompute": "" if recompute is None else RECOMPUTE_NAMES[recompute],
        "sequence_tokens": run.model.sequence_length,
        "global_batch": run.global_batch,
        "n_accelerators": run.accelerators,
        "overlap": run.overlap,
        "expert_overlap": run.machine.expert_overlap,
        "accelerator": "own",
    }
    try:
        case = parse({name: str(value) for name, value in cells.items()}, models={"own": run.model})
    except CaseError:
        return None
    prediction = predict(case, machine=run.machine)
    return prediction.plan if prediction.fits else None


def published_s(row: Mapping[str, Any]) -> float:
    """Return a run's published duration, from hours or tokens a second. NaN if neither is published. [s]"""
    time_s, rate = row["accelerator_time_s"], row["achieved_tokens_per_s_per_accelerator"]
    if not math.isnan(time_s):
        return time_s / row["n_accelerators"]
    return row["training_tokens"] / (rate * row["n_accelerators"])


@dataclass(frozen=True, kw_only=True)
class KnownRun:
    """A run with a recipe: ``measured`` and ``predicted`` tokens a second per accelerator, and its row.

    The prediction uses no run of the same source or model.
    """

    run_id: str
    run: str
    accelerators: int
    measured: float
    predicted: float
    pace: Pace
    basis: str
    source_id: str

    @property
    def error(self) -> float:
        """Return the relative error of the prediction, positive if it is too fast. [1]"""
        return self.predicted / self.measured - 1

    def bounds(self, spreads: float) -> tuple[float, float]:
        """Return the predictions at paces ``spreads`` standard deviations below and above the predicted pace."""
        low, high = self.pace.bounds(spreads)
        return self.predicted * low / self.pace.share, self.predicted * high / self.pace.share


def known_run(
    row: Mapping[str, Any],
    *,
    machine: Machine,
    architectures: Mapping[str, Mapping[str, Any]],
    others: Sequence[PublishedRun],
    **shared: Mapping[str, Mapping[str, Any]],
) -> KnownRun:
    """Return a recipe with its prediction, at the pace of other models' runs from other sources.

    If no split is published, the fastest plan is used. If hours are published, failures count. ``shared`` is as in
    :func:`analysis.training_run.published.predicted_run`.
    """
    model = model_of_row(row, architectures=architectures)
    around = Circumstances(tokens=row["training_tokens"])
    if not math.isnan(row["time_between_failures_s"]):
        around = replace(around, hours_per_failure=row["time_between_failures_s"] / HOUR_S)
    if not math.isnan(row["network_bandwidth_byte_per_s"]):
        machine = machine.with_chip(network_bandwidth_byte_per_s=row["network_bandwidth_byte_per_s"])
    own: dict[str, Any] = {**row, "held_out": True}
    of_hours = not math.isnan(row["accelerator_time_s"])
    if of_hours:
        own["achieved_tokens_per_s_per_accelerator"] = row["training_tokens"] / row["accelerator_time_s"]
    if math.isnan(row["tensor_parallel"]):
        year = software_year_of(row)
        run = TrainingRun(
            model=model,
            machine=with_software(machine, year=year),
            accelerators=int(row["n_accelerators"]),
            global_batch=int(row["global_batch"]),
            circumstances=around,
            overlap=overlap_of(year),
        )
        plan = fastest_run(run)[0].plan
        own |= {name: plan.one(name) for name in SPLIT}
        own |= {
            "recompute": RECOMPUTE_NAMES[int(plan.one("recompute"))],
            "n_accelerators": float(plan.accelerators),
        }
    run = predicted_run(own, model=model, machine=machine, **shared)
    far = [
        each for each in others if each.source_id != run.source_id and each.traits.shape != run.traits.shape
    ]
    pace = paces_of(far).of(run.traits)
    work = 1.0
    if of_hours:
        work = float(around.goodput(model, accelerators=own["n_accelerators"]).work)
    return KnownRun(
        run_id=row["run_id"],
        run=run.run,
        accelerators=int(row["n_accelerators"]),
        measured=run.measured,
        predicted=run.unpaced * pace.share * work,
        pace=pace,
        basis="accelerator-hours" if of_hours else "speed",
        source_id=run.source_id,
    )


def known_runs(
    lines: Iterable[Mapping[str, Any]], *, machine: Callable[[str, str], Machine | None], **shared: Any
) -> tuple[KnownRun, ...]:
    """Return the recipes with predictions. Recipes with unknown chips or unpublished speeds are omitted.

    ``machine`` returns an accelerator by name and precision, as for published runs; ``shared`` is as in
    :func:`known_run`.
    """
    runs = []
    for row in lines:
        own = machine(row["accelerator"], "fp8" if row["precision"] == "fp8" else "fp16")
        if own is not None and any(not math.isnan(row[name]) for name in MEASURED):
            runs.append(known_run(row, machine=own, **shared))
    return tuple(runs)
