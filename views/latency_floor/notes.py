"""What is said beside a floor: the catch, what does not fit, how near published speeds come, and what would help."""

import math

import numpy as np

from analysis.latency_floor.enough_chips import ENOUGH, MOST_CHIPS, Placed
from analysis.latency_floor.floor import Floor, resident_byte
from data.releases import Release
from views import wording
from views.chips.linked import OFFERED, unseen
from views.latency_floor.parts import PARTS, largest_part
from views.latency_floor.published import reach, reach_of_today, speeds, two_digits
from views.latency_floor.settings import LatencyFloorSettings
from views.latency_floor.words import milliseconds
from views.models import names as model_names
from views.models import row

FLOOR = (
    "This is a floor, not a forecast: peak bandwidth, perfectly even splits, the lowest possible latencies and no "
    "software overhead."
)

UNSEEN = {
    "link_latency_s": "the time of a hop",
    "core_hop_s": "today's time of a hop between cores",
    "launch_s": "the time between two kernels",
    "exchange_s": "the time of an all-reduce",
    "exchange_step_s": "the time of each of its steps",
    "exchange_network_s": "that of a step through the network",
}
"""Latencies that a row of our table may be unsure of, in words."""


def fits(placed: Placed, floor: Floor) -> bool:
    """Return whether every chip has memory enough."""
    return float(floor.memory_byte_per_chip) <= placed.chip.memory_capacity_byte * (1 + 1e-9)


def subtitle(
    settings: LatencyFloorSettings, placed: Placed, *, floor: Floor, stages: int, release: Release
) -> str:
    """Return the catch: what takes the time, and how near published speeds come; or what does not fit."""
    if not fits(placed, floor):
        needed, held = (
            wording.quantity(byte, "byte")
            for byte in (float(floor.memory_byte_per_chip), placed.chip.memory_capacity_byte)
        )
        chips = settings.tensor_parallel * stages
        each = "the chip" if chips == 1 else "the fullest chip"
        return f"With {settings.format.upper()} weights {each} would hold {needed}, and it has {held}."
    largest = largest_part(floor)
    share = min(float(getattr(floor, largest)) / float(floor.total_s), 1.0)
    without = "software overhead" if settings.speculative_tokens else "software overhead or drafts"
    return (
        f"Without {without}: {wording.percent(two_digits(share))} of the time is {PARTS[largest]}. "
        f"{_today(placed, settings=settings, stages=stages)}{_published(placed, release)}"
    )


def caveats(settings: LatencyFloorSettings, placed: Placed, *, floor: Floor, stages: int) -> tuple[str, ...]:
    """Return what a reader must know, one sentence each, the most important first."""
    lines = []
    if not fits(placed, floor):
        lines.append(
            "Add stages or chips, or choose a smaller format: the speed shown is what bandwidth would allow if the "
            "memory were larger."
        )
    elif stages > 1:
        lines.append(f"{stages} stages give {stages} times the memory, but one request gets no faster.")
    window = int(model_window(settings))
    if settings.context > window:
        lines.append(
            f"{model_names()[settings.model]} was made for a context of at most {window:,} tokens, so this is "
            "arithmetic only."
        )
    if not np.isfinite(placed.peak_flop_per_s):
        lines.append(
            f"No dense peak of the {placed.name} is published, so computing is taken to cost nothing."
        )
    return tuple(lines)


def sure(settings: LatencyFloorSettings, placed: Placed, *, release: Release) -> tuple[str, ...]:
    """Return how sure the floor is: what it leaves out, how near published speeds come, what is assumed."""
    lines = [f"{FLOOR} {_published(placed, release)}"]
    here = [speed for speed in speeds(release) if speed.chip == placed.name]
    if said := _today_words(placed):
        lines.append(f"{said} {reach_of_today(here)}".strip())
    if stated := OFFERED[settings.chip]["stated"]:
        lines.append(f"Links of the {placed.name}: {stated}.")
    if unseen(settings.chip):
        names = wording.listed([UNSEEN[name] for name in unseen(settings.chip)])
        lines.append(
            f"Not seen in the source named, so check before relying on it: {names} of the {placed.name}."
        )
    return tuple(lines)


def _today(placed: Placed, *, settings: LatencyFloorSettings, stages: int) -> str:
    """Return what today's latencies make of the floor; empty where none are known."""
    speed = 1 / float(placed.today_s(tensor=settings.tensor_parallel, stages=stages))
    if not speed > 0:
        return ""
    how = (
        "One chip after another allows"
        if placed.today and placed.today.in_a_row
        else "Today's latencies allow"
    )
    return f"{how} {wording.significant(speed)} a second. "


def _today_words(placed: Placed) -> str:
    """Return what is as today where today's latencies count, as a sentence; empty where none are known."""
    today = placed.today
    if today is None:
        return ""
    if today.in_a_row:
        return "Today's line takes the chips to work one after another, each on the weights it holds."
    if today.launch_s is not None:
        return "Today's line counts launches of kernels and exchanges as long as they are today."
    between = "cores" if today.core_hop_s is not None else "chips"
    return f"Today's line counts hops between {between} as long as they are today."


def changes(
    settings: LatencyFloorSettings, placed: Placed, *, floor: Floor, stages: int, best: int | None
) -> tuple[str, ...]:
    """Return what would change the floor: more chips in each layer, and stages."""
    lines = [_more_chips(settings, placed, best=best)]
    if stages > 1 and fits(placed, floor):
        lines.append(
            f"Handing a token from stage to stage takes {milliseconds(float(floor.stages_s))} of its "
            f"{milliseconds(float(floor.total_s))}. {_busy(settings, placed, stages=stages)}"
        )
    return tuple(line for line in lines if line)


def _more_chips(settings: LatencyFloorSettings, placed: Placed, *, best: int | None) -> str:
    """Return what more chips sharing each layer would do."""
    if best is None:
        return ""
    if best == MOST_CHIPS:
        return f"Up to {MOST_CHIPS:,} chips in each layer, the most tried, more chips keep helping."
    enough = wording.percent(ENOUGH)
    if best > settings.tensor_parallel:
        return f"More chips in each layer help: only beyond {best:,} do they save less than {enough} of the time."
    if placed.slows(tensor=settings.tensor_parallel, best=best):
        fastest = wording.significant(1 / float(placed.times(np.array([best]))[0]))
        count = "One chip" if best == 1 else f"{best:,} chips"
        return (
            f"{count} in each layer would allow {fastest} tokens a second; sharing over more slows it down."
        )
    return f"More chips in each layer would save less than {enough} of the time."


def _published(placed: Placed, release: Release) -> str:
    """Return how near published speeds come, on these chips if there are any."""
    everywhere = speeds(release)
    here = [speed for speed in everywhere if speed.chip == placed.name]
    if share := reach(here):
        return f"Published speeds on the {placed.name} reach {share} of such floors."
    share = reach(everywhere)
    return f"We know of no published speed on the {placed.name}; elsewhere they reach {share} of such floors."


def _busy(settings: LatencyFloorSettings, placed: Placed, *, stages: int) -> str:
    """Return how many batches the stages work on at once, and what all of them would need."""
    groups = placed.groups(tensor=settings.tensor_parallel, stages=stages)
    batch = wording.counted(settings.batch, "request")
    if groups == stages:
        return f"All {stages} are busy when as many batches of {batch} are under way; their KV caches fit."
    layers, tensor = math.ceil(placed.model.n_layers / stages), settings.tensor_parallel
    held = (
        float(resident_byte(placed.model, placed.request, groups=stages))
        * layers
        / placed.model.n_layers
        / tensor
    )
    fitting = (
        "Only one batch" if groups == 1 else f"Only {groups} batches"
    ) + f" of {batch} {'fits' if groups == 1 else 'fit'}"
    return (
        f"{fitting} at once, so stages wait for one another. The fullest stage decides, with {layers:,} of "
        f"{placed.model.n_layers:,} layers: a batch for each stage would need {wording.quantity(held, 'byte')} on each "
        f"of its chips, which hold {wording.quantity(placed.chip.memory_capacity_byte, 'byte')}."
    )


def model_window(settings: LatencyFloorSettings) -> float:
    """Return how many tokens of context the model was made for. [tokens]"""
    return float(row(settings.model)["context_tokens"])
