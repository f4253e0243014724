"""What a setup answers: first token, speed, cost and energy with their spread, and the chance to meet what is asked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.measured.held_out import Spread
from analysis.placement.load import full_load_per_s, waiting_s
from analysis.placement.places import Growth, Places
from analysis.placement.setup import Fitted, Setup
from analysis.placement.work import Requirements

DRAWS, SEED = 1000, 20261121
SLOWEST = 0.1
"""Whoever promises a speed plans with the factor that nine draws in ten exceed."""
SUSTAINED_AFTER_S = 600.0
"""Continuous work after which a phone runs at its sustained speed: the length of the published tests. [s]"""

BINDINGS = ("capacity", "bandwidth", "compute", "overhead", "links", "network", "load", "price", "rule")
"""What can bind a place: its memory, the parts of its time, the network, the queue, the price, or a rule that excludes
it."""


@dataclass(frozen=True, kw_only=True)
class Luck:
    """Seeded draws for each place, shape (places, draws): factors on the speed of steps and of prompts, and the share
    of its speed that a phone keeps under lasting work."""

    step: FloatArray
    prompt: FloatArray
    sustained: FloatArray

    @property
    def slowest(self) -> FloatArray:
        """Return the factor on steps that nine draws in ten exceed, shape (places,)."""
        return np.quantile(self.step, SLOWEST, axis=1)

    def of(self, place: NDArray[np.intp]) -> "Luck":
        """Return the draws of these places, shape (pairs, draws)."""
        return Luck(step=self.step[place], prompt=self.prompt[place], sustained=self.sustained[place])


def luck(
    places: Places, *, fitted: Fitted, accelerators: Spread, sustained: FloatArray, draws: int = DRAWS
) -> Luck:
    """Return draws for each place, the same for the same seed; a place's draws do not depend on its neighbours.

    Steps and prompts of devices have spreads by class and backend, narrower where the device itself was measured;
    those of accelerators have one, for both together.
    ``sustained``, shape (n,), are the published ratios of sustained to first speed.
    """
    step, prompt, kept = np.ones((3, len(places), draws))
    rows = zip(
        places.name, places.device, places.speed_class, places.backend, places.accelerator, strict=True
    )
    for row, (name, device, speed_class, backend, accelerator) in enumerate(rows):
        seed = np.random.SeedSequence([SEED, *name.encode()])
        uniform = np.random.default_rng(seed).random((3, draws))
        if accelerator:
            scale = accelerators.scale("accelerator", "GPU")
            step[row] = prompt[row] = accelerators.draws(scale, uniform[0])
            continue
        group = f"{speed_class} {backend}"
        decode = fitted.devices.decode.scatter.of(device)
        prefill = fitted.devices.prefill.scatter.of(device)
        step[row] = decode.draws(decode.scale(group, backend), uniform[0])
        prompt[row] = prefill.draws(prefill.scale(group, backend), uniform[1])
        kept[row] = np.quantile(sustained, uniform[2])
    return Luck(step=step, prompt=prompt, sustained=kept)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What comes out, each of shape (cells, places, draws), or (pairs, draws).

    ``load`` is the share of full load in the busiest hour, ``waiting_s`` the part of the first token's time spent
    waiting, ``fits`` whether the memory holds it, ``met`` whether all that is asked is met.
    """

    time_to_first_token_s: FloatArray
    time_per_output_token_s: FloatArray
    cost_usd_per_1000_requests: FloatArray
    energy_j_per_request: FloatArray
    waiting_s: FloatArray
    prompt_s: FloatArray
    load: FloatArray
    fits: BoolArray
    met: BoolArray


def _spoken(setup: Setup) -> dict[str, Any]:
    return {name: np.asarray(value)[..., None] for name, value in vars(setup).items() if not _is_step(value)}


def _is_step(value: object) -> bool:
    return hasattr(value, "memory_s")


def outcome(
    setup: Setup,
    requirements: Requirements,
    *,
    luck: Luck,
    growth: Growth | None = None,
    sustained: bool | None = None,
) -> Outcome:
    """Return what comes out for every draw of ``luck``, whose last axis is added to the setup's shape.

    ``growth`` holds factors relative to the setup's own middle, broadcastable to the result. ``sustained`` True or
    False puts phones at their sustained or first speed; None has the work decide: in between as the device is busy.
    """
    grown = growth or Growth()
    given = _spoken(setup)
    step, full_step = _time(setup, "step", grown) / luck.step, _time(setup, "full_step", grown) / luck.step
    prompt = _time(setup, "prompt", grown) / luck.prompt
    answer = given["output_tokens"] * step
    slower = _throttled(given, answer + prompt, luck=luck, sustained=sustained)
    step, full_step, prompt = step * slower, full_step * slower, prompt * slower

    def per_s(step_s: FloatArray, batch: str) -> FloatArray:
        return full_load_per_s(
            step_s=step_s,
            prompt_s=prompt,
            batch=given[batch],
            output_tokens=given["output_tokens"],
            mixed=~given["overlap"],
        )

    running, full = per_s(step, "batch"), per_s(full_step, "slots")
    arriving = np.where(given["by_use"], given["utilization"] * full, given["requests_per_s"])
    load = arriving / full
    together = setup.prompt.compute_s[..., None] / grown.flop + setup.prompt.link_s[..., None] / grown.link
    waiting = waiting_s(
        requests_per_s=arriving,
        per_s=full,
        prompt_s=np.where(given["overlap"], prompt, together / luck.prompt),
        slots=given["slots"],
        machines=given["machines"],
    )
    waiting = np.where(given["shared"], waiting, 0.0)  # a person asks again once the answer is there
    first = given["network_s"] + waiting + prompt + step
    energy = given["busy_w"] / running + given["network_j"]
    cost = (
        given["fixed_usd"] * grown.price
        + 1000.0 * given["second_usd"] / full
        + 1000.0 * given["busy_w"] / running * given["usd_per_j"]
    )
    fits = given["need_byte"] <= given["usable_byte"] * grown.capacity
    met = fits & given["allowed"] & (load < 1.0)
    for value, limit in (
        (first, requirements.time_to_first_token_s),
        (step, None if requirements.output_tokens_per_s is None else 1.0 / requirements.output_tokens_per_s),
        (cost, requirements.cost_usd_per_1000_requests),
    ):
        if limit is not None:
            met = met & (value <= limit * (1 + 1e-12))
    return Outcome(
        time_to_first_token_s=first,
        time_per_output_token_s=step,
        cost_usd_per_1000_requests=cost,
        energy_j_per_request=energy,
        waiting_s=waiting,
        prompt_s=prompt,
        load=load,
        fits=fits,
        met=met,
    )


def _time(setup: Setup, name: str, grown: Growth) -> FloatArray:
    """Return the time of a step or prompt with each part divided by how much faster it has become. [s]"""
    part = getattr(setup, name)
    memory = part.memory_s[..., None] / grown.bandwidth
    compute = part.compute_s[..., None] / grown.flop
    link = part.link_s[..., None] / grown.link
    both = np.where(np.asarray(setup.overlap)[..., None], np.maximum(memory, compute), memory + compute)
    return part.fixed_s[..., None] + both + link


def _throttled(
    given: dict[str, Any], busy_s: FloatArray, *, luck: Luck, sustained: bool | None
) -> FloatArray:
    """Return how much longer phones take: as busy as they are, so far they are down to their sustained speed. [1]

    Busy is the share of the busiest hour, or of ten minutes that one answer takes. The line between first and
    sustained speed is assumed straight.
    """
    if not np.any(given["throttles"]) or sustained is False:
        return np.ones(1)
    busy = np.clip(np.maximum(given["requests_per_s"] * busy_s, busy_s / SUSTAINED_AFTER_S), 0.0, 1.0)
    busy = np.where(given["throttles"], 1.0 if sustained else busy, 0.0)
    return 1.0 / (1.0 - busy * (1.0 - luck.sustained))


def interval(values: FloatArray, *, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return low, median and high of the draws, the last axis; a queue that never ends is infinite."""
    ordered = np.sort(np.atleast_1d(values), axis=-1)
    last = ordered.shape[-1] - 1
    low, half, high = ((1 - level) / 2 * last, 0.5 * last, (1 + level) / 2 * last)
    return tuple(ordered[..., round(at)] for at in (low, half, high))  # type: ignore[return-value]


def middle(
    setup: Setup,
    requirements: Requirements,
    *,
    sustained: FloatArray,
    sustained_rule: bool | None = None,
) -> Outcome:
    """Return what comes out at middle expectations, one draw of factors 1, with the median of ``sustained``.

    ``sustained_rule`` is that of :func:`outcome`.
    """
    shape = (*setup.batch.shape, 1)
    ones = np.ones(shape)
    return outcome(
        setup,
        requirements,
        luck=Luck(step=ones, prompt=ones, sustained=np.full(shape, np.median(sustained))),
        sustained=sustained_rule,
    )


def probabilities(setup: Setup, requirements: Requirements, *, luck: Luck) -> FloatArray:
    """Return how likely each cell and place meets what is asked, the shape of the setup. [1]

    Slower never helps, so a pair that is met at its slowest draws is sure, and one that is not met at its fastest is
    impossible: only the pairs between need all their draws.
    """
    place = np.broadcast_to(setup.place, setup.batch.shape)
    flat = setup.pick(np.ones(setup.batch.shape, dtype=bool))
    of = place.ravel()

    def at(edge: Callable[[FloatArray], FloatArray]) -> BoolArray:
        bound = Luck(
            step=edge(luck.step)[of], prompt=edge(luck.prompt)[of], sustained=edge(luck.sustained)[of]
        )
        return outcome(flat, requirements, luck=bound).met[:, 0]

    sure = at(lambda draws: draws.min(axis=1, keepdims=True))
    possible = at(lambda draws: draws.max(axis=1, keepdims=True))
    chance = np.where(sure, 1.0, 0.0)
    between = np.flatnonzero(possible & ~sure)
    for start in range(0, len(between), 512):
        pairs = between[start : start + 512]
        found = outcome(flat.pick((pairs,)), requirements, luck=luck.of(of[pairs]))
        chance[pairs] = found.met.mean(axis=1)
    return chance.reshape(setup.batch.shape)


def binding(setup: Setup, found: Outcome, requirements: Requirements) -> NDArray[np.object_]:
    """Return what binds each cell and place, one of BINDINGS, at middle expectations (one draw), the setup's shape.

    A rule that excludes it, then memory, then a queue that never ends; else the requirement with the least room: of
    the first token its longest part, of speed the longest part of a step, of the budget the price. Without any
    requirement, the longest part of a step.
    """
    shape = setup.batch.shape
    step, prompt = setup.step, setup.prompt
    word = _longest(
        {
            "bandwidth": step.memory_s,
            "compute": step.compute_s,
            "overhead": step.fixed_s,
            "links": step.link_s,
        },
        shape,
    )
    first = _longest(
        {
            "network": setup.network_s,
            "load": found.waiting_s[..., 0],
            "bandwidth": np.where(prompt.memory_s > prompt.compute_s, prompt.memory_s, 0.0),
            "compute": np.where(prompt.memory_s > prompt.compute_s, 0.0, prompt.compute_s),
            "links": prompt.link_s,
        },
        shape,
    )
    rooms, words = [np.full(shape, -np.inf)], [word]
    if requirements.time_to_first_token_s is not None:
        rooms.append(found.time_to_first_token_s[..., 0] / requirements.time_to_first_token_s)
        words.append(first)
    if requirements.output_tokens_per_s is not None:
        slow = found.time_per_output_token_s[..., 0] * requirements.output_tokens_per_s
        # Where even one request at once is too slow, waiting only follows from that.
        rooms.append(np.where((slow > 1) & (setup.batch <= 1), np.inf, slow))
        words.append(word)
    if requirements.cost_usd_per_1000_requests is not None:
        rooms.append(found.cost_usd_per_1000_requests[..., 0] / requirements.cost_usd_per_1000_requests)
        words.append(np.full(shape, "price", dtype=object))
    rooms = [np.nan_to_num(np.broadcast_to(room, shape), nan=-np.inf, posinf=np.inf) for room in rooms]
    tightest = np.argmax(np.array(rooms), axis=0)
    chosen = np.choose(tightest, words) if len(words) > 1 else word
    chosen = np.where(found.load[..., 0] >= 1.0, "load", chosen)
    chosen = np.where(found.fits[..., 0], chosen, "capacity")
    return np.where(np.broadcast_to(setup.allowed, shape), chosen, "rule").astype(object)


def _longest(parts: dict[str, FloatArray], shape: tuple[int, ...]) -> NDArray[np.object_]:
    sizes = np.array([np.broadcast_to(np.asarray(value, dtype=float), shape) for value in parts.values()])
    return np.array(list(parts), dtype=object)[np.argmax(sizes, axis=0)]
