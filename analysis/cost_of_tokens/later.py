"""Cost of a million tokens on later accelerators, from component trends and rent scenarios."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri

from analysis.arrays import FloatArray, IntArray
from analysis.cost_of_tokens.candidates import GROWING, Candidates
from analysis.cost_of_tokens.frontier import Frontier
from analysis.cost_of_tokens.sweep import Terms, swept, usd_at_speed
from analysis.intervals import DrawnRate, check_level
from analysis.rent_rates import RentRate
from analysis.rents import Listed
from analysis.serving.times import Factors

SWEPT, EACH = 128, 16
"""Number of draws of errors and component trends, and number of rent draws for each of them. [1]"""


@dataclass(frozen=True, kw_only=True)
class LaterCost:
    """Price of a million output tokens at one speed in each year, shape (years,), with draws. [USD]

    The price is inf if the speed is out of reach.
    """

    year: FloatArray
    middle: FloatArray
    draws: FloatArray

    def interval(
        self, level: float, *, stretch: tuple[float, float] = (1.0, 1.0)
    ) -> tuple[FloatArray, FloatArray]:
        """Return the draws' central interval at a level such as 0.9. Each bound has shape (years,).

        The log distances of the bounds from the median are multiplied by ``stretch``, below and above.
        """
        check_level(level)
        ends = np.quantile(self.draws, [(1 - level) / 2, (1 + level) / 2], axis=0, method="nearest")
        with np.errstate(invalid="ignore"):
            stretched = self.middle * (ends / self.middle) ** np.array(stretch)[:, None]
        low, high = np.where(np.isfinite(self.middle), stretched, ends)
        return low, high

    def stretch(self, level: float, *, at: int, low: float, high: float) -> tuple[float, float]:
        """Return the ``stretch`` that gives :meth:`interval` these bounds in year ``at``, or 1 where none does."""
        own = np.array([end[at] for end in self.interval(level)])
        with np.errstate(divide="ignore", invalid="ignore"):
            power = np.log(np.array([low, high]) / self.middle[at]) / np.log(own / self.middle[at])
        below, above = np.where(np.isfinite(power) & (power > 0), power, 1.0).tolist()
        return below, above

    def chance(self, usd: float) -> FloatArray:
        """Return the probability that the price has been at most ``usd`` by each year, shape (years,)."""
        possible = np.isfinite(self.draws) & (self.draws <= usd)
        return np.logical_or.accumulate(possible, axis=1).mean(axis=0)

    def first_year(self, usd: float, *, required_probability: float) -> float:
        """Return the first year in which :meth:`chance` is at least ``required_probability``, else infinity."""
        enough = np.flatnonzero(self.chance(usd) >= required_probability - 1e-9)
        return float(self.year[enough[0]]) if len(enough) else float("inf")


@dataclass(frozen=True, kw_only=True)
class Successors:
    """Lowest price at a speed on an accelerator and its successors released by each year, at today's rents.

    Shape (1 + draws, years), the median first; ``picked`` are the indices of the sampled rents. [USD]
    """

    year: FloatArray
    usd: FloatArray
    picked: IntArray

    def cost(self, rate: RentRate) -> LaterCost:
        """Return the price in each year if list prices change at ``rate`` for as long as that rate lasts."""
        yearly = np.concatenate([[rate.value], rate.draws[self.picked]])[:, None]
        usd = self.usd * yearly ** np.minimum(self.year - self.year[0], rate.lasts)
        return LaterCost(year=self.year, middle=usd[0], draws=usd[1:])

    def anchored(self, usd: float, *, at: int, rate: RentRate) -> "Successors":
        """Return the prices, scaled so that the price in year ``at`` is ``usd``. Unchanged if that year has no price.

        The swept plans use the correction of one deployment; on the frontier each deployment has its own.
        """
        own = float(self.cost(rate).middle[at])
        known = np.isfinite(usd) and np.isfinite(own)
        return replace(self, usd=self.usd * usd / own) if known else self


def successors(
    tried: Candidates,
    frontier: Frontier,
    *,
    factors: Factors,
    trend: Mapping[str, DrawnRate],
    newer: DrawnRate,
    listed: Listed,
    years: FloatArray,
    terms: Terms,
) -> Successors:
    """Return the lowest price at a speed on an accelerator and its successors, for each year.

    ``tried`` are its plans today; ``years`` begin with today. A successor one year newer rents for ``newer`` times as
    much on the same list; in the draws its rent is sampled from those ``listed`` today. Model, software and domain stay
    the same; corrections and their error are those at the speed today.
    """
    ahead = np.asarray(years, dtype=float) - years[0]
    at = frontier.place_of(terms.speed)
    errors, *parts = _spread_evenly(SWEPT, columns=1 + len(GROWING))
    providers, picks = _spread_evenly(SWEPT * EACH, columns=2)
    off = np.concatenate([[0.0], ndtri(errors)]) * float(frontier.scatter[at])

    def drawn(rate: DrawnRate, shares: FloatArray) -> FloatArray:
        return np.concatenate([[rate.value], np.quantile(rate.draws, shares)])[:, None] ** ahead

    grown = {name: drawn(trend[name], shares) for name, shares in zip(GROWING, parts, strict=True)}
    # Axes: draws, the median first; release of the successor; plans.
    plans = swept(
        tried.grown({name: factor[..., None] for name, factor in grown.items()}),
        factors,
        terms=terms,
        token_times=float(frontier.token_shift[at]) * np.exp(off)[:, None, None],
        first_times=float(frontier.first_shift[at]) * np.exp(off)[:, None, None],
    )
    by_release = usd_at_speed(plans, tokens_per_s=terms.speed)[0].min(axis=-1)
    by_release = np.concatenate([by_release[:1], np.repeat(by_release[1:], EACH, axis=0)])
    # Rents multiply a price by the same factor whatever the plan, so their draws need no sweep.
    picked = (picks * len(newer.draws)).astype(int)
    premium = np.concatenate([[newer.value], newer.draws[picked]])[:, None] ** ahead
    least = np.minimum.accumulate(by_release * premium, axis=1)
    provider = np.concatenate([[1.0], np.quantile(listed.prices, providers) / listed.middle])
    return Successors(year=np.asarray(years, dtype=float), usd=least * provider[:, None], picked=picked)


def _spread_evenly(count: int, *, columns: int) -> FloatArray:
    """Return quasi-random points that cover the unit cube evenly, shape (columns, count). No seed is needed."""
    from scipy.stats import qmc  # heavy, and few answers need it

    return qmc.Sobol(columns, scramble=False).random(count).T + 0.5 / count
