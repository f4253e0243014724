"""How fast a device reads a prompt: useful FLOP per byte/s of bandwidth, fitted by class."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import fitted_times
from analysis.decode import group
from analysis.decode_rows import BACKENDS, DecodeCases, gpu_makers
from analysis.fitted_times import Columns, Part
from analysis.held_out import Scatter, scatter

FloatArray = NDArray[np.floating]

NOISE, DEGREES = 0.25, 3.0
FLOP_PER_BYTE = {"GPU": 40.0, "CPU": 8.0, "NPU": 60.0}  # where the fit of useful FLOP per byte/s starts
PEAK_SHARE_ELSE = 0.4  # of a stated peak, where no measured device has one
PROMPT_AT_TOKENS = 512.0


@dataclass(frozen=True, kw_only=True)
class PrefillCases:
    """What decides how fast prompts are read, each of shape (n,); ``peak_flop_per_s`` is NaN where unknown."""

    device: tuple[str, ...]
    device_class: tuple[str, ...]
    backend: tuple[str, ...]
    memory_bandwidth_byte_per_s: FloatArray
    peak_flop_per_s: FloatArray
    n_active_parameters: FloatArray
    prompt_tokens: FloatArray

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self.device)


def prefill_usable(measured: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which rows of measured speeds tell how fast one device reads a prompt, shape (n,)."""
    return np.asarray(
        (measured["prefill_tokens_per_s"] > 0)
        & (measured["n_devices"] == 1)
        & (measured["batch"] == 1)
        & measured["memory_bandwidth_byte_per_s"].notna()
        & measured["full_read"]
        & ~measured["host_limited"]
        & measured["backend"].isin(BACKENDS)
        & ~measured["software"].str.contains("sustained"),
        dtype=bool,
    )


def prefill_cases(measured: pd.DataFrame, cases: DecodeCases, *, peak_flop_per_s: FloatArray) -> PrefillCases:
    """Return rows of measured speeds as prefill cases; ``cases`` are the same rows for decode."""
    active = measured["n_active_parameters"].fillna(measured["n_parameters"])
    return PrefillCases(
        device=cases.device,
        device_class=cases.device_class,
        backend=cases.backend,
        memory_bandwidth_byte_per_s=cases.memory_bandwidth_byte_per_s,
        peak_flop_per_s=peak_flop_per_s,
        n_active_parameters=active.to_numpy(dtype=float),
        prompt_tokens=measured["context_tokens"].fillna(PROMPT_AT_TOKENS).to_numpy(dtype=float),
    )


def _columns(cases: PrefillCases) -> Columns:
    groups = sorted({group(*pair) for pair in zip(cases.device_class, cases.backend, strict=True)})
    columns = Columns()
    columns.add("level", spread=0.7)
    columns.add("kind", BACKENDS, spread=0.7)
    columns.add("class", groups, spread=0.5)
    columns.add("maker", sorted(set(gpu_makers(cases.device, cases.backend)) - {""}), spread=0.5)
    columns.add("prompt", spread=0.2)
    columns.add("device", sorted(set(cases.device)), spread=0.25)
    return columns


def _doublings(prompt_tokens: FloatArray) -> FloatArray:
    return np.log2(np.maximum(prompt_tokens, 1.0) / PROMPT_AT_TOKENS).clip(0.0, 8.0)


def _parts(cases: PrefillCases, columns: Columns) -> tuple[Part, ...]:
    n = len(cases)
    per_byte = np.array([FLOP_PER_BYTE[name] for name in cases.backend])
    design = columns.design(
        n,
        level=1.0,
        kind=cases.backend,
        prompt=_doublings(cases.prompt_tokens),
        device=cases.device,
        maker=gpu_makers(cases.device, cases.backend),
        **{"class": [group(*pair) for pair in zip(cases.device_class, cases.backend, strict=True)]},
    )
    useful = per_byte * cases.memory_bandwidth_byte_per_s
    return (Part(size=2.0 * cases.n_active_parameters / useful, design=design),)


@dataclass(frozen=True, kw_only=True)
class PrefillModel:
    """A fitted model of prefill with its log residuals on left-out devices, shape (n,), and its scatter."""

    columns: Columns
    factors: FloatArray
    peak_share: float
    residual: FloatArray
    scatter: Scatter

    def knows(self, device_class: str, backend: str) -> bool:
        """Return whether prompts were measured on this class and backend."""
        return group(device_class, backend) in self.columns.levels("class")

    def tokens_per_s(self, cases: PrefillCases) -> FloatArray:
        """Return prompt tokens read a second by one request, shape (n,). [tokens/s]

        A prompt takes 2 FLOP per active parameter and token; attention's growth with the prompt is one fitted
        factor per doubling beyond 512 tokens. A class nobody measured uses the useful share of its stated peak.

        Notes
        -----
        For measured classes the bandwidth says more than the stated peak, which sources give for different units
        and formats: before makers of GPUs had factors of their own, the median error on left-out devices was 26 % by
        bandwidth and 28-31 % by peak; with them it is 25 % by bandwidth.
        """
        rate = np.exp(-fitted_times.log_times(_parts(cases, self.columns), self.factors))
        by_peak = self.peak_share * cases.peak_flop_per_s / (2.0 * cases.n_active_parameters)
        pairs = zip(cases.device_class, cases.backend, strict=True)
        measured = np.array([self.knows(*pair) for pair in pairs], dtype=bool)
        return np.where(measured | np.isnan(by_peak), rate, by_peak)

    def slowdown(self, prompt_tokens: FloatArray) -> FloatArray:
        """Return how much longer a token of such a prompt takes than one of 512, the shape of the argument. [1]"""
        return np.exp(self.columns.factors("prompt", self.factors)[""] * _doublings(prompt_tokens))


def prompt_time_s(
    tokens_per_s: FloatArray, *, prompt_tokens: FloatArray, weights_time_s: FloatArray
) -> FloatArray:
    """Return the time until a prompt is read, shapes broadcast: its compute, but no less than one pass of weights. [s]

    ``weights_time_s`` is how long one reading of all weights takes, the same as in decode.
    """
    return np.maximum(np.asarray(prompt_tokens, dtype=float) / tokens_per_s, weights_time_s)


def fit_prefill(cases: PrefillCases, prefill_tokens_per_s: FloatArray) -> PrefillModel:
    """Return the prefill model fitted to measured speeds, shape (n,). [tokens/s]

    Raises
    ------
    ValueError
        Fewer than five rows.
    """
    if len(cases) < 5:
        raise ValueError(f"the prefill fit needs five rows or more; got {len(cases)}. Pass all usable rows.")
    columns, time_s = _columns(cases), 1.0 / np.asarray(prefill_tokens_per_s, dtype=float)
    parts, prior = _parts(cases, columns), columns.prior()
    factors = fitted_times.fit(parts, time_s, prior=prior, noise=NOISE, degrees=DEGREES)
    predicted = fitted_times.held_out_log_times(
        parts, time_s, devices=cases.device, prior=prior, noise=NOISE, degrees=DEGREES, start=factors
    )
    residual = predicted - np.log(time_s)
    alone = fitted_times.left_out_row_residuals(
        parts, time_s, prior=prior, noise=NOISE, degrees=DEGREES, factors=factors
    )
    shares = 2.0 * cases.n_active_parameters / time_s / cases.peak_flop_per_s
    shares = shares[np.isfinite(shares)]
    classes: Sequence[str] = [group(*pair) for pair in zip(cases.device_class, cases.backend, strict=True)]
    return PrefillModel(
        columns=columns,
        factors=factors,
        peak_share=float(np.median(shares)) if shares.size else PEAK_SHARE_ELSE,
        residual=residual,
        scatter=scatter(
            device_left_out=residual,
            row_left_out=alone,
            devices=cases.device,
            classes=classes,
            kinds=cases.backend,
        ),
    )
