"""What an hour of an accelerator costs, how that has moved, and three ways on from here that the price table supports.

The table is a few snapshots of public price lists, so rents are compared only within what is alike: the same provider's
price of the same accelerator at two dates, and different accelerators on one provider's list of one day.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray, Rows
from analysis.trend.calendar_year import decimal_year

DRAWS = 2000
SEED = 20261123
AS_LAST_YEAR, STEADY, NEXT_GENERATION = "as-last-year", "steady", "next-generation"
SCENARIOS = (AS_LAST_YEAR, STEADY, NEXT_GENERATION)
FEWEST_PROVIDERS = 5
"""A rate needs so many providers. [1]"""


@dataclass(frozen=True, kw_only=True)
class Offers(Rows):
    """On-demand offers, one for each provider, accelerator and day; every column has n entries.

    ``year`` is when the price was listed, ``released`` when the accelerator came out, NaN where that is not known.
    [decimal year] ``exact`` marks prices whose day is known; others are dated by their year alone. [USD/h]
    """

    provider: tuple[str, ...]
    accelerator: tuple[str, ...]
    year: FloatArray
    exact: FloatArray
    released: FloatArray
    usd_per_hour: FloatArray

    def __len__(self) -> int:
        """Return the number of offers."""
        return len(self.provider)


@dataclass(frozen=True, kw_only=True)
class Listed:
    """What providers ask for an hour of an accelerator: median, least and most, and how many providers. [USD/h]"""

    year: float
    middle: float
    low: float
    high: float
    providers: int


@dataclass(frozen=True, kw_only=True)
class RentRate:
    """A yearly factor of rents, its interval, what it rests on, and draws of it, shape (draws,). [1]

    ``n`` offers of ``providers`` were listed from ``since`` to ``until`` [decimal year]; all are 0 for an assumption.
    """

    factor: float
    low: float
    high: float
    n: int
    providers: int
    since: float
    until: float
    draws: FloatArray

    @property
    def inverse(self) -> "RentRate":
        """Return the rate in which what grew falls as fast."""
        return replace(
            self, factor=1 / self.factor, low=1 / self.high, high=1 / self.low, draws=1 / self.draws
        )


def offers(prices: pd.DataFrame, *, released: Mapping[str, float]) -> Offers:
    """Return the on-demand prices of named accelerators as offers: the median where a provider lists one several times.

    ``prices`` has the columns of the table of cloud prices; ``released`` gives decimal years by accelerator.
    """
    rows = prices.loc[
        (prices["tier"] == "on-demand") & (prices["accelerator"] != "") & (prices["price_usd_per_hour"] > 0)
    ]
    rows = rows.assign(exact=rows["as_of"].astype(str).str.fullmatch(r"\d{4}-\d{2}-\d{2}"))
    keys = ["accelerator", "provider", "as_of_on", "exact"]
    each = rows.groupby(keys, sort=True)["price_usd_per_hour"].median().reset_index()
    return Offers(
        provider=tuple(each["provider"]),
        accelerator=tuple(each["accelerator"]),
        year=decimal_year(each["as_of_on"]),
        exact=each["exact"].to_numpy(dtype=bool),
        released=np.array([released.get(name, np.nan) for name in each["accelerator"]], dtype=float),
        usd_per_hour=each["price_usd_per_hour"].to_numpy(dtype=float),
    )


def _listed(year: float, usd_per_hour: FloatArray) -> Listed:
    return Listed(
        year=year,
        middle=float(np.median(usd_per_hour)),
        low=float(usd_per_hour.min()),
        high=float(usd_per_hour.max()),
        providers=len(usd_per_hour),
    )


def rent_now(all_offers: Offers, accelerator: str, *, within_years: float = 1.0) -> Listed | None:
    """Return what providers ask for an hour today: the newest price of each, of the table's last year; None if none."""
    newest: dict[str, tuple[float, float]] = {}
    end = float(all_offers.year.max()) if len(all_offers) else 0.0
    of_chip = zip(
        all_offers.accelerator, all_offers.provider, all_offers.year, all_offers.usd_per_hour, strict=True
    )
    for name, provider, year, price in of_chip:
        if name == accelerator and year >= end - within_years:
            newest[provider] = max(newest.get(provider, (0.0, 0.0)), (float(year), float(price)))
    if not newest:
        return None
    return _listed(
        max(year for year, _ in newest.values()), np.array([price for _, price in newest.values()])
    )


def history(all_offers: Offers, accelerator: str) -> tuple[Listed, ...]:
    """Return what providers asked for an hour by calendar quarter, oldest first: each provider's last price in it."""
    own = all_offers.at(
        np.array([name == accelerator for name in all_offers.accelerator], dtype=bool)
        & (all_offers.exact > 0)
    )
    quarter = np.floor(own.year * 4) / 4
    found = []
    for start in np.unique(quarter).tolist():
        last: dict[str, tuple[float, float]] = {}
        for place in np.flatnonzero(quarter == start).tolist():
            now = (float(own.year[place]), float(own.usd_per_hour[place]))
            last[own.provider[place]] = max(last.get(own.provider[place], (0.0, 0.0)), now)
        when = float(np.median([year for year, _ in last.values()]))
        found.append(_listed(when, np.array([price for _, price in last.values()])))
    return tuple(found)


def same_offer_rate(all_offers: Offers, *, since: float = 0.0, level: float = 0.9) -> RentRate:
    """Return how rents of the same accelerator at the same provider moved a year, from prices since a year.

    Least squares on logs within each pair of provider and accelerator that has two dates or more.

    Raises
    ------
    ValueError
        Fewer than five providers have two dates.
    """
    known = all_offers.at((all_offers.exact > 0) & (all_offers.year >= since))
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
    """Return the slope of log rent on ``x`` within groups, with an interval from draws of whole providers."""
    if not 0 < level < 1:
        raise ValueError(
            f"level is a probability strictly between 0 and 1; got {level:g}. Pass 0.9 for 90 %."
        )
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
    both = np.bincount(provider, (off_x * off_y)[used])
    square = np.bincount(provider, (off_x**2)[used])
    drawn = np.random.default_rng(SEED).multinomial(
        len(names), np.full(len(names), 1 / len(names)), size=DRAWS
    )
    slopes = (drawn * both).sum(axis=1) / (drawn * square).sum(axis=1)
    low, high = np.exp(np.quantile(slopes, [(1 - level) / 2, (1 + level) / 2]))
    return RentRate(
        factor=float(np.exp(both.sum() / square.sum())),
        low=float(low),
        high=float(high),
        n=int(used.sum()),
        providers=len(names),
        since=float(known.year[used].min()),
        until=float(known.year[used].max()),
        draws=np.exp(slopes),
    )


def scenario(all_offers: Offers, name: str, *, level: float = 0.9) -> RentRate:
    """Return the yearly factor of the rent of one accelerator under a scenario.

    ``as-last-year``: as the same offers moved over the table; ``steady``: today's list stays, an assumption;
    ``next-generation``: each year an accelerator slides down today's list by a year of release.

    Raises
    ------
    ValueError
        An unknown name, or a table that cannot support the rate.
    """
    if name == STEADY:
        return RentRate(
            factor=1.0, low=1.0, high=1.0, n=0, providers=0, since=0.0, until=0.0, draws=np.ones(DRAWS)
        )
    if name == AS_LAST_YEAR:
        return same_offer_rate(all_offers, level=level)
    if name == NEXT_GENERATION:
        return generation_rate(all_offers, level=level).inverse
    raise ValueError(f"rents move {', '.join(SCENARIOS)}; got {name!r}. Choose one of them.")


@dataclass(frozen=True, kw_only=True)
class LaterRent:
    """By what factor the rent of the accelerator of a later year differs from today's, each of shape (years,). [1]"""

    middle: FloatArray
    low: FloatArray
    high: FloatArray
    draws: FloatArray


def later_rent(newer: RentRate, rate: RentRate, *, years_ahead: FloatArray, level: float = 0.9) -> LaterRent:
    """Return how rents of accelerators that come out so many years on compare with today's, ``draws`` (draws, years).

    One that is a year newer costs ``newer`` times as much on one list; the list itself moves by ``rate`` a year. Where
    the list falls as fast as newer ones cost more, the accelerator of each year rents as today's does.
    """
    ahead = np.asarray(years_ahead, dtype=float)
    draws = (newer.draws * rate.draws)[:, None] ** ahead
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return LaterRent(middle=(newer.factor * rate.factor) ** ahead, low=low, high=high, draws=draws)
