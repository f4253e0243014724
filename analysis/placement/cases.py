"""Reads a reader's rows into cases of a placement: names looked up, numbers checked, and what was assumed told."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analysis.case_table import CaseError, cell_of
from analysis.hardware.device_makers import BACKENDS
from analysis.hardware.names import Device, DeviceNames, find_device, without_maker
from analysis.measured.engines import REFERENCE, engine
from analysis.model.architecture import Architecture
from analysis.model.formats import WORDS, Format, bits_of_name
from analysis.model.kv_cache import kv_cache_byte
from analysis.model.names import known_model, nearest, plain
from analysis.placement import case_columns as columns
from analysis.placement.case_columns import number_of, text_of, unit_of

PROMPT_WHERE_UNKNOWN = 512.0
CPU_CLASSES = ("desktop_cpu",)
GROUPWISE = "4-bit"
BITS_WITH_MODEL, BITS_ALONE = 4.5, 16.0
SAME_SIZE = 0.01
PARAMETERS_IN_NAME = re.compile(r"(?<![A-Za-z0-9.])(\d*[1-9]\d*(?:\.\d+)?|0\.\d*[1-9]\d*)[Bb](?![A-Za-z])")
FEWEST_BITS, MOST_BITS, SAME_BITS = 1.5, 17.0, 0.5  # the last a logarithm: names round both numbers


@dataclass(frozen=True, kw_only=True)
class PlacementCase:
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
    engine: str = ""
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, kw_only=True)
class Size:
    """The size of a known file of weights, with the parameters that it holds."""

    weights_byte: float
    n_parameters: float
    words: str


@dataclass(frozen=True, kw_only=True)
class Known:
    """What names can be looked up in, by plain name; ``classes`` are the device classes that were measured."""

    devices: DeviceNames
    models: Mapping[str, Architecture]
    formats: Mapping[str, Format]
    classes: Sequence[str]
    sizes: Sequence[Size] = ()


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """How many parameters a model has, and how many of them work on a token."""

    total: float
    active: float


def read_case(row: Mapping[str, str], *, known: Known) -> PlacementCase:
    """Return the case of one row of a table.

    Numbers of a row come before what its names stand for; names come before what is assumed.

    Raises
    ------
    CaseError
        A value that is not a number of its kind, a name nobody knows that is needed, or too little to go by.
    """
    notes: list[str] = []
    device = _device(row, known=known, notes=notes)
    bandwidth = number_of(row, columns.BANDWIDTH)
    if math.isnan(bandwidth):
        if device is None or math.isnan(device.memory_bandwidth_byte_per_s):
            what = f"the tables have none of {device.name}" if device else "no known device is named"
            raise CaseError(
                f"column {cell_of(row, columns.BANDWIDTH).called}: needed, as {what}. Give the bandwidth in "
                f"{unit_of(row, columns.BANDWIDTH)}, or a device of our tables."
            )
        bandwidth = device.memory_bandwidth_byte_per_s
    elif bandwidth < 2e9:
        notes.append(f"{bandwidth / 1e9:g} GB/s is slower than any device of our tables: were TB/s meant?")
    device_class, backend = _kind(row, device=device, known=known, notes=notes)
    model = _model(row, known=known)
    parameters = _parameters(row, model=model)
    number_format = _format(row, known=known, notes=notes)
    weights = number_of(row, columns.WEIGHTS)
    active = number_of(row, columns.ACTIVE_WEIGHTS)
    bits = number_format.bits_per_weight if number_format else math.nan
    if math.isnan(weights):
        if parameters is None:
            raise CaseError(
                f"column {cell_of(row, columns.WEIGHTS).called}: needed, as no known model is named. Give the size of "
                f"the weights in {unit_of(row, columns.WEIGHTS)}, n_parameters, or a model of our tables."
            )
        if math.isnan(bits):
            bits = BITS_WITH_MODEL
            notes.append(f"no format given: weights counted at {bits:g} bits")
        weights = parameters.total * bits / 8
    if math.isnan(active):
        active = weights * (parameters.active / parameters.total if parameters else 1.0)
    if active > weights * (1 + 1e-9):
        raise CaseError(
            f"column {cell_of(row, columns.ACTIVE_WEIGHTS).called}: no more than the weights ({weights / 1e9:g} GB) "
            f"can be active; got {active / 1e9:g}. Leave it empty for a dense model."
        )
    format_name = number_format.name if number_format else text_of(row, columns.FORMAT)
    if plain(text_of(row, columns.FORMAT)) == plain(GROUPWISE):
        format_name = GROUPWISE  # as MLX and others write it, whatever its bits are taken for
    if math.isnan(bits):
        bits = (
            8 * weights / parameters.total
            if parameters
            else _bits_by_size(weights, row=row, known=known, notes=notes)
        )
        if not format_name and bits > 7:
            format_name = "8-bit" if bits < 12 else "FP16"
    context = _or(number_of(row, columns.CONTEXT, above=False), 0.0)
    batch = _or(number_of(row, columns.BATCH, least=1.0, above=False), 1.0)
    peak = number_of(row, columns.PEAK)
    cache = _cache_byte(row, model=model, context=context)
    if device and weights + batch * cache > device.memory_capacity_byte:
        notes.append(
            f"weights and cache ({(weights + batch * cache) / 1e9:.3g} GB) do not fit the "
            f"{device.memory_capacity_byte / 1e9:g} GB of {device.name}: speed as if they did"
        )
    return PlacementCase(
        device=device.chip if device else text_of(row, columns.DEVICE),
        device_class=device_class,
        backend=backend,
        format_name=format_name,
        memory_bandwidth_byte_per_s=bandwidth,
        peak_flop_per_s=device.peak_flop_per_s if math.isnan(peak) and device else peak,
        weights_byte=weights,
        active_weights_byte=active,
        n_active_parameters=parameters.active if parameters else 8 * active / bits,
        kv_read_byte=cache,
        batch=batch,
        prompt_tokens=_or(number_of(row, columns.PROMPT), PROMPT_WHERE_UNKNOWN),
        measured_decode_tokens_per_s=number_of(row, columns.MEASURED),
        engine=_engine(row, notes=notes),
        notes=tuple(notes),
    )


def _or(value: float, otherwise: float) -> float:
    """Return a number, or what stands for it where it is NaN."""
    return otherwise if math.isnan(value) else value


def _parameters(row: Mapping[str, str], *, model: Architecture | None) -> Parameters | None:
    """Return the parameters that the row gives, or else its model's."""
    total, active = number_of(row, columns.PARAMETERS), number_of(row, columns.ACTIVE_PARAMETERS)
    if math.isnan(total):
        if model is None and not math.isnan(active):
            raise CaseError(
                "column n_active_parameters: n_parameters is needed beside it, or a model of our tables. Give one."
            )
        if model is None:
            return None
        total, active = model.n_parameters, _or(active, model.n_active_parameters)
    elif math.isnan(active):
        active = total * (model.n_active_parameters / model.n_parameters if model else 1.0)
    if active > total * (1 + 1e-9):
        raise CaseError(
            f"column n_active_parameters: no more than all {total:g} parameters can be active; got {active:g}. Leave "
            "it empty for a dense model."
        )
    return Parameters(total=total, active=active)


def _device(row: Mapping[str, str], *, known: Known, notes: list[str]) -> Device | None:
    name = text_of(row, columns.DEVICE)
    if not name:
        return None
    called, bandwidth = (cell_of(row, column).called for column in (columns.DEVICE, columns.BANDWIDTH))
    named = find_device(name, known.devices)
    others = ", ".join(device.name for device in named.others[:4])
    if named.device is None and not text_of(row, columns.BANDWIDTH):
        if others:
            raise CaseError(
                f"column {called}: {name!r} could be any of {others}. Name one of these, or give its {bandwidth}."
            )
        close = nearest(without_maker(name)[1], known.devices.entries)
        raise CaseError(
            f"column {called}: {name!r} is not in our tables (nearest: {close}). Give its {bandwidth} and "
            "device_class, or a device we know."
        )
    if named.device is None:
        notes.append(f"device {name!r} is not in our tables: predicted from its numbers and maker")
    elif named.told:
        notes.append(
            f"{name} taken as {named.device.name}" + (f"; there are also {others}" if others else "")
        )
    return named.device


def _kind(
    row: Mapping[str, str], *, device: Device | None, known: Known, notes: list[str]
) -> tuple[str, str]:
    device_class = text_of(row, columns.DEVICE_CLASS).lower().replace(" ", "_").replace("-", "_")
    device_class = device_class or (device.device_class if device else "")
    backend = text_of(row, columns.BACKEND).upper()
    if backend and backend not in BACKENDS:
        raise CaseError(
            f"column backend: one of {', '.join(BACKENDS)} is needed; got {backend!r}. "
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


def _model(row: Mapping[str, str], *, known: Known) -> Architecture | None:
    name = text_of(row, columns.MODEL)
    model = known_model(name, known.models)
    sized = text_of(row, columns.WEIGHTS) or text_of(row, columns.PARAMETERS)
    if name and model is None and not sized:
        raise CaseError(
            f"column model: {name!r} is not in our tables (nearest: {nearest(plain(name), known.models)}). "
            f"Give its {cell_of(row, columns.WEIGHTS).called} or n_parameters, or a model we know."
        )
    return model


def _format(row: Mapping[str, str], *, known: Known, notes: list[str]) -> Format | None:
    name = text_of(row, columns.FORMAT)
    if not name:
        return None
    number_format = known.formats.get(plain(name)) or known.formats.get(plain(name.split("(")[0]))
    if number_format is None and not text_of(row, columns.WEIGHTS):
        called, weights = (cell_of(row, column).called for column in (columns.FORMAT, columns.WEIGHTS))
        raise CaseError(
            f"column {called}: {name!r} is not in our tables (nearest: {nearest(plain(name), known.formats)}). "
            f"Give {weights}, or a format we know."
        )
    if number_format and plain(name) in map(plain, WORDS) and number_format.name.lower() != name.lower():
        notes.append(
            f"format {name} taken as {number_format.name}, {number_format.bits_per_weight:g} bits a weight"
        )
    return number_format


def _engine(row: Mapping[str, str], *, notes: list[str]) -> str:
    """Return the engine that the row names, "" where it names none that we know; a backend of one is no engine."""
    name = text_of(row, columns.ENGINE)
    found = engine(name)
    if name and not found:
        notes.append(f"engine {name!r} is not one we know: speeds as on {REFERENCE}")
    return found


def _bits_by_size(weights_byte: float, *, row: Mapping[str, str], known: Known, notes: list[str]) -> float:
    """Return the bits of each parameter of weights in a format that our tables do not know.

    Those that the size and the number of parameters in the model's name tell ("27B"), else those in the format's name
    ("Q4_K_XL"), else of a known file of that size, else 16.
    """
    name, model = text_of(row, columns.FORMAT), text_of(row, columns.MODEL)
    told = bits_of_name(name)
    found = PARAMETERS_IN_NAME.search(model)
    if found is not None:
        by_model = 8 * weights_byte / (1e9 * float(found[1]))
        contradicts = abs(math.log(by_model / _or(told, by_model))) > SAME_BITS
        if FEWEST_BITS < by_model < MOST_BITS and not contradicts:
            notes.append(
                f"parameters counted at {by_model:.3g} bits each, from {found[0]} in the model's name"
            )
            return by_model
    if not math.isnan(told):
        notes.append(
            f"format {name!r} is not in our tables: parameters counted at {told:g} bits each, by its name"
        )
        return told
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


def _cache_byte(row: Mapping[str, str], *, model: Architecture | None, context: float) -> float:
    per_token = number_of(row, columns.CACHE, above=False)
    if not math.isnan(per_token):
        return per_token * context
    return float(kv_cache_byte(model, context)) if model else 0.0
