"""Setup of the work at each place: chips per copy, requests per step, and machines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray, Rows
from analysis.hardware.memory import RUNTIME_BYTE, activations_byte, usable_memory_byte
from analysis.placement import load
from analysis.placement.places import Places
from analysis.placement.question import Question
from analysis.placement.served import deployments_of, fewest_chips
from analysis.placement.speeds import TimeParts, accelerator_speeds, device_speeds
from analysis.placement.work import DAYS_PER_YEAR
from analysis.serving.times import by_name, least_byte_per_chip, memory_byte, most_requests
from analysis.units import HOUR_S, JOULE_PER_KWH

HOST_USD = {
    "desktop_gpu": 1000.0,
    "workstation_gpu": 2000.0,
    "edge_server": 6000.0,
    "datacenter_gpu": 40_000.0,
}
"""Assumed price of the host for up to four cards: desktop, workstation, server, half a server of eight. [USD]"""
HOST_W = {"desktop_gpu": 100.0, "workstation_gpu": 150.0, "edge_server": 300.0, "datacenter_gpu": 1400.0}
"""Assumed power of the same host under load. [W]"""
CARDS_PER_HOST = 4.0


def host_usd(places: Places) -> FloatArray:
    """Return the price of a host for up to four cards, shape (places,). Zero if the device includes the host. [USD]"""
    return np.array([HOST_USD.get(name, 0.0) for name in places.device_class])


def host_w(places: Places) -> FloatArray:
    """Return the power of a host for up to four cards, shape (places,). Zero if the device includes the host. [W]"""
    return np.array([HOST_W.get(name, 0.0) for name in places.device_class])


def bought_usd(question: Question, *, chips: FloatArray, machines: FloatArray) -> FloatArray:
    """Return the price of all machines with their hosts. Zero if they are rented. [USD]"""
    places = question.places
    around_usd = np.where(question.rented, 0.0, host_usd(places)) * np.ceil(chips / CARDS_PER_HOST)
    return (places.price_usd * np.asarray(question.growth.price) * chips + around_usd) * machines


def prices(
    question: Question, *, chips: FloatArray, machines: FloatArray, by_use: BoolArray
) -> dict[str, FloatArray]:
    """Return the fixed cost of 1,000 requests, the cost of a second at full load, and the power under load.

    Personal devices, which people may own anyway, are charged with a share of the price; on-premises machines are
    bought for the load and charged in full.
    """
    work, places, conditions = question.work, question.places, question.conditions
    rented, hosts = question.rented, np.ceil(chips / CARDS_PER_HOST)
    around_w = np.where(rented, 0.0, host_w(places))
    dearer = np.asarray(question.growth.price)
    bought = bought_usd(question, chips=chips, machines=machines)
    share = np.where(question.personal, conditions.share, 1.0)
    charged = np.where(share > 0, share * bought / (conditions.years * DAYS_PER_YEAR), 0.0)
    rent = places.price_usd_per_hour * dearer * conditions.price_times * chips
    daily = np.where(rented, np.where(by_use, 0.0, rent * machines * 24.0), charged)
    traffic = 1000.0 * work.traffic_byte * places.network_usd_per_byte
    power = places.power_w * chips * np.where(rented, conditions.server_power, 1.0) + around_w * hosts
    return {
        "fixed_usd": 1000.0 * daily / np.asarray(work.requests_per_day, dtype=float) + traffic,
        "second_usd": np.where(by_use, rent / HOUR_S / conditions.utilization, 0.0),
        "busy_w": power * np.where(rented, conditions.pue, 1.0),
        "usd_per_j": np.where(rented, 0.0, np.asarray(conditions.usd_per_kwh) / JOULE_PER_KWH),
    }


MOST_REQUESTS_PER_MACHINE = 256.0
MOST_LATE = 1e6
"""Maximum ratio of an unbounded wait to its limit, used to rank setups that all miss the limit. [1]"""
TOKENS_AT_ONCE = 512.0  # chunk size of a prompt in prefill


@dataclass(frozen=True, kw_only=True)
class Copy:
    """Setup of a copy: a multiple of the fewest chips that can hold it, and whether experts are ``spread``."""

    times: float = 1.0
    spread: bool = False


DENSE = (Copy(), Copy(times=2.0), Copy(times=4.0))
MIXTURE = (Copy(), Copy(times=4.0), Copy(spread=True), Copy(times=2.0, spread=True))
"""Setups to try for mixtures of experts on accelerators. More chips share a step better."""


@dataclass(frozen=True, kw_only=True)
class PlacedWork(Rows):
    """Work as it would run at each place. Arrays have shape (cells, places), or (pairs,) for selected pairs.

    ``step`` and ``prompt`` are median times of a step and of a prompt in the busiest hour, ``full_step`` and
    ``full_prompt`` those at full load; ``batch`` requests share the former, ``slots`` the latter. On accelerators a
    prompt's time is the time to first token. ``machines`` is the number of copies or devices, ``requests_per_s`` the
    load of each in the busiest hour. ``need_byte`` is the memory of a copy, ``usable_byte`` that of its chips.
    ``fixed_usd`` is the fixed cost of 1,000 requests, ``second_usd`` the cost of a second of a copy at full load,
    ``busy_w`` its power.
    """

    place: NDArray[np.intp]
    step: TimeParts
    full_step: TimeParts
    prompt: TimeParts
    full_prompt: TimeParts
    overlap: BoolArray
    shared: BoolArray
    by_use: BoolArray
    throttles: BoolArray
    allowed: BoolArray
    chips: FloatArray
    batch: FloatArray
    slots: FloatArray
    machines: FloatArray
    requests_per_s: FloatArray
    utilization: FloatArray
    output_tokens: FloatArray
    need_byte: FloatArray
    usable_byte: FloatArray
    network_s: FloatArray
    fixed_usd: FloatArray
    second_usd: FloatArray
    busy_w: FloatArray
    usd_per_j: FloatArray
    network_j: FloatArray

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape: (cells, places), or (pairs,) for selected pairs."""
        return self.batch.shape

    def pick(self, at: tuple[NDArray[np.intp], ...] | BoolArray) -> "PlacedWork":
        """Return the selected cells and places, flattened to shape (pairs,)."""
        return PlacedWork.joined([self], lambda values: values[0][at])

    def in_a_row(self) -> "PlacedWork":
        """Return all cells and places, flattened to shape (cells x places,)."""
        return self.pick(np.ones(self.shape, dtype=bool))


def usable_shares(places: Places) -> FloatArray:
    """Return the share of memory that a model can use on each place's device, shape (places,). [1]"""
    return np.array([float(usable_memory_byte(1.0, device_class=name)) for name in places.device_class])


def set_up(question: Question) -> PlacedWork:
    """Return the setup at each place, shape (cells, places).

    Speed and time to first token are met at the required probability (:attr:`Question.promised`). Accelerator engines
    run no more concurrent requests than meet both, including the wait for a slot on a shared copy. Personal devices
    answer one request at a time. On-premises and whole rented machines are as many as keep the busiest hour within the
    utilization and wait limits; if use is paid, one rented copy at that utilization represents all.
    """
    sides: list[PlacedWork] = []
    served = question.places.accelerator
    copies = MIXTURE if question.work.mixture else DENSE
    for keep, tried in ((~served, (Copy(),)), (served, copies)):
        if not keep.any():
            continue
        these, place = question.at(keep), np.flatnonzero(keep)
        sides.append(_cheapest([_set_up(these, place=place, copy=copy) for copy in tried], these))
    order = np.argsort(np.concatenate([side.place[0] for side in sides]))
    return PlacedWork.joined(sides, lambda values: np.concatenate(values, axis=1)[:, order])


def _cheapest(tried: Sequence[PlacedWork], question: Question) -> PlacedWork:
    """Return, for each cell and place, the cheapest setup that meets the limits, or the closest if none does.

    Setups without a cost are compared by their number of chips.
    """
    if len(tried) == 1:
        return tried[0]
    required, promised = question.requirements, question.promised
    ranks = []
    for placed in tried:
        owned = np.where(placed.fixed_usd > 0, placed.fixed_usd, placed.chips * placed.machines)
        chips = np.where(placed.by_use, placed.chips / placed.requests_per_s, owned)
        late = placed.need_byte / placed.usable_byte
        if required.output_tokens_per_s is not None:
            step = placed.step.total_s(overlap=placed.overlap) / promised.step
            late = np.maximum(late, step * required.output_tokens_per_s)
        if required.time_to_first_token_s is not None:
            prompt = placed.prompt.total_s(overlap=placed.overlap) / promised.prompt
            first = placed.network_s + prompt + _wait_s(placed, question)
            late = np.maximum(late, np.minimum(first / required.time_to_first_token_s, MOST_LATE))
        ranks.append(np.where(late > 1.0 + 1e-9, 1e12 * late, chips))
    best = np.argmin(np.array(ranks), axis=0)[None]
    return PlacedWork.joined(tried, lambda values: np.take_along_axis(np.array(values), best, axis=0)[0])


def _wait_s(placed: PlacedWork, question: Question) -> FloatArray:
    """Return the mean wait for a slot in a batch at the planned speeds, shape (cells, places). [s]"""
    promised = question.promised
    full = load.full_load_per_s(
        step_s=placed.full_step.total_s(overlap=placed.overlap) / promised.step,
        prompt_s=placed.full_prompt.total_s(overlap=placed.overlap) / promised.prompt,
        batch=placed.slots,
        output_tokens=placed.output_tokens,
        mixed=~placed.overlap,
    )
    return load.waiting_s(
        requests_per_s=np.where(placed.by_use, placed.utilization * full, placed.requests_per_s),
        per_s=full,
        prompt_s=np.zeros(1),
        slots=placed.slots,
        machines=placed.machines,
    )


def _set_up(question: Question, *, place: NDArray[np.intp], copy: Copy) -> PlacedWork:
    """Return the setup with the given kind of copy. The places must be all devices or all accelerators."""
    work, places, conditions = question.work, question.places, question.conditions
    requirements = question.requirements
    slowest, slowest_prompt = question.promised.step, question.promised.prompt
    served = bool(places.accelerator.any())
    personal, rented = question.personal, question.rented
    weights = work.serving.weights_byte if served else work.weights_byte
    chips = fewest_chips(places, weights, growth=question.growth)
    chips = np.where(places.chips > 0, chips, np.minimum(chips * copy.times, places.most_chips))
    usable, need, most = (
        _served_memory(question, chips=chips, copy=copy) if served else _memory(question, chips=chips)
    )
    most = np.where(personal, 1.0, np.maximum(np.floor(most), 1.0))
    speeds = (
        accelerator_speeds(question, chips=chips, spread=copy.spread) if served else device_speeds(question)
    )
    overlap = np.broadcast_to(not served, len(places))
    tried = load.tried_batches(most)
    output = np.asarray(work.output_tokens, dtype=float)
    timed = speeds(tried)
    times, prompts = timed.step.total_s(overlap=overlap), timed.prompt.total_s(overlap=overlap)

    def full_load(*, slower: FloatArray | float, slower_prompt: FloatArray | float) -> FloatArray:
        return load.full_load_per_s(
            step_s=times / slower,
            prompt_s=prompts / slower_prompt,
            batch=tried,
            output_tokens=output,
            mixed=~overlap,
        )

    full = full_load(slower=1.0, slower_prompt=1.0)
    network_s = (
        places.round_trip_s * conditions.round_trip_times + work.request_byte / places.uplink_byte_per_s
    )
    speed, first = requirements.output_tokens_per_s, requirements.time_to_first_token_s
    by_use = rented & (not conditions.by_hour)
    late = None
    if served and first is not None:
        promised = full_load(slower=slowest, slower_prompt=slowest_prompt)
        wait = load.waiting_s(
            requests_per_s=conditions.utilization * promised,
            per_s=promised,
            prompt_s=np.zeros(1),
            slots=tried,
            machines=np.ones(1),
        )
        # With whole machines, more machines shorten the wait; on a shared copy, more slots do.
        late = (network_s + prompts / slowest_prompt + np.where(by_use, wait, 0.0)) / first
    slots = load.largest_batch(tried, slow=None if speed is None else times / slowest * speed, late=late)
    most_per_s = np.max(np.where(tried <= slots, full, 0.0), axis=0)

    def first_s(per_s: FloatArray) -> FloatArray:
        if not served:
            return network_s + (prompts + times[0]) / slowest
        batch = load.carrying(tried, full=full, arriving=per_s, largest=slots)
        return network_s + np.max(np.where(tried == batch, prompts, 0.0), axis=0) / slowest_prompt

    peak = work.peak_requests_per_s
    enough = load.machines_for(
        peak,
        most_per_s=most_per_s,
        slots=slots,
        prompt_s=np.zeros(1) if served else prompts / slowest,
        first_s=first_s,
        slowest=slowest,
        limit_s=requirements.time_to_first_token_s,
        utilization=conditions.utilization,
    )
    machines = np.where(personal, work.people, np.where(by_use, 1.0, enough))
    arriving = np.where(by_use, most_per_s * conditions.utilization, peak / machines)
    batch = np.where(personal, 1.0, load.carrying(tried, full=full, arriving=arriving, largest=slots))
    now, then = speeds(batch), speeds(slots)
    return _broadcast(
        len(places),
        place=place,
        step=now.step,
        full_step=then.step,
        prompt=now.prompt,
        full_prompt=then.prompt,
        overlap=overlap,
        shared=~personal,
        by_use=by_use,
        throttles=question.phones,
        allowed=question.allowed,
        chips=chips,
        batch=batch,
        slots=slots,
        machines=machines,
        requests_per_s=arriving,
        utilization=np.asarray(conditions.utilization, dtype=float),
        output_tokens=output,
        need_byte=need,
        usable_byte=usable,
        network_s=network_s,
        network_j=work.traffic_byte * places.network_j_per_byte,
        **prices(question, chips=chips, machines=machines, by_use=by_use),
    )


def _broadcast(places: int, **columns: Any) -> PlacedWork:
    """Return the columns broadcast to every cell and place, shape (cells, places)."""
    plain = (np.shape(value) for value in columns.values() if not isinstance(value, TimeParts))
    shape = np.broadcast_shapes((1, places), *plain)

    def whole(value: Any) -> Any:
        if isinstance(value, TimeParts):
            return TimeParts(**{part: whole(size) for part, size in vars(value).items()})
        return np.broadcast_to(value, shape)

    return PlacedWork(**{name: whole(value) for name, value in columns.items()})


def _memory(question: Question, *, chips: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a device's usable memory, the memory that one request needs, and the largest batch. [byte, byte, 1]"""
    work, places = question.work, question.places
    usable = (
        places.memory_capacity_byte * np.asarray(question.growth.capacity) * chips * usable_shares(places)
    )
    activations = activations_byte(hidden_size=work.hidden_size, tokens_at_once=TOKENS_AT_ONCE)
    resident = work.weights_byte + RUNTIME_BYTE + activations
    kept, read = np.asarray(work.cache_kept_byte), np.asarray(work.cache_read_byte)
    most = (usable - resident) / (0.5 * (read + kept))
    return usable, resident + kept, np.minimum(most, MOST_REQUESTS_PER_MACHINE)


def _served_memory(
    question: Question, *, chips: FloatArray, copy: Copy
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a served copy's usable memory, the memory one request needs, and the largest batch. [byte, byte, 1]"""
    factors = by_name(question.fits.serving.factors)
    d = deployments_of(question, chips=chips, spread=copy.spread)
    return chips * memory_byte(d, factors), chips * least_byte_per_chip(d), most_requests(d, factors)
