"""What comes out at each place, drawn once and told in many ways: medians, intervals, chances and what binds."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.placement.outcome import Outcome, binding, interval, middle, outcome
from analysis.placement.places import RENTED, TODAY, Growth
from analysis.placement.setup import Setup, set_up
from analysis.placement.work import Requirements
from views.placement.inputs import Inputs

LEVEL = 0.9


@dataclass(frozen=True, kw_only=True)
class Spans:
    """Median and interval of one quantity at every place, each of shape (places,)."""

    low: FloatArray
    median: FloatArray
    high: FloatArray


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What comes out at every place, arrays of shape (places,), with the draws they come from."""

    asked: Requirements
    setup: Setup
    drawn: Outcome
    first_s: Spans
    token_s: Spans
    cost_usd: Spans
    energy_j: Spans
    probability: FloatArray
    binding: tuple[str, ...]
    fits: NDArray[np.bool_]
    meets: NDArray[np.bool_]

    @property
    def cheapest(self) -> int | None:
        """Return the cheapest place that meets what is asked, None where no place with a known cost does."""
        cost = np.where(self.meets & np.isfinite(self.cost_usd.median), self.cost_usd.median, np.inf)
        return int(np.argmin(cost)) if np.isfinite(cost).any() else None

    def cheapest_of(self, keep: NDArray[np.bool_]) -> int | None:
        """Return the cheapest of the places that ``keep`` marks and that meet what is asked."""
        cost = np.where(self.meets & keep & np.isfinite(self.cost_usd.median), self.cost_usd.median, np.inf)
        return int(np.argmin(cost)) if np.isfinite(cost).any() else None

    @property
    def nearest(self) -> int:
        """Return the place most likely to meet what is asked; of equals the one that misses by the least."""
        ruled = np.array([word == "rule" for word in self.binding])
        over = np.where(self.fits, self.shortfall, self.setup.need_byte[0] / self.setup.usable_byte[0])
        return int(np.lexsort((self.first_s.median, over, ~self.fits, ruled, -self.probability))[0])

    @property
    def shortfall(self) -> FloatArray:
        """Return the largest ratio of what comes out to what is asked, shape (places,); unknown costs are infinite."""
        asked = self.asked
        pairs = (
            (self.first_s.median, asked.time_to_first_token_s),
            (
                self.token_s.median,
                None if asked.output_tokens_per_s is None else 1 / asked.output_tokens_per_s,
            ),
            (np.nan_to_num(self.cost_usd.median, nan=np.inf), asked.cost_usd_per_1000_requests),
        )
        ratios = [values / limit for values, limit in pairs if limit is not None]
        return np.max(ratios, axis=0) if ratios else np.zeros(len(self.fits))


Ask = Callable[[Inputs], Answers]
"""Answers the same question of changed inputs, in the same year."""


def answers(
    found: Inputs,
    *,
    sure: float,
    requirements: Requirements | None = None,
    growth: Growth = TODAY,
    drawn_growth: Growth | None = None,
) -> Answers:
    """Return what comes out at every place; ``sure`` is how likely a place must meet what is asked to count."""
    asked = requirements or found.requirements
    setup = set_up(
        found.work,
        found.places,
        fitted=found.fitted,
        conditions=found.conditions,
        requirements=asked,
        slowest=found.luck.slowest,
        growth=growth,
    )
    drawn = outcome(setup, asked, luck=found.luck, growth=drawn_growth, sustained=found.sustained_rule)
    central = middle(setup, asked, sustained=found.sustained, sustained_rule=found.sustained_rule)
    chance = drawn.met.mean(axis=-1)[0]
    shape = drawn.load.shape

    def spans(values: FloatArray) -> Spans:
        low, median, high = (part[0] for part in interval(np.broadcast_to(values, shape), level=LEVEL))
        return Spans(low=low, median=median, high=high)

    fits = np.broadcast_to(drawn.fits, shape)[0].mean(axis=-1) >= 0.5
    return Answers(
        asked=asked,
        setup=setup,
        drawn=drawn,
        first_s=spans(drawn.time_to_first_token_s),
        token_s=spans(drawn.time_per_output_token_s),
        cost_usd=spans(drawn.cost_usd_per_1000_requests),
        energy_j=spans(drawn.energy_j_per_request),
        probability=chance,
        binding=tuple(str(word) for word in binding(setup, central, asked)[0]),
        fits=fits,
        meets=chance >= sure,
    )


def rented(found: Inputs) -> NDArray[np.bool_]:
    """Return which places are rented, shape (places,)."""
    return found.places.is_kind(RENTED)
