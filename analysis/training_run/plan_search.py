"""Which plan trains a model fastest on given accelerators: all of them tried at once."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.training_run.candidates import NoPlanFits, candidates
from analysis.training_run.device_memory import DeviceMemory, device_memory, fits, lacking_words
from analysis.training_run.layer_time import SUSTAINED, Sustained
from analysis.training_run.plans import Plans
from analysis.training_run.step_time import StepTime, step_time

Parts = TypeVar("Parts", StepTime, DeviceMemory)


@dataclass(frozen=True, kw_only=True)
class Fastest:
    """The fastest plan that fits, its step and memory, and how many plans were tried and fitted."""

    plan: Plans
    step: StepTime
    memory: DeviceMemory
    tried: int
    fitted: int

    @property
    def step_s(self) -> float:
        """Return the time of its step. [s]"""
        return float(self.step.total_s)


def fastest_plan(
    model: Architecture,
    machine: Machine,
    *,
    accelerators: int,
    global_batch: int,
    overlap: float = 0.5,
    plans: Plans | None = None,
    sustained: Sustained = SUSTAINED,
) -> Fastest:
    """Return the plan of the shortest step among ``plans`` (all candidates by default) that fit.

    Raises
    ------
    NoPlanFits
        If the batch cannot be split so, or every plan needs more memory than there is.
    """
    if plans is None:
        plans = candidates(
            model,
            accelerators=accelerators,
            global_batch=global_batch,
            overlap=overlap,
            domain_size=machine.chip.domain_size,
        )
    wanted = _Wanted(accelerators=accelerators, global_batch=global_batch, plans=plans)
    fastest = _fastest(model, machine, wanted=[wanted], sustained=sustained)[0]
    if isinstance(fastest, NoPlanFits):
        raise fastest
    return fastest


@dataclass(frozen=True, kw_only=True)
class _Wanted:
    """A number of accelerators, a batch, and the plans that may run it."""

    accelerators: int
    global_batch: int
    plans: Plans


def _fastest(
    model: Architecture, machine: Machine, *, wanted: Sequence[_Wanted], sustained: Sustained = SUSTAINED
) -> list[Fastest | NoPlanFits]:
    """Return the fastest plan of each, or why none fits; all plans of all are computed at once."""
    plans = _joined([one.plans for one in wanted])
    sizes = [int(np.prod(one.plans.shape)) for one in wanted]
    batches = np.repeat(np.array([one.global_batch for one in wanted], dtype=np.float64), sizes)
    memory = device_memory(model, machine, plans=plans, global_batch=batches)
    fitting: NDArray[np.bool_] = np.broadcast_to(fits(memory, machine), plans.shape)
    total_byte = np.broadcast_to(memory.total_byte, plans.shape)
    possible = np.flatnonzero(fitting)
    step = step_time(
        model, machine, plans=_chosen(plans, possible), global_batch=batches[possible], sustained=sustained
    )
    step_s = step.total_s
    answers: list[Fastest | NoPlanFits] = []
    ends = np.cumsum(sizes).tolist()
    for one, start, end in zip(wanted, [0, *ends], ends, strict=False):
        low, high = np.searchsorted(possible, [start, end]).tolist()
        if low == high:
            at = start + int(total_byte[start:end].argmin())
            least_byte = float(total_byte[at])
            parts = {name: np.broadcast_to(part, plans.shape)[at] for name, part in vars(memory).items()}
            word = "accelerator" if one.accelerators == 1 else "accelerators"
            answers.append(
                NoPlanFits(
                    f"no plan of {one.accelerators:,} {word} fits: the leanest needs "
                    f"{lacking_words(least_byte, machine)}. Take more accelerators, more memory, or a smaller model.",
                    leanest=DeviceMemory(**parts),
                )
            )
            continue
        first = low + int(np.argmin(step_s[low:high]))
        best = int(possible[first])
        answers.append(
            Fastest(
                plan=plans.at(best),
                step=_one(step, first, of=possible.shape),
                memory=_one(memory, best, of=fitting.shape),
                tried=end - start,
                fitted=high - low,
            )
        )
    return answers


def fastest_of_at_most(
    model: Architecture,
    machine: Machine,
    *,
    accelerators: int,
    global_batch: int,
    overlap: float = 0.5,
) -> tuple[Fastest, int]:
    """Return the fastest plan on at most so many accelerators, and how many it uses.

    A batch rarely splits over a number with large divisors: round numbers below it are tried as well.

    Raises
    ------
    NoPlanFits
        As :func:`fastest_plan`, of the number asked for.
    """
    wanted = (accelerators, global_batch)
    answer = fastest_of_each(model, machine, wanted=[wanted], overlap=overlap)[wanted]
    if isinstance(answer, NoPlanFits):
        raise answer
    return answer


def fastest_of_each(
    model: Architecture,
    machine: Machine,
    *,
    wanted: Sequence[tuple[int, int]],
    overlap: float = 0.5,
) -> dict[tuple[int, int], tuple[Fastest, int] | NoPlanFits]:
    """Return for each number of accelerators and batch what :func:`fastest_of_at_most` gives, or why no plan fits."""
    faults: dict[tuple[int, int], NoPlanFits] = {}
    each: dict[tuple[int, int], _Wanted] = {}
    for accelerators, batch in wanted:
        for number in _tried(accelerators):
            if (number, batch) in each or (number, batch) in faults:
                continue
            try:
                plans = candidates(
                    model,
                    accelerators=number,
                    global_batch=batch,
                    overlap=overlap,
                    domain_size=machine.chip.domain_size,
                )
            except NoPlanFits as fault:
                faults[number, batch] = fault
            else:
                each[number, batch] = _Wanted(accelerators=number, global_batch=batch, plans=plans)
    answers = (
        dict(zip(each, _fastest(model, machine, wanted=[*each.values()]) if each else [], strict=True))
        | faults
    )
    chosen: dict[tuple[int, int], tuple[Fastest, int] | NoPlanFits] = {}
    for accelerators, batch in wanted:
        tried = [(answers[number, batch], number) for number in _tried(accelerators)]
        fitting = [(one, number) for one, number in tried if isinstance(one, Fastest)]
        problem = next((one for one, _ in tried if isinstance(one, NoPlanFits)), None)
        best = min(fitting, key=lambda pair: pair[0].step_s, default=problem)
        assert best is not None
        chosen[accelerators, batch] = best
    return chosen


def _tried(accelerators: int) -> list[int]:
    """Return the number itself and the round ones below it, largest first."""
    rounded = [accelerators // size * size for size in (1, 8, 64, 512)]
    return sorted({*rounded, 2 ** (accelerators.bit_length() - 1)} - {0}, reverse=True)


def _one(parts: Parts, index: int, *, of: tuple[int, ...]) -> Parts:
    """Return the parts of one plan, given those of all: each of shape ``of``, or the same for every plan."""
    every = {item.name: np.broadcast_to(getattr(parts, item.name), of) for item in fields(parts)}
    return replace(parts, **{name: values[index] for name, values in every.items()})


def _joined(each: Sequence[Plans]) -> Plans:
    names = [name for name in vars(each[0]) if not name.startswith("_")]
    return Plans(**{name: np.concatenate([np.ravel(getattr(one, name)) for one in each]) for name in names})


def _chosen(plans: Plans, index: NDArray[np.intp]) -> Plans:
    names = [name for name in vars(plans) if not name.startswith("_")]
    return Plans(**{name: np.ravel(getattr(plans, name))[index] for name in names})
