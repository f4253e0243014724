"""How fast each class of device, leading chips and their rents have grown: the slopes that places move along."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray
from analysis.placement.places import Places
from analysis.placement.years import FEWEST_POINTS, HELD, SEED, Slope, Slopes, slope_of, within_groups
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Series, Window, growth
from analysis.trend.selection import Rule

ACCELERATOR = "accelerator"
"""The group of places that follow the trend of leading data-centre chips; others follow that of their class."""
SINCE = 2016
DRAWS = 500
DEVICE_COLUMNS = {
    "bandwidth": ("memory_bandwidth_byte_per_s",),
    "flop": ("peak_fp16_flop_per_s", "peak_fp16_shader_flop_per_s"),
    "capacity": ("memory_capacity_byte",),
    "price": ("price_usd",),
}
"""Columns a quantity is fitted on: the one with the most devices of the class, never a mixture of two."""


def groups(places: Places) -> tuple[str, ...]:
    """Return whose trend each place follows."""
    pairs = zip(places.device_class, places.accelerator, strict=True)
    return tuple(ACCELERATOR if served else name for name, served in pairs)


def device_slopes(edge_devices: pd.DataFrame) -> dict[str, dict[str, Slope]]:
    """Return the fitted growth of every class of device, by quantity; small classes take that of all devices.

    Growth is fitted within product lines, so that a class whose later rows are dearer models does not seem to grow.
    """
    classes: dict[str, dict[str, Slope]] = {str(name): {} for name in edge_devices["device_class"].unique()}
    for quantity, columns in DEVICE_COLUMNS.items():
        rows, column = _most(edge_devices, columns)
        together = _fit(_within_lines(rows, column), pooled=True)
        for name, slopes in classes.items():
            own, column = _most(edge_devices.loc[edge_devices["device_class"] == name], columns)
            slopes[quantity] = _fit(_within_lines(own, column)) if len(own) >= FEWEST_POINTS else together
    return classes


@dataclass(frozen=True, kw_only=True)
class RentPower:
    """How rents rise with bandwidth across accelerators listed today, as a power: its fit, interval and draws."""

    power: float
    low: float
    high: float
    n: int
    draws: FloatArray


def rent_power(bandwidth: Mapping[str, float], price_usd_per_hour: Mapping[str, float]) -> RentPower:
    """Return the power of bandwidth that rents rise with: least squares on logs, a point for each accelerator.

    Both are by accelerator; those without a bandwidth are left out. The interval is 90 % of ``DRAWS`` seeded bootstrap
    draws of accelerators.
    """
    listed = [(bandwidth.get(name, np.nan), price) for name, price in price_usd_per_hour.items()]
    width, price = np.log(np.array([pair for pair in listed if pair[0] > 0])).T
    picks = np.random.default_rng(SEED).integers(0, len(price), (DRAWS, len(price)))
    draws = np.array([np.polyfit(width[at], price[at], 1)[0] for at in picks])
    low, high = np.quantile(draws, (0.05, 0.95))
    power = float(np.polyfit(width, price, 1)[0])
    return RentPower(power=power, low=float(low), high=float(high), n=len(price), draws=draws)


def chip_slopes(series: Mapping[str, Series], *, rent: RentPower) -> dict[str, Slope]:
    """Return the fitted growth of leading data-centre chips, by quantity; prices rise with bandwidth as rents do.

    A quantity whose ``series`` cannot be fitted is held.
    """
    slopes = {}
    for quantity, points in series.items():
        try:
            slopes[quantity] = _fit(points)
        except ValueError:
            slopes[quantity] = HELD
    bandwidth = slopes["bandwidth"]
    slopes["price"] = Slope(
        middle=rent.power * bandwidth.middle,
        draws=tuple((rent.draws * bandwidth.sampled(DRAWS, name="rents")).tolist()),
        n=rent.n,
    )
    return slopes


def place_slopes(devices: Slopes, chips: Mapping[str, Slope]) -> Slopes:
    """Return the fitted growth by group of places: each class of device, and accelerators."""
    return {**devices, ACCELERATOR: chips}


def _fit(series: Series, *, pooled: bool = False) -> Slope:
    fit = growth(series, rule=Rule(kind="all"), window=Window(since=SINCE), interval="bootstrap", draws=DRAWS)
    return slope_of(fit, pooled=pooled)


def _series(rows: pd.DataFrame, column: str) -> Series:
    return Series(
        year=decimal_year(rows["released_on"]),
        value=rows[column].to_numpy(dtype=float),
        cluster=rows["vendor"].to_numpy(dtype=object),
        name=rows["name"].to_numpy(dtype=object),
    )


def _dated(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the rows of product lines with two dates or more: growth is that of products that follow one another."""
    known = (rows[column] > 0) & rows["released_on"].notna() & (rows["product_line"] != "")
    dated = rows.loc[known & (rows["released_on"].dt.year >= SINCE)]
    dates = dated.groupby(_lines(dated))["released_on"].transform("nunique").to_numpy()
    return dated.loc[dates > 1]


def _lines(rows: pd.DataFrame) -> list[str]:
    return [f"{of} {line}" for of, line in zip(rows["device_class"], rows["product_line"], strict=True)]


def _most(rows: pd.DataFrame, columns: tuple[str, ...]) -> tuple[pd.DataFrame, str]:
    column = max(columns, key=lambda name: len(_dated(rows, name)))
    return _dated(rows, column), column


def _within_lines(rows: pd.DataFrame, column: str) -> Series:
    return within_groups(_series(rows, column), _lines(rows))
