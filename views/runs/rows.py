"""Training runs as a trend view takes them: the rows that pass, their series, their points and their table."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.growth_accounting import implied_utilization
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth, Series
from charts.chart import Points, Role
from data.releases import Release
from views import wording, written
from views.chips.metrics import peak_16_bit
from views.kept import kept
from views.result import Table
from views.runs.choice import TrainingComputeSettings
from views.table import stated_columns
from views.table import table as as_table
from views.trend import finding as trend
from views.trend.marks import landmarks_among

UNIT = "FLOP"
COLUMNS = written.toml(__file__, name="columns.toml")
CONFIDENCE_GRADES = {
    "all": ("confident", "likely", "speculative", "unknown"),
    "likely": ("confident", "likely"),
    "confident": ("confident",),
}


def candidates(release: Release, settings: TrainingComputeSettings) -> pd.DataFrame:
    """Return the runs that pass the filters, before the rule picks among them, oldest first; read-only."""
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
    """Return a value of each run against time, its compute by default, clustered by organisation."""
    return Series(
        year=decimal_year(runs["published_on"]),
        value=runs["training_compute_flop"].to_numpy(dtype=float) if value is None else value,
        cluster=runs["organisation"].to_numpy(dtype=object),
        name=runs["name"].to_numpy(dtype=object),
    )


def _details(run: Any) -> tuple[str, ...]:
    return (
        f"{wording.power_of_ten(run.training_compute_flop, 3)} FLOP, {run.confidence} estimate",
        f"{run.organisation or 'organization not given'}, {run.published_on:%Y-%m-%d}",
        trend.origin_words(run.origin),
    )


def points(
    runs: pd.DataFrame,
    value: str = "training_compute_flop",
    *,
    divisor: float = 1.0,
    details: Callable[[Any], tuple[str, ...]] = _details,
    role: Role = "compute",
) -> Points:
    """Return the runs as named points at a value divided by ``divisor``, the best known of compute marked."""
    names = tuple(runs["name"])
    return Points(
        series="Training runs",
        role=role,
        x=tuple(decimal_year(runs["published_on"]).tolist()),
        y=tuple((runs[value] / divisor).tolist()),
        names=names,
        details=tuple(map(details, runs.itertuples())),
        marked=landmarks_among(names, kind="training_runs") if role == "compute" else (),
    )


def table(runs: pd.DataFrame, growth: Growth | None) -> Table:
    """Return the runs as a table, newest first, with their compute and how far from the trend it lies."""
    return as_table(
        stated_columns(COLUMNS["runs"]),
        trend.newest_first(runs, growth, date="published_on", value="training_compute_flop"),
    )


FACTORS = ("chips", "time", "flop_per_s_per_chip", "utilization")
"""The factors whose product is training compute, in the order they are told."""


def peak_used(chips: pd.DataFrame, formats: pd.Series) -> pd.Series:
    """Return the peak a run could have used on its chips, by index. [FLOP/s per chip]

    FP8 where the run states FP8 and the chip has it; FP32 where the run states FP32 on a GPU; else 16 bits
    where the chip runs them at full rate (matrix units first), else TF32, else FP32.
    """
    usual = (
        peak_16_bit(chips)
        .fillna(chips["peak_tf32_dense_flop_per_s"])
        .fillna(chips["peak_fp32_dense_flop_per_s"])
    )
    eight = chips["peak_fp8_dense_flop_per_s"].where(formats == "FP8")
    full = chips["peak_fp32_dense_flop_per_s"].where((formats == "FP32") & (chips["type"] == "GPU"))
    return cast(pd.Series, eight.fillna(full).fillna(usual))


def with_parts(release: Release, runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs with the columns ``factors``, nan unless all of a run are known, and ``missing``.

    ``peak_flop_per_s`` is known wherever the chip is; ``missing`` says in words what keeps a run out of the
    decomposition, empty for those in it.
    """
    chips = release.accelerators.drop_duplicates("name").set_index("name").reindex(runs["hardware"])
    chips.index = runs.index
    known_chip = runs["hardware"].isin(release.accelerators["name"]) & (runs["hardware"] != "")
    peak = peak_used(chips, runs.loc[:, "numerical_format"]).where(known_chip)
    count, seconds = runs["hardware_quantity"], runs["training_time_s"]
    implied = pd.Series(
        implied_utilization(
            runs["training_compute_flop"].to_numpy(dtype=float),
            n_chips=count.to_numpy(dtype=float),
            training_time_s=seconds.to_numpy(dtype=float),
            peak_flop_per_s=peak.to_numpy(dtype=float),
        ),
        index=runs.index,
    )
    reasons = (
        ("built on another model, whose compute is included", runs["base_model"] != ""),
        ("no chip named", runs["hardware"] == ""),
        ("several kinds of chip, shares unknown", runs["hardware"].str.contains(";", regex=False)),
        ("chip without a known peak", peak.isna()),
        ("number of chips unknown", count.isna()),
        ("training time unknown", seconds.isna()),
        ("compute above the peak of its chips: the parts are of different runs", implied > 1),
    )
    missing = pd.Series("", index=runs.index, dtype=object)
    for words, holds in reasons:
        missing = missing.mask((missing == "") & holds.astype(bool), words)
    usable = (missing == "").to_numpy()
    return runs.assign(
        peak_flop_per_s=peak,
        missing=missing,
        chips=np.where(usable, count, np.nan),
        time=np.where(usable, seconds, np.nan),
        flop_per_s_per_chip=np.where(usable, peak, np.nan),
        utilization=np.where(usable, implied, np.nan),
    )
