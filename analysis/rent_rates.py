"""How fast rents of accelerators move, and three ways on from here that the price table supports.

The table is a few snapshots of public price lists, so rents are compared only within what is alike: the same provider's
price of the same accelerator at two dates, and different accelerators on one provider's list of one day. A price counts
once, on the day on which it is first known to have been listed.

Prices of one provider go together, and so do prices of one accelerator at all providers: what is scarce is dear
everywhere. Intervals therefore draw whole providers and whole accelerators.
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
"""A rate needs so many providers. [1]"""
LASTS = 1.0
"""For so long the rise or fall of the last year goes on; it was seen for no longer. [year]"""


@dataclass(frozen=True, kw_only=True)
class RentRate(DrawnRate):
    """A yearly factor of rents with its interval, draws of it and what it rests on. [1]

    ``n`` offers of ``accelerators`` by ``providers`` were listed from ``since`` to ``until`` [decimal year]; all are 0
    for an assumption. The rate goes on for ``lasts`` years, after which rents stay.
    """

    lasts: float = np.inf
    providers: int = 0
    accelerators: int = 0
    since: float = 0.0
    until: float = 0.0


def same_offer_rate(all_offers: Offers, *, level: float = 0.9) -> RentRate:
    """Return how rents of the same accelerator at the same provider moved a year.

    Least squares on logs within each pair of provider and accelerator that has two dates or more.

    Raises
    ------
    ValueError
        Fewer than five providers have two dates.
    """
    known = all_offers.at(all_offers.exact > 0)
    pairs = [f"{of}\n{chip}" for of, chip in zip(known.provider, known.accelerator, strict=True)]
    return _within(known, groups=pairs, x=known.year, level=level, what="prices at two dates")


def generation_rate(all_offers: Offers, *, level: float = 0.9) -> RentRate:
    """Return how much more a year of release is worth: rents of different accelerators on one provider's list of a day.

    Least squares on logs against the release, within each list that has accelerators of two dates or more.

    Raises
    ------
    ValueError
        Fewer than five providers list two accelerators.
    """
    known = all_offers.at((all_offers.exact > 0) & np.isfinite(all_offers.released))
    lists = [f"{of}\n{year:.4f}" for of, year in zip(known.provider, known.year, strict=True)]
    return _within(known, groups=lists, x=known.released, level=level, what="accelerators of two releases")


def _within(known: Offers, *, groups: list[str], x: FloatArray, level: float, what: str) -> RentRate:
    """Return the slope of log rent on ``x`` within groups, with an interval from draws of providers and accelerators.

    Each draw takes as many providers and as many accelerators as there are, with replacement; an offer counts as often
    as its provider times as often as its accelerator was drawn.

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
        accelerators=len(chips),
        since=float(known.year[used].min()),
        until=float(known.year[used].max()),
        draws=np.exp(slopes),
    )


def scenario(all_offers: Offers, name: str, *, level: float = 0.9) -> RentRate:
    """Return the yearly factor of the rent of one accelerator under a scenario.

    ``as-last-year``: for a year more as the same offers moved in the table's last year; ``steady``: today's list stays,
    an assumption; ``next-generation``: each year an accelerator slides down today's list by a year of release.

    Raises
    ------
    ValueError
        An unknown name, or a table that cannot support the rate.
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
    """By what factor the rent of the accelerator of a later year differs from today's, each of shape (years,). [1]"""

    middle: FloatArray
    low: FloatArray
    high: FloatArray
    draws: FloatArray


def later_rent(newer: RentRate, rate: RentRate, *, years_ahead: ArrayLike, level: float = 0.9) -> LaterRent:
    """Return how rents of accelerators that come out so many years on compare with today's, ``draws`` (draws, years).

    One that is a year newer costs ``newer`` times as much on one list; the list itself moves by ``rate`` a year while
    that lasts. If the list falls as fast as newer ones cost more, the accelerator of each year rents as today's does.
    """
    ahead = np.asarray(years_ahead, dtype=float)
    moving = np.minimum(ahead, rate.lasts)
    draws = newer.draws[:, None] ** ahead * rate.draws[:, None] ** moving
    low, high = central_interval(draws, level=level)
    return LaterRent(middle=newer.value**ahead * rate.value**moving, low=low, high=high, draws=draws)
