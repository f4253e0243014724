"""Leading training runs' share of all chips, and the largest run's share of a year's compute."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray
from analysis.fleet import DrawnSeries
from analysis.fleet.share import Share, run_share, whole_years, year_share
from analysis.intervals import Estimate
from analysis.trend.calendar_year import decimal_year
from analysis.units import YEAR_S

USUAL_S = 90 * 86400.0
"""Assumed duration of a run of unknown duration. Known runs trained for 48 to 180 days. [s]"""


@dataclass(frozen=True, kw_only=True)
class LeadingRun:
    """A leading run and its shares of all chips, of those chips' FLOP/s and of their compute in a year.

    Each share is None if unknown; ``year`` is set for the largest run of a year.
    """

    name: str
    published_on: pd.Timestamp
    grade: str
    chips: float | None
    of_chips: Estimate | None
    of_flop_per_s: Estimate | None
    year: int | None = None
    of_year: Estimate | None = None


@dataclass(frozen=True, kw_only=True)
class LargestRun:
    """The largest run of a year, and its share of the compute that all chips could deliver."""

    name: str
    year: int
    share: Share


def own_compute(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs that are not built on another run. The compute of other runs includes that of their base."""
    own: Any = runs.loc[(runs["base_model"] == "") & (runs["excluded"] == "") & runs["published_on"].notna()]
    return own


def largest_runs(
    runs: pd.DataFrame, throughput: DrawnSeries, *, error_sd: Callable[[pd.DataFrame], FloatArray]
) -> Iterator[LargestRun]:
    """Yield each year's largest run. ``error_sd`` returns the standard deviations of the runs' compute [log10]."""
    known = own_compute(runs).dropna(subset="training_compute_flop")
    for year in whole_years(throughput):
        of_year = known.loc[known["published_on"].dt.year == year]
        if len(of_year):
            largest = of_year.loc[[of_year["training_compute_flop"].idxmax()]]
            share = year_share(
                throughput,
                year=year,
                compute_flop=float(largest["training_compute_flop"].iloc[0]),
                error_sd=float(error_sd(largest)[0]),
            )
            yield LargestRun(name=str(largest["name"].iloc[0]), year=year, share=share)


def leading_runs(
    runs: pd.DataFrame,
    *,
    largest: Collection[LargestRun],
    number: DrawnSeries,
    throughput: DrawnSeries,
    peaks: Mapping[str, float],
    level: float,
) -> tuple[LeadingRun, ...]:
    """Return the leading runs with a known number of chips, oldest first, and each year's largest run.

    ``number`` and ``throughput`` [FLOP/s] cover all chips in use; ``peaks`` are those of one chip by name. [FLOP/s]
    """
    of_year = {run.name: run for run in largest}
    rows = _leading(runs, also=of_year, first=number.end_year[0], until=number.end_year[-1])
    chips = rows["hardware_quantity"].to_numpy(dtype=float)
    each = np.array([float(peaks.get(name, np.nan)) for name in rows["hardware"]])
    end = decimal_year(rows["published_on"])
    start = end - rows["training_time_s"].fillna(USUAL_S).to_numpy(dtype=float) / YEAR_S
    of_chips, of_flop = (
        run_share(series, used=used, start_year=start, end_year=end).estimates(level)
        for series, used in ((number, chips), (throughput, chips * each))
    )

    leading = []
    for place, row in enumerate(rows.to_dict("records")):
        own = of_year.get(row["name"])
        leading.append(
            LeadingRun(
                name=row["name"],
                published_on=row["published_on"],
                grade=row["confidence"],
                chips=None if np.isnan(chips[place]) else float(chips[place]),
                of_chips=of_chips[place],
                of_flop_per_s=of_flop[place],
                year=own and own.year,
                of_year=own and own.share.estimates(level)[0],
            )
        )
    return tuple(leading)


def _leading(runs: pd.DataFrame, *, also: Collection[str], first: float, until: float) -> pd.DataFrame:
    own = own_compute(runs)
    when = decimal_year(own["published_on"])
    leads = own["frontier_flag"].astype(bool) & own["hardware_quantity"].notna()
    keep: Any = own.loc[(leads & (when > first) & (when <= until)) | own["name"].isin(list(also))]
    return keep.sort_values("published_on", kind="stable")
