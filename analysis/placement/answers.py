"""What comes out at each place, drawn once: medians, intervals, chances, what binds, and which place is cheapest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.outcome import Outcome, interval, middle, outcome
from analysis.placement.question import Question
from analysis.placement.setup import PlacedWork, set_up

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


LEVEL = 0.9


@dataclass(frozen=True, kw_only=True)
class Spans:
    """Median and interval of one quantity at every place, each of shape (places,)."""

    low: FloatArray
    median: FloatArray
    high: FloatArray

    def times(self, factor: float) -> "Spans":
        """Return the spans of so many times the quantity."""
        return Spans(low=self.low * factor, median=self.median * factor, high=self.high * factor)

    @property
    def reciprocal(self) -> "Spans":
        """Return the spans of one over the quantity: speeds for times."""
        return Spans(low=1 / self.high, median=1 / self.median, high=1 / self.low)


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What comes out at every place, arrays of shape (places,), with the draws they come from.

    ``question`` is what was asked. ``meets`` marks the places that meet it surely enough; ``rank_usd`` is the median
    cost they rank by, unproven places last.
    """

    question: Question
    placed: PlacedWork
    drawn: Outcome
    first_s: Spans
    token_s: Spans
    cost_usd: Spans
    energy_j: Spans
    probability: FloatArray
    binding: tuple[str, ...]
    fits: BoolArray
    meets: BoolArray
    rank_usd: FloatArray

    @property
    def ruled_out(self) -> BoolArray:
        """Return which places a rule excludes, shape (places,)."""
        return np.array([word == "rule" for word in self.binding])

    @property
    def cheapest(self) -> int | None:
        """Return the cheapest place that meets what is asked, None where no place with a known cost does."""
        return self.cheapest_of(np.ones(len(self.meets), dtype=bool))

    def cheapest_of(self, keep: BoolArray) -> int | None:
        """Return the cheapest of the places that ``keep`` marks and that meet what is asked, proven ones first."""
        cost = np.where(self.meets & keep & np.isfinite(self.rank_usd), self.rank_usd, np.inf)
        return int(np.argmin(cost)) if np.isfinite(cost).any() else None

    @property
    def nearest(self) -> int:
        """Return the place most likely to meet what is asked; of equals the one that misses by the least."""
        over = np.where(self.fits, self.shortfall, self.placed.need_byte[0] / self.placed.usable_byte[0])
        return int(np.lexsort((self.first_s.median, over, ~self.fits, self.ruled_out, -self.probability))[0])

    def nearest_of(self, keep: BoolArray) -> int:
        """Return the likeliest of the places that ``keep`` marks; of equals one that fits, then the soonest."""
        at = np.flatnonzero(keep)
        return int(at[np.lexsort((self.first_s.median[at], ~self.fits[at], -self.probability[at]))[0]])

    def as_cheap(self, i: int, *, within: float) -> list[int]:
        """Return the other places that meet what is asked at a cost within a factor; unproven ones if ``i`` is one."""
        cost, proven = self.cost_usd.median, self.question.proven
        near = self.meets & (cost <= within * cost[i]) & (cost >= cost[i] / within)
        return [int(k) for k in np.flatnonzero(near) if k != i and (proven[k] or not proven[i])]

    def cheaper_unproven(self, i: int) -> int | None:
        """Return the cheapest unproven place that meets what is asked for less than place ``i``, or None."""
        cost = np.where(self.meets & ~self.question.proven, self.cost_usd.median, np.inf)
        k = int(np.argmin(cost))
        return k if cost[k] < self.cost_usd.median[i] else None

    def cheaper_but_unlikely(self, i: int) -> int | None:
        """Return the likeliest place that costs less than place ``i`` and is not sure enough to do it, or None."""
        cost = self.cost_usd.median
        less = np.flatnonzero(self.fits & ~self.ruled_out & ~self.meets & (cost < cost[i]))
        return int(less[np.argmax(self.probability[less])]) if len(less) else None

    @property
    def unpriced(self) -> list[int]:
        """Return the places whose cost is unknown."""
        return [int(k) for k in np.flatnonzero(np.isnan(self.cost_usd.median))]

    @property
    def shortfall(self) -> FloatArray:
        """Return the largest ratio of what comes out to what is asked, shape (places,); unknown costs are infinite."""
        requirements = self.question.requirements
        pairs = (
            (self.first_s.median, requirements.time_to_first_token_s),
            (
                self.token_s.median,
                None if requirements.output_tokens_per_s is None else 1 / requirements.output_tokens_per_s,
            ),
            (np.nan_to_num(self.cost_usd.median, nan=np.inf), requirements.cost_usd_per_1000_requests),
        )
        ratios = [values / limit for values, limit in pairs if limit is not None]
        return np.max(ratios, axis=0) if ratios else np.zeros(len(self.fits))

    @property
    def load(self) -> FloatArray:
        """Return the median share of full load in the busiest hour, shape (places,). [1]"""
        return np.median(np.broadcast_to(self.drawn.load, self.drawn.met.shape)[0], axis=-1)

    @property
    def order(self) -> NDArray[np.intp]:
        """Return the places as a reader wants them: those that meet what is asked as they rank, the rest by chance.

        Of the rest, those whose memory is too small and those that are ruled out come last.
        """
        cost = np.nan_to_num(self.rank_usd, nan=np.inf)
        rank = -np.where(self.meets, 1.0, self.probability)
        return np.lexsort((cost, ~self.fits, self.ruled_out, rank))


def answers_to(question: Question) -> Answers:
    """Return what comes out at every place for the first cell, in the question's year with its drawn growth."""
    placed = set_up(question)
    drawn = outcome(placed, question, growth=question.drawn_growth)
    chance = drawn.met.mean(axis=-1)[0]
    shape = drawn.load.shape

    def spans(values: FloatArray) -> Spans:
        low, median, high = (part[0] for part in interval(np.broadcast_to(values, shape), level=LEVEL))
        return Spans(low=low, median=median, high=high)

    fits = np.broadcast_to(drawn.fits, shape)[0].mean(axis=-1) >= 0.5
    cost_usd = spans(drawn.cost_usd_per_1000_requests)
    return Answers(
        question=question,
        placed=placed,
        drawn=drawn,
        first_s=spans(drawn.time_to_first_token_s),
        token_s=spans(drawn.time_per_output_token_s),
        cost_usd=cost_usd,
        energy_j=spans(drawn.energy_j_per_request),
        probability=chance,
        binding=tuple(str(word) for word in binding(placed, question)[0]),
        fits=fits,
        meets=chance >= question.sure,
        rank_usd=question.ranked(cost_usd.median),
    )
