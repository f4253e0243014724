"""Which place is the cheapest that meets what is asked, at middle expectations and with its chance."""

import math
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.chance import probabilities
from analysis.placement.outcome import middle
from analysis.placement.question import Question
from analysis.placement.setup import set_up


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What each place answers at middle expectations, shapes (cells, places); unknown costs are infinite.

    ``rank_usd`` is the cost they rank by, unproven places last.
    """

    chance: FloatArray
    cost_usd: FloatArray
    rank_usd: FloatArray
    first_s: FloatArray
    token_s: FloatArray

    def cheapest(self, among: BoolArray, *, sure: float) -> int | None:
        """Return the cheapest place of the first cell that is likely enough to meet what is asked, or None."""
        meets = among & (self.chance[0] >= sure - 1e-9) & np.isfinite(self.rank_usd[0])
        return int(np.argmin(np.where(meets, self.rank_usd[0], np.inf))) if meets.any() else None


def standing(question: Question) -> Standing:
    """Return how the places stand, with the hardware of the middle expectation."""
    placed = set_up(question)
    central = middle(placed, question)
    cost = central.cost_usd_per_1000_requests[..., 0]
    cost = np.where(np.isnan(cost), np.inf, cost)
    return Standing(
        chance=probabilities(placed, question),
        cost_usd=cost,
        rank_usd=question.ranked(cost),
        first_s=central.time_to_first_token_s[..., 0],
        token_s=central.time_per_output_token_s[..., 0],
    )


def standing_at_shares(question: Question, shares: FloatArray) -> Standing:
    """Return how the places stand when they see these shares of the requests, shape (cells,)."""
    seen = replace(question.work, requests_per_day=question.work.requests_per_day * shares[:, None])
    return standing(replace(question, work=seen))


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The cheapest places that meet what is asked, of all, of one's own and of rented ones; None where none does.

    ``cost_usd`` is that of the winner and ``ratio`` the cost of one's own over the rented one, None where there is
    none above 0. ``nearest`` is the chance of the likeliest place on the side without one, ``best`` that of any.
    """

    winner: int | None
    own: int | None
    rented: int | None
    cost_usd: float | None
    ratio: float | None
    nearest: float
    best: float


def verdict(question: Question) -> Verdict:
    """Return the verdict at middle expectations."""
    places, sure = standing(question), question.sure
    own, rented = ~question.rented & question.allowed, question.rented & question.allowed
    at_own, at_rented = places.cheapest(own, sure=sure), places.cheapest(rented, sure=sure)
    ratio = None
    if at_own is not None and at_rented is not None:
        value = float(places.cost_usd[0, at_own]) / max(float(places.cost_usd[0, at_rented]), 1e-300)
        ratio = value if 0 < value < math.inf else None
    # The side without a place decides whose nearest is meant; a side ruled out altogether does not count.
    missing = own if at_own is None or not rented.any() else rented
    winner = places.cheapest(own | rented, sure=sure)
    cost = 0.0 if winner is None else float(places.cost_usd[0, winner])
    return Verdict(
        winner=winner,
        own=at_own,
        rented=at_rented,
        cost_usd=cost if 0 < cost < math.inf else None,
        ratio=ratio,
        nearest=float(np.max(places.chance[0][missing], initial=0.0)),
        best=float(np.max(places.chance[0], initial=0.0)),
    )
