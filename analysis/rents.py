"""Hourly rent of an accelerator, from the price table, today or on an earlier day."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray, Rows
from analysis.intervals import central_interval
from analysis.trend.calendar_year import decimal_year


@dataclass(frozen=True, kw_only=True)
class Offers(Rows):
    """On-demand offers, one for each provider, accelerator and day. Every column has n entries.

    ``year`` is when the price is first known to have been listed, ``until`` the last day on which its source had it,
    and ``released`` the accelerator's release, NaN if unknown. [decimal year] ``exact`` marks prices whose day is
    known; others are dated only by year. [USD/h] A stale list continues to show a price, so only ``year`` is evidence
    of the market.
    """

    provider: tuple[str, ...]
    accelerator: tuple[str, ...]
    year: FloatArray
    until: FloatArray
    exact: FloatArray
    released: FloatArray
    usd_per_hour: FloatArray

    def __len__(self) -> int:
        """Return the number of offers."""
        return len(self.provider)

    def only(self, column: str, value: str) -> "Offers":
        """Return the offers with the given text in a column."""
        return self.at(np.array([cell == value for cell in getattr(self, column)], dtype=bool))


@dataclass(frozen=True, kw_only=True)
class Listed:
    """Providers' hourly prices of an accelerator: their median, minimum, maximum and number, and each price. [USD/h]"""

    year: float
    middle: float
    low: float
    high: float
    providers: int
    prices: tuple[float, ...]

    def spread(self, level: float) -> tuple[float, float]:
        """Return the central interval of the providers' prices, divided by their median. [1]"""
        low, high = central_interval(np.array(self.prices), level=level)
        return float(low) / self.middle, float(high) / self.middle

    def under_contract(self, shares: tuple[float, ...]) -> "Listed":
        """Return the contract prices, each price times each of ``shares``. [USD/h]"""
        prices = np.sort(np.outer(self.prices, shares).ravel()).tolist()
        middle = self.middle * float(np.median(shares))
        return replace(self, middle=middle, low=prices[0], high=prices[-1], prices=tuple(prices))


def listed(year: float, prices: Iterable[float]) -> Listed:
    """Return the providers' prices as one record."""
    known = tuple(sorted(prices))
    middle = float(np.median(known))
    return Listed(year=year, middle=middle, low=known[0], high=known[-1], providers=len(known), prices=known)


def contract_shares(reserved: pd.DataFrame) -> tuple[float, ...]:
    """Return the ratio of contract to on-demand price for each pair of prices from the same list and day. [1]

    ``reserved`` has the columns of the table of reserved rents; prices without a pair on their list are ignored.
    """
    both = reserved.loc[reserved["on_demand_usd_per_hour"] > 0]
    return tuple((both["reserved_usd_per_hour"] / both["on_demand_usd_per_hour"]).tolist())


def offers(prices: pd.DataFrame, *, released: Mapping[str, float]) -> Offers:
    """Return on-demand prices of named accelerators as offers: a provider's median for each accelerator and day.

    ``prices`` has the columns of the table of cloud prices; ``released`` maps accelerators to decimal years.
    """
    rows = prices.loc[
        (prices["tier"] == "on-demand") & (prices["accelerator"] != "") & (prices["price_usd_per_hour"] > 0)
    ]
    rows = rows.assign(exact=rows["as_of"].astype(str).str.fullmatch(r"\d{4}-\d{2}-\d{2}"))
    keys = ["accelerator", "provider", "valid_from", "exact"]
    summary = {"price_usd_per_hour": "median", "seen_until": "max"}
    each = rows.groupby(keys, sort=True).agg(summary).reset_index()
    return Offers(
        provider=tuple(each["provider"]),
        accelerator=tuple(each["accelerator"]),
        year=decimal_year(each["valid_from"]),
        until=decimal_year(each["seen_until"]),
        exact=each["exact"].to_numpy(dtype=bool),
        released=np.array([released.get(name, np.nan) for name in each["accelerator"]], dtype=float),
        usd_per_hour=each["price_usd_per_hour"].to_numpy(dtype=float),
    )


def rent_on(all_offers: Offers, accelerator: str, *, year: float) -> Listed | None:
    """Return each provider's newest price as of ``year``, a decimal year. None if no price is known.

    Prices first listed more than a year earlier do not count.
    """
    recent = (all_offers.year > year - 1 - 1e-9) & (all_offers.year <= year + 1e-9)
    own = all_offers.at(recent).only("accelerator", accelerator)
    newest: dict[str, tuple[float, float]] = {}
    for provider, when, price in zip(own.provider, own.year.tolist(), own.usd_per_hour.tolist(), strict=True):
        newest[provider] = max(newest.get(provider, (0.0, 0.0)), (when, price))
    if not newest:
        return None
    return listed(max(when for when, _ in newest.values()), (price for _, price in newest.values()))


def rent_now(all_offers: Offers, accelerator: str) -> Listed | None:
    """Return the providers' prices on the last day of the table. None if no price is known."""
    return rent_on(all_offers, accelerator, year=float(all_offers.year.max(initial=0.0)))
