"""Reads a reader's cases, row by row, into numbers; what is wrong is named with its row and column."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analysis.decode_rows import BACKENDS
from analysis.kv_cache import kv_cache_byte
from analysis.placement.lookup import Device, Model, nearest, plain

BITS_WHERE_UNKNOWN = 4.5
PROMPT_WHERE_UNKNOWN = 512.0
KNOWN_COLUMNS = (
    "device",
    "model",
    "format",
    "device_class",
    "backend",
    "memory_bandwidth_gbyte_per_s",
    "peak_tflop_per_s",
    "weights_gbyte",
    "active_weights_gbyte",
    "kv_bytes_per_token",
    "batch",
    "context_tokens",
    "prompt_tokens",
    "measured_decode_tokens_per_s",
)
CPU_CLASSES = ("desktop_cpu",)


class BadCaseError(ValueError):
    """A case that cannot be predicted; the message names row, column, what came and what to do."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """What names can be looked up in, by plain name; ``classes`` are the device classes that were measured."""

    devices: Mapping[str, Device]
    models: Mapping[str, Model]
    formats: Mapping[str, float]
    classes: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case in base units, with what was assumed for it."""

    device: str
    device_class: str
    backend: str
    format_name: str
    memory_bandwidth_byte_per_s: float
    peak_flop_per_s: float
    weights_byte: float
    active_weights_byte: float
    n_active_parameters: float
    kv_read_byte: float
    batch: float
    prompt_tokens: float
    measured_decode_tokens_per_s: float
    notes: tuple[str, ...] = field(default=())


def number(row: Mapping[str, str], column: str, *, at: int, least: float = 0.0, above: bool = True) -> float:
    """Return a cell's number, NaN where empty.

    Raises
    ------
    BadCaseError
        Not a finite number, or one that is too small.
    """
    text = (row.get(column) or "").strip()
    if not text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadCaseError(
            f"row {at}, column {column}: a finite number is needed; got {text!r}. Write it like 1008 or 4.92, "
            "or leave it empty."
        )
    if value < least or (above and value == least):
        words = "above" if above else "at least"
        raise BadCaseError(
            f"row {at}, column {column}: a number {words} {least:g} is needed; got {text}. "
            "Check its unit and sign, or leave it empty."
        )
    return value


def read_case(row: Mapping[str, str], *, at: int, known: Known) -> Case:
    """Return one row of a table of cases; ``at`` is its number, 1 for the first after the heading.

    Numbers of a row come before what its names stand for; names come before what is assumed.

    Raises
    ------
    BadCaseError
        A value that is not a number of its kind, a name nobody knows that is needed, or too little to go by.
    """
    notes: list[str] = []
    device_name, device = _device(row, at=at, known=known)
    bandwidth = 1e9 * number(row, "memory_bandwidth_gbyte_per_s", at=at)
    if math.isnan(bandwidth):
        if device is None or math.isnan(device.memory_bandwidth_byte_per_s):
            raise BadCaseError(
                f"row {at}, column memory_bandwidth_gbyte_per_s: needed, as no known device with a bandwidth is "
                "named. Give the bandwidth in GB/s, or a device of our tables."
            )
        bandwidth = device.memory_bandwidth_byte_per_s
    device_class, backend = _kind(row, at=at, device=device, known=known, notes=notes)
    model = _model(row, at=at, known=known)
    format_name = (row.get("format") or "").strip()
    bits = _bits(format_name, at=at, known=known, needed=not (row.get("weights_gbyte") or "").strip())
    weights = 1e9 * number(row, "weights_gbyte", at=at)
    active = 1e9 * number(row, "active_weights_gbyte", at=at)
    if math.isnan(weights):
        if model is None:
            raise BadCaseError(
                f"row {at}, column weights_gbyte: needed, as no known model is named. Give the size of the weights "
                "in GB, or a model of our tables."
            )
        if math.isnan(bits):
            bits = BITS_WHERE_UNKNOWN
            notes.append(f"no format given: weights counted at {bits:g} bits")
        weights = model.n_parameters * bits / 8
    if math.isnan(active):
        share = model.n_active_parameters / model.n_parameters if model else 1.0
        active = weights * share
    if active > weights * (1 + 1e-9):
        raise BadCaseError(
            f"row {at}, column active_weights_gbyte: no more than the weights ({weights / 1e9:g} GB) can be active; "
            f"got {active / 1e9:g}. Leave it empty for a dense model."
        )
    if math.isnan(bits):
        bits = 8 * weights / model.n_parameters if model else BITS_WHERE_UNKNOWN
        if model and not format_name and bits > 7:
            format_name = "8-bit" if bits < 12 else "FP16"
        if model is None:
            notes.append(f"no format given: parameters counted at {bits:g} bits each")
    context = number(row, "context_tokens", at=at, above=False)
    prompt = number(row, "prompt_tokens", at=at)
    batch = number(row, "batch", at=at, least=1.0, above=False)
    peak = 1e12 * number(row, "peak_tflop_per_s", at=at)
    return Case(
        device=device_name,
        device_class=device_class,
        backend=backend,
        format_name=format_name,
        memory_bandwidth_byte_per_s=bandwidth,
        peak_flop_per_s=device.peak_flop_per_s if math.isnan(peak) and device else peak,
        weights_byte=weights,
        active_weights_byte=active,
        n_active_parameters=model.n_active_parameters if model else 8 * active / bits,
        kv_read_byte=_kv_read(row, at=at, model=model, context=0.0 if math.isnan(context) else context),
        batch=1.0 if math.isnan(batch) else batch,
        prompt_tokens=PROMPT_WHERE_UNKNOWN if math.isnan(prompt) else prompt,
        measured_decode_tokens_per_s=number(row, "measured_decode_tokens_per_s", at=at),
        notes=tuple(notes),
    )


def _device(row: Mapping[str, str], *, at: int, known: Known) -> tuple[str, Device | None]:
    name = (row.get("device") or "").strip()
    device = known.devices.get(plain(name)) if name else None
    if name and device is None and not (row.get("memory_bandwidth_gbyte_per_s") or "").strip():
        raise BadCaseError(
            f"row {at}, column device: {name!r} is not in our tables (nearest: {nearest(name, known.devices)}). "
            "Give its memory_bandwidth_gbyte_per_s and device_class, or a device we know."
        )
    return name, device


def _kind(
    row: Mapping[str, str], *, at: int, device: Device | None, known: Known, notes: list[str]
) -> tuple[str, str]:
    device_class = (row.get("device_class") or "").strip().lower() or (device.device_class if device else "")
    backend = (row.get("backend") or "").strip().upper()
    if backend and backend not in BACKENDS:
        raise BadCaseError(
            f"row {at}, column backend: one of {', '.join(BACKENDS)} is needed; got {backend!r}. "
            "Leave it empty for GPU."
        )
    if not backend:
        backend = "CPU" if device_class in CPU_CLASSES else device.backend if device else "GPU"
        if device is None:
            notes.append(f"no backend given: taken as {backend}")
    if f"{device_class} {backend}" not in known.classes:
        what = (
            f"class {device_class!r} was not measured on {backend}"
            if device_class
            else "no device class given"
        )
        notes.append(f"{what}: fell back to all {backend} devices")
    return device_class, backend


def _model(row: Mapping[str, str], *, at: int, known: Known) -> Model | None:
    name = (row.get("model") or "").strip()
    model = known.models.get(plain(name)) if name else None
    if name and model is None and not (row.get("weights_gbyte") or "").strip():
        raise BadCaseError(
            f"row {at}, column model: {name!r} is not in our tables (nearest: {nearest(name, known.models)}). "
            "Give its weights_gbyte, or a model we know."
        )
    return model


def _bits(name: str, *, at: int, known: Known, needed: bool) -> float:
    if not name:
        return math.nan
    bits = known.formats.get(plain(name), known.formats.get(plain(name.split("(")[0]), math.nan))
    if math.isnan(bits) and needed:
        raise BadCaseError(
            f"row {at}, column format: {name!r} is not in our tables (nearest: {nearest(name, known.formats)}). "
            "Give weights_gbyte, or a format we know."
        )
    return bits


def _kv_read(row: Mapping[str, str], *, at: int, model: Model | None, context: float) -> float:
    per_token = number(row, "kv_bytes_per_token", at=at, above=False)
    if not math.isnan(per_token):
        return per_token * context
    return float(kv_cache_byte(model.attention, context)) if model else 0.0
