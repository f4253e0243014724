"""What a training run is made of: its chips, their count and peak, its time, and the utilization they imply."""

from typing import cast

import numpy as np
import pandas as pd

from analysis.growth_accounting import implied_utilization
from data.releases import Release
from views.chips.metrics import peak_16_bit

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
