"""How fast each class of device, leading chips and their rents have grown: the slopes that places move along."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.placement.places import Places
from analysis.placement.years import FEWEST_POINTS, HELD, Slope, Slopes, slope_of, within_groups
from analysis.rent_rates import RentRate
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


def rent_slope(newer: RentRate, rate: RentRate) -> Slope:
    """Return how rents of leading chips move, those a year newer costing ``newer`` times as much on one list.

    ``rate`` is how the list itself moves in a year.
    """
    draws = np.log10(newer.draws * rate.draws)
    return Slope(middle=float(np.log10(newer.factor * rate.factor)), draws=tuple(draws.tolist()), n=newer.n)


def chip_slopes(series: Mapping[str, Series], *, rent: Slope) -> dict[str, Slope]:
    """Return the fitted growth of leading data-centre chips, by quantity, with that of their rents as their price.

    A quantity whose ``series`` cannot be fitted is held.
    """
    slopes = {"price": rent}
    for quantity, points in series.items():
        try:
            slopes[quantity] = _fit(points)
        except ValueError:
            slopes[quantity] = HELD
    return slopes


def place_slopes(devices: Slopes, chips: Mapping[str, Slope]) -> Slopes:
    """Return the fitted growth by group of places: each class of device, and accelerators."""
    return {**devices, ACCELERATOR: chips}


def _fit(series: Series, *, pooled: bool = False) -> Slope:
    fit = growth(
        series,
        rule=Rule(kind="all"),
        window=Window(since=SINCE),
        interval="clustered",
        few_clusters="rows",
        draws=DRAWS,
    )
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
