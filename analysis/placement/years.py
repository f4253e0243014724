"""How places move from year to year along fitted trends, and from which year they do what is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.growth import Growth as Fit
from analysis.growth import Series
from analysis.placement.places import Growth

FloatArray = NDArray[np.floating]

QUANTITIES = ("bandwidth", "flop", "capacity", "price", "link")
FEWEST_POINTS = 8
"""A class with fewer dated devices takes the trend of all devices. [1]"""
SEED = 20261122


@dataclass(frozen=True, kw_only=True)
class Slope:
    """Growth a year of one quantity: its fit, ``draws`` of it, and from how many points. [log10 per year]

    ``pooled`` says that the class has too few points of its own and takes the trend of all devices.
    """

    middle: float = 0.0
    draws: tuple[float, ...] = (0.0,)
    n: int = 0
    pooled: bool = False

    def sampled(self, count: int, *, name: str) -> FloatArray:
        """Return so many of the draws, the same for the same name, shape (count,)."""
        source = np.random.default_rng(np.random.SeedSequence([SEED, *name.encode()]))
        return np.asarray(self.draws)[source.integers(len(self.draws), size=count)]


HELD = Slope()
"""What does not move."""

Slopes = Mapping[str, Mapping[str, Slope]]
"""By group of places, then by quantity; what is missing is held."""


def slope_of(fit: Fit, *, pooled: bool = False) -> Slope:
    """Return a fitted growth as a slope with the draws of its bootstrap."""
    return Slope(
        middle=fit.trend.slope_per_year,
        draws=tuple(fit.draw_slope.tolist()),
        n=fit.n,
        pooled=pooled,
    )


def within_groups(series: Series, group: Sequence[str]) -> Series:
    """Return the rows of several groups as one series: each against the mean year and value of its own group.

    The slope through them is the growth within groups: a group that joins late with larger values does not count as
    growth. Years are moved to the mean of all.
    """
    year, log10 = series.year.copy(), np.log10(series.value)
    centre, groups = float(year.mean()), np.asarray(group, dtype=object)
    for name in set(group):
        own = groups == name
        year[own] += centre - year[own].mean()
        log10[own] -= log10[own].mean()
    return Series(year=year, value=10.0**log10, cluster=series.cluster, name=series.name)


def middle(slopes: Slopes, groups: Sequence[str], *, ahead: FloatArray | float) -> Growth:
    """Return by what factor places have grown ``ahead`` years on, shape (places,) or (years, places)."""
    years = np.asarray(ahead, dtype=float)[..., None]

    def factors(quantity: str) -> FloatArray:
        rates = [slopes.get(group, {}).get(quantity, HELD).middle for group in groups]
        return 10.0 ** (np.array(rates) * years)

    return Growth(**{quantity: factors(quantity) for quantity in QUANTITIES})


def drawn(slopes: Slopes, groups: Sequence[str], *, ahead: FloatArray | float, draws: int) -> Growth:
    """Return draws of the growth relative to its middle, shape (places, draws) or (years, places, draws).

    Places of one group share their draws; quantities are drawn independently.
    """
    years = np.asarray(ahead, dtype=float)[..., None, None]

    def factors(quantity: str) -> FloatArray:
        off = []
        for group in groups:
            slope = slopes.get(group, {}).get(quantity, HELD)
            off.append(slope.sampled(draws, name=f"{group} {quantity}") - slope.middle)
        return 10.0 ** (np.array(off) * years)

    return Growth(**{quantity: factors(quantity) for quantity in QUANTITIES})


def first_year(chance: FloatArray, *, years: FloatArray, sure: float) -> FloatArray:
    """Return the year from which the chance stays at least ``sure``; inf where it does not by the last.

    ``chance`` has the years on its first axis; the result has the others.
    """
    enough = np.asarray(chance) >= sure - 1e-12
    lasting = np.flip(np.logical_and.accumulate(np.flip(enough, axis=0), axis=0), axis=0)
    at = np.argmax(lasting, axis=0)
    return np.where(lasting.any(axis=0), years[at], np.inf)
