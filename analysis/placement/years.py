"""Hardware trends, places that follow them, and the first year that meets the requirements."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.outcome import outcome
from analysis.placement.places import HardwareGrowth, Places
from analysis.placement.question import Question
from analysis.placement.setup import set_up
from analysis.placement.speed_draws import SpeedDraws
from analysis.rent_rates import RentRate
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Series, Window, growth
from analysis.trend.selection import Rule

QUANTITIES = ("bandwidth", "flop", "capacity", "price", "link")
FEWEST_POINTS = 8
"""Minimum number of dated devices for a class's own trend. Smaller classes share one trend. [1]"""
SEED = 20261122
TRENDS, SPEEDS = 100, 80
"""Number of drawn trends behind a first year's interval, and of speed draws for each trend. [1]"""
PLACES_AT_ONCE = 2
"""Number of places per batch. A place takes 1 MB for each of some ten quantities drawn for every year. [1]"""


@dataclass(frozen=True, kw_only=True)
class Slope:
    """Yearly growth of one quantity: the fit, its ``draws``, and the number of points. [log10 per year]

    ``pooled`` is true if the class has too few points and uses the trend of all devices. ``first`` is a change that
    applies only in the first year, with its own draws.
    """

    middle: float = 0.0
    draws: tuple[float, ...] = (0.0,)
    first: float = 0.0
    first_draws: tuple[float, ...] = (0.0,)
    n: int = 0
    pooled: bool = False

    def sampled(self, count: int, *, name: str) -> tuple[FloatArray, FloatArray]:
        """Return ``count`` draws of yearly growth and of the first year's change, seeded by ``name``."""
        source = np.random.default_rng(np.random.SeedSequence([SEED, *name.encode()]))
        picked = source.integers(len(self.draws), size=count)
        return np.asarray(self.draws)[picked], np.resize(self.first_draws, len(self.draws))[picked]


HELD = Slope()
"""Slope without growth."""

Slopes = Mapping[str, Mapping[str, Slope]]
"""Slopes keyed by group of places, then by quantity. A missing slope means no growth."""


def within_groups(series: Series, group: Sequence[str]) -> Series:
    """Return the rows of several groups as one series, relative to each group's mean year and value.

    Its slope is the growth within groups: a group that enters late with larger values does not count as growth. Years
    are shifted to the overall mean.
    """
    year, log10 = series.year.copy(), np.log10(series.value)
    centre, groups = float(year.mean()), np.asarray(group, dtype=object)
    for name in set(group):
        own = groups == name
        year[own] += centre - year[own].mean()
        log10[own] -= log10[own].mean()
    return Series(year=year, value=10.0**log10, cluster=series.cluster, name=series.name)


def _by_quantity(
    of: Callable[[Slope, str], FloatArray | float], *, slopes: Slopes, groups: Sequence[str]
) -> dict[str, FloatArray]:
    """Return, keyed by quantity, a value or draws from each group's slope. A missing slope means no growth."""
    return {
        quantity: np.array(
            [of(slopes.get(group, {}).get(quantity, HELD), f"{group} {quantity}") for group in groups]
        )
        for quantity in QUANTITIES
    }


def middle_growth(slopes: Slopes, groups: Sequence[str], *, ahead: FloatArray | float) -> HardwareGrowth:
    """Return the median growth of places over ``ahead`` years, shape (places,) or (years, places)."""
    years = np.asarray(ahead, dtype=float)[..., None]
    rates = _by_quantity(lambda slope, _: slope.middle, slopes=slopes, groups=groups)
    firsts = _by_quantity(lambda slope, _: slope.first, slopes=slopes, groups=groups)
    return _grown(rates, firsts, years=years)


def _grown(
    rates: Mapping[str, FloatArray], firsts: Mapping[str, FloatArray], *, years: FloatArray
) -> HardwareGrowth:
    moving = np.minimum(years, 1.0)
    return HardwareGrowth(
        **{quantity: 10.0 ** (rate * years + firsts[quantity] * moving) for quantity, rate in rates.items()}
    )


def drawn_growth(
    slopes: Slopes, groups: Sequence[str], *, ahead: FloatArray | float, draws: int
) -> HardwareGrowth:
    """Return draws of growth divided by its median, shape (places, draws) or (years, places, draws).

    Places of one group share their draws; quantities are drawn independently.
    """
    years = np.asarray(ahead, dtype=float)[..., None, None]
    off, firsts = (
        _by_quantity(
            lambda slope, name, at=at: slope.sampled(draws, name=name)[at] - (slope.middle, slope.first)[at],
            slopes=slopes,
            groups=groups,
        )
        for at in (0, 1)
    )
    return _grown(off, firsts, years=years)


def first_year(chance: FloatArray, *, years: FloatArray, required_probability: float) -> FloatArray:
    """Return the first year in which the chance is at least ``required_probability``, else infinity.

    ``chance`` has the years on its first axis; the result has its other axes.
    """
    enough = np.asarray(chance) >= required_probability - 1e-12
    return np.where(enough.any(axis=0), years[np.argmax(enough, axis=0)], np.inf)


@dataclass(frozen=True, kw_only=True)
class PlacementYears:
    """Probability that each place meets the requirements in each year, and the first year in which it is high enough.

    ``chance`` has shape (years, places), the others (places,). ``low`` to ``high`` covers the first year in 90% of
    trends; inf means later than the last year.
    """

    year: FloatArray
    chance: FloatArray
    first: FloatArray
    low: FloatArray
    high: FloatArray


def placement_years(
    question: Question, years: ArrayLike, *, slopes: Slopes, groups: Sequence[str]
) -> PlacementYears:
    """Return the probability that hardware on sale by each year meets the requirements.

    ``groups`` names the group of each place, whose ``slopes`` replace the question's own growth. The probability
    combines the spread of speeds and of trends, so its first year is one number. The interval of that year covers only
    the trends: the year is computed for each of ``TRENDS`` drawn trends, with ``SPEEDS`` draws of speed each.
    """
    years = np.asarray(years, dtype=float)
    ahead = years - years[0]

    def chances(keep: BoolArray, *, trends: int | None) -> FloatArray:
        """Return the probabilities for the places in ``keep`` (axis 1), computed in small batches."""
        marked = np.flatnonzero(keep)
        parts = np.split(marked, range(PLACES_AT_ONCE, len(marked), PLACES_AT_ONCE))
        return np.concatenate([chances_of(part, trends) for part in parts], axis=1)

    def chances_of(places: NDArray[np.intp], trends: int | None) -> FloatArray:
        names = [groups[int(i)] for i in places]
        there = question.at(np.isin(np.arange(len(question.places)), places))
        these = replace(there, growth=middle_growth(slopes, names, ahead=ahead))
        speed_draws = these.speed_draws
        off = drawn_growth(slopes, names, ahead=ahead, draws=trends or speed_draws.step.shape[1])
        if trends is not None:
            few = {name: np.tile(value[:, :SPEEDS], trends) for name, value in vars(speed_draws).items()}
            speed_draws = SpeedDraws(**few)
            each = speed_draws.step.shape[1] // trends
            off = HardwareGrowth(
                **{name: np.repeat(value, each, axis=-1) for name, value in vars(off).items()}
            )
        met = outcome(set_up(these), these, speed_draws=speed_draws, growth=off).met
        met = np.logical_or.accumulate(met, axis=0)  # hardware of earlier years stays available
        return met.mean(axis=-1) if trends is None else met.reshape(*met.shape[:2], trends, -1).mean(axis=-1)

    required = question.required_probability
    chance = chances(np.ones(len(question.places), dtype=bool), trends=None)
    first = first_year(chance, years=years, required_probability=required)
    low, high = first.copy(), first.copy()
    open_still = (first > years[0]) & (chance.max(axis=0) > 0)
    if open_still.any():
        drawn = chances(open_still, trends=TRENDS)
        each = np.sort(first_year(drawn, years=years, required_probability=required), axis=-1)
        tail = round(0.05 * (TRENDS - 1))
        low[open_still] = np.clip(each[:, tail], years[:2][-1], first[open_still])
        high[open_still] = np.maximum(each[:, -1 - tail], first[open_still])
    return PlacementYears(year=years, chance=chance, first=first, low=low, high=high)


ACCELERATOR = "accelerator"
"""Group of places that follow the trend of leading data-centre chips. Others follow their class."""
SINCE = 2016
DRAWS = 500
DEVICE_COLUMNS = {
    "bandwidth": ("memory_bandwidth_byte_per_s",),
    "flop": ("peak_fp16_flop_per_s", "peak_fp16_shader_flop_per_s"),
    "capacity": ("memory_capacity_byte",),
    "price": ("price_usd",),
}
"""Columns from which a quantity may be fitted. The one with most devices of the class is used, never a mixture."""


def groups(places: Places) -> tuple[str, ...]:
    """Return the trend group of each place."""
    pairs = zip(places.device_class, places.accelerator, strict=True)
    return tuple(ACCELERATOR if served else name for name, served in pairs)


def device_slopes(edge_devices: pd.DataFrame) -> dict[str, dict[str, Slope]]:
    """Return the growth of each device class, by quantity. A small class uses the growth of all devices.

    Growth is fitted within product lines, so that a class whose later rows are costlier models does not seem to grow.
    """
    classes: dict[str, dict[str, Slope]] = {str(name): {} for name in edge_devices["device_class"].unique()}
    for quantity, columns in DEVICE_COLUMNS.items():
        together = _fit(_within_lines(*_most(edge_devices, columns)), pooled=True)
        for name, slopes in classes.items():
            own, column = _most(edge_devices.loc[edge_devices["device_class"] == name], columns)
            slopes[quantity] = _fit(_within_lines(own, column)) if len(own) >= FEWEST_POINTS else together
    return classes


def rent_slope(newer: RentRate, rate: RentRate) -> Slope:
    """Return the trend of rents of leading chips. A chip one year newer costs ``newer`` times as much.

    ``rate`` is the yearly change of the list, for one year or indefinitely.
    """
    goes_on = rate.lasts == np.inf
    draws, first = np.log10(newer.draws), np.log10(rate.draws)
    return Slope(
        middle=float(np.log10(newer.value * (rate.value if goes_on else 1.0))),
        draws=tuple((draws + first if goes_on else draws).tolist()),
        first=0.0 if goes_on else float(np.log10(rate.value)),
        first_draws=(0.0,) if goes_on else tuple(first.tolist()),
        n=newer.n,
    )


def fitted_slope(series: Series) -> Slope:
    """Return the fitted growth of one quantity. No growth if the quantity cannot be fitted."""
    try:
        return _fit(series)
    except ValueError:
        return HELD


def _fit(series: Series, *, pooled: bool = False) -> Slope:
    fit = growth(
        series,
        rule=Rule(kind="all"),
        window=Window(since=SINCE),
        interval="clustered",
        few_clusters="rows",
        draws=DRAWS,
    )
    return Slope(
        middle=fit.trend.slope_per_year, draws=tuple(fit.draw_slope.tolist()), n=fit.n, pooled=pooled
    )


def _lines(rows: pd.DataFrame) -> list[str]:
    return [f"{of} {line}" for of, line in zip(rows["device_class"], rows["product_line"], strict=True)]


def _dated(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the rows of those product lines that have at least two dates. Growth compares successive products."""
    known = (rows[column] > 0) & rows["released_on"].notna() & (rows["product_line"] != "")
    dated = rows.loc[known & (rows["released_on"].dt.year >= SINCE)]
    dates = dated.groupby(_lines(dated))["released_on"].transform("nunique").to_numpy()
    return dated.loc[dates > 1]


def _most(rows: pd.DataFrame, columns: tuple[str, ...]) -> tuple[pd.DataFrame, str]:
    return max(((_dated(rows, name), name) for name in columns), key=lambda pair: len(pair[0]))


def _within_lines(rows: pd.DataFrame, column: str) -> Series:
    series = Series(
        year=decimal_year(rows["released_on"]),
        value=rows[column].to_numpy(dtype=float),
        cluster=rows["vendor"].to_numpy(dtype=object),
        name=rows["name"].to_numpy(dtype=object),
    )
    return within_groups(series, _lines(rows))
