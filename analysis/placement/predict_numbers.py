"""Checks the numbers of a reader's rows: finite, of their kind, and no more than any device or model has."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from analysis.placement.cases import BadCaseError


@dataclass(frozen=True, kw_only=True)
class Most:
    """The most a column can hold, in its own unit; above ``slip`` the value was likely given in ``unit``."""

    most: float
    what: str
    slip: float = math.inf
    factor: float = 1.0
    unit: str = ""


MOST = {
    "memory_bandwidth_gbyte_per_s": Most(
        most=1e5, what="GB/s; the fastest memory on sale reaches 23,000", slip=1e8, factor=1e9, unit="byte/s"
    ),
    "peak_tflop_per_s": Most(
        most=5e4,
        what="TFLOP/s; the fastest chips reach 5,000 at 16 bits",
        slip=1e9,
        factor=1e12,
        unit="FLOP/s",
    ),
    "weights_gbyte": Most(
        most=2e4, what="GB; the largest models have 8,000", slip=1e6, factor=1e9, unit="byte"
    ),
    "active_weights_gbyte": Most(
        most=2e4, what="GB; the largest models have 8,000", slip=1e6, factor=1e9, unit="byte"
    ),
    "kv_bytes_per_token": Most(most=1e8, what="bytes; the largest models keep 10 million"),
    "batch": Most(most=1e6, what="requests at once"),
    "context_tokens": Most(most=1e8, what="tokens"),
    "prompt_tokens": Most(most=1e8, what="tokens"),
    "measured_decode_tokens_per_s": Most(most=1e8, what="tokens a second"),
}


def cell(row: Mapping[str, str], column: str) -> str:
    """Return a cell without blanks around it, empty where there is none."""
    return (row.get(column) or "").strip()


def given(value: float, otherwise: float) -> float:
    """Return a number, or what stands for it where it is NaN."""
    return otherwise if math.isnan(value) else value


def number(row: Mapping[str, str], column: str, *, at: int, least: float = 0.0, above: bool = True) -> float:
    """Return a cell's number, NaN where empty.

    Raises
    ------
    BadCaseError
        Not a finite number, one that is too small, or one beyond any device.
    """
    text = cell(row, column)
    if not text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        point = " with a point for decimals," if "," in text else ""
        raise BadCaseError(
            f"row {at}, column {column}: a finite number is needed; got {text!r}. Write it like 1008 or 4.92,{point} "
            "or leave it empty."
        )
    if value < least or (above and value == least):
        words = "above" if above else "at least"
        raise BadCaseError(
            f"row {at}, column {column}: a number {words} {least:g} is needed; got {text}. "
            "Check its unit and sign, or leave it empty."
        )
    most = MOST[column]
    if value > most.most:
        slip = (
            f"If these are {most.unit}, write {value / most.factor:g}."
            if value >= most.slip
            else "Check its unit."
        )
        raise BadCaseError(
            f"row {at}, column {column}: at most {most.most:g} {most.what}; got {text}. {slip}"
        )
    return value
