"""What would shorten a run whose plan is already the fastest: changes outside the plan, each with its effect."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.fastest_run import fastest_run
from analysis.training_run.outlook import Circumstances
from analysis.units import DAY_S
from views import wording
from views.training_run.inputs import RunInputs
from views.training_run.words import days_words

WORTH_SAYING = 0.99
"""A change is told where the run takes less than this share of its time with it."""
WIDER_DOMAIN = 72


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change to the run, in words, and the run with it."""

    words: str
    inputs: RunInputs


def _with_chip(inputs: RunInputs, words: str, **values: float) -> Change:
    machine = inputs.machine.with_chip(**values)
    return Change(words=words, inputs=replace(inputs, machine=machine))


def _circumstances(inputs: RunInputs, words: str, **values: float | bool | None) -> Change:
    changed: Circumstances = replace(inputs.circumstances, **values)  # type: ignore[arg-type]
    return Change(words=words, inputs=replace(inputs, circumstances=changed))


def _link(inputs: RunInputs) -> Change:
    rate = 2 * inputs.machine.chip.link_bandwidth_byte_per_s
    words = f"twice the link, {wording.quantity(rate, 'byte/s')} each way"
    return _with_chip(inputs, words, link_bandwidth_byte_per_s=rate)


def _network(inputs: RunInputs) -> Change:
    rate = 2 * inputs.machine.chip.network_bandwidth_byte_per_s
    words = f"a network of {wording.significant(rate * 8 / 1e9, 3)} Gbit/s"
    return _with_chip(inputs, words, network_bandwidth_byte_per_s=rate)


def _memory(inputs: RunInputs) -> Change:
    size = 2 * inputs.machine.chip.memory_capacity_byte
    return _with_chip(inputs, f"{wording.quantity(size, 'byte')} of memory", memory_capacity_byte=size)


def _bandwidth(inputs: RunInputs) -> Change:
    rate = 2 * inputs.machine.chip.memory_bandwidth_byte_per_s
    words = f"{wording.quantity(rate, 'byte/s')} of memory bandwidth"
    return _with_chip(inputs, words, memory_bandwidth_byte_per_s=rate)


def _domain(inputs: RunInputs) -> Change:
    size = max(WIDER_DOMAIN, 2 * inputs.machine.chip.domain_size)
    return _with_chip(inputs, f"a scale-up domain of {size} chips", domain_size=size)


def _hidden(inputs: RunInputs) -> Change:
    machine = replace(inputs.machine, expert_overlap=1.0)
    return Change(
        words="all of it hidden behind computing, as DeepSeek did", inputs=replace(inputs, machine=machine)
    )


def _batch(inputs: RunInputs) -> Change:
    token = 2 * inputs.global_batch * inputs.model.sequence_length
    words = f"a batch of {wording.significant(token / 1e6, 3)}M tokens (as many tokens in all)"
    return Change(words=words, inputs=replace(inputs, global_batch=2 * inputs.global_batch))


def _steady(inputs: RunInputs) -> Change:
    machine = replace(inputs.machine, jitter=inputs.machine.jitter / 2)
    return Change(words="half the jitter", inputs=replace(inputs, machine=machine))


def _reliable(inputs: RunInputs) -> Change:
    hours = 2 * inputs.circumstances.hours_per_failure
    return _circumstances(inputs, "half as many failures", hours_per_failure=hours)


def _restart(inputs: RunInputs) -> Change:
    seconds = inputs.circumstances.restart_s / 2
    return _circumstances(
        inputs, f"restarts in {wording.significant(seconds / 60)} minutes", restart_s=seconds
    )


def _background(inputs: RunInputs) -> Change:
    return _circumstances(inputs, "checkpoints in the background", asynchronous=True)


def _interval(inputs: RunInputs) -> Change:
    return _circumstances(inputs, "the checkpoint interval that wastes least", interval_s=None)


def _local_steps(inputs: RunInputs) -> Change:
    steps = 10 * inputs.circumstances.local_steps
    return _circumstances(inputs, f"a sync of the sites every {steps:,} steps", local_steps=steps)


def _no_ramp(inputs: RunInputs) -> Change:
    return _circumstances(inputs, "no ramp", ramp_tokens=0.0)


CHANGES: Mapping[str, tuple[Callable[[RunInputs], Change], ...]] = {
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


def changes(inputs: RunInputs, *, part: str, seconds: float, overlap: float) -> tuple[tuple[str, float], ...]:
    """Return the changes against a part of the time that shorten the run, in words, with its length. [s]

    Each is worked out on the plan that is fastest with it; the best comes first. A faster network is told against
    tensor-parallel exchange only where the chips that share a layer are more than a scale-up domain holds.
    """
    gains = []
    for change in CHANGES.get(part, ()):
        tried = change(inputs)
        if tried.inputs == inputs:
            continue
        try:
            best, _, run = fastest_run(
                tried.inputs.model,
                tried.inputs.machine,
                accelerators=tried.inputs.accelerators,
                global_batch=tried.inputs.global_batch,
                circumstances=tried.inputs.circumstances,
                overlap=overlap,
            )
        except NoPlanFits:
            continue
        within = best.plan.one("tensor_parallel") <= inputs.machine.chip.domain_size
        if part == "tensor_s" and change is _network and within:
            continue
        if run.seconds < WORTH_SAYING * seconds:
            gains.append((tried.words, run.seconds))
    return tuple(sorted(gains, key=lambda each: each[1]))


def advice_words(inputs: RunInputs, *, part: str, noun: str, seconds: float, overlap: float) -> str:
    """Return one sentence: what would help against a part of the time, and how long the run then takes."""
    gains = changes(inputs, part=part, seconds=seconds, overlap=overlap)
    if not gains:
        return f"Against {noun}: no single change tried saves 1 %."
    effects = "; ".join(f"{words}: {days_words(length / DAY_S)}" for words, length in gains)
    return f"Against {noun}, now {days_words(seconds / DAY_S)} in all: {effects}."
