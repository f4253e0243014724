"""Training runs in trend views: filtered rows, their series, points and table, and their growth under other rules."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from analysis import growth_accounting
from analysis.arrays import FloatArray
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth, Series
from charts.chart import Points, Role
from data import standing
from data.releases import Release
from views import wording, written
from views.chips.metrics import peak_16_bit
from views.kept import kept
from views.result import Exhibit, Table
from views.runs.choice import TrainingComputeSettings, rule
from views.table import stated_columns
from views.table import table as as_table
from views.trend import finding as trend
from views.trend import rates
from views.trend.marks import landmarks_among
from views.trend.rates import Changes, cases

UNIT = "FLOP"
COLUMNS = written.toml(__file__, name="columns.toml")
CONFIDENCE_GRADES = {
    "all": ("confident", "likely", "speculative", "unknown"),
    "likely": ("confident", "likely"),
    "confident": ("confident",),
}


def candidates(release: Release, settings: TrainingComputeSettings) -> pd.DataFrame:
    """Return the runs that pass the filters, oldest first, before the rule selects among them."""
    return _passing(
        release, domain=settings.domain, finetunes=settings.finetunes, confidence=settings.confidence
    )


@kept
def _passing(release: Release, *, domain: str, finetunes: str, confidence: str) -> pd.DataFrame:
    runs = release.training_runs
    keep = runs["training_compute_flop"].notna() & runs["published_on"].notna() & (runs["excluded"] == "")
    if domain == "language":
        keep &= runs["domain"].str.contains("Language", regex=False)
    if finetunes == "exclude":
        keep &= runs["base_model"] == ""
    keep &= runs["confidence"].isin(CONFIDENCE_GRADES[confidence])
    return runs.loc[keep].sort_values(["published_on", "name"], kind="stable", ignore_index=True)


def series(runs: pd.DataFrame, value: NDArray[np.floating] | None = None) -> Series:
    """Return a value of each run, by default its compute, as a series clustered by organisation."""
    return Series(
        year=decimal_year(runs["published_on"]),
        value=runs["training_compute_flop"].to_numpy(dtype=float) if value is None else value,
        cluster=runs["organisation"].to_numpy(dtype=object),
        name=runs["name"].to_numpy(dtype=object),
    )


class Run(NamedTuple):
    """What a chart states about a run: ``value`` is what it shows, and the other fields are as in the table of runs."""

    value: float
    confidence: str
    organisation: str
    published_on: datetime
    origin: str
    hardware: str
    hardware_quantity: float


def _details(run: Run) -> tuple[str, ...]:
    return (
        f"{wording.power_of_ten(run.value, 3)} FLOP, {run.confidence} estimate",
        f"{run.organisation or 'organization not given'}, {run.published_on:%Y-%m-%d}",
        trend.origin_words(run.origin),
    )


def points(
    runs: pd.DataFrame,
    value: str = "training_compute_flop",
    *,
    divisor: float = 1.0,
    details: Callable[[Run], tuple[str, ...]] = _details,
    role: Role = "compute",
) -> Points:
    """Return the runs as named points. Each point's height is its value divided by ``divisor``."""
    names = tuple(runs["name"])
    columns = (runs[name] for name in (value, *Run._fields[1:]))
    return Points(
        series="Training runs",
        role=role,
        x=tuple(decimal_year(runs["published_on"]).tolist()),
        y=tuple((runs[value] / divisor).tolist()),
        names=names,
        details=tuple(details(Run(*row)) for row in zip(*columns, strict=True)),
        marked=landmarks_among(names, kind="training_runs") if role == "compute" else (),
        rows="training-runs",
    )


def table(runs: pd.DataFrame, growth: Growth | None) -> Table:
    """Return the runs as a table, newest first, with their compute and its ratio to the trend."""
    return as_table(
        stated_columns(COLUMNS["runs"]),
        trend.newest_first(runs, growth, date="published_on", value="training_compute_flop"),
    )


MISSING = written.toml(__file__, name="missing.toml")


def with_parts(release: Release, runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs with their parts as columns, and the reason for any missing parts."""
    parts = growth_accounting.with_parts(runs, release.accelerators.assign(peak_16_bit=peak_16_bit))
    return parts.assign(missing=parts["missing"].replace(MISSING))


SENSIBLE: Changes = tuple(written.toml(__file__, name="rules.toml").items())

NORMAL_REACH = float(ndtri(0.95))
"""Half of a normal distribution's 90% interval, in standard deviations."""


def error_sd(runs: pd.DataFrame) -> FloatArray:
    """Return the standard deviation of each run's compute, from the run's confidence grade, shape (runs,). [log10]"""
    within = {
        grade: float(row["within_factor"])
        for grade, row in standing.rows("confidence_grades", "grade").items()
    }
    return np.log10([within[grade] for grade in runs["confidence"]]) / NORMAL_REACH


def spread_exhibit(
    release: Release, settings: TrainingComputeSettings, *, growth: Growth, source: str
) -> Exhibit | None:
    """Return an exhibit of the growth rate under all plausible rules. None if no other rule can be fitted."""
    others = cases(settings, SENSIBLE, series_of=lambda case: series(candidates(release, case)), rule_of=rule)
    return rates.spread_exhibit(growth, others, subject="Compute per run", role="compute", source=source)
