"""Compute per byte that a chip can move or store: the metric and its growth."""

from dataclasses import replace

import pandas as pd

from analysis.compute_to_memory import LOWEST, Peaks, lowest_native
from analysis.hardware.workloads import BYTE_OF
from analysis.trend.growth import Growth
from data.releases import Release
from views.chips import rows as chip_rows
from views.chips.metrics import METRICS, Metric
from views.compute_to_memory import settings as choices


def peaks(chips: pd.DataFrame, precision: str) -> Peaks:
    """Return chips' peak dense throughput and its format, at a precision or in each chip's lowest native format."""
    if precision != "lowest":
        return Peaks(
            flop_per_s=METRICS[precision].of(chips).to_numpy(dtype=float),
            formats=(precision.removesuffix("-matrix"),) * len(chips),
        )
    return lowest_native({name: METRICS[name].of(chips).to_numpy(dtype=float) for name in LOWEST})


def throughput(chips: pd.DataFrame, precision: str) -> pd.Series:
    """Return chips' peak dense throughput, at a precision or in each chip's lowest native format. [FLOP/s]"""
    return pd.Series(peaks(chips, precision).flop_per_s, index=chips.index)


def operand_byte(chips: pd.DataFrame, precision: str) -> pd.Series:
    """Return the size of a number, at a precision or in each chip's lowest native format. [byte]"""
    return pd.Series(
        [BYTE_OF[name] for name in peaks(chips, precision).formats], index=chips.index, dtype=float
    )


def metric_of(settings: choices.ComputeToMemorySettings) -> Metric:
    """Return the chosen ratio of throughput as a metric of chips."""
    ratio = choices.RATIOS[settings.ratio]
    return Metric(
        of=lambda chips: throughput(chips, settings.precision) / METRICS[ratio.below].of(chips),
        unit=ratio.unit.replace("FLOP", "OP") if settings.precision == "int8" else ratio.unit,
        noun=f"{choices.ratio_words(settings)}, {choices.NOUN_OF[settings.precision]}",
        meaning=ratio.words,
        role="compute",
        column=ratio.column,
    )


def per_number(settings: choices.ComputeToMemorySettings) -> Metric:
    """Return machine balance per number moved. A smaller format also moves fewer bytes. [FLOP]"""
    return replace(
        metric_of(settings),
        of=lambda chips: (
            throughput(chips, settings.precision)
            * operand_byte(chips, settings.precision)
            / chips["memory_bandwidth_byte_per_s"]
        ),
    )


def known_bandwidth(settings: choices.ComputeToMemorySettings) -> Metric:
    """Return memory bandwidth as a metric, only for chips with known throughput at the precision."""
    return replace(
        METRICS["memory-bandwidth"],
        of=lambda chips: chips["memory_bandwidth_byte_per_s"].where(
            throughput(chips, settings.precision).notna()
        ),
    )


def fitted(release: Release, settings: choices.ComputeToMemorySettings, *, metric: Metric) -> Growth:
    """Return the growth of a metric over the chosen chips.

    Raises ValueError if the window has too few chips for the estimator or the interval.
    """
    of_chips = choices.chip_settings(settings)
    return chip_rows.fitted(chip_rows.candidates(release, of_chips, metric=metric), of_chips)
