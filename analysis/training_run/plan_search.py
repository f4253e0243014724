"""Which plan trains a model fastest on given accelerators: all of them tried, many at once."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.steps import between_steps
from analysis.training_run.candidates import NoPlanFits, candidates
from analysis.training_run.device_memory import DeviceMemory, device_memory, fits, lacking_words
from analysis.training_run.layer_time import SUSTAINED, Sustained
from analysis.training_run.plans import Plans
from analysis.training_run.step_time import StepTime, step_time

Parts = TypeVar("Parts", StepTime, DeviceMemory)

BLOCK = 2**14
"""So many plans are computed at once: some 100 columns of them are 13 MB, which processors keep at hand. [plans]"""


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
            fused_attention=machine.fused_attention,
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


@dataclass(kw_only=True)
class _Best:
    """The best of the plans tried so far for one number of accelerators, the first among equals."""

    accelerators: int
    tried: int = 0
    fitted: int = 0
    step_s: float = math.inf
    fastest: tuple[Plans, StepTime, DeviceMemory] | None = None
    least_byte: float = math.inf
    leanest: DeviceMemory | None = None

    def answer(self, machine: Machine) -> Fastest | NoPlanFits:
        """Return the fastest plan, or why none fits."""
        if self.fastest is not None:
            plan, step, memory = self.fastest
            return Fastest(plan=plan, step=step, memory=memory, tried=self.tried, fitted=self.fitted)
        word = "accelerator" if self.accelerators == 1 else "accelerators"
        return NoPlanFits(
            f"no plan of {self.accelerators:,} {word} fits: the leanest needs "
            f"{lacking_words(self.least_byte, machine)}. Take more accelerators, more memory, or a smaller model.",
            leanest=self.leanest,
        )


def _fastest(
    model: Architecture, machine: Machine, *, wanted: Iterable[_Wanted], sustained: Sustained = SUSTAINED
) -> list[Fastest | NoPlanFits]:
    """Return the fastest plan of each, or why none fits."""
    bests: list[_Best] = []
    for block in _blocks(wanted, bests):
        between_steps()
        _try(model, machine, block=block, sustained=sustained)
    return [best.answer(machine) for best in bests]


def _blocks(wanted: Iterable[_Wanted], bests: list[_Best]) -> Iterator[list[tuple[_Best, _Wanted]]]:
    """Yield the plans of all in blocks, and add each one's still empty best to ``bests``.

    A block holds many small searches or a part of a large one: few calls, and little memory at once.
    """
    block: list[tuple[_Best, _Wanted]] = []
    room = BLOCK
    for one in wanted:
        best = _Best(accelerators=one.accelerators)
        bests.append(best)
        size, start = math.prod(one.plans.shape), 0
        while start < size:
            end = min(start + room, size)
            part = one.plans if end - start == size else _chosen(one.plans, slice(start, end))
            block.append((best, replace(one, plans=part)))
            room -= end - start
            start = end
            if not room:
                yield block
                block, room = [], BLOCK
    if block:
        yield block


def _try(
    model: Architecture, machine: Machine, *, block: Sequence[tuple[_Best, _Wanted]], sustained: Sustained
) -> None:
    """Compute a block of plans at once, and better each one's best by it."""
    plans = _joined([one.plans for _, one in block])
    sizes = [math.prod(one.plans.shape) for _, one in block]
    batches = np.repeat(np.array([one.global_batch for _, one in block], dtype=np.float64), sizes)
    memory = device_memory(model, machine, plans=plans, global_batch=batches)
    fitting: NDArray[np.bool_] = np.broadcast_to(fits(memory, machine), plans.shape)
    total_byte = np.broadcast_to(memory.total_byte, plans.shape)
    possible = np.flatnonzero(fitting)
    step = step_time(
        model, machine, plans=_chosen(plans, possible), global_batch=batches[possible], sustained=sustained
    )
    # Part by part in order: the same sum for a plan in whatever block it stands.
    step_s = reduce(np.add, step.parts().values())
    ends = np.cumsum(sizes).tolist()
    for (best, _), start, end in zip(block, [0, *ends], ends, strict=False):
        low, high = np.searchsorted(possible, [start, end]).tolist()
        best.tried += end - start
        best.fitted += high - low
        if low < high:
            first = low + int(np.argmin(step_s[low:high]))
            if step_s[first] < best.step_s:
                at = int(possible[first])
                best.step_s = float(step_s[first])
                best.fastest = (
                    plans.at(at),
                    _one(step, first, of=possible.shape),
                    _one(memory, at, of=fitting.shape),
                )
        elif best.fastest is None:
            at = start + int(total_byte[start:end].argmin())
            if total_byte[at] < best.least_byte:
                best.least_byte, best.leanest = float(total_byte[at]), _one(memory, at, of=plans.shape)


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
    numbers = dict.fromkeys(
        (number, batch) for accelerators, batch in wanted for number in _tried(accelerators)
    )
    faults: dict[tuple[int, int], NoPlanFits] = {}

    def split() -> Iterator[_Wanted]:
        for number, batch in numbers:
            try:
                plans = candidates(
                    model,
                    accelerators=number,
                    global_batch=batch,
                    overlap=overlap,
                    domain_size=machine.chip.domain_size,
                    fused_attention=machine.fused_attention,
                )
            except NoPlanFits as fault:
                faults[number, batch] = fault
            else:
                yield _Wanted(accelerators=number, global_batch=batch, plans=plans)

    found = _fastest(model, machine, wanted=split())
    answers = dict(zip([each for each in numbers if each not in faults], found, strict=True)) | faults
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


def _chosen(plans: Plans, index: NDArray[np.intp] | slice) -> Plans:
    names = [name for name in vars(plans) if not name.startswith("_")]
    return Plans(**{name: np.ravel(getattr(plans, name))[index] for name in names})
