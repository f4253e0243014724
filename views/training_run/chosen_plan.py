"""The plan of a run: the fastest that a search finds, or the reader's, who may leave any degree to that one."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.training_run.fastest_run import fastest_run
from analysis.training_run.outlook import Circumstances, RunOutlook
from analysis.training_run.plan_search import Fastest
from analysis.training_run.plans import RECOMPUTE_NAMES, Plans, refuse_impossible
from data.releases import load
from views.training_run.inputs import RunInputs, inputs_of
from views.view import pinned

if TYPE_CHECKING:
    from views.training_run.settings import TrainingRunSettings

AS_SEARCHED = "fastest"
"""The word of a choice that is left to the fastest plan."""
COLUMNS: Mapping[str, str] = {
    "tensor": "tensor_parallel",
    "pipeline": "pipeline_parallel",
    "context": "context_parallel",
    "expert": "expert_parallel",
    "interleave": "interleave",
    "micro_batch": "micro_batch",
    "zero": "zero_stage",
    "recompute": "recompute",
}
"""Each degree a reader can give, by its setting, with its name in a plan."""


@dataclass(frozen=True, kw_only=True)
class ChosenPlan:
    """A plan, how many accelerators it uses, and how many plans it is the fastest of; 1 for one given by hand."""

    plan: Plans
    used: int
    tried: int


@lru_cache(maxsize=16)
def _fastest(
    model: Architecture,
    machine: Machine,
    *,
    accelerators: int,
    global_batch: int,
    circumstances: Circumstances,
    overlap: float,
) -> tuple[Fastest, int, RunOutlook]:
    return fastest_run(
        model,
        machine,
        accelerators=accelerators,
        global_batch=global_batch,
        circumstances=circumstances,
        overlap=overlap,
    )


def searched(inputs: RunInputs, *, overlap: float) -> tuple[Fastest, int, RunOutlook]:
    """Return the fastest plan of a run, how many accelerators it uses, and the run; kept for the latest runs.

    Raises
    ------
    NoPlanFits
        If no plan fits.
    """
    return _fastest(
        inputs.model,
        inputs.machine,
        accelerators=inputs.accelerators,
        global_batch=inputs.global_batch,
        circumstances=inputs.circumstances,
        overlap=overlap,
    )


def chosen_plan(settings: "TrainingRunSettings", inputs: RunInputs) -> ChosenPlan:
    """Return the plan that the settings ask for.

    A plan by hand that leaves a degree to the fastest plan runs on as many accelerators as that one uses.

    Raises
    ------
    ValueError
        If the degrees do not divide the accelerators, the batch or the model, or no plan fits (NoPlanFits).
    """
    overlap = settings.overlap / 100
    if settings.plan == "auto":
        best, used, _ = searched(inputs, overlap=overlap)
        return ChosenPlan(plan=best.plan, used=used, tried=best.tried)
    degrees: dict[str, int] = {
        name: value for name in COLUMNS if (value := _given(settings, name)) is not None
    }
    used = inputs.accelerators
    if len(degrees) < len(COLUMNS):
        best, used, _ = searched(inputs, overlap=overlap)
        degrees = {name: _of_plan(best.plan, name) for name in COLUMNS} | degrees
    return ChosenPlan(plan=_by_hand(degrees, inputs, accelerators=used, overlap=overlap), used=used, tried=1)


def _given(settings: "TrainingRunSettings", name: str) -> int | None:
    """Return a degree that the reader gives, a kind of recomputation by its number; None for one left out."""
    value = getattr(settings, name)
    if value in (None, AS_SEARCHED):
        return None
    return RECOMPUTE_NAMES.index(value) if name == "recompute" else int(value)


def _of_plan(plan: Plans, name: str) -> int:
    return round(plan.one(COLUMNS[name]))


def _by_hand(degrees: Mapping[str, int], inputs: RunInputs, *, accelerators: int, overlap: float) -> Plans:
    t, p, c = degrees["tensor"], degrees["pipeline"], degrees["context"]
    if accelerators % (t * p * c):
        raise ValueError(
            f"tensor × pipeline × context parallel is {t * p * c:,}, which does not divide {accelerators:,} "
            "accelerators; change one of them, or use the fastest plan"
        )
    d = accelerators // (t * p * c)
    pieces = degrees["interleave"] if p > 1 else 1
    refuse_impossible(
        inputs.model,
        global_batch=inputs.global_batch,
        tensor_parallel=t,
        pipeline_parallel=p,
        data_parallel=d,
        context_parallel=c,
        expert_parallel=degrees["expert"],
        interleave=pieces,
        micro_batch=degrees["micro_batch"],
    )
    return Plans(
        tensor_parallel=t,
        pipeline_parallel=p,
        data_parallel=d,
        context_parallel=c,
        expert_parallel=degrees["expert"],
        interleave=pieces,
        micro_batch=degrees["micro_batch"],
        zero_stage=degrees["zero"],
        recompute=degrees["recompute"],
        overlap=overlap,
    )


def searched_degree(settings: "TrainingRunSettings", name: str) -> int | str | None:
    """Return what a degree is in the fastest plan, as a link says it; None where there is no such plan."""
    try:
        inputs = inputs_of(settings, load(pinned(settings).release))
        best, *_ = searched(inputs, overlap=settings.overlap / 100)
    except (ValueError, LookupError):
        return None
    found = _of_plan(best.plan, name)
    return RECOMPUTE_NAMES[found] if name == "recompute" else found


def degree_in_words(settings: "TrainingRunSettings", name: str) -> str:
    """Return what stands for a degree that is left empty: 8, as the fastest plan; nothing where none is found."""
    found = searched_degree(settings, name)
    return "" if found is None else f"{found:,}, as the fastest plan" if isinstance(found, int) else found
