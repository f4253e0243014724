"""Measured prefill speeds and their predictors, as arrays."""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.hardware.device_makers import BACKENDS, gpu_makers
from analysis.measured.decode import DecodeCases, group
from analysis.measured.fitted_times import MeasuredCases

PROMPT_AT_TOKENS = 512.0
ATTENTION_AT_TOKENS = 40_000.0
"""Prompt length at which attention takes as long as the weight matmuls. By FLOP, 61,000 tokens for an 8B model."""
FLASH_ATTENTION_SINCE = "2025"
"""Rows measured before this year prefill long prompts more slowly. Engines then stored attention scores."""
FIRST_PROMPT = "the first prompt of the run"
MATRIX_UNITS = {"Apple": r"\bM([5-9]|[1-9]\d)\b|\bA(19|[2-9]\d)\b"}
"""Patterns of GPUs with matrix units, keyed by vendor. They prefill about three times as fast as earlier chips."""
SLOW_ENGINES = ("MLX-Swift",)
"""Engines that prefill at a quarter of other engines' speed on the same chips, with matrix units or without (d452,
d461, d464 against d451, d462, d465). Their rows reflect the engine, not the device."""


@dataclass(frozen=True, kw_only=True)
class PrefillCases(MeasuredCases):
    """Predictors of prefill speed, each of shape (n,).

    ``peak_flop_per_s`` is the dense 16-bit peak of the matrix units, NaN if unknown; it is used if neither device nor
    vendor is known. ``mixture`` marks mixtures of experts (None if all models are dense). ``early`` marks engines
    before flash attention (None if there are none).
    """

    peak_flop_per_s: FloatArray
    n_active_parameters: FloatArray
    prompt_tokens: FloatArray
    mixture: NDArray[np.bool_] | None = None
    early: NDArray[np.bool_] | None = None
    format_family: tuple[str, ...] | None = None

    @property
    def groups(self) -> tuple[str, ...]:
        """Return the group in which each case's class is fitted, shape (n,)."""
        return tuple(group(*pair) for pair in zip(self.device_class, self.backend, strict=True))

    @property
    def makers(self) -> tuple[str, ...]:
        """Return the vendor of each case's GPU, with a suffix if it has the matrix units of :data:`MATRIX_UNITS`."""
        makers = gpu_makers(self.device, self.backend)
        return tuple(
            f"{name} matrix" if name in MATRIX_UNITS and re.search(MATRIX_UNITS[name], device) else name
            for name, device in zip(makers, self.device, strict=True)
        )

    @property
    def formats(self) -> tuple[str, ...]:
        """Return how each case's weights are unpacked, shape (n,). Empty if unknown."""
        return ("",) * len(self) if self.format_family is None else self.format_family

    @property
    def is_mixture(self) -> FloatArray:
        """Return 1 for mixtures of experts and 0 otherwise, shape (n,)."""
        return np.zeros(len(self)) if self.mixture is None else self.mixture.astype(float)

    @property
    def attention(self) -> FloatArray:
        """Return the log slowdown due to attention, relative to 512 tokens, for each prompt, shape (n,)."""
        return attention(self.prompt_tokens)

    @property
    def early_doublings(self) -> FloatArray:
        """Return the number of doublings from 512 tokens to each prompt, shape (n,). Zero with flash attention."""
        if self.early is None:
            return np.zeros(len(self))
        return np.log2(np.maximum(self.prompt_tokens, PROMPT_AT_TOKENS) / PROMPT_AT_TOKENS) * self.early


def attention(prompt_tokens: FloatArray) -> FloatArray:
    """Return log((1 + T/40,000) / (1 + 512/40,000)), at least 0, for each prompt of T tokens."""
    tokens = np.maximum(np.asarray(prompt_tokens, dtype=float), PROMPT_AT_TOKENS)
    return np.log1p(tokens / ATTENTION_AT_TOKENS) - np.log1p(PROMPT_AT_TOKENS / ATTENTION_AT_TOKENS)


def prefill_usable(measured: pd.DataFrame) -> NDArray[np.bool_]:
    """Return a mask, shape (n,), of the rows that measure the prefill speed of one device."""
    return np.asarray(
        (measured["prefill_tokens_per_s"] > 0)
        & (measured["n_devices"] == 1)
        & (measured["batch"] == 1)
        & measured["memory_bandwidth_byte_per_s"].notna()
        & measured["full_read"]
        & ~measured["host_limited"]
        & measured["backend"].isin(BACKENDS)
        & ~measured["software"].str.contains("sustained")
        & ~measured["software"].isin(SLOW_ENGINES)
        & ~measured["note"].str.contains(FIRST_PROMPT),
        dtype=bool,
    )


def prefill_cases(measured: pd.DataFrame, cases: DecodeCases, *, peak_flop_per_s: FloatArray) -> PrefillCases:
    """Return rows of measured speeds as prefill cases. ``cases`` are the same rows as decode cases."""
    active = measured["n_active_parameters"].fillna(measured["n_parameters"])
    return PrefillCases(
        device=cases.device,
        device_class=cases.device_class,
        backend=cases.backend,
        memory_bandwidth_byte_per_s=cases.memory_bandwidth_byte_per_s,
        peak_flop_per_s=peak_flop_per_s,
        n_active_parameters=active.to_numpy(dtype=float),
        prompt_tokens=measured["prompt_tokens"]
        .fillna(measured["context_tokens"])
        .fillna(PROMPT_AT_TOKENS)
        .to_numpy(dtype=float),
        mixture=cases.mixture,
        early=np.asarray(measured["measured_in"].astype(str) < FLASH_ATTENTION_SINCE, dtype=bool),
        engine=cases.engines,
        format_family=cases.format_family,
        source=cases.source,
    )
