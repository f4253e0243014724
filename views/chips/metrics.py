"""Chip quantities that trends are fitted to, as read from the table of accelerators."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import pandas as pd

from charts.chart import Role
from data import standing
from views import written
from views.wording import sentence_case


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A quantity of a chip: its reader, unit, name in a sentence, and colour role."""

    of: Callable[[pd.DataFrame], pd.Series]
    unit: str
    noun: str
    meaning: str
    role: Role
    column: str


def _column(name: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda chips: cast(pd.Series, chips[name])


def peak_16_bit(chips: pd.DataFrame) -> pd.Series:
    """Return each chip's peak dense 16-bit throughput, of matrix units or, if not listed, full-rate shaders. [FLOP/s]

    Before matrix units, some chips ran 16-bit arithmetic at a small fraction of the 32-bit rate for compatibility only.
    Those are excluded, since no one computed in 16 bits on them.
    """
    shader = _column("peak_fp16_shader_dense_flop_per_s")(chips)
    full_rate = shader.where(shader >= chips["peak_fp32_dense_flop_per_s"].fillna(0))
    return _column("peak_fp16_dense_flop_per_s")(chips).fillna(full_rate)


def fp16_engine(chips: pd.DataFrame) -> pd.Series:
    """Return each chip's 16-bit engine: "matrix", "vector", or "" if no table states it.

    A listed peak of matrix units implies "matrix"; the rest comes from a standing table with sources.
    """
    engines = standing.rows("sixteen_bit_engines", "accelerator")
    listed = [str(engines[name]["fp16_engine"]) if name in engines else "" for name in chips["name"]]
    known = METRICS["fp16-matrix"].of(chips).notna()
    return pd.Series(listed, index=chips.index, dtype=object).mask(known, "matrix")


def _metric(*, over: str = "", any_units: bool = False, reads: str = "", **stated: Any) -> Metric:
    if over:
        return Metric(of=lambda chips: peak_16_bit(chips) / chips[over], **stated)
    return Metric(of=peak_16_bit if any_units else _column(reads or stated["column"]), **stated)


METRICS = {name: _metric(**stated) for name, stated in written.toml(__file__, name="metrics.toml").items()}
PARTS = {
    sentence_case(metric.noun): metric.noun
    for metric in METRICS.values()
    if metric.role in ("compute", "memory", "links")
    and " per watt" not in metric.noun
    and "dollar" not in metric.noun
}
"""Names of the quantities that describe part of a chip, keyed by heading."""
