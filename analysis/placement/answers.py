"""What comes out at each place, drawn once: medians, intervals, chances, what binds, and which place is cheapest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.binding import binding
from analysis.placement.outcome import Outcome, interval, outcome
from analysis.placement.question import Question
from analysis.placement.setup import PlacedWork, set_up
from analysis.placement.work import Requirements

LEVEL = 0.9


@dataclass(frozen=True, kw_only=True)
class Spans:
    """Median and interval of one quantity at every place, each of shape (places,)."""

    low: FloatArray
    median: FloatArray
    high: FloatArray


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What comes out at every place, arrays of shape (places,), with the draws they come from.

    ``meets`` marks the places that meet what is asked surely enough; ``rank_usd`` is the median cost they rank by,
    unproven places last.
    """

    requirements: Requirements
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

    @property
    def shortfall(self) -> FloatArray:
        """Return the largest ratio of what comes out to what is asked, shape (places,); unknown costs are infinite."""
        requirements = self.requirements
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
        requirements=question.requirements,
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
