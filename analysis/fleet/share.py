"""One training run's share of all chips in use, and its share of a year's total compute.

A run's chips are compared with those in use while it trained. That was between its start (publication minus training
time) and its publication; each draw samples one moment of that span as well as the units.
"""

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.fleet import DrawnSeries
from analysis.intervals import Estimate, central_interval
from analysis.units import YEAR_S

QUARTER_YEAR = 0.25


@dataclass(frozen=True, kw_only=True)
class Share:
    """Shares, shape (n,), and their draws, shape (draws, n). NaN if the fleet is unknown."""

    value: FloatArray
    drawn: FloatArray

    def estimates(self, level: float) -> list[Estimate | None]:
        """Return the shares with central intervals at a level such as 0.9. None for unknown shares."""
        low, high = central_interval(self.drawn, level=level)
        ends = zip(self.value.tolist(), low.tolist(), high.tolist(), strict=True)
        return [None if math.isnan(value) else Estimate(value=value, low=a, high=b) for value, a, b in ends]


def total_at(fleet: DrawnSeries, year: FloatArray) -> FloatArray:
    """Return the total, shape (draws, n), at decimal years, log-interpolated between quarter ends.

    ``year`` has shape (draws, n) or (n,); NaN before the end of the first quarter and after the last.
    """
    ends = fleet.end_year
    when = np.broadcast_to(year, (len(fleet.total), np.shape(year)[-1]))
    after = np.clip(np.searchsorted(ends, when), 1, len(ends) - 1)
    between = (when - ends[after - 1]) / (ends[after] - ends[after - 1])
    logs = np.log(fleet.total)
    rows = np.arange(len(logs))[:, None]
    interpolated = np.exp(logs[rows, after - 1] * (1 - between) + logs[rows, after] * between)
    return np.where((when >= ends[0]) & (when <= ends[-1]), interpolated, np.nan)


def run_share(fleet: DrawnSeries, *, used: FloatArray, start_year: FloatArray, end_year: FloatArray) -> Share:
    """Return each run's share of all chips in use, shape (n,).

    ``used`` is the combined capacity of the run's chips, in the unit of the fleet. A run trained at some time between
    ``start_year`` and ``end_year``; its share is that at the midpoint. A run that began before the end of the first
    quarter is compared with that quarter.
    """
    first = fleet.end_year[0]
    begun = np.maximum(start_year, first)
    begun = np.where(end_year < first, np.nan, begun)
    moment = np.random.default_rng(0).random((len(fleet.total), len(used)))
    moment[0] = 0.5
    drawn = used / total_at(fleet, begun + moment * (end_year - begun))
    return Share(value=drawn[0], drawn=drawn[1:])


def whole_years(fleet: DrawnSeries) -> list[int]:
    """Return the calendar years for which a series has every quarter."""
    quarters = Counter(math.ceil(end - 1e-6) - 1 for end in fleet.end_year.tolist())
    return [year for year, number in sorted(quarters.items()) if number == round(1 / QUARTER_YEAR)]


def flop_in(fleet: DrawnSeries, year: int) -> FloatArray:
    """Return the compute that a fleet [FLOP/s] delivers in a calendar year at full peak, shape (draws,). [FLOP]

    Each quarter counts the mean of the totals at its start and end; before the first quarter the total is zero.

    Raises ValueError if a quarter of the year is missing.
    """
    inside = (fleet.end_year > year + 1e-6) & (fleet.end_year <= year + 1 + 1e-6)
    if np.count_nonzero(inside) != round(1 / QUARTER_YEAR):
        raise ValueError(
            f"a year's FLOP needs its four quarters; {year} has {np.count_nonzero(inside)} here. Take a year from "
            f"{fleet.end_year[0]:.0f} to {fleet.end_year[-1] - 1:.0f}."
        )
    before = np.concatenate([np.zeros((len(fleet.total), 1)), fleet.total[:, :-1]], axis=1)
    return ((before + fleet.total) / 2)[:, inside].sum(axis=1) * QUARTER_YEAR * YEAR_S


def year_share(fleet: DrawnSeries, *, year: int, compute_flop: float, error_sd: float) -> Share:
    """Return one run's share of the fleet's compute in a year, shape (1,).

    ``error_sd`` is the standard deviation of the error of its compute [log10].
    """
    random = np.random.default_rng((0, year))
    compute = compute_flop * 10 ** (error_sd * random.standard_normal(len(fleet.total)))
    compute[0] = compute_flop
    drawn = (compute / flop_in(fleet, year))[:, None]
    return Share(value=drawn[0], drawn=drawn[1:])
