"""The columns that a case of a placement may have, and their numbers, within what devices and models have."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from analysis.case_table import PROBLEM, CaseColumn, CaseError, Dialect, cell_of

DEVICE = CaseColumn(name="device", others={"accelerator": 1.0, "gpu": 1.0})
MODEL = CaseColumn(name="model")
FORMAT = CaseColumn(name="format", others={"precision": 1.0, "quantization": 1.0, "quantisation": 1.0})
DEVICE_CLASS = CaseColumn(name="device_class")
BACKEND = CaseColumn(name="backend")
BANDWIDTH = CaseColumn(name="memory_bandwidth_byte_per_s", others={"memory_bandwidth_gbyte_per_s": 1e9})
PEAK = CaseColumn(name="peak_flop_per_s", others={"peak_tflop_per_s": 1e12})
WEIGHTS = CaseColumn(name="weights_byte", others={"weights_gbyte": 1e9})
ACTIVE_WEIGHTS = CaseColumn(name="active_weights_byte", others={"active_weights_gbyte": 1e9})
PARAMETERS = CaseColumn(name="n_parameters")
ACTIVE_PARAMETERS = CaseColumn(name="n_active_parameters")
CACHE = CaseColumn(name="kv_cache_byte_per_token", others={"kv_bytes_per_token": 1.0})
ENGINE = CaseColumn(name="engine", others={"software": 1.0, "runtime": 1.0, "inference_engine": 1.0})
BATCH = CaseColumn(
    name="batch",
    others={"batch_size": 1.0, "concurrency": 1.0, "concurrent_requests": 1.0, "users": 1.0, "parallel": 1.0},
)
CONTEXT = CaseColumn(name="context_tokens", others={"context_length": 1.0})
PROMPT = CaseColumn(name="prompt_tokens", others={"prompt_length": 1.0})
MEASURED = CaseColumn(name="measured_decode_tokens_per_s")

SPEEDS = (
    "predicted_decode_tokens_per_s",
    "predicted_decode_tokens_per_s_low",
    "predicted_decode_tokens_per_s_high",
    "predicted_prefill_tokens_per_s",
    "predicted_prefill_tokens_per_s_low",
    "predicted_prefill_tokens_per_s_high",
)
ADDED = (*SPEEDS, "error_percent", "note", PROBLEM)
DIALECT = Dialect(
    columns=(
        DEVICE,
        MODEL,
        FORMAT,
        DEVICE_CLASS,
        BACKEND,
        ENGINE,
        BANDWIDTH,
        PEAK,
        WEIGHTS,
        ACTIVE_WEIGHTS,
        PARAMETERS,
        ACTIVE_PARAMETERS,
        CACHE,
        BATCH,
        CONTEXT,
        PROMPT,
        MEASURED,
    ),
    added=ADDED,
    needs=((DEVICE.name, BANDWIDTH.name), (MODEL.name, WEIGHTS.name, PARAMETERS.name)),
    slips={
        "bandwidth": "memory_bandwidth_gbyte_per_s",
        "bandwidth_gb_s": "memory_bandwidth_gbyte_per_s",
        "memory_bandwidth": "memory_bandwidth_gbyte_per_s",
        "peak_flops": "peak_tflop_per_s",
        "tflops": "peak_tflop_per_s",
        "class": "device_class",
        "weights": "weights_gbyte",
        "parameters": "n_parameters",
        "params": "n_parameters",
        "context": "context_tokens",
        "prompt": "prompt_tokens",
        "concurrent_users": "batch",
        "requests": "batch",
        "framework": "engine",
    },
    joined=("note",),
    passed=("measured_prefill_tokens_per_s",),
)


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """What a column can hold in our unit, and how it was likely meant where it is beyond that.

    Above ``slip`` a number in a ``larger`` unit was likely given in the ``base`` one; below ``least`` one in the
    base unit was likely given in the larger one, which is ``factor`` times as large.
    """

    most: float
    what: str
    least: float = 0.0
    slip: float = math.inf
    factor: float = 1.0
    base: str = ""
    larger: str = ""


_OF_WEIGHTS = Bounds(
    most=2e13,
    what="the largest models have 8,000 GB",
    least=1e6,
    slip=1e15,
    factor=1e9,
    base="byte",
    larger="GB",
)
_OF_PARAMETERS = Bounds(
    most=1e14,
    what="the largest models have 10 thousand billion",
    least=1e6,
    factor=1e9,
    base="parameters",
    larger="billion",
)
BOUNDS = {
    BANDWIDTH.name: Bounds(
        most=1e14,
        what="the fastest memory on sale reaches 23,000 GB/s",
        least=1e7,
        slip=1e17,
        factor=1e9,
        base="byte/s",
        larger="GB/s",
    ),
    PEAK.name: Bounds(
        most=5e16,
        what="the fastest chips reach 5,000 TFLOP/s at 16 bits",
        least=1e8,
        slip=1e21,
        factor=1e12,
        base="FLOP/s",
        larger="TFLOP/s",
    ),
    WEIGHTS.name: _OF_WEIGHTS,
    ACTIVE_WEIGHTS.name: _OF_WEIGHTS,
    PARAMETERS.name: _OF_PARAMETERS,
    ACTIVE_PARAMETERS.name: _OF_PARAMETERS,
    CACHE.name: Bounds(most=1e8, what="the largest models keep 10 million", base="bytes"),
    BATCH.name: Bounds(most=1e6, what="", base="requests at once"),
    CONTEXT.name: Bounds(most=1e8, what="", base="tokens"),
    PROMPT.name: Bounds(most=1e8, what="", base="tokens"),
    MEASURED.name: Bounds(most=1e8, what="", base="tokens a second"),
}


def text_of(row: Mapping[str, str], column: CaseColumn) -> str:
    """Return a cell's text without blanks around it, empty where there is none."""
    return cell_of(row, column).text


def unit_of(row: Mapping[str, str], column: CaseColumn) -> str:
    """Return the unit in which the row gives, or would give, a column's number."""
    bounds = BOUNDS[column.name]
    return bounds.base if cell_of(row, column).factor == 1 else bounds.larger


def number_of(row: Mapping[str, str], column: CaseColumn, *, least: float = 0.0, above: bool = True) -> float:
    """Return a cell's number in our unit, NaN where empty.

    Raises
    ------
    CaseError
        Not a finite number, one that is too small, or one beyond any device.
    """
    cell = cell_of(row, column)
    if not cell.text:
        return math.nan
    try:
        value = float(cell.text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        point = " with a point for decimals," if "," in cell.text else ""
        raise CaseError(
            f"column {cell.called}: a finite number is needed; got {cell.text!r}. Write it like 1008 or 4.92,{point} "
            "or leave it empty."
        )
    if value < least or (above and value == least):
        words = "above" if above else "at least"
        raise CaseError(
            f"column {cell.called}: a number {words} {least:g} is needed; got {cell.text}. "
            "Check its unit and sign, or leave it empty."
        )
    bounds = BOUNDS[column.name]
    base = cell.factor * value
    unit = bounds.base if cell.factor == 1 else bounds.larger
    if base > bounds.most:
        slip = "Check its unit."
        if base >= bounds.slip and cell.factor != 1:
            slip = f"If these are {bounds.base}, write {value / bounds.factor:g}."
        what = f"; {bounds.what}" if bounds.what else ""
        raise CaseError(
            f"column {cell.called}: at most {bounds.most / cell.factor:g} {unit}{what}; got {cell.text}. {slip}"
        )
    if base < bounds.least and cell.factor == 1:
        raise CaseError(
            f"column {cell.called}: at least {bounds.least:g} {unit}; got {cell.text}. If these are {bounds.larger}, "
            f"write {value * bounds.factor:g}."
        )
    return base
