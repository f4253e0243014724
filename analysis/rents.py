"""What an hour of an accelerator costs, today and in the quarters before, by the price table."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray, Rows
from analysis.trend.calendar_year import decimal_year


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

    def only(self, column: str, value: str) -> "Offers":
        """Return the offers that have a text in a column."""
        return self.at(np.array([cell == value for cell in getattr(self, column)], dtype=bool))

    def per_unit(self, units: Mapping[str, float]) -> "Offers":
        """Return the offers of accelerators that have so many ``units`` of something, for one of those. [USD/h]"""
        known = self.at(np.array([name in units for name in self.accelerator], dtype=bool))
        each = np.array([units[name] for name in known.accelerator])
        return replace(known, usd_per_hour=known.usd_per_hour / each)


@dataclass(frozen=True, kw_only=True)
class Listed:
    """What providers ask for an hour of an accelerator: median, least and most, and how many providers. [USD/h]"""

    year: float
    middle: float
    low: float
    high: float
    providers: int


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


def rent_now(all_offers: Offers, accelerator: str) -> Listed | None:
    """Return what providers ask for an hour today: the newest price of each, of the table's last year; None if none."""
    newest: dict[str, tuple[float, float]] = {}
    end = float(all_offers.year.max()) if len(all_offers) else 0.0
    of_chip = zip(
        all_offers.accelerator, all_offers.provider, all_offers.year, all_offers.usd_per_hour, strict=True
    )
    for name, provider, year, price in of_chip:
        if name == accelerator and year >= end - 1:
            newest[provider] = max(newest.get(provider, (0.0, 0.0)), (float(year), float(price)))
    if not newest:
        return None
    return _listed(
        max(year for year, _ in newest.values()), np.array([price for _, price in newest.values()])
    )


def history(all_offers: Offers, accelerator: str) -> tuple[Listed, ...]:
    """Return what providers asked for an hour by calendar quarter, oldest first: each provider's last price in it."""
    own = all_offers.at(all_offers.exact > 0).only("accelerator", accelerator)
    quarter = np.floor(own.year * 4) / 4
    quarters = []
    for start in np.unique(quarter).tolist():
        last: dict[str, tuple[float, float]] = {}
        for place in np.flatnonzero(quarter == start).tolist():
            now = (float(own.year[place]), float(own.usd_per_hour[place]))
            last[own.provider[place]] = max(last.get(own.provider[place], (0.0, 0.0)), now)
        when = float(np.median([year for year, _ in last.values()]))
        quarters.append(_listed(when, np.array([price for _, price in last.values()])))
    return tuple(quarters)
