"""Prefill speed of unnamed devices, from their bandwidth and stated peak."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.measured import fitted_times
from analysis.measured.fitted_times import Columns, Part
from analysis.measured.held_out import FEWEST_ROWS, Spread, spread
from analysis.measured.prefill_cases import PrefillCases

NOISE, DEGREES = 0.25, 3.0
# Starting value: useful FLOP per byte/s on a device with twice as many FLOP/s of matrix peak.
USEFUL_PER_BYTE, PEAK_PER_BYTE = 50.0, 100.0
PEAK_OF_VECTOR_UNITS = re.compile(r"\bM[5-9]\b|\bA19\b|DGX Spark|Jetson|\bRX 9\d{3}|R9700|Snapdragon")
"""Chips with matrix units whose stated peak is for vector units. Such peaks are not comparable."""


def _columns(cases: PrefillCases) -> Columns:
    columns = Columns()
    columns.add("level", spread=0.7)
    columns.add("class", sorted(set(cases.groups)), spread=0.3)
    columns.add("peak", mean=-0.5, spread=0.3)
    columns.add("attention", mean=1.0, spread=0.5)
    columns.add("early", spread=0.1)
    columns.add("mixture", spread=0.3)
    columns.add("device", sorted(set(cases.device)), spread=0.25)
    return columns


def _parts(cases: PrefillCases, columns: Columns) -> tuple[Part, ...]:
    bandwidth = cases.memory_bandwidth_byte_per_s
    design = columns.design(
        len(cases),
        level=1.0,
        peak=np.log(cases.peak_flop_per_s / bandwidth / PEAK_PER_BYTE),
        attention=cases.attention,
        early=cases.early_doublings,
        mixture=cases.is_mixture,
        device=cases.device,
        **{"class": cases.groups},
    )
    return (Part(size=2.0 * cases.n_active_parameters / (USEFUL_PER_BYTE * bandwidth), design=design),)


@dataclass(frozen=True, kw_only=True)
class PeakRule:
    """Prefill speed as ``bandwidth^(1-g) * peak^g``, fitted to GPUs, with its spread on held-out chips."""

    columns: Columns
    factors: FloatArray
    residual: FloatArray
    spread: Spread

    @property
    def power(self) -> float:
        """Return the exponent g of the peak. It is so small that doubling the stated peak changes little. [1]"""
        return -self.columns.factors("peak", self.factors)[""]

    def tokens_per_s(self, cases: PrefillCases) -> FloatArray:
        """Return the prefill speed of GPUs with a stated peak, shape (n,). [tokens/s]"""
        return np.exp(-fitted_times.log_times(_parts(cases, self.columns), self.factors))


def tells_its_peak(cases: PrefillCases) -> NDArray[np.bool_]:
    """Return a mask, shape (n,), of the GPUs that state the peak of their matrix units."""
    named = np.array([bool(PEAK_OF_VECTOR_UNITS.search(name)) for name in cases.device], dtype=bool)
    gpu = np.array([name == "GPU" for name in cases.backend], dtype=bool)
    return gpu & ~named & (cases.peak_flop_per_s > 0)


def fit_peak_rule(cases: PrefillCases, prefill_tokens_per_s: FloatArray) -> PeakRule | None:
    """Return the rule fitted to the cases that state a peak. None if there are fewer than five."""
    keep = tells_its_peak(cases)
    if keep.sum() < FEWEST_ROWS:
        return None
    cases, time_s = cases.at(keep), 1.0 / np.asarray(prefill_tokens_per_s, dtype=float)[keep]
    columns = _columns(cases)
    parts, prior = _parts(cases, columns), columns.prior()
    factors, residual = fitted_times.fit_and_check(
        parts, time_s, groups=(cases.device, cases.sources), prior=prior, noise=NOISE, degrees=DEGREES
    )
    return PeakRule(
        columns=columns,
        factors=factors,
        residual=residual,
        spread=spread(residual, devices=cases.device, classes=cases.groups, kinds=cases.backend),
    )
