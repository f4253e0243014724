"""The columns that a case of a placement may have, and their numbers, within what devices and models have."""

import math
from dataclasses import dataclass

from analysis.predict.columns import CaseColumn, CaseError, CaseRow, by_name, column
from analysis.predict.table import PROBLEM, Dialect


@dataclass(frozen=True, kw_only=True)
class Quantity(CaseColumn):
    """A column of numbers in a ``base`` unit, and what a number beyond its bounds was likely meant as.

    ``most`` goes with ``what`` reaches it. Above ``slip`` a number in a ``larger`` unit was likely given in the base
    one; below ``fewest`` one in the base unit was likely given in the larger one, which is ``factor`` times as large.
    """

    base: str
    what: str = ""
    fewest: float = 0.0
    slip: float = math.inf
    factor: float = 1.0
    larger: str = ""
    above: bool = True

    def unit(self, factor: float) -> str:
        """Return the unit of a cell with this factor to the base unit."""
        return self.base if factor == 1 else self.larger


def _weights(name: str, *others: str) -> Quantity:
    return Quantity(
        name=name,
        others=dict.fromkeys(others, 1e9),
        most=2e13,
        what="the largest models have 8,000 GB",
        fewest=1e6,
        slip=1e15,
        factor=1e9,
        base="byte",
        larger="GB",
    )


def _parameters(name: str) -> Quantity:
    return Quantity(
        name=name,
        most=1e14,
        what="the largest models have 10 thousand billion",
        fewest=1e6,
        factor=1e9,
        base="parameters",
        larger="billion",
    )


BATCH_NAMES = ("batch_size", "concurrency", "concurrent_requests", "users", "parallel")
COLUMNS = by_name(
    column("device", "accelerator", "gpu"),
    column("model"),
    column("format", "precision", "quantization", "quantisation"),
    column("device_class"),
    column("backend"),
    column("engine", "software", "runtime", "inference_engine"),
    Quantity(
        name="memory_bandwidth_byte_per_s",
        others={"memory_bandwidth_gbyte_per_s": 1e9},
        most=1e14,
        what="the fastest memory on sale reaches 23,000 GB/s",
        fewest=1e7,
        slip=1e17,
        factor=1e9,
        base="byte/s",
        larger="GB/s",
    ),
    Quantity(
        name="peak_flop_per_s",
        others={"peak_tflop_per_s": 1e12},
        most=5e16,
        what="the fastest chips reach 5,000 TFLOP/s at 16 bits",
        fewest=1e8,
        slip=1e21,
        factor=1e12,
        base="FLOP/s",
        larger="TFLOP/s",
    ),
    _weights("weights_byte", "weights_gbyte"),
    _weights("active_weights_byte", "active_weights_gbyte"),
    _parameters("n_parameters"),
    _parameters("n_active_parameters"),
    Quantity(
        name="kv_cache_byte_per_token",
        others={"kv_bytes_per_token": 1.0},
        most=1e8,
        what="the largest models keep 10 million",
        base="bytes",
        above=False,
    ),
    Quantity(
        name="batch",
        others=dict.fromkeys(BATCH_NAMES, 1.0),
        least=1.0,
        above=False,
        most=1e6,
        base="requests at once",
    ),
    Quantity(name="context_tokens", others={"context_length": 1.0}, above=False, most=1e8, base="tokens"),
    Quantity(name="prompt_tokens", others={"prompt_length": 1.0}, most=1e8, base="tokens"),
    Quantity(name="measured_decode_tokens_per_s", most=1e8, base="tokens a second"),
)
_QUANTITIES = {name: known for name, known in COLUMNS.items() if isinstance(known, Quantity)}

SPEEDS = tuple(
    f"predicted_{what}_tokens_per_s{end}" for what in ("decode", "prefill") for end in ("", "_low", "_high")
)
DIALECT = Dialect(
    columns=tuple(COLUMNS.values()),
    added=(*SPEEDS, "error_percent", "note", PROBLEM),
    needs=(("device", "memory_bandwidth_byte_per_s"), ("model", "weights_byte", "n_parameters")),
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


def unit_of(row: CaseRow, name: str) -> str:
    """Return the unit in which the row gives, or would give, a column's number."""
    return _QUANTITIES[name].unit(row[name].factor)


def number_of(row: CaseRow, name: str) -> float:
    """Return a cell's number in our unit, NaN where empty.

    Raises
    ------
    CaseError
        Not a finite number, one that is too small, or one beyond any device.
    """
    cell, quantity = row[name], _QUANTITIES[name]
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
    least = quantity.least
    if value < least or (quantity.above and value == least):
        words = "above" if quantity.above else "at least"
        raise CaseError(
            f"column {cell.called}: a number {words} {least:g} is needed; got {cell.text}. "
            "Check its unit and sign, or leave it empty."
        )
    base = cell.factor * value
    unit = quantity.unit(cell.factor)
    if base > quantity.most:
        slip = "Check its unit."
        if base >= quantity.slip and cell.factor != 1:
            slip = f"If these are {quantity.base}, write {value / quantity.factor:g}."
        what = f"; {quantity.what}" if quantity.what else ""
        raise CaseError(
            f"column {cell.called}: at most {quantity.most / cell.factor:g} {unit}{what}; got {cell.text}. {slip}"
        )
    if base < quantity.fewest and cell.factor == 1:
        raise CaseError(
            f"column {cell.called}: at least {quantity.fewest:g} {unit}; got {cell.text}. If these are "
            f"{quantity.larger}, write {value * quantity.factor:g}."
        )
    return base
