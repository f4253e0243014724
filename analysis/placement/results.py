"""Results of any kind of work at every place: medians, chances, the cheapest place, and shortfalls."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.intervals import Estimate, product_bounds
from analysis.placement.question import Question

LEVEL = 0.9


@dataclass(frozen=True, kw_only=True)
class Spans:
    """Median and interval of one quantity at every place, each of shape (places,)."""

    low: FloatArray
    median: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, draws: FloatArray) -> "Spans":
        """Return the spans of draws, shape (places, draws). Some draws may be infinite."""
        ordered = np.sort(draws, axis=-1)
        last = ordered.shape[-1] - 1
        low, median, high = (ordered[:, round(at * last)] for at in ((1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2))
        return cls(low=low, median=median, high=high)

    def at(self, i: int) -> Estimate:
        """Return the median and the interval at place ``i``."""
        return Estimate(value=float(self.median[i]), low=float(self.low[i]), high=float(self.high[i]))

    def times(self, factor: float) -> "Spans":
        """Return the spans multiplied by a factor."""
        return Spans(low=self.low * factor, median=self.median * factor, high=self.high * factor)

    def widened(self, bounds: Sequence[tuple[float, float]]) -> "Spans":
        """Return the spans of the quantity times an independent factor with the given ``bounds`` at each place."""
        below, above = np.transpose(
            [
                product_bounds((low / median, high / median), by) if median > 0 else (1.0, 1.0)
                for low, median, high, by in zip(self.low, self.median, self.high, bounds, strict=True)
            ]
        )
        return Spans(low=self.median * below, median=self.median, high=self.median * above)

    @property
    def reciprocal(self) -> "Spans":
        """Return the spans of the inverse quantity, such as speeds for times."""
        return Spans(low=1 / self.high, median=1 / self.median, high=1 / self.low)


class Lack(StrEnum):
    """What a place may lack. The values never appear in a link or file."""

    RULE = "rule"
    MEMORY = "memory"
    FIRST_TOKEN = "first token"
    SPEED = "speed"
    COST = "cost"
    PRICE = "price"
    TIME = "time"
    CHANCE = "chance"


@dataclass(frozen=True, kw_only=True)
class Shortfall:
    """A limit that a place misses, with the value attained and the value required.

    Both are bytes of memory, seconds until the first token, tokens a second, dollars (NaN if unknown), hours of
    fine-tuning, or the chance to meet everything; NaN if a rule excludes the place. ``rule`` is that rule. ``times`` is
    the factor by which the limit is missed, at most 1 if it is met, NaN if the price is unknown.
    """

    lack: Lack
    reached: float = math.nan
    required: float = math.nan
    rule: str = ""
    times: float = math.inf

    @property
    def with_price(self) -> "Shortfall":
        """Return the shortfall, or an infinite one in price if the price is unknown."""
        if not math.isnan(self.times):
            return self
        return replace(self, lack=Lack.PRICE, reached=math.nan, times=math.inf)


@dataclass(frozen=True, kw_only=True)
class Missed:
    """The number of ``left`` places that miss one limit, and the place closest to meeting it."""

    count: int
    left: int
    nearest: int
    reached: float

    @classmethod
    def of(cls, missed: BoolArray, *, left: BoolArray, reached: FloatArray) -> "Missed":
        """Return how many places ``missed`` a target, and the closest place ``left``. Arrays have shape (places,)."""
        known = np.where(left & np.isfinite(reached), reached, np.inf)
        nearest = int(np.argmin(known))
        return cls(
            count=int(missed.sum()), left=int(left.sum()), nearest=nearest, reached=float(known[nearest])
        )


@dataclass(frozen=True, kw_only=True)
class PlaceResults:
    """Results at every place, shape (places,).

    ``question`` is the input. ``rank_usd`` is the median cost that places rank by, ``wait`` the median time until they
    are useful. ``too_small`` marks places with too little memory; ``usable_byte`` and ``need_byte`` are their available
    and needed memory, if known.
    """

    question: Question
    cost_usd: Spans
    probability: FloatArray
    binding: tuple[str, ...]
    rank_usd: FloatArray
    wait: FloatArray
    too_small: BoolArray
    need_byte: FloatArray
    usable_byte: FloatArray

    @cached_property
    def meets(self) -> BoolArray:
        """Return a mask of places that meet the requirements with the required probability."""
        return self.probability >= self.question.required_probability

    @cached_property
    def ruled_out(self) -> BoolArray:
        """Return a mask of places that a rule excludes."""
        return np.array(self.binding) == "rule"

    @property
    def possible(self) -> BoolArray:
        """Return a mask of places that have enough memory and are excluded by no rule."""
        return ~self.too_small & ~self.ruled_out

    @property
    def order(self) -> NDArray[np.intp]:
        """Return the places in display order. Those that meet the requirements come first."""
        cost = np.nan_to_num(self.rank_usd, nan=np.inf)
        return np.lexsort((cost, *self.last, -np.where(self.meets, 1.0, self.probability)))

    @property
    def last(self) -> tuple[BoolArray, ...]:
        """Return masks of the places to rank after others of equal chance. A later mask takes precedence."""
        return ()

    @property
    def nearest(self) -> int:
        """Return the place closest to meeting the requirements."""
        raise NotImplementedError

    @property
    def cheapest(self) -> int | None:
        """Return the cheapest place that meets the requirements. None if no place with a known cost does."""
        return self.cheapest_of(np.ones(len(self.meets), dtype=bool))

    def cheapest_of(self, keep: BoolArray) -> int | None:
        """Return the best-ranked place in ``keep`` that meets the requirements, or None."""
        cost = np.where(self.meets & keep & np.isfinite(self.rank_usd), self.rank_usd, np.inf)
        return int(np.argmin(cost)) if np.isfinite(cost).any() else None

    def cheapest_but(self, i: int) -> int | None:
        """Return the cheapest place other than ``i`` that meets the requirements, or None."""
        return self.cheapest_of(np.arange(len(self.meets)) != i)

    def nearest_of(self, keep: BoolArray) -> int:
        """Return the likeliest place in ``keep``. Ties go to one with enough memory, then to the shortest ``wait``."""
        at = np.flatnonzero(keep)
        return int(at[np.lexsort((self.wait[at], self.too_small[at], -self.probability[at]))[0]])

    def shortfall(self, i: int) -> Shortfall | None:
        """Return the limit that a place misses by the most. None if it meets the requirements."""
        if self.meets[i]:
            return None
        if self.ruled_out[i]:
            return Shortfall(lack=Lack.RULE, rule=self.question.requirements.rule)
        if self.too_small[i]:
            usable, need = float(self.usable_byte[i]), float(self.need_byte[i])
            return Shortfall(lack=Lack.MEMORY, reached=usable, required=need)
        chance = float(self.probability[i])
        likely = Shortfall(lack=Lack.CHANCE, reached=chance, required=self.question.required_probability)
        missed = [limit.with_price for limit in self.of_limits(i) if not limit.times <= 1.0]
        return max(missed, key=lambda miss: miss.times, default=likely)

    def of_limits(self, i: int) -> list[Shortfall]:
        """Return a place's median value for each limit, whether it is met or not."""
        raise NotImplementedError
