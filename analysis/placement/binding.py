"""What binds a placed work: its memory, a part of its time, the network, the queue, the price, or a rule."""

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.placement.outcome import Outcome, middle
from analysis.placement.question import Question
from analysis.placement.setup import PlacedWork

BINDINGS = ("capacity", "bandwidth", "compute", "overhead", "links", "network", "load", "price", "rule")
"""What can bind a place: its memory, the parts of its time, the network, the queue, the price, or a rule that excludes
it."""


def binding(placed: PlacedWork, question: Question) -> NDArray[np.object_]:
    """Return what binds each cell and place, one of BINDINGS, at middle expectations, the placed work's shape.

    A rule that excludes it, then memory, then a queue that never ends; else the requirement with the least room: of
    the first token its longest part, of speed the longest part of a step, of the budget the price. Without any
    requirement, the longest part of a step.
    """
    central, requirements, shape = middle(placed, question), question.requirements, placed.shape
    word = _longest_of_step(placed)
    rooms, words = [np.full(shape, -np.inf)], [word]
    if requirements.time_to_first_token_s is not None:
        rooms.append(central.time_to_first_token_s[..., 0] / requirements.time_to_first_token_s)
        words.append(_longest_of_first_token(placed, central))
    if requirements.output_tokens_per_s is not None:
        slow = central.time_per_output_token_s[..., 0] * requirements.output_tokens_per_s
        # Where even one request at once is too slow, waiting only follows from that.
        rooms.append(np.where((slow > 1) & (placed.batch <= 1), np.inf, slow))
        words.append(word)
    if requirements.cost_usd_per_1000_requests is not None:
        rooms.append(central.cost_usd_per_1000_requests[..., 0] / requirements.cost_usd_per_1000_requests)
        words.append(np.full(shape, "price", dtype=object))
    rooms = [np.nan_to_num(np.broadcast_to(room, shape), nan=-np.inf, posinf=np.inf) for room in rooms]
    tightest = np.argmax(np.array(rooms), axis=0)
    chosen = np.choose(tightest, words) if len(words) > 1 else word
    chosen = np.where(central.load[..., 0] >= 1.0, "load", chosen)
    chosen = np.where(central.fits[..., 0], chosen, "capacity")
    return np.where(np.broadcast_to(placed.allowed, shape), chosen, "rule").astype(object)


def _longest_of_step(placed: PlacedWork) -> NDArray[np.object_]:
    step = placed.step
    parts = {
        "bandwidth": step.memory_s,
        "compute": step.compute_s,
        "overhead": step.fixed_s,
        "links": step.link_s,
    }
    return _longest(parts, placed.shape)


def _longest_of_first_token(placed: PlacedWork, central: Outcome) -> NDArray[np.object_]:
    prompt = placed.prompt
    parts = {
        "network": placed.network_s,
        "load": central.waiting_s[..., 0],
        "bandwidth": np.where(prompt.memory_s > prompt.compute_s, prompt.memory_s, 0.0),
        "compute": np.where(prompt.memory_s > prompt.compute_s, 0.0, prompt.compute_s),
        "overhead": prompt.fixed_s,
        "links": prompt.link_s,
    }
    return _longest(parts, placed.shape)


def _longest(parts: dict[str, FloatArray], shape: tuple[int, ...]) -> NDArray[np.object_]:
    sizes = np.array([np.broadcast_to(np.asarray(value, dtype=float), shape) for value in parts.values()])
    return np.array(list(parts), dtype=object)[np.argmax(sizes, axis=0)]
