"""Results of a placement question at every place, from one set of draws."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.outcome import Outcome, middle, outcome
from analysis.placement.question import Question
from analysis.placement.results import Lack, Missed, PlaceResults, Shortfall, Spans
from analysis.placement.setup import PlacedWork, set_up
from analysis.placement.work import COST, FIRST_TOKEN, SPEED

BINDINGS = ("capacity", "bandwidth", "compute", "overhead", "links", "network", "load", "price", "rule")
"""What can limit a place: memory, the parts of its time, the network, a queue, the price, or a rule."""


def binding(placed: PlacedWork, question: Question) -> NDArray[np.object_]:
    """Return which of ``BINDINGS`` limits each cell and place at the median, in the shape of ``placed``.

    An excluding rule comes first, then memory, then an unbounded queue, then the requirement with the least slack. For
    time to first token and for speed, the longest part of the time binds; for the budget, the price. Without any
    requirement, the longest part of a step binds.
    """
    central, shape = middle(placed, question), placed.shape
    word = _longest_of_step(placed)
    over = question.requirements.excess(central.limited)
    if SPEED in over:
        # If even one request at a time is too slow, waiting is only a consequence.
        slow = over[SPEED][..., 0]
        over[SPEED] = np.where((slow > 1) & (placed.batch <= 1), np.inf, slow)[..., None]
    by_requirement = {
        FIRST_TOKEN: _longest_of_first_token(placed, central),
        SPEED: word,
        COST: np.full(shape, "price", dtype=object),
    }
    rooms = [np.full(shape, -np.inf), *(room[..., 0] for room in over.values())]
    words = [word, *(by_requirement[name] for name in over)]
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


@dataclass(frozen=True, kw_only=True)
class Answers(PlaceResults):
    """Results at every place, shape (places,), and the draws behind them.

    Unproven places rank last.
    """

    placed: PlacedWork
    drawn: Outcome
    first_s: Spans
    token_s: Spans
    energy_j: Spans

    @property
    def last(self) -> tuple[BoolArray, ...]:
        """Return masks of the places to rank last: those with too little memory, then those ruled out."""
        return (self.too_small, self.ruled_out)

    @property
    def nearest(self) -> int:
        """Return the place most likely to meet the requirements. Ties go to the place that misses by least."""
        over = np.where(self.too_small, self.need_byte / self.usable_byte, self.excess)
        return int(np.lexsort((self.wait, over, self.too_small, self.ruled_out, -self.probability))[0])

    def as_cheap(self, i: int, *, within: float) -> list[int]:
        """Return other suitable places that cost about as much as place ``i``: only proven ones if ``i`` is proven."""
        cost, proven = self.cost_usd.median, self.question.proven
        near = self.meets & (cost <= within * cost[i]) & (cost >= cost[i] / within)
        return [int(k) for k in np.flatnonzero(near) if k != i and (proven[k] or not proven[i])]

    def cheaper_unproven(self, i: int) -> int | None:
        """Return the cheapest unproven place that meets the requirements for less than place ``i``, or None."""
        cost = np.where(self.meets & ~self.question.proven, self.cost_usd.median, np.inf)
        k = int(np.argmin(cost))
        return k if cost[k] < self.cost_usd.median[i] else None

    def cheaper_but_unlikely(self, i: int) -> int | None:
        """Return the likeliest place that is cheaper than place ``i`` but too uncertain to count, or None."""
        cost = self.cost_usd.median
        less = np.flatnonzero(self.possible & ~self.meets & (cost < cost[i]))
        return int(less[np.argmax(self.probability[less])]) if len(less) else None

    @property
    def unpriced(self) -> list[int]:
        """Return the places with unknown cost."""
        return [int(k) for k in np.flatnonzero(np.isnan(self.cost_usd.median))]

    @property
    def limited(self) -> dict[str, Spans]:
        """Return the quantity that each requirement limits, keyed by requirement; for speed, the time per token."""
        return {FIRST_TOKEN: self.first_s, SPEED: self.token_s, COST: self.cost_usd}

    @property
    def _over(self) -> dict[str, FloatArray]:
        """Return the ratio of each median to its limit, keyed by requirement. NaN for an unknown cost."""
        return self.question.requirements.excess({name: spans.median for name, spans in self.limited.items()})

    @property
    def excess(self) -> FloatArray:
        """Return the largest ratio of a result to its limit, shape (places,). Unknown costs are infinite."""
        ratios = [np.nan_to_num(ratio, nan=np.inf) for ratio in self._over.values()]
        return np.max(ratios, axis=0) if ratios else np.zeros(len(self.meets))

    @property
    def load(self) -> FloatArray:
        """Return the median load in the busiest hour, as a share of full load, shape (places,). [1]"""
        return np.median(np.broadcast_to(self.drawn.load, self.drawn.met.shape)[0], axis=-1)

    def of_limits(self, i: int) -> list[Shortfall]:
        """Return a place's median value for each limit."""
        reached = {
            FIRST_TOKEN: (Lack.FIRST_TOKEN, float(self.first_s.median[i])),
            SPEED: (Lack.SPEED, 1 / float(self.token_s.median[i])),
            COST: (Lack.COST, float(self.cost_usd.median[i])),
        }
        required, over = vars(self.question.requirements), self._over
        return [
            Shortfall(lack=lack, reached=value, required=required[name], times=float(over[name][i]))
            for name, (lack, value) in reached.items()
            if name in over
        ]


def missed_alone(answers: Answers, requirement: str) -> Missed:
    """Return how many possible places miss a requirement if it is the only one, and the place closest to meeting it."""
    left = answers.possible
    others = {name: None for name in (FIRST_TOKEN, SPEED, COST) if name != requirement}
    alone = answers_to(answers.question.requiring(**others))
    return Missed.of(left & ~alone.meets, left=left, reached=alone.limited[requirement].median)


def answers_to(question: Question) -> Answers:
    """Return the results at every place for the first cell, in the question's year."""
    placed = set_up(question)
    drawn = outcome(placed, question, growth=question.drawn_growth)
    shape = drawn.load.shape

    def spans(values: FloatArray) -> Spans:
        return Spans.of(np.broadcast_to(values, shape)[0])

    cost_usd, first_s = spans(drawn.cost_usd_per_1000_requests), spans(drawn.time_to_first_token_s)
    return Answers(
        question=question,
        placed=placed,
        drawn=drawn,
        first_s=first_s,
        token_s=spans(drawn.time_per_output_token_s),
        cost_usd=cost_usd,
        energy_j=spans(drawn.energy_j_per_request),
        probability=drawn.met.mean(axis=-1)[0],
        binding=tuple(str(word) for word in binding(placed, question)[0]),
        wait=first_s.median,
        too_small=np.broadcast_to(drawn.fits, shape)[0].mean(axis=-1) < 0.5,
        need_byte=placed.need_byte[0],
        usable_byte=placed.usable_byte[0],
        rank_usd=question.ranked(cost_usd.median),
    )
