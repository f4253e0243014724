"""Which place is the cheapest that meets what is asked surely enough, for many works at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.outcome import Luck, outcome
from analysis.placement.places import TODAY, Conditions, Growth, Places
from analysis.placement.setup import Fitted, Setup, set_up
from analysis.placement.work import Requirements, Work

CELLS_AT_ONCE = 400
PAIRS_AT_ONCE = 256


@dataclass(frozen=True, kw_only=True)
class Cheapest:
    """The winner of each cell, shape (cells,): ``place`` is -1 and the cost NaN where nothing meets what is asked."""

    place: NDArray[np.intp]
    cost_usd_per_1000_requests: FloatArray


def cheapest(
    work: Work,
    places: Places,
    *,
    fitted: Fitted,
    conditions: Conditions,
    requirements: Requirements,
    luck: Luck,
    sustained: FloatArray,
    sure: float,
    sustained_rule: bool | None = None,
    growth: Growth = TODAY,
) -> Cheapest:
    """Return for each cell the place of least middle cost that meets what is asked with probability ``sure`` or more.

    Numbers of ``work`` are scalars, of shape (places,), (cells, 1) or (cells, places). A place without a price
    never wins; of equal costs the first place does. ``growth`` is that of the middle expectation, as for ``set_up``.

    Raises
    ------
    ValueError
        ``sure`` is no probability above 0.
    """
    if not 0.0 < sure <= 1.0:
        raise ValueError(
            f"sure is a probability above 0 and up to 1; got {sure:g}. Divide a percentage by 100."
        )
    cells = max(np.shape(value)[0] if np.ndim(value) == 2 else 1 for value in vars(work).values())
    slowest, found = luck.slowest, []
    with np.errstate(over="ignore"):  # a queue that grows without end; its wait is infinite anyway
        for start in range(0, cells, CELLS_AT_ONCE):
            setup = set_up(
                _rows(work, start, start + CELLS_AT_ONCE),
                places,
                fitted=fitted,
                conditions=conditions,
                requirements=requirements,
                slowest=slowest,
                growth=growth,
            )
            found.append(
                _cheapest(setup, requirements, luck=luck, sustained=sustained, sure=sure, rule=sustained_rule)
            )
    place, cost = (np.concatenate(values) for values in zip(*found, strict=True))
    return Cheapest(place=place, cost_usd_per_1000_requests=cost)


def _rows(work: Work, start: int, stop: int) -> Work:
    def of(value: Any) -> Any:
        return value[start:stop] if isinstance(value, np.ndarray) and value.ndim == 2 else value

    return Work(**{name: of(value) for name, value in vars(work).items()})


def _cheapest(
    setup: Setup,
    requirements: Requirements,
    *,
    luck: Luck,
    sustained: FloatArray,
    sure: float,
    rule: bool | None,
) -> tuple[NDArray[np.intp], FloatArray]:
    shape = setup.batch.shape
    ones = np.ones((*shape, 1))
    typical = Luck(step=ones, prompt=ones, sustained=np.full(ones.shape, np.median(sustained)))
    cost = outcome(setup, requirements, luck=typical, sustained=rule).cost_usd_per_1000_requests[..., 0]
    cost = np.where(np.isfinite(cost), cost, np.inf)
    yes, perhaps = meets_surely(setup, requirements, luck=luck, sure=sure, sustained=rule)
    best = np.min(np.where(yes, cost, np.inf), axis=1, keepdims=True)
    # Only what is open and cheaper than the best certain place needs all its draws.
    at = np.nonzero(perhaps & (cost <= best) & np.isfinite(cost))
    of = np.broadcast_to(setup.place, shape)[at]
    open_pairs, met = setup.pick(at), np.zeros(len(of), dtype=bool)
    for start in range(0, len(of), PAIRS_AT_ONCE):
        pairs = np.arange(start, min(start + PAIRS_AT_ONCE, len(of)))
        drawn = outcome(open_pairs.pick((pairs,)), requirements, luck=luck.of(of[pairs]), sustained=rule)
        met[pairs] = drawn.met.mean(axis=1) >= sure
    yes = yes.copy()
    yes[at] = met
    cost = np.where(yes, cost, np.inf)
    least = np.argmin(cost, axis=1)
    value = cost[np.arange(shape[0]), least]
    won = np.isfinite(value)
    return np.where(won, least, -1), np.where(won, value, np.nan)


def meets_surely(
    setup: Setup, requirements: Requirements, *, luck: Luck, sure: float, sustained: bool | None = None
) -> tuple[BoolArray, BoolArray]:
    """Return which cells and places certainly meet what is asked with probability ``sure``, and which may.

    Slower never helps. So what is met with every factor at the value that all but ``1 - sure`` of its draws exceed,
    divided among the factors, is met surely enough; and what is missed with one factor at the value that ``sure`` of
    its draws reach, the others at their best, is not. Where one factor drives all, as on accelerators, the two agree
    and nothing stays open.
    """
    place = np.broadcast_to(setup.place, setup.batch.shape)
    flat, of = setup.pick(np.ones(setup.batch.shape, dtype=bool)), place.ravel()
    names = ("step", "prompt", "sustained")
    draws = luck.step.shape[1]
    ordered = {name: np.sort(getattr(luck, name), axis=1) for name in names}
    together = np.all(luck.step == luck.prompt, axis=1)
    spare = draws - int(np.ceil(sure * draws - 1e-9))  # draws that may miss
    constant = {name: ordered[name][:, 0] == ordered[name][:, -1] for name in names}
    factors = np.sum([~constant[name] for name in names], axis=0) - (together & ~constant["step"])
    share = spare // np.maximum(factors, 1)

    def at(ranks: Callable[[str], NDArray[np.integer]]) -> BoolArray:
        rows = np.arange(len(share))
        bound = {name: ordered[name][rows, ranks(name)][of][:, None] for name in names}
        return outcome(flat, requirements, luck=Luck(**bound), sustained=sustained).met[:, 0]

    yes, may = at(lambda _: share), np.ones(of.shape, dtype=bool)
    for name in names:
        coupled = together if name in ("step", "prompt") else np.zeros(len(share), dtype=bool)

        def ranks(other: str, name: str = name, coupled: BoolArray = coupled) -> NDArray[np.integer]:
            tied = coupled & (other in ("step", "prompt"))
            return np.where(tied | (other == name), spare, draws - 1)

        if not constant[name].all():
            may &= at(ranks)
    shape = setup.batch.shape
    return yes.reshape(shape), (may & ~yes).reshape(shape)
