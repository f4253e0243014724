"""What would shorten a run whose plan is already the fastest: changes outside the plan, each with its effect."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.plan_search import fastest_run
from analysis.training_run.run import TrainingRun
from analysis.units import DAY_S
from views import wording
from views.training_run.words import days_words

WORTH_SAYING = 0.99
"""A change is told where the run takes less than this share of its time with it."""
WIDER_DOMAIN = 72

Change = Callable[[TrainingRun], tuple[str, TrainingRun]]
"""A change to a run: it returns the change in words, and the run with it."""


def _of_chip(name: str, words: Callable[[float], str], *, to: Callable[[float], float]) -> Change:
    """Return a change of one number of the chip, ``to`` a better one, whose words write that."""

    def change(run: TrainingRun) -> tuple[str, TrainingRun]:
        better = to(getattr(run.machine.chip, name))
        return words(better), replace(run, machine=run.machine.with_chip(**{name: better}))

    return change


def _of_circumstances(
    name: str, words: Callable[[Any], str], *, to: Callable[[Any], float | bool | None]
) -> Change:
    """Return a change of one of the circumstances, ``to`` a better one, whose words write that."""

    def change(run: TrainingRun) -> tuple[str, TrainingRun]:
        changed: dict[str, Any] = {name: to(getattr(run.circumstances, name))}
        return words(changed[name]), replace(run, circumstances=replace(run.circumstances, **changed))

    return change


def _twice(value: float) -> float:
    return 2 * value


def _half(value: float) -> float:
    return value / 2


def _hidden(run: TrainingRun) -> tuple[str, TrainingRun]:
    machine = replace(run.machine, expert_overlap=1.0)
    return "all of it hidden behind computing, as DeepSeek did", replace(run, machine=machine)


def _steady(run: TrainingRun) -> tuple[str, TrainingRun]:
    return "half the jitter", replace(run, machine=replace(run.machine, jitter=run.machine.jitter / 2))


def _batch(run: TrainingRun) -> tuple[str, TrainingRun]:
    words = f"a batch of {wording.significant(2 * run.batch_token / 1e6, 3)}M tokens (as many tokens in all)"
    return words, replace(run, global_batch=2 * run.global_batch)


_link = _of_chip(
    "link_bandwidth_byte_per_s",
    lambda rate: f"twice the link, {wording.quantity(rate, 'byte/s')} each way",
    to=_twice,
)
_network = _of_chip(
    "network_bandwidth_byte_per_s",
    lambda rate: f"a network of {wording.significant(rate * 8 / 1e9, 3)} Gbit/s",
    to=_twice,
)
_memory = _of_chip(
    "memory_capacity_byte", lambda size: f"{wording.quantity(size, 'byte')} of memory", to=_twice
)
_bandwidth = _of_chip(
    "memory_bandwidth_byte_per_s",
    lambda rate: f"{wording.quantity(rate, 'byte/s')} of memory bandwidth",
    to=_twice,
)
_domain = _of_chip(
    "domain_size",
    lambda size: f"a scale-up domain of {size} chips",
    to=lambda size: max(WIDER_DOMAIN, 2 * size),
)
_reliable = _of_circumstances("hours_per_failure", lambda _: "half as many failures", to=_twice)
_restart = _of_circumstances(
    "restart_s", lambda seconds: f"restarts in {wording.significant(seconds / 60)} minutes", to=_half
)
_background = _of_circumstances("asynchronous", lambda _: "checkpoints in the background", to=lambda _: True)
_interval = _of_circumstances(
    "interval_s", lambda _: "the checkpoint interval that wastes least", to=lambda _: None
)
_local_steps = _of_circumstances(
    "local_steps", lambda steps: f"a sync of the sites every {steps:,} steps", to=lambda steps: 10 * steps
)
_no_ramp = _of_circumstances("ramp_tokens", lambda _: "no ramp", to=lambda _: 0.0)

CHANGES: Mapping[str, tuple[Change, ...]] = {
    "memory_bound_s": (_bandwidth,),
    "tensor_s": (_link, _network, _memory),
    "context_s": (_link, _network),
    "expert_s": (_hidden, _domain, _link, _network),
    "pipeline_s": (_network, _memory),
    "data_s": (_network, _batch),
    "imbalance_s": (_memory, _batch),
    "bubble_s": (_batch, _memory),
    "optimizer_s": (_bandwidth,),
    "jitter_s": (_steady,),
    "wide_area": (_local_steps,),
    "ramp": (_no_ramp,),
    "checkpoint": (_interval, _background),
    "failure": (_interval, _background, _reliable, _restart),
}
"""What is tried against each part of the time that is no matrix work."""


def changes(run: TrainingRun, *, part: str, seconds: float) -> tuple[tuple[str, float], ...]:
    """Return the changes against a part of the time that shorten the run, in words, with its length. [s]

    Each is worked out on the plan that is fastest with it; the best comes first. A faster network is told against
    tensor-parallel exchange only where the chips that share a layer are more than a scale-up domain holds.
    """
    gains = []
    for change in CHANGES.get(part, ()):
        words, changed = change(run)
        if changed == run:
            continue
        try:
            best, outlook = fastest_run(changed)
        except NoPlanFits:
            continue
        within = best.plan.one("tensor_parallel") <= run.machine.chip.domain_size
        if part == "tensor_s" and change is _network and within:
            continue
        if outlook.seconds < WORTH_SAYING * seconds:
            gains.append((words, outlook.seconds))
    return tuple(sorted(gains, key=lambda gain: gain[1]))


def advice_words(run: TrainingRun, *, part: str, noun: str, seconds: float) -> str:
    """Return one sentence: what would help against a part of the time, and how long the run then takes."""
    gains = changes(run, part=part, seconds=seconds)
    if not gains:
        return f"Against {noun}: no single change tried saves 1 %."
    effects = "; ".join(f"{words}: {days_words(length / DAY_S)}" for words, length in gains)
    return f"Against {noun}, now {days_words(seconds / DAY_S)} in all: {effects}."
