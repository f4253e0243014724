"""Which plan trains a model fastest on given accelerators: all of them tried at once."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.training_run.device_memory import DeviceMemory, device_memory, fits, lacking_words
from analysis.training_run.layer_time import SUSTAINED, Sustained
from analysis.training_run.plans import Plans
from analysis.training_run.step_time import StepTime, step_time

Parts = TypeVar("Parts", StepTime, DeviceMemory)

MICRO_BATCHES = (1, 2, 4, 8, 16)
MOST_TENSOR = 64
MOST_CONTEXT = 64
MOST_INTERLEAVE = 16


@dataclass(frozen=True, kw_only=True)
class Found:
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


class NoPlanFits(ValueError):  # noqa: N818 - the reader's word for it
    """No plan of the run fits the machine; the text says what to change, ``leanest`` what the leanest plan needs."""

    def __init__(self, text: str, *, leanest: DeviceMemory | None = None) -> None:
        """Take the text, and the memory of the leanest plan where one could be tried."""
        super().__init__(text)
        self.leanest = leanest


def candidates(
    model: Architecture,
    *,
    accelerators: int,
    global_batch: int,
    overlap: float,
    domain_size: int = 8,
) -> Plans:
    """Return every way to split the run over exactly ``accelerators``, as flat arrays.

    Tensor parallelism in powers of two that divide the heads, at most two scale-up domains wide; pipeline
    stages with at least one layer each; context parallelism only where the sequence is long (8,192 tokens
    and more a device); expert parallelism up to the number of experts; interleaving that adds no layer to the
    fullest stage; the ZeRO stages of :func:`zero_stages` and all kinds of recomputation.
    """
    rows: list[tuple[int, ...]] = []
    for t in _powers(min(MOST_TENSOR, 2 * domain_size, accelerators)):
        if model.n_heads % t or accelerators % t:
            continue
        for c in _powers(min(MOST_CONTEXT, max(model.sequence_length // 8192, 1))):
            if accelerators % (t * c) or model.sequence_length % c:
                continue
            for p in _divisors(accelerators // (t * c), most=model.n_layers):
                d = accelerators // (t * c * p)
                if d > global_batch or global_batch % d:
                    continue
                rows.extend((t, c, p, d, b, v) for b, v in _schedules(model, global_batch // d, p))
    experts = [e for e in _powers(model.n_experts) if model.n_experts % e == 0]
    if not rows:
        raise NoPlanFits(
            f"no plan splits {accelerators:,} accelerators over a batch of {global_batch:,} sequences; choose a "
            f"number of accelerators with small divisors, or a larger batch."
        )
    base = np.array(rows, dtype=np.float64)
    grid = np.array([(e, z, r) for e in experts for z in (0, 1, 2, 3) for r in (0, 1, 2)], dtype=np.float64)
    left = np.repeat(base, len(grid), axis=0)
    right = np.tile(grid, (len(base), 1))
    t, c, p, d, b, v = left.T
    e, z, r = right.T
    sound = (d % e == 0) & ((p == 1) | (z <= max(zero_stages(2)))) & ~((z > 0) & (d * c == 1))
    t, c, p, d, b, v, e, z, r = (column[sound] for column in (t, c, p, d, b, v, e, z, r))
    return Plans(
        tensor_parallel=t,
        context_parallel=c,
        pipeline_parallel=p,
        data_parallel=d,
        expert_parallel=e,
        micro_batch=b,
        interleave=v,
        zero_stage=z,
        recompute=r,
        overlap=overlap,
    )


def zero_stages(pipeline_parallel: int) -> tuple[int, ...]:
    """Return the ZeRO stages a run may be given that does not say its own: 0 and 1 alone with a pipeline.

    Its stages would reduce gradients (2) and gather weights (3) for every one of many micro-batches.

    References
    ----------
    DeepSpeed, deepspeed/runtime/pipe/engine.py, which refuses stages 2 and 3 with a pipeline.
    """
    return (0, 1, 2, 3) if pipeline_parallel == 1 else (0, 1)


def _powers(most: int) -> list[int]:
    return [2**k for k in range(max(most, 1).bit_length()) if 2**k <= most]


def _divisors(number: int, *, most: int) -> list[int]:
    return [k for k in range(1, min(number, most) + 1) if number % k == 0]


def _schedules(model: Architecture, sequences: int, stages: int) -> list[tuple[int, int]]:
    """Return the micro-batch sizes and interleavings of ``sequences`` for each data-parallel rank."""
    found = []
    for b in MICRO_BATCHES:
        if sequences % b:
            continue
        found.append((b, 1))
        if stages > 1 and sequences // b >= stages:
            found.extend((b, v) for v in interleavings(model.n_layers, stages=stages) if v > 1)
    return found


@lru_cache(maxsize=4096)
def interleavings(n_layers: int, *, stages: int) -> tuple[int, ...]:
    """Return how many pieces a stage's layers can be cut into without adding a layer to the fullest stage."""
    most = -(-n_layers // stages)
    return tuple(
        v for v in range(1, min(most, MOST_INTERLEAVE) + 1) if -(-n_layers // (stages * v)) * v == most
    )


def fastest_plan(
    model: Architecture,
    machine: Machine,
    *,
    accelerators: int,
    global_batch: int,
    overlap: float = 0.5,
    plans: Plans | None = None,
    sustained: Sustained = SUSTAINED,
) -> Found:
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
            domain_size=machine.domain_size,
        )
    asked = _Asked(accelerators=accelerators, global_batch=global_batch, plans=plans)
    found = _fastest(model, machine, [asked], sustained=sustained)[0]
    if isinstance(found, NoPlanFits):
        raise found
    return found


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A number of accelerators, a batch, and the plans that may run it."""

    accelerators: int
    global_batch: int
    plans: Plans


def _fastest(
    model: Architecture, machine: Machine, asked: Sequence[_Asked], *, sustained: Sustained = SUSTAINED
) -> list[Found | NoPlanFits]:
    """Return the fastest plan of each, or why none fits; all plans of all are computed at once."""
    plans = _joined([one.plans for one in asked])
    sizes = [int(np.prod(one.plans.shape)) for one in asked]
    batches = np.repeat(np.array([one.global_batch for one in asked], dtype=np.float64), sizes)
    memory = device_memory(model, machine, plans=plans, global_batch=batches)
    fitting: NDArray[np.bool_] = np.broadcast_to(fits(memory, machine), plans.shape)
    total_byte = np.broadcast_to(memory.total_byte, plans.shape)
    possible = np.flatnonzero(fitting)
    step = step_time(
        model, machine, plans=_chosen(plans, possible), global_batch=batches[possible], sustained=sustained
    )
    step_s = step.total_s
    answers: list[Found | NoPlanFits] = []
    ends = np.cumsum(sizes).tolist()
    for one, start, end in zip(asked, [0, *ends], ends, strict=False):
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
            Found(
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
) -> tuple[Found, int]:
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
) -> dict[tuple[int, int], tuple[Found, int] | NoPlanFits]:
    """Return for each number of accelerators and batch what :func:`fastest_of_at_most` gives, or why no plan fits."""
    faults: dict[tuple[int, int], NoPlanFits] = {}
    asked: dict[tuple[int, int], _Asked] = {}
    for accelerators, batch in wanted:
        for number in _tried(accelerators):
            if (number, batch) in asked or (number, batch) in faults:
                continue
            try:
                plans = candidates(
                    model,
                    accelerators=number,
                    global_batch=batch,
                    overlap=overlap,
                    domain_size=machine.domain_size,
                )
            except NoPlanFits as fault:
                faults[number, batch] = fault
            else:
                asked[number, batch] = _Asked(accelerators=number, global_batch=batch, plans=plans)
    answers = (
        dict(zip(asked, _fastest(model, machine, [*asked.values()]) if asked else [], strict=True)) | faults
    )
    chosen: dict[tuple[int, int], tuple[Found, int] | NoPlanFits] = {}
    for accelerators, batch in wanted:
        given = [(answers[number, batch], number) for number in _tried(accelerators)]
        found = [(one, number) for one, number in given if isinstance(one, Found)]
        problem = next((one for one, _ in given if isinstance(one, NoPlanFits)), None)
        best = min(found, key=lambda pair: pair[0].step_s, default=problem)
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
