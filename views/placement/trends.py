"""How fast each class of device, and leading chips, have grown: the trends that places of /placement move along."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray
from analysis.placement import years as movement
from analysis.placement.places import HardwareGrowth, Places
from analysis.placement.years import FEWEST_POINTS, SEED, Slope, slope_of, within_groups
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Series, Window, growth
from analysis.trend.selection import Rule
from data import standing
from data.releases import load
from views import wording
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS
from views.placement.places import rents
from views.placement.settings import FIRST_YEAR

ACCELERATOR = "accelerator"
SINCE = 2016
DRAWS = 500
CHIP_METRICS = {
    "bandwidth": "memory-bandwidth",
    "flop": "fp16",
    "capacity": "memory-capacity",
    "link": "chip-link",
}
DEVICE_COLUMNS = {
    "bandwidth": ("memory_bandwidth_byte_per_s",),
    "flop": ("peak_fp16_flop_per_s", "peak_fp16_shader_flop_per_s"),
    "capacity": ("memory_capacity_byte",),
    "price": ("price_usd",),
}
"""Columns a quantity is fitted on: the one with the most devices of the class, never a mixture of two."""


def _fit(series: Series, *, pooled: bool = False) -> Slope:
    found = growth(
        series, rule=Rule(kind="all"), window=Window(since=SINCE), interval="bootstrap", draws=DRAWS
    )
    return slope_of(found, pooled=pooled)


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


@lru_cache(maxsize=1)
def device_slopes() -> dict[str, dict[str, Slope]]:
    """Return the fitted growth of every class of device, by quantity; small classes take that of all devices.

    Growth is fitted within product lines, so that a class whose later rows are dearer models does not seem to grow.
    """
    table = standing.table("edge_devices")
    found: dict[str, dict[str, Slope]] = {str(name): {} for name in table["device_class"].unique()}
    for quantity, columns in DEVICE_COLUMNS.items():
        rows, column = _most(table, columns)
        together = _fit(_within_lines(rows, column), pooled=True)
        for name, slopes in found.items():
            own, column = _most(table.loc[table["device_class"] == name], columns)
            slopes[quantity] = _fit(_within_lines(own, column)) if len(own) >= FEWEST_POINTS else together
    return found


@dataclass(frozen=True, kw_only=True)
class RentPower:
    """How rents rise with bandwidth across accelerators listed today, as a power: its fit, interval and draws."""

    power: float
    low: float
    high: float
    n: int
    draws: FloatArray


@lru_cache(maxsize=4)
def rent_power(release: str) -> RentPower:
    """Return the power of bandwidth that rents rise with: least squares on logs, a point for each accelerator.

    The interval is 90 % of ``DRAWS`` seeded bootstrap draws of accelerators.
    """
    rows = load(release).accelerators[["name", "memory_bandwidth_byte_per_s"]].to_numpy(dtype=object)
    chips = {str(name): float(value) for name, value in rows}
    listed = [(chips.get(name, np.nan), price) for name, (price, _) in rents().items()]
    bandwidth, price = np.log(np.array([pair for pair in listed if pair[0] > 0])).T
    picks = np.random.default_rng(SEED).integers(0, len(price), (DRAWS, len(price)))
    draws = np.array([np.polyfit(bandwidth[at], price[at], 1)[0] for at in picks])
    low, high = np.quantile(draws, (0.05, 0.95))
    power = float(np.polyfit(bandwidth, price, 1)[0])
    return RentPower(power=power, low=float(low), high=float(high), n=len(price), draws=draws)


def rents_in_words(release: str) -> str:
    """Return how rents are assumed to move."""
    found = rent_power(release)
    return (
        f"rents rise with bandwidth to the power {wording.significant(found.power)} "
        f"({wording.significant(found.low)}–{wording.significant(found.high)}), as across {found.n} accelerators "
        "listed today"
    )


@lru_cache(maxsize=4)
def chip_slopes(release: str) -> dict[str, Slope]:
    """Return the fitted growth of leading data-centre chips, by quantity; prices rise with bandwidth as rents do."""
    found = {}
    for quantity, metric in CHIP_METRICS.items():
        asked = AcceleratorSettings(metric=metric, rule="flagships", since=str(SINCE))
        chips = chip_rows.candidates(load(release), asked, metric=METRICS[metric])
        try:
            found[quantity] = _fit(chip_rows.series(chips))
        except ValueError:
            found[quantity] = movement.HELD
    rent, bandwidth = rent_power(release), found["bandwidth"]
    found["price"] = Slope(
        middle=rent.power * bandwidth.middle,
        draws=tuple((rent.draws * bandwidth.sampled(DRAWS, name="rents")).tolist()),
        n=rent.n,
    )
    return found


def slopes(release: str) -> dict[str, dict[str, Slope]]:
    """Return the fitted growth by group of places: accelerators, and each class of device."""
    return {**device_slopes(), ACCELERATOR: chip_slopes(release)}


def groups(places: Places) -> tuple[str, ...]:
    """Return whose trend each place follows."""
    pairs = zip(places.device_class, places.accelerator, strict=True)
    return tuple(ACCELERATOR if served else name for name, served in pairs)


def growth_by(year: int, places: Places, *, release: str) -> HardwareGrowth:
    """Return by what factor each place has grown by that year at the fitted trends, shape (places,); 1 in 2026."""
    return movement.middle_growth(slopes(release), groups(places), ahead=float(year - FIRST_YEAR))


def drawn_growth_by(year: int, places: Places, *, release: str, draws: int) -> HardwareGrowth:
    """Return draws of that growth relative to its middle, shape (places, draws); all 1 in 2026."""
    return movement.drawn_growth(slopes(release), groups(places), ahead=float(year - FIRST_YEAR), draws=draws)
