"""Reads a reader's rows into cases: names looked up, numbers checked, and what was assumed told."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.hardware.names import Device, Entry, find_device, without_maker
from analysis.measured.decode_cases import BACKENDS
from analysis.model.kv_cache import kv_cache_byte
from analysis.model.names import WORDS, Format, Model, nearest, plain
from analysis.placement.cases import CPU_CLASSES, PROMPT_WHERE_UNKNOWN, BadCaseError, Case
from analysis.placement.predict_numbers import cell, given, number

BITS_WITH_MODEL, BITS_ALONE = 4.5, 16.0
SAME_SIZE = 0.01
MOST_ERRORS = 10


@dataclass(frozen=True, kw_only=True)
class Size:
    """The size of a known file of weights, with the parameters that it holds."""

    weights_byte: float
    n_parameters: float
    words: str


@dataclass(frozen=True, kw_only=True)
class Known:
    """What names can be looked up in, by plain name; ``classes`` are the device classes that were measured."""

    devices: Mapping[str, Sequence[Entry]]
    models: Mapping[str, Model]
    formats: Mapping[str, Format]
    classes: Sequence[str]
    sizes: Sequence[Size] = ()


def read_cases(rows: Sequence[tuple[int, Mapping[str, str]]], *, known: Known) -> list[Case]:
    """Return the cases of rows, each with its number in the file.

    Raises
    ------
    BadCaseError
        What is wrong with up to ten rows, one line each.
    """
    cases, wrong = [], []
    for at, row in rows:
        try:
            cases.append(read_row(row, at=at, known=known))
        except BadCaseError as error:
            wrong.append(str(error))
    if len(wrong) > MOST_ERRORS:
        wrong[MOST_ERRORS:] = [f"{len(wrong) - MOST_ERRORS} more rows are wrong. Mend these first."]
    if wrong:
        raise BadCaseError("\n".join(wrong))
    return cases


def read_row(row: Mapping[str, str], *, at: int, known: Known) -> Case:
    """Return one row of a table of cases; ``at`` is its number, 1 for the first after the heading.

    Numbers of a row come before what its names stand for; names come before what is assumed.

    Raises
    ------
    BadCaseError
        A value that is not a number of its kind, a name nobody knows that is needed, or too little to go by.
    """
    notes: list[str] = []
    device = _device(row, at=at, known=known, notes=notes)
    bandwidth = 1e9 * number(row, "memory_bandwidth_gbyte_per_s", at=at)
    if math.isnan(bandwidth):
        if device is None or math.isnan(device.memory_bandwidth_byte_per_s):
            what = f"the tables have none of {device.name}" if device else "no known device is named"
            raise BadCaseError(
                f"row {at}, column memory_bandwidth_gbyte_per_s: needed, as {what}. Give the bandwidth in GB/s, or a "
                "device of our tables."
            )
        bandwidth = device.memory_bandwidth_byte_per_s
    elif bandwidth < 2e9:
        notes.append(f"{bandwidth / 1e9:g} GB/s is slower than any device of our tables: were TB/s meant?")
    device_class, backend = _kind(row, at=at, device=device, known=known, notes=notes)
    model = _model(row, at=at, known=known)
    found = _format(row, at=at, known=known, notes=notes)
    weights = 1e9 * number(row, "weights_gbyte", at=at)
    active = 1e9 * number(row, "active_weights_gbyte", at=at)
    bits = found.bits_per_weight if found else math.nan
    if math.isnan(weights):
        if model is None:
            raise BadCaseError(
                f"row {at}, column weights_gbyte: needed, as no known model is named. Give the size of the weights "
                "in GB, or a model of our tables."
            )
        if math.isnan(bits):
            bits = BITS_WITH_MODEL
            notes.append(f"no format given: weights counted at {bits:g} bits")
        weights = model.n_parameters * bits / 8
    if math.isnan(active):
        active = weights * (model.n_active_parameters / model.n_parameters if model else 1.0)
    if active > weights * (1 + 1e-9):
        raise BadCaseError(
            f"row {at}, column active_weights_gbyte: no more than the weights ({weights / 1e9:g} GB) can be active; "
            f"got {active / 1e9:g}. Leave it empty for a dense model."
        )
    format_name = found.name if found else cell(row, "format")
    if math.isnan(bits):
        bits = 8 * weights / model.n_parameters if model else _bits_by_size(weights, known=known, notes=notes)
        if model and not format_name and bits > 7:
            format_name = "8-bit" if bits < 12 else "FP16"
    context = given(number(row, "context_tokens", at=at, above=False), 0.0)
    batch = given(number(row, "batch", at=at, least=1.0, above=False), 1.0)
    peak = 1e12 * number(row, "peak_tflop_per_s", at=at)
    cache = _cache_byte(row, at=at, model=model, context=context)
    if device and weights + batch * cache > device.memory_capacity_byte:
        notes.append(
            f"weights and cache ({(weights + batch * cache) / 1e9:.3g} GB) do not fit the "
            f"{device.memory_capacity_byte / 1e9:g} GB of {device.name}: speed as if they did"
        )
    return Case(
        device=device.chip if device else cell(row, "device"),
        device_class=device_class,
        backend=backend,
        format_name=format_name,
        memory_bandwidth_byte_per_s=bandwidth,
        peak_flop_per_s=device.peak_flop_per_s if math.isnan(peak) and device else peak,
        weights_byte=weights,
        active_weights_byte=active,
        n_active_parameters=model.n_active_parameters if model else 8 * active / bits,
        kv_read_byte=cache,
        batch=batch,
        prompt_tokens=given(number(row, "prompt_tokens", at=at), PROMPT_WHERE_UNKNOWN),
        measured_decode_tokens_per_s=number(row, "measured_decode_tokens_per_s", at=at),
        notes=tuple(notes),
    )


def _device(row: Mapping[str, str], *, at: int, known: Known, notes: list[str]) -> Device | None:
    name = cell(row, "device")
    if not name:
        return None
    found = find_device(name, known.devices)
    others = ", ".join(device.name for device in found.others[:4])
    if found.device is None and not cell(row, "memory_bandwidth_gbyte_per_s"):
        if others:
            raise BadCaseError(
                f"row {at}, column device: {name!r} could be any of {others}. Name one of these, or give its "
                "memory_bandwidth_gbyte_per_s."
            )
        close = nearest(without_maker(name)[1], known.devices)
        raise BadCaseError(
            f"row {at}, column device: {name!r} is not in our tables (nearest: {close}). Give its "
            "memory_bandwidth_gbyte_per_s and device_class, or a device we know."
        )
    if found.device is None:
        notes.append(f"device {name!r} is not in our tables: predicted from its numbers and maker")
    elif found.told:
        notes.append(
            f"{name} taken as {found.device.name}" + (f"; there are also {others}" if others else "")
        )
    return found.device


def _kind(
    row: Mapping[str, str], *, at: int, device: Device | None, known: Known, notes: list[str]
) -> tuple[str, str]:
    device_class = cell(row, "device_class").lower().replace(" ", "_").replace("-", "_")
    device_class = device_class or (device.device_class if device else "")
    backend = cell(row, "backend").upper()
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
        what = f"class {device_class!r} was not measured on {backend}"
        notes.append(
            f"{what if device_class else 'no device class given'}: fell back to all {backend} devices"
        )
    return device_class, backend


def _model(row: Mapping[str, str], *, at: int, known: Known) -> Model | None:
    name = cell(row, "model")
    model = known.models.get(plain(name)) if name else None
    if name and model is None and not cell(row, "weights_gbyte"):
        raise BadCaseError(
            f"row {at}, column model: {name!r} is not in our tables (nearest: {nearest(plain(name), known.models)}). "
            "Give its weights_gbyte, or a model we know."
        )
    return model


def _format(row: Mapping[str, str], *, at: int, known: Known, notes: list[str]) -> Format | None:
    name = cell(row, "format")
    if not name:
        return None
    found = known.formats.get(plain(name)) or known.formats.get(plain(name.split("(")[0]))
    if found is None and not cell(row, "weights_gbyte"):
        raise BadCaseError(
            f"row {at}, column format: {name!r} is not in our tables (nearest: {nearest(plain(name), known.formats)}). "
            "Give weights_gbyte, or a format we know."
        )
    if found and plain(name) in {plain(word) for word in WORDS} and found.name.lower() != name.lower():
        notes.append(f"format {name} taken as {found.name}, {found.bits_per_weight:g} bits a weight")
    return found


def _bits_by_size(weights_byte: float, *, known: Known, notes: list[str]) -> float:
    """Return the bits of each parameter of weights nobody named: of a known file of that size, else 16."""
    sizes = [(abs(math.log(weights_byte / size.weights_byte)), i, size) for i, size in enumerate(known.sizes)]
    distance, _, size = min(sizes, default=(math.inf, 0, None))
    if size is None or distance > SAME_SIZE:
        notes.append(f"no format given: parameters counted at {BITS_ALONE:g} bits each")
        return BITS_ALONE
    bits = 8 * size.weights_byte / size.n_parameters
    notes.append(
        f"no format given: parameters counted at {bits:.3g} bits each, as this is the size of {size.words}"
    )
    return bits


def _cache_byte(row: Mapping[str, str], *, at: int, model: Model | None, context: float) -> float:
    per_token = number(row, "kv_bytes_per_token", at=at, above=False)
    if not math.isnan(per_token):
        return per_token * context
    return float(kv_cache_byte(model.attention, context)) if model else 0.0
