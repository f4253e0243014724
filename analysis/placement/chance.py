"""How likely a placed work meets all that is asked, without counting every draw where a few decide."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.luck import Luck
from analysis.placement.outcome import outcome
from analysis.placement.question import Question
from analysis.placement.setup import PlacedWork

PAIRS_AT_ONCE = 512


def probabilities(placed: PlacedWork, question: Question) -> FloatArray:
    """Return how likely each cell and place meets what is asked, the shape of the placed work. [1]

    Slower never helps, so a pair that is met at its slowest draws is sure, and one that is not met at its fastest is
    impossible: only the pairs between need all their draws.
    """
    luck, flat = question.luck, placed.in_a_row()
    of = np.broadcast_to(placed.place, placed.shape).ravel()

    def at(edge: Callable[[FloatArray], FloatArray]) -> BoolArray:
        bound = Luck(
            step=edge(luck.step)[of], prompt=edge(luck.prompt)[of], sustained=edge(luck.sustained)[of]
        )
        return outcome(flat, question, luck=bound).met[:, 0]

    sure = at(lambda draws: draws.min(axis=1, keepdims=True))
    possible = at(lambda draws: draws.max(axis=1, keepdims=True))
    chance = np.where(sure, 1.0, 0.0)
    between = np.flatnonzero(possible & ~sure)
    for start in range(0, len(between), PAIRS_AT_ONCE):
        pairs = between[start : start + PAIRS_AT_ONCE]
        chance[pairs] = outcome(flat.pick((pairs,)), question, luck=luck.of(of[pairs])).met.mean(axis=1)
    return chance.reshape(placed.shape)


def meets_surely(placed: PlacedWork, question: Question) -> tuple[BoolArray, BoolArray]:
    """Return which cells and places certainly meet what is asked surely enough, and which others may.

    Slower never helps. So what is met with every factor at the value that all but ``1 - sure`` of its draws exceed,
    divided among the factors, is met surely enough; and what is missed with one factor at the value that ``sure`` of
    its draws reach, the others at their best, is not. Where one factor drives all, as on accelerators, the two agree
    and nothing stays open.
    """
    luck, flat = question.luck, placed.in_a_row()
    of = np.broadcast_to(placed.place, placed.shape).ravel()
    names = ("step", "prompt", "sustained")
    draws = luck.step.shape[1]
    ordered = {name: np.sort(getattr(luck, name), axis=1) for name in names}
    together = np.all(luck.step == luck.prompt, axis=1)
    spare = draws - int(np.ceil(question.sure * draws - 1e-9))  # draws that may miss
    constant = {name: ordered[name][:, 0] == ordered[name][:, -1] for name in names}
    factors = np.sum([~constant[name] for name in names], axis=0) - (together & ~constant["step"])
    share = spare // np.maximum(factors, 1)

    def at(ranks: Callable[[str], NDArray[np.integer]]) -> BoolArray:
        rows = np.arange(len(share))
        bound = {name: ordered[name][rows, ranks(name)][of][:, None] for name in names}
        return outcome(flat, question, luck=Luck(**bound)).met[:, 0]

    yes, may = at(lambda _: share), np.ones(of.shape, dtype=bool)
    for name in names:
        coupled = together if name in ("step", "prompt") else np.zeros(len(share), dtype=bool)

        def ranks(other: str, name: str = name, *, coupled: BoolArray = coupled) -> NDArray[np.integer]:
            tied = coupled & (other in ("step", "prompt"))
            return np.where(tied | (other == name), spare, draws - 1)

        if not constant[name].all():
            may &= at(ranks)
    return yes.reshape(placed.shape), (may & ~yes).reshape(placed.shape)
