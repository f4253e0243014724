"""How likely a place meets its requirements: seeded draws of speed, carried through to every answer."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.held_out import Spread

FloatArray = NDArray[np.floating]


def speed_factors(spread: Spread, scales: FloatArray, *, draws: int, seed: int) -> FloatArray:
    """Return factors on the middle speed of each place, shape (places, draws), the same for the same seed. [1]

    ``scales`` are the places' scales of ``spread``, shape (places,). Each place has draws of its own; cells of a map
    share them, so that neighbours differ by what changes and not by luck.

    Raises
    ------
    ValueError
        Fewer than one draw.
    """
    if draws < 1:
        raise ValueError(f"draws is 1 or more; got {draws}. A thousand give probabilities to about 2 points.")
    uniform = np.random.default_rng(seed).random((len(scales), draws))
    return spread.draws(np.asarray(scales)[:, None], uniform)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A quantity that is not certain: median, interval at its level, each the shape of the places or cells."""

    median: FloatArray
    low: FloatArray
    high: FloatArray
    level: float


def answer(values: FloatArray, *, level: float = 0.9) -> Answer:
    """Return median and interval over the last axis, the draws."""
    if not 0 < level < 1:
        hint = f" For {level:g} % pass {level / 100:g}." if 1 < level < 100 else " Pass 0.9 for 90 %."
        raise ValueError(f"level is a probability strictly between 0 and 1; got {level:g}.{hint}")
    low, median, high = np.quantile(values, [(1 - level) / 2, 0.5, (1 + level) / 2], axis=-1)
    return Answer(median=median, low=low, high=high, level=level)


def probability_of_time(
    *, fixed_s: FloatArray, scaled_s: FloatArray, factors: FloatArray, limit_s: float | FloatArray
) -> FloatArray:
    """Return how likely ``fixed_s + scaled_s / factor`` stays within the limit, shape (cells, places). [1]

    ``fixed_s`` and ``scaled_s`` have shape (cells, places); ``factors`` (places, draws). A time stays within a limit
    exactly where the factor is at least ``scaled / (limit - fixed)``, so counting sorted draws answers every cell at
    once, without a time for each cell and draw.
    """
    room = np.asarray(limit_s, dtype=float) - fixed_s
    needed = np.divide(
        scaled_s, room, out=np.full(np.broadcast(scaled_s, room).shape, np.inf), where=room > 0
    )
    ordered = np.sort(factors, axis=1)
    chance = np.empty(needed.shape)
    for place in range(needed.shape[1]):
        below = np.searchsorted(ordered[place], needed[:, place], side="left")
        chance[:, place] = 1.0 - below / ordered.shape[1]
    return chance
