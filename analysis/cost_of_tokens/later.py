"""What a million tokens cost on the accelerators of later years, each part along its own trend, rents by scenario."""

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
"""Draws of the error and of the parts' trends that are swept, and draws of rents that each of them meets. [1]"""


@dataclass(frozen=True, kw_only=True)
class LaterCost:
    """The price of a million output tokens at one speed by year: shape (years,), ``draws`` (draws, years). [USD]

    inf where the speed cannot be had.
    """

    year: FloatArray
    middle: FloatArray
    draws: FloatArray

    def interval(
        self, level: float, *, stretch: tuple[float, float] = (1.0, 1.0)
    ) -> tuple[FloatArray, FloatArray]:
        """Return the central interval of the draws at a level, each of shape (years,).

        The logs of its ends over the middle are ``stretch`` times those of the draws, below and above.
        """
        check_level(level)
        ends = np.quantile(self.draws, [(1 - level) / 2, (1 + level) / 2], axis=0, method="nearest")
        with np.errstate(invalid="ignore"):
            stretched = self.middle * (ends / self.middle) ** np.array(stretch)[:, None]
        low, high = np.where(np.isfinite(self.middle), stretched, ends)
        return low, high

    def stretch(self, level: float, *, at: int, low: float, high: float) -> tuple[float, float]:
        """Return what :meth:`interval` is stretched by for the year at a place to have these ends, 1 if none does."""
        own = np.array([end[at] for end in self.interval(level)])
        with np.errstate(divide="ignore", invalid="ignore"):
            power = np.log(np.array([low, high]) / self.middle[at]) / np.log(own / self.middle[at])
        below, above = np.where(np.isfinite(power) & (power > 0), power, 1.0).tolist()
        return below, above

    def chance(self, usd: float) -> FloatArray:
        """Return the share of the draws in which it can be had for so much at most by each year, shape (years,)."""
        possible = np.isfinite(self.draws) & (self.draws <= usd)
        return np.logical_or.accumulate(possible, axis=1).mean(axis=0)

    def first_year(self, usd: float, *, sure: float) -> float:
        """Return the first year in which that chance is at least ``sure``, inf where it is in none."""
        enough = np.flatnonzero(self.chance(usd) >= sure - 1e-9)
        return float(self.year[enough[0]]) if len(enough) else float("inf")


@dataclass(frozen=True, kw_only=True)
class Successors:
    """The least price at a speed on successors released in each year, or before, on today's price list.

    Shape (1 + draws, years), the middle first; ``picked`` are the draws of rents that were taken. [USD]
    """

    year: FloatArray
    usd: FloatArray
    picked: IntArray

    def cost(self, rate: RentRate) -> LaterCost:
        """Return the price by year if the list moves by ``rate`` a year while that lasts."""
        yearly = np.concatenate([[rate.value], rate.draws[self.picked]])[:, None]
        usd = self.usd * yearly ** np.minimum(self.year - self.year[0], rate.lasts)
        return LaterCost(year=self.year, middle=usd[0], draws=usd[1:])

    def anchored(self, usd: float, *, at: int, rate: RentRate) -> "Successors":
        """Return the same, scaled so that the price of the year at this place is ``usd``; as it is where there is none.

        The swept plans carry the correction of one deployment; the frontier's own price has that of each.
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
    """Return the least price at a speed on one accelerator or any of its successors so far, by year of release.

    ``tried`` are its plans today, ``years`` begin with today. A successor that is a year newer rents ``newer`` times as
    much on one list; in the draws its rent is anywhere among those ``listed`` today. Model, software
    and domain stay; corrections by measured points, and how far they may be off, are those at the speed today.
    """
    ahead = np.asarray(years, dtype=float) - years[0]
    at = frontier.place_of(terms.speed)
    errors, *parts = _spread_evenly(SWEPT, columns=1 + len(GROWING))
    providers, picks = _spread_evenly(SWEPT * EACH, columns=2)
    off = np.concatenate([[0.0], ndtri(errors)]) * float(frontier.scatter[at])

    def drawn(rate: DrawnRate, shares: FloatArray) -> FloatArray:
        return np.concatenate([[rate.value], np.quantile(rate.draws, shares)])[:, None] ** ahead

    grown = {name: drawn(trend[name], shares) for name, shares in zip(GROWING, parts, strict=True)}
    # Axes: draws, the middle first; release of the successor; plans.
    plans = swept(
        tried.grown({name: factor[..., None] for name, factor in grown.items()}),
        factors,
        terms=terms,
        token_times=float(frontier.token_shift[at]) * np.exp(off)[:, None, None],
        first_times=float(frontier.first_shift[at]) * np.exp(off)[:, None, None],
    )
    by_release = usd_at_speed(plans, tokens_per_s=terms.speed)[0].min(axis=-1)
    by_release = np.concatenate([by_release[:1], np.repeat(by_release[1:], EACH, axis=0)])
    # Rents multiply a price alike whatever the plan, so their draws need no sweep.
    picked = (picks * len(newer.draws)).astype(int)
    premium = np.concatenate([[newer.value], newer.draws[picked]])[:, None] ** ahead
    least = np.minimum.accumulate(by_release * premium, axis=1)
    provider = np.concatenate([[1.0], np.quantile(listed.prices, providers) / listed.middle])
    return Successors(year=np.asarray(years, dtype=float), usd=least * provider[:, None], picked=picked)


def _spread_evenly(count: int, *, columns: int) -> FloatArray:
    """Return points between 0 and 1 that fill a cube evenly and need no seed, shape (columns, count)."""
    from scipy.stats import qmc  # heavy, and few answers need it

    return qmc.Sobol(columns, scramble=False).random(count).T + 0.5 / count
