"""Which place is the cheapest that meets what is asked surely enough, for many works at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray, Rows
from analysis.placement.outcome import middle
from analysis.placement.question import Question
from analysis.placement.setup import PlacedWork, set_up
from analysis.placement.verdict import chances, meets_surely
from analysis.placement.work import Work, busier, resized, with_contexts_of

Record = TypeVar("Record", bound=Rows)

CELLS_AT_ONCE = 400


@dataclass(frozen=True, kw_only=True)
class Cheapest:
    """The winner of each cell, shape (cells,): ``place`` is -1 and the cost NaN where nothing meets what is asked."""

    place: NDArray[np.intp]
    cost_usd_per_1000_requests: FloatArray


def log_cells(ends: tuple[float, float], count: int) -> tuple[FloatArray, FloatArray]:
    """Return the edges and the middles of so many cells between two ends, evenly on a log scale."""
    edges = np.geomspace(*ends, count + 1)
    edges[0], edges[-1] = ends
    return edges, np.sqrt(edges[1:] * edges[:-1])


def work_grid(
    work: Work,
    *,
    times: FloatArray,
    loads: FloatArray | None = None,
    contexts: Sequence[Work] = (),
) -> Work:
    """Return a work on a grid of cells, the lowest row first, shape (cells, 1): on models ``times`` as large across.

    Going up, it has other ``loads``, or the ``contexts`` of other works of the same model.
    """
    rows = len(contexts) if loads is None else len(loads)
    works = resized(work, np.tile(times, rows)[:, None])
    if loads is not None:
        return busier(works, np.repeat(loads, len(times))[:, None])
    return with_contexts_of(works, [other for other in contexts for _ in times], usual=work)


def cheapest(question: Question) -> Cheapest:
    """Return for each cell the place of least middle cost that meets what is asked surely enough.

    A place without a price never wins, and an unproven one only where no other does; of equal costs the first place
    does. Hardware is that of the middle expectation; its growth is not drawn.
    """
    cells = _cells(question.work)
    winners = []
    with np.errstate(over="ignore"):  # a queue that grows without end; its wait is infinite anyway
        for start in range(0, cells, CELLS_AT_ONCE):
            some = replace(question, work=_rows(question.work, start=start, stop=start + CELLS_AT_ONCE))
            winners.append(_cheapest(set_up(some), some))
    place, cost = (np.concatenate(values) for values in zip(*winners, strict=True))
    return Cheapest(place=place, cost_usd_per_1000_requests=cost)


def _cells(record: Rows) -> int:
    """Return how many cells a record has: the first axis of its arrays of two dimensions."""
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
    # Only what is open and cheaper than the best certain place needs all its draws.
    at = np.nonzero(perhaps & (rank <= best) & np.isfinite(rank))
    of = np.broadcast_to(placed.place, shape)[at]
    yes = yes.copy()
    yes[at] = chances(placed.pick(at), question, place=of) >= question.required_probability
    cost = np.where(yes, cost, np.inf)
    least = np.argmin(np.where(yes, rank, np.inf), axis=1)
    value = cost[np.arange(shape[0]), least]
    won = np.isfinite(value)
    return np.where(won, least, -1), np.where(won, value, np.nan)
