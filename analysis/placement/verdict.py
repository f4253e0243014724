"""The cheapest place that meets the requirements at the median, and its probability of meeting them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray, Rows
from analysis.placement.outcome import middle, outcome
from analysis.placement.question import Question
from analysis.placement.setup import PlacedWork, set_up
from analysis.placement.speed_draws import SpeedDraws
from analysis.placement.work import Work, busier, resized, with_contexts_of

PAIRS_AT_ONCE = 256


def met_at(placed: PlacedWork, question: Question, *, rank: int) -> BoolArray:
    """Return a mask of the cells and places that meet the requirements with every factor's ``rank``-th slowest draw.

    Lower speed never helps: what is met at rank 0 is met in every draw, and what is missed at rank -1 in none.
    """
    of = np.broadcast_to(placed.place, placed.shape).ravel()
    drawn = vars(question.speed_draws).items()
    bound = {name: np.sort(draws, axis=1)[of, rank][:, None] for name, draws in drawn}
    met = outcome(placed.in_a_row(), question, speed_draws=SpeedDraws(**bound)).met
    return met[:, 0].reshape(placed.shape)


def chances(pairs: PlacedWork, question: Question, *, place: NDArray[np.intp]) -> FloatArray:
    """Return the probability that each pair of work and ``place`` meets the requirements, shape (pairs,). [1]"""
    chance = np.zeros(len(place))
    for start in range(0, len(place), PAIRS_AT_ONCE):
        some = np.arange(start, min(start + PAIRS_AT_ONCE, len(place)))
        drawn = outcome(pairs.pick((some,)), question, speed_draws=question.speed_draws.of(place[some]))
        chance[some] = drawn.met.mean(axis=1)
    return chance


def probabilities(placed: PlacedWork, question: Question) -> FloatArray:
    """Return the probability of meeting the requirements, in the shape of ``placed``. [1]

    Only pairs that are neither certain nor impossible are evaluated for all draws.
    """
    sure = met_at(placed, question, rank=0)
    between = np.flatnonzero(met_at(placed, question, rank=-1) & ~sure)
    chance, open_pairs = np.where(sure, 1.0, 0.0).ravel(), placed.in_a_row().pick((between,))
    of = np.broadcast_to(placed.place, placed.shape).ravel()
    chance[between] = chances(open_pairs, question, place=of[between])
    return chance.reshape(placed.shape)


def meets_surely(placed: PlacedWork, question: Question) -> tuple[BoolArray, BoolArray]:
    """Return masks of cells and places that surely reach the required probability, and of others that may.

    With each of the three factors at the quantile of a third of the failure probability, failures stay within it.
    """
    draws = question.speed_draws.step.shape[1]
    may_miss = draws - int(np.ceil(question.required_probability * draws - 1e-9))
    yes = met_at(placed, question, rank=may_miss // 3)
    return yes, met_at(placed, question, rank=-1) & ~yes


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Median results of each place, shape (cells, places). Unknown costs are infinite.

    ``rank_usd`` is the cost used for ranking, with unproven places last.
    """

    question: Question
    chance: FloatArray
    cost_usd: FloatArray
    rank_usd: FloatArray
    first_s: FloatArray
    token_s: FloatArray

    def cheapest(self, *, rented: bool | None = None) -> int | None:
        """Return the cheapest allowed place that is likely enough to meet the requirements, or None.

        ``rented`` restricts the search to rented places or to owned ones.
        """
        among = self.question.allowed & (True if rented is None else self.question.rented == rented)
        likely = self.chance[0] >= self.question.required_probability - 1e-9
        meets = among & likely & np.isfinite(self.rank_usd[0])
        return int(np.argmin(np.where(meets, self.rank_usd[0], np.inf))) if meets.any() else None


def standing(question: Question, *, shares: FloatArray | None = None) -> Standing:
    """Return the results of all places on median hardware.

    With ``shares``, shape (cells,), there is a cell for each share of the requests.
    """
    if shares is not None:
        seen = question.work.requests_per_day * shares[:, None]
        question = replace(question, work=replace(question.work, requests_per_day=seen))
    placed = set_up(question)
    central = middle(placed, question)
    cost = central.cost_usd_per_1000_requests[..., 0]
    cost = np.where(np.isnan(cost), np.inf, cost)
    return Standing(
        question=question,
        chance=probabilities(placed, question),
        cost_usd=cost,
        rank_usd=question.ranked(cost),
        first_s=central.time_to_first_token_s[..., 0],
        token_s=central.time_per_output_token_s[..., 0],
    )


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The cheapest places that meet the requirements: overall, owned and rented. None if no place does.

    ``cost_usd`` is that of the winner and ``ratio`` the owned cost over the rented one, None if either is missing or 0.
    ``nearest`` is the chance of the likeliest place on the side without one, ``best`` that of any place.
    """

    winner: int | None
    own: int | None
    rented: int | None
    cost_usd: float | None
    ratio: float | None
    nearest: float
    best: float


def _above_0(value: float) -> float | None:
    return value if 0 < value < math.inf else None


def verdict(question: Question) -> Verdict:
    """Return the cheapest places at the median."""
    places = standing(question)
    winner, own, rented = places.cheapest(), places.cheapest(rented=False), places.cheapest(rented=True)
    cost, ratio = places.cost_usd[0], None
    if own is not None and rented is not None:
        ratio = _above_0(float(cost[own]) / max(float(cost[rented]), 1e-300))
    # ``nearest`` belongs to the side without a place; a side ruled out altogether does not count.
    clouds = question.rented & question.allowed
    missing = ~question.rented & question.allowed if own is None or not clouds.any() else clouds
    return Verdict(
        winner=winner,
        own=own,
        rented=rented,
        cost_usd=None if winner is None else _above_0(float(cost[winner])),
        ratio=ratio,
        nearest=float(np.max(places.chance[0][missing], initial=0.0)),
        best=float(np.max(places.chance[0], initial=0.0)),
    )


Record = TypeVar("Record", bound=Rows)

CELLS_AT_ONCE = 400


@dataclass(frozen=True, kw_only=True)
class Cheapest:
    """The cheapest place of each cell and its cost, shape (cells,); -1 and NaN if none meets the requirements."""

    place: NDArray[np.intp]
    cost_usd_per_1000_requests: FloatArray


def log_cells(ends: tuple[float, float], count: int) -> tuple[FloatArray, FloatArray]:
    """Return the edges and centres of ``count`` cells between two bounds, evenly spaced on a log scale."""
    edges = np.geomspace(*ends, count + 1)
    edges[0], edges[-1] = ends
    return edges, np.sqrt(edges[1:] * edges[:-1])


def work_grid(
    work: Work, *, times: FloatArray, loads: FloatArray | None = None, contexts: Sequence[Work] = ()
) -> Work:
    """Return the work on a grid of cells, shape (cells, 1), bottom row first. Model sizes vary along a row.

    The vertical axis varies ``loads``, or the ``contexts`` of other works of the same model.
    """
    rows = len(contexts) if loads is None else len(loads)
    works = resized(work, np.tile(times, rows)[:, None])
    if loads is not None:
        return busier(works, np.repeat(loads, len(times))[:, None])
    return with_contexts_of(works, [other for other in contexts for _ in times], usual=work)


def cheapest(question: Question) -> Cheapest:
    """Return, for each cell, the place of lowest median cost among those likely enough to meet the requirements.

    A place without a price never wins, and an unproven one wins only if no other does; ties go to the first place.
    Hardware is that of the median trend, without draws of its growth.
    """
    cells = _cells(question.work)
    winners = []
    with np.errstate(over="ignore"):  # an unbounded queue overflows; its wait is infinite anyway
        for start in range(0, cells, CELLS_AT_ONCE):
            some = replace(question, work=_rows(question.work, start=start, stop=start + CELLS_AT_ONCE))
            winners.append(_cheapest(set_up(some), some))
    place, cost = (np.concatenate(values) for values in zip(*winners, strict=True))
    return Cheapest(place=place, cost_usd_per_1000_requests=cost)


def _cells(record: Rows) -> int:
    """Return the number of cells in a record, the length of the first axis of its two-dimensional arrays."""
    sizes = (_cells(value) if isinstance(value, Rows) else _first(value) for value in vars(record).values())
    return max(sizes)


def _first(value: Any) -> int:
    return np.shape(value)[0] if np.ndim(value) == 2 else 1


def _rows(work: Record, *, start: int, stop: int) -> Record:
    def of(value: Any) -> Any:
        if isinstance(value, Rows):
            return _rows(value, start=start, stop=stop)
        return value[start:stop] if isinstance(value, np.ndarray) and value.ndim == 2 else value

    return type(work)(**{name: of(value) for name, value in vars(work).items()})


def _cheapest(placed: PlacedWork, question: Question) -> tuple[NDArray[np.intp], FloatArray]:
    shape = placed.shape
    cost = middle(placed, question).cost_usd_per_1000_requests[..., 0]
    cost = np.where(np.isfinite(cost), cost, np.inf)
    rank = question.ranked(cost)
    yes, perhaps = meets_surely(placed, question)
    best = np.min(np.where(yes, rank, np.inf), axis=1, keepdims=True)
    # Only undecided cells cheaper than the best certain place need all their draws.
    at = np.nonzero(perhaps & (rank <= best) & np.isfinite(rank))
    of = np.broadcast_to(placed.place, shape)[at]
    yes = yes.copy()
    yes[at] = chances(placed.pick(at), question, place=of) >= question.required_probability
    cost = np.where(yes, cost, np.inf)
    least = np.argmin(np.where(yes, rank, np.inf), axis=1)
    value = cost[np.arange(shape[0]), least]
    won = np.isfinite(value)
    return np.where(won, least, -1), np.where(won, value, np.nan)
