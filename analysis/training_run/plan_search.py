"""Search for a model's fastest training plan on given accelerators, many plans at once."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache

import numpy as np

from analysis.arrays import FloatArray
from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.model.flop import training_flop_per_token
from analysis.steps import between_steps
from analysis.training_run.candidates import Candidates, NoPlanFits, candidates
from analysis.training_run.device_memory import DeviceMemory, device_memory, fits, lacking_words
from analysis.training_run.outlook import RunOutlook, outlook
from analysis.training_run.plans import Plans
from analysis.training_run.run import TrainingRun
from analysis.training_run.step_time import least_step_s, step_time

BLOCK = 2**14
"""Number of plans computed at once. Their 100 columns take at most 13 MB, to fit processor caches. [plans]"""
FIRST = 16
"""Number of splits per search in the first round, best first. Each later round has four times as many. [splits]"""


@dataclass(frozen=True, kw_only=True)
class Fastest:
    """The fastest plan that fits, its step time [s], and the number of plans compared."""

    plan: Plans
    step_s: float
    tried: int


@dataclass(kw_only=True)
class _Search:
    """The search over a run's plans on all its accelerators: its progress, and the best plan so far.

    ``least_s`` is a lower bound on each split's step time, shape (n,), ascending, in the order of ``plans``.
    """

    run: TrainingRun
    plans: Candidates
    least_s: FloatArray
    seen: int = 0
    step_s: float = math.inf
    fastest: Plans | None = None
    least_byte: float = math.inf
    leanest: DeviceMemory | None = None

    def following(self, count: int) -> Candidates:
        """Return the next ``count`` splits. Those that cannot beat the best plan so far are omitted."""
        start, hopeful = self.seen, int(np.searchsorted(self.least_s, self.step_s))
        self.seen = max(min(start + count, hopeful), start)
        return self.plans.at(slice(start, self.seen))

    def answer(self) -> Fastest | NoPlanFits:
        if self.fastest is not None:
            return Fastest(plan=self.fastest, step_s=self.step_s, tried=self.plans.number)
        word = "accelerator" if self.run.accelerators == 1 else "accelerators"
        return NoPlanFits(
            f"no plan of {self.run.accelerators:,} {word} fits: the leanest needs "
            f"{lacking_words(self.least_byte, self.run.machine)}",
            remedy="Take more accelerators, more memory, or a smaller model.",
            leanest=self.leanest,
        )


def _search(run: TrainingRun) -> _Search:
    """Return a new search, with splits ordered by the lower bound of their step time.

    Raises NoPlanFits if the batch cannot be split over that many accelerators.
    """
    plans = candidates(run)
    between_steps()
    least = least_step_s(run.model, run.machine, plans=plans.splits_alone(), global_batch=run.global_batch)
    order = np.argsort(np.ravel(least), kind="stable")
    return _Search(run=run, plans=plans.at(order), least_s=np.ravel(least)[order])


def _fastest(
    model: Architecture, machine: Machine, *, searches: Sequence[_Search]
) -> list[Fastest | NoPlanFits]:
    """Return the fastest plan of each search, or why none fits. The most promising splits are tried first."""
    count = FIRST
    while parts := [(one, part) for one in searches if len((part := one.following(count)).splits)]:
        for block in _blocks(parts):
            between_steps()
            _try(model, machine, block=block)
        count *= 4
    return [one.answer() for one in searches]


def _blocks(parts: Sequence[tuple[_Search, Candidates]]) -> Iterator[list[tuple[_Search, Candidates]]]:
    """Yield plans in blocks, each from many small searches or from part of a large one.

    Blocks limit both the number of calls and the memory.
    """
    block: list[tuple[_Search, Candidates]] = []
    taken = 0
    for search, part in parts:
        most = max(BLOCK // (len(part.expert_parallel) * len(part.recompute)), 1)
        size, start = len(part.splits), 0
        while start < size:
            end = min(start + most - taken, size)
            block.append((search, part.at(slice(start, end))))
            taken += end - start
            start = end
            if taken == most:
                yield block
                block, taken = [], 0
    if block:
        yield block


def _try(model: Architecture, machine: Machine, *, block: Sequence[tuple[_Search, Candidates]]) -> None:
    every = replace(block[0][1], splits=np.concatenate([part.splits for _, part in block]))
    plans, sound = every.plans(), every.sound()
    sizes = [len(part.splits) for _, part in block]
    batches = np.repeat([float(search.run.global_batch) for search, _ in block], sizes)[:, None, None]
    memory = device_memory(model, machine, plans=plans, global_batch=batches)
    total_byte = np.where(sound, np.broadcast_to(memory.total_byte, plans.shape), np.inf)
    fitting = fits(memory, machine) & sound
    possible = np.flatnonzero(fitting.any(axis=(1, 2)))
    some = every.at(possible).plans()
    step = step_time(model, machine, plans=some, global_batch=batches[possible])
    step_s = np.where(fitting[possible], step.total_s, np.inf)
    each = math.prod(plans.shape[1:])
    ends = np.cumsum(sizes).tolist()
    for (search, _), start, end in zip(block, [0, *ends], ends, strict=False):
        low, high = np.searchsorted(possible, [start, end]).tolist()
        if low < high:
            at = int(step_s[low:high].argmin()) + low * each
            if step_s.flat[at] < search.step_s:
                search.step_s, search.fastest = float(step_s.flat[at]), some.at(at)
        elif search.fastest is None:
            at = int(total_byte[start:end].argmin()) + start * each
            if total_byte.flat[at] < search.least_byte:
                search.least_byte = float(total_byte.flat[at])
                search.leanest = _one(memory, at, of=plans.shape)


def fastest_of_at_most(run: TrainingRun) -> Fastest:
    """Return the fastest plan on at most the run's number of accelerators. Accelerator failures are ignored.

    A batch rarely splits over a number with large divisors, so round numbers below it are tried as well.

    Raises NoPlanFits if the batch cannot be split, or no plan fits in memory, for the requested number.
    """
    wanted = (run.accelerators, run.global_batch)
    answer = fastest_of_each(run, wanted=[wanted])[wanted]
    if isinstance(answer, NoPlanFits):
        raise answer
    return answer


def fastest_of_each(
    run: TrainingRun, *, wanted: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], Fastest | NoPlanFits]:
    """Return :func:`fastest_of_at_most` for each number of accelerators and batch, or why no plan fits."""
    numbers = dict.fromkeys(
        (number, batch) for accelerators, batch in wanted for number in _tried(accelerators)
    )
    answers: dict[tuple[int, int], Fastest | NoPlanFits] = {}
    searches: dict[tuple[int, int], _Search] = {}
    for number, batch in numbers:
        try:
            searches[number, batch] = _search(replace(run, accelerators=number, global_batch=batch))
        except NoPlanFits as fault:
            answers[number, batch] = fault
    fastest = _fastest(run.model, run.machine, searches=[*searches.values()])
    answers |= dict(zip(searches, fastest, strict=True))
    chosen: dict[tuple[int, int], Fastest | NoPlanFits] = {}
    for accelerators, batch in wanted:
        tried = [answers[number, batch] for number in _tried(accelerators)]
        fitting = [answer for answer in tried if isinstance(answer, Fastest)]
        chosen[accelerators, batch] = min(fitting, key=lambda answer: answer.step_s, default=tried[0])
    return chosen


def _tried(accelerators: int) -> list[int]:
    """Return the number of accelerators and round numbers below it, largest first."""
    rounded = [accelerators // size * size for size in (1, 8, 64, 512)]
    return sorted({*rounded, 2 ** (accelerators.bit_length() - 1)} - {0}, reverse=True)


def _one(parts: DeviceMemory, index: int, *, of: tuple[int, ...]) -> DeviceMemory:
    """Return one plan's memory out of that of all plans, whose parts broadcast to shape ``of``."""
    every = {item.name: np.broadcast_to(getattr(parts, item.name), of) for item in fields(parts)}
    return replace(parts, **{name: values.flat[index] for name, values in every.items()})


@lru_cache(maxsize=64)
def fastest_run(run: TrainingRun) -> tuple[Fastest, RunOutlook]:
    """Return the plan, on at most the run's accelerators, with which the run ends soonest, and the run's outlook.

    The shortest step is not always the shortest run: more accelerators fail more often. The number itself and its
    halves are tried, each on its fastest plan, including failures and ramp. Recent results are cached.

    Raises NoPlanFits if no plan fits on any of them; the error is that of the requested number.
    """

    def outlooks(numbers: Sequence[int]) -> list[tuple[Fastest, RunOutlook] | NoPlanFits]:
        answers = fastest_of_each(run, wanted=[(number, run.global_batch) for number in numbers])
        return [
            answer if isinstance(answer, NoPlanFits) else (answer, outlook(run, plan=answer.plan))
            for answer in answers.values()
        ]

    first = outlooks([run.accelerators])[0]
    soonest_s = np.inf if isinstance(first, NoPlanFits) else first[1].seconds
    # No run is faster than its matmuls at the best measured rate, times the pace of comparable published runs.
    rate = run.machine.matmul_flop_per_s * run.machine.pace
    alone_s = training_flop_per_token(run.model, causal=True) * run.circumstances.tokens / rate
    halves = [run.accelerators >> k for k in range(1, run.accelerators.bit_length())]
    others = outlooks([number for number in halves if alone_s / number < soonest_s])
    ended = [each for each in (first, *others) if not isinstance(each, NoPlanFits)]
    if not ended:
        assert isinstance(first, NoPlanFits)
        raise first
    return min(ended, key=lambda each: (each[1].seconds, float(each[0].plan.accelerators)))
