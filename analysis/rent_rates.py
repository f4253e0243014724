"""Growth rates of accelerator rents, and three scenarios that the price table supports.

The table has a few snapshots of public price lists, so rents are only compared like for like: one provider's price of
an accelerator on two dates, or different accelerators on one provider's list of one day. A price counts once, on the
first day on which it is known to have been listed.

Prices of one provider are correlated, and so are prices of one accelerator at all providers: a scarce accelerator is
expensive everywhere. Intervals therefore resample whole providers and whole accelerators.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.intervals import DrawnRate, central_interval
from analysis.rents import Offers

DRAWS = 2000
SEED = 20261123
AS_LAST_YEAR, STEADY, NEXT_GENERATION = "as-last-year", "steady", "next-generation"
SCENARIOS = (AS_LAST_YEAR, STEADY, NEXT_GENERATION)
FEWEST_PROVIDERS = 5
"""Minimum number of providers for a rate. [1]"""
LASTS = 1.0
"""Time for which last year's change is assumed to continue. It has not been observed for longer. [year]"""


@dataclass(frozen=True, kw_only=True)
class RentRate(DrawnRate):
    """A yearly factor of rents, with its interval, draws and sample. [1]

    ``n`` offers of ``accelerators`` by ``providers`` were listed from ``since`` to ``until`` [decimal year]; all are 0
    or empty for an assumption. The rate applies for ``lasts`` years, after which rents are constant.
    """

    lasts: float = np.inf
    providers: int = 0
    accelerators: tuple[str, ...] = ()
    since: float = 0.0
    until: float = 0.0


def same_offer_rate(all_offers: Offers, *, level: float = 0.9) -> RentRate:
    """Return the yearly change in the rent of the same accelerator at the same provider.

    It is fitted by least squares on logs within each pair of provider and accelerator with at least two dates.

    Raises ValueError if fewer than five providers have two dates.
    """
    known = all_offers.at(all_offers.exact > 0)
    pairs = [f"{of}\n{chip}" for of, chip in zip(known.provider, known.accelerator, strict=True)]
    return _within(known, groups=pairs, x=known.year, level=level, what="prices at two dates")


def generation_rate(all_offers: Offers, *, level: float = 0.9) -> RentRate:
    """Return the factor by which a chip costs more than a chip one year older on the same price list.

    It is fitted by least squares on logs against release within each list with accelerators of at least two dates.

    Raises ValueError if fewer than five providers list two accelerators.
    """
    known = all_offers.at((all_offers.exact > 0) & np.isfinite(all_offers.released))
    lists = [f"{of}\n{year:.4f}" for of, year in zip(known.provider, known.year, strict=True)]
    return _within(known, groups=lists, x=known.released, level=level, what="accelerators of two releases")


def _within(known: Offers, *, groups: list[str], x: FloatArray, level: float, what: str) -> RentRate:
    """Return the slope of log rent on ``x`` within groups, with a bootstrap interval.

    Each draw resamples providers and accelerators with replacement; an offer's weight is the product of how often its
    provider and its accelerator were drawn.

    References
    ----------
    Owen, "The pigeonhole bootstrap", Annals of Applied Statistics 1(2), 2007.
    """
    _, code = np.unique(np.asarray(groups, dtype=str), return_inverse=True)
    count = np.bincount(code)

    def centred(values: FloatArray) -> FloatArray:
        return values - (np.bincount(code, values) / np.maximum(count, 1))[code]

    off_x = centred(x) if len(x) else x
    off_y = centred(np.log(known.usd_per_hour)) if len(x) else x
    used = np.bincount(code, off_x**2)[code] > 1e-9 if len(x) else np.zeros(0, dtype=bool)
    names, provider = np.unique(np.asarray(known.provider, dtype=str)[used], return_inverse=True)
    if len(names) < FEWEST_PROVIDERS:
        raise ValueError(
            f"a rate of rents needs {FEWEST_PROVIDERS} providers with {what}; the table has {len(names)}. "
            "Take steady rents, or add rows to cloud_prices."
        )
    chips, chip = np.unique(np.asarray(known.accelerator, dtype=str)[used], return_inverse=True)
    both, square = (off_x * off_y)[used], (off_x**2)[used]
    random = np.random.default_rng(SEED)
    weight = np.ones((DRAWS, len(both)))
    for count_of, place in ((len(names), provider), (len(chips), chip)):
        weight *= random.multinomial(count_of, np.full(count_of, 1 / count_of), size=DRAWS)[:, place]
    spread = weight @ square
    known_slope = spread > 1e-9
    slopes = (weight @ both)[known_slope] / spread[known_slope]
    slopes = np.concatenate([slopes, random.choice(slopes, DRAWS - len(slopes))])
    slope = float(both.sum() / square.sum())
    low, high = central_interval(slopes, level=level)
    return RentRate(
        value=float(np.exp(slope)),
        low=float(np.exp(min(low, slope))),
        high=float(np.exp(max(high, slope))),
        n=int(used.sum()),
        providers=len(names),
        accelerators=tuple(chips.tolist()),
        since=float(known.year[used].min()),
        until=float(known.year[used].max()),
        draws=np.exp(slopes),
    )


def scenario(all_offers: Offers, name: str, *, level: float = 0.9) -> RentRate:
    """Return the yearly rent factor of an accelerator under a scenario.

    ``as-last-year`` continues last year's change of the same offers for one year. ``steady`` assumes that today's list
    stays. ``next-generation`` moves an accelerator down today's list by one year of release each year.

    Raises ValueError if the name is unknown, or the table cannot support the rate.
    """
    if name == STEADY:
        return RentRate(value=1.0, low=1.0, high=1.0, draws=np.ones(DRAWS))
    if name == AS_LAST_YEAR:
        last_year = all_offers.at(all_offers.year > all_offers.year.max(initial=0.0) - 1)
        return replace(same_offer_rate(last_year, level=level), lasts=LASTS)
    if name == NEXT_GENERATION:
        newer = generation_rate(all_offers, level=level)
        return replace(
            newer, value=1 / newer.value, low=1 / newer.high, high=1 / newer.low, draws=1 / newer.draws
        )
    raise ValueError(f"rents move {', '.join(SCENARIOS)}; got {name!r}. Choose one of them.")


@dataclass(frozen=True, kw_only=True)
class LaterRent:
    """Rent of a later year's accelerator divided by today's, shape (years,) or, for draws, (draws, years). [1]"""

    middle: FloatArray
    low: FloatArray
    high: FloatArray
    draws: FloatArray


def later_rent(newer: RentRate, rate: RentRate, *, years_ahead: ArrayLike, level: float = 0.9) -> LaterRent:
    """Return the rents of accelerators released ``years_ahead`` years from now, relative to today's.

    An accelerator one year newer costs ``newer`` times as much on one list; the list moves by ``rate`` a year while
    that lasts. If it falls as fast as newer ones cost more, each year's accelerator rents for today's price.
    """
    ahead = np.asarray(years_ahead, dtype=float)
    moving = np.minimum(ahead, rate.lasts)
    draws = newer.draws[:, None] ** ahead * rate.draws[:, None] ** moving
    low, high = central_interval(draws, level=level)
    return LaterRent(middle=newer.value**ahead * rate.value**moving, low=low, high=high, draws=draws)
