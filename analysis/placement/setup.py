"""How a work is set up on each place: chips that hold the model, requests that share a step, machines for the load."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray, Rows
from analysis.hardware.memory import RUNTIME_BYTE, activations_byte, usable_memory_byte
from analysis.placement.fits import PlacementModels
from analysis.placement.load import carrying, full_load_per_s, largest_batch, machines_for, tried_batches
from analysis.placement.places import PERSONAL, RENTED, TODAY, Conditions, Growth, Places
from analysis.placement.speeds import Step, accelerator_speeds, device_speeds
from analysis.placement.work import Requirements, Work
from analysis.serving.model import MEMORY_FOR_SERVING, MOST_REQUESTS_PER_CHIP, ServingModel
from analysis.units import DAY_S, HOUR_S, JOULE_PER_KWH, YEAR_S

ROOM_FOR_WEIGHTS = 0.7  # of the memory of the chips that hold a copy; the rest is for the cache
MOST_REQUESTS_PER_MACHINE = 256.0
TOKENS_AT_ONCE = 512.0  # of a prompt, as engines cut it up
MULTIPLES = (1.0, 2.0, 4.0)
"""Accelerators per copy that are tried: the fewest that hold it, and more, which share steps better."""
HOST_USD = {
    "desktop_gpu": 1000.0,
    "workstation_gpu": 2000.0,
    "edge_server": 6000.0,
    "datacenter_gpu": 40_000.0,
}
"""The computer around up to four cards, assumed: a desktop, a workstation, a server, half a server of eight. [USD]"""
HOST_W = {"desktop_gpu": 100.0, "workstation_gpu": 150.0, "edge_server": 300.0, "datacenter_gpu": 1400.0}
"""Power of that computer at work, assumed. [W]"""
CARDS_PER_HOST = 4.0


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """The two fitted models: of devices, and of accelerators at full load."""

    devices: PlacementModels
    accelerators: ServingModel


@dataclass(frozen=True, kw_only=True)
class Setup(Rows):
    """A work as it would run on each place; arrays have shape (cells, places), or (pairs,) once picked.

    ``step`` and ``prompt`` are middle times of a step in the busiest hour and of a prompt, ``full_step`` of a step at
    full load; ``batch`` requests share the former, ``slots`` the latter. ``machines`` is how many copies or devices
    there are, ``requests_per_s`` what reaches each of them in the busiest hour. ``need_byte`` is the memory a copy
    takes, ``usable_byte`` what its chips offer. ``fixed_usd`` is what 1,000 requests cost whatever the speed,
    ``second_usd`` what a second of a copy's full load costs, ``busy_w`` its power at work.
    """

    place: NDArray[np.intp]
    step: Step
    full_step: Step
    prompt: Step
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

    def pick(self, at: tuple[NDArray[np.intp], ...] | BoolArray) -> "Setup":
        """Return the cells and places at ``at`` in one row, shape (pairs,)."""
        return Setup.joined([self], lambda values: values[0][at])


def allowed(places: Places, requirements: Requirements) -> BoolArray:
    """Return the places that the text may travel to, shape (places,)."""
    rented, personal = places.is_kind(RENTED), places.is_kind(PERSONAL)
    keep = ~rented if requirements.offline or requirements.stay == "premises" else np.ones(len(places), bool)
    return keep & personal if requirements.stay == "device" else keep


def fewest_chips(work: Work, places: Places, *, growth: Growth = TODAY) -> FloatArray:
    """Return how many chips hold one copy of the model, in powers of two; devices stand alone. (cells, places)"""
    room = ROOM_FOR_WEIGHTS * places.memory_capacity_byte * np.asarray(growth.capacity)
    fewest = np.exp2(np.ceil(np.log2(np.maximum(np.asarray(work.weights_byte) / room, 1.0))))
    return np.where(places.chips > 0, places.chips, np.minimum(fewest, places.most_chips))


def set_up(
    work: Work,
    places: Places,
    *,
    fitted: Fitted,
    conditions: Conditions,
    requirements: Requirements,
    slowest: FloatArray,
    growth: Growth = TODAY,
) -> Setup:
    """Return how the work would run on each place, shape (cells, places).

    ``growth`` is that of the middle expectation, broadcastable to (cells, places). ``slowest``, shape (places,), is
    the factor on speed that nine draws in ten exceed. Personal devices answer one request at a time. Machines in the
    house, and whole rented ones, are as many as keep the busiest hour within the utilization and the wait within its
    limit; where use is paid, one rented copy at that utilization stands for all.
    """
    found: list[Setup] = []
    for keep, multiples in ((~places.accelerator, (1.0,)), (places.accelerator, MULTIPLES)):
        if not keep.any():
            continue
        tried = [
            _set_up(
                work.at(keep),
                places.at(keep),
                place=np.flatnonzero(keep),
                fitted=fitted,
                conditions=conditions,
                requirements=requirements,
                slowest=slowest[keep],
                growth=growth.at(keep),
                multiple=multiple,
            )
            for multiple in multiples
        ]
        found.append(_cheapest(tried, requirements, slowest=slowest[keep]))
    order = np.argsort(np.concatenate([setup.place[0] for setup in found]))
    return Setup.joined(found, lambda values: np.concatenate(values, axis=1)[:, order])


def _cheapest(tried: Sequence[Setup], requirements: Requirements, *, slowest: FloatArray) -> Setup:
    """Return for each cell and place the setup that keeps the speed at the least cost, or with the fewest chips."""
    if len(tried) == 1:
        return tried[0]
    limit = requirements.output_tokens_per_s
    ranks = []
    for setup in tried:
        step = setup.step.total_s(overlap=setup.overlap) / slowest
        owned = np.where(setup.fixed_usd > 0, setup.fixed_usd, setup.chips * setup.machines)
        chips = np.where(setup.by_use, setup.chips / setup.requests_per_s, owned)
        late = np.zeros(step.shape) if limit is None else np.maximum(step * limit - 1.0, 0.0)
        ranks.append(np.where(late > 1e-9, 1e12 * (1 + late), chips))
    best = np.argmin(np.array(ranks), axis=0)[None]
    return Setup.joined(tried, lambda values: np.take_along_axis(np.array(values), best, axis=0)[0])


def _set_up(
    work: Work,
    places: Places,
    *,
    place: NDArray[np.intp],
    fitted: Fitted,
    conditions: Conditions,
    requirements: Requirements,
    slowest: FloatArray,
    growth: Growth,
    multiple: float,
) -> Setup:
    """Return the setup on places that are all devices or all accelerators, with ``multiple`` times the fewest chips."""
    served = bool(places.accelerator.any())
    personal, rented = places.is_kind(PERSONAL), places.is_kind(RENTED)
    chips = fewest_chips(work, places, growth=growth)
    chips = np.where(places.chips > 0, chips, np.minimum(chips * multiple, places.most_chips))
    usable, resident, kept, average = _memory(work, places, chips=chips, growth=growth)
    most = np.floor((usable - resident) / average)
    cap = MOST_REQUESTS_PER_CHIP * chips if served else MOST_REQUESTS_PER_MACHINE
    most = np.where(personal, 1.0, np.clip(most, 1.0, cap))
    speeds = (
        accelerator_speeds(
            work, places, chips=chips, model=fitted.accelerators, growth=growth, conditions=conditions
        )
        if served
        else device_speeds(work, places, models=fitted.devices, growth=growth, conditions=conditions)
    )
    overlap = np.broadcast_to(not served, len(places))
    tried, prompt = tried_batches(most), speeds.prompt
    output = np.asarray(work.output_tokens, dtype=float)
    times = speeds.step(tried).total_s(overlap=overlap)
    prompt_s = prompt.total_s(overlap=overlap)
    full = full_load_per_s(step_s=times, prompt_s=prompt_s, batch=tried, output_tokens=output, mixed=~overlap)
    speed = requirements.output_tokens_per_s
    slots = largest_batch(
        tried, step_s=times, limit_s=None if speed is None else 1.0 / speed, slowest=slowest
    )
    most_per_s = np.max(np.where(tried <= slots, full, 0.0), axis=0)
    network_s = (
        places.round_trip_s * conditions.round_trip_times + work.request_byte / places.uplink_byte_per_s
    )
    by_use = rented & (not conditions.by_hour)
    peak = work.peak_requests_per_s
    enough = machines_for(
        peak,
        most_per_s=most_per_s,
        slots=slots,
        prompt_s=(prompt.compute_s + prompt.link_s if served else prompt_s) / slowest,
        first_s=network_s + (prompt_s + times[0]) / slowest,
        slowest=slowest,
        limit_s=requirements.time_to_first_token_s,
        utilization=conditions.utilization,
    )
    machines = np.where(personal, work.people, np.where(by_use, 1.0, enough))
    arriving = np.where(by_use, most_per_s * conditions.utilization, peak / machines)
    batch = np.where(personal, 1.0, carrying(tried, full=full, arriving=arriving, largest=slots))
    prices = _prices(work, places, conditions, growth=growth, chips=chips, machines=machines, by_use=by_use)
    given: dict[str, Any] = {
        "place": place,
        "step": speeds.step(batch),
        "full_step": speeds.step(slots),
        "prompt": prompt,
        "overlap": overlap,
        "shared": ~personal,
        "by_use": by_use,
        "throttles": np.array([name == "phone" for name in places.device_class]),
        "allowed": allowed(places, requirements),
        "chips": chips,
        "batch": batch,
        "slots": slots,
        "machines": machines,
        "requests_per_s": arriving,
        "utilization": np.asarray(conditions.utilization, dtype=float),
        "output_tokens": output,
        "need_byte": resident + kept,
        "usable_byte": usable,
        "network_s": network_s,
        "network_j": work.traffic_byte * places.network_j_per_byte,
        **prices,
    }
    shape = np.broadcast_shapes(
        (1, len(places)),
        *(np.shape(value) for value in given.values() if not isinstance(value, Step)),
    )
    whole: dict[str, Any] = {
        name: Step(**{part: np.broadcast_to(size, shape) for part, size in vars(value).items()})
        if isinstance(value, Step)
        else np.broadcast_to(value, shape)
        for name, value in given.items()
    }
    return Setup(**whole)


def _memory(
    work: Work, places: Places, *, chips: FloatArray, growth: Growth
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return usable memory, what is there before a request, what one keeps at its end, and on average. [byte]

    Accelerators keep the cache at 8 bits a number, as in the results their model was fitted to.
    """
    served = places.accelerator
    capacity = places.memory_capacity_byte * np.asarray(growth.capacity) * chips
    shares = np.array([float(usable_memory_byte(1.0, device_class=name)) for name in places.device_class])
    activations = activations_byte(hidden_size=work.hidden_size, tokens_at_once=TOKENS_AT_ONCE)
    resident = work.weights_byte + np.where(served, 0.0, RUNTIME_BYTE + activations)
    width = np.where(served, 0.5, 1.0)
    kept, read = np.asarray(work.cache_kept_byte) * width, np.asarray(work.cache_read_byte) * width
    return capacity * np.where(served, MEMORY_FOR_SERVING, shares), resident, kept, 0.5 * (read + kept)


def _prices(
    work: Work,
    places: Places,
    conditions: Conditions,
    *,
    growth: Growth,
    chips: FloatArray,
    machines: FloatArray,
    by_use: BoolArray,
) -> dict[str, FloatArray]:
    """Return what 1,000 requests cost whatever the speed, what a second at full load costs, and the power at work.

    The share of the price is charged of people's own devices, which may be there anyway; machines in the house are
    bought for the load and charged whole.
    """
    rented, hosts = places.is_kind(RENTED), np.ceil(chips / CARDS_PER_HOST)
    host_usd = np.where(rented, 0.0, [HOST_USD.get(name, 0.0) for name in places.device_class])
    host_w = np.where(rented, 0.0, [HOST_W.get(name, 0.0) for name in places.device_class])
    bought = (places.price_usd * np.asarray(growth.price) * chips + host_usd * hosts) * machines
    share = np.where(places.is_kind(PERSONAL), conditions.share, 1.0)
    charged = np.where(share > 0, share * bought / (conditions.years * (YEAR_S / DAY_S)), 0.0)
    rent = places.price_usd_per_hour * np.asarray(growth.price) * conditions.price_times * chips
    daily = np.where(rented, np.where(by_use, 0.0, rent * machines * 24.0), charged)
    traffic = 1000.0 * work.traffic_byte * places.network_usd_per_byte
    power = places.power_w * chips * np.where(rented, conditions.server_power, 1.0) + host_w * hosts
    return {
        "fixed_usd": 1000.0 * daily / np.asarray(work.requests_per_day, dtype=float) + traffic,
        "second_usd": np.where(by_use, rent / HOUR_S / conditions.utilization, 0.0),
        "busy_w": power * np.where(rented, conditions.pue, 1.0),
        "usd_per_j": np.where(rented, 0.0, np.asarray(conditions.usd_per_kwh) / JOULE_PER_KWH),
    }
