"""Errors of the decode model, with each row's device and source held out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.measured.decode import DecodeCases, DecodeModel, fit_decode, group, held_out_residuals
from analysis.measured.held_out import Spread, spread, unseen_half_widths


@dataclass(frozen=True, kw_only=True)
class CheckedDecode:
    """A decode model fitted to all rows, with its held-out log residuals, shape (n,), and their spread."""

    model: DecodeModel
    cases: DecodeCases
    decode_tokens_per_s: FloatArray
    residual: FloatArray
    spread: Spread

    @property
    def held_out_tokens_per_s(self) -> FloatArray:
        """Return the held-out prediction of each row's speed, shape (n,). [tokens/s]"""
        return self.decode_tokens_per_s / np.exp(self.residual)

    def covered(self, level: float) -> NDArray[np.bool_]:
        """Return a mask, shape (n,), of rows inside the interval computed without their device and source."""
        names = _names(self.cases)
        half = unseen_half_widths(self.residual, **names, sources=self.cases.sources, level=level)
        return np.abs(self.residual) <= half


def _names(cases: DecodeCases) -> dict[str, list[str]]:
    return {
        "devices": list(cases.device),
        "classes": [group(*pair) for pair in zip(cases.device_class, cases.backend, strict=True)],
        "kinds": list(cases.backend),
    }


def check_decode(cases: DecodeCases, decode_tokens_per_s: FloatArray) -> CheckedDecode:
    """Return the model fitted to all rows, with its errors on held-out devices and sources.

    Variants of one chip (memory size, core count) count as one device and are left out together. The spread applies to
    measured chips too: what one source shows about a chip is specific to its engine and method, and errors for such
    chips were no smaller on speeds from other sources.
    """
    model = fit_decode(cases, decode_tokens_per_s)
    residual = held_out_residuals(model, cases, decode_tokens_per_s=decode_tokens_per_s)
    return CheckedDecode(
        model=model,
        cases=cases,
        decode_tokens_per_s=decode_tokens_per_s,
        residual=residual,
        spread=spread(residual, **_names(cases)),
    )
