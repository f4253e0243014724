"""Placement cases from a reader's file. Names are looked up, numbers checked and assumptions noted."""

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.hardware.device_makers import BACKENDS
from analysis.hardware.names import Device, DeviceNames, find_device, without_maker
from analysis.measured.engines import REFERENCE, engine
from analysis.model.architecture import Architecture
from analysis.model.formats import WORDS, Format, bits_of_name
from analysis.model.kv_cache import kv_cache_byte
from analysis.model.names import known_model, nearest, plain
from analysis.predict.columns import CaseError, CaseRow, Cell, Dialect, Fault, declared, value_or
from analysis.predict.table import PROBLEM

PROMPT_WHERE_UNKNOWN = 512.0
CPU_CLASSES = ("desktop_cpu",)
GROUPWISE = "4-bit"
BITS_WITH_MODEL, BITS_ALONE = 4.5, 16.0
SAME_SIZE = 0.01
PARAMETERS_IN_NAME = re.compile(r"(?<![A-Za-z0-9.])(\d*[1-9]\d*(?:\.\d+)?|0\.\d*[1-9]\d*)[Bb](?![A-Za-z])")
FEWEST_BITS, MOST_BITS, SAME_BITS = 1.5, 17.0, 0.5  # the last is a log difference: names round both numbers


def _refusal(cell: Cell, fault: Fault) -> str:
    """Return the message for an invalid number in a cell. The message names another unit if that was probably meant."""
    column, unit = cell.column, cell.unit
    start, got = f"column {cell.called}:", f"got {cell.text}."
    match fault:
        case "low":
            words = "above" if column.above else "at least"
            number = f"a number {words} {column.least:g} is needed"
            return f"{start} {number}; {got} Check its unit and sign, or leave it empty."
        case "high":
            slip = "Check its unit."
            if cell.number() >= column.slip and cell.factor != 1:
                slip = f"If these are {column.base}, write {float(cell.text) / column.factor:g}."
            what = f"; {column.what}" if column.what else ""
            return f"{start} at most {column.most / cell.factor:g} {unit}{what}; {got} {slip}"
        case "small":
            meant = f"If these are {column.larger}, write {cell.number() * column.factor:g}."
            return f"{start} at least {column.fewest:g} {unit}; {got} {meant}"
    point = " with a point for decimals," if "," in cell.text else ""
    write = f"Write it like 1008 or 4.92,{point} or leave it empty."
    return f"{start} a finite number is needed; got {cell.text!r}. {write}"


STATED = tomllib.loads(Path(__file__).with_name("columns.toml").read_text(encoding="utf-8"))
SPEEDS = tuple(
    f"predicted_{what}_tokens_per_s{end}" for what in ("decode", "prefill") for end in ("", "_low", "_high")
)
DIALECT = Dialect(
    columns=declared({**STATED["names"], **STATED["quantities"]}),
    added=(*SPEEDS, "error_percent", "note", PROBLEM),
    needs=(("device", "memory_bandwidth_byte_per_s"), ("model", "weights_byte", "n_parameters")),
    refusal=_refusal,
    slips=STATED["slips"],
    joined=("note",),
    passed=("measured_prefill_tokens_per_s",),
)


@dataclass(frozen=True, kw_only=True)
class PlacementCase:
    """One case in base units, with the assumptions made for it."""

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
    """The size of a known weights file, and its number of parameters."""

    weights_byte: float
    n_parameters: float
    words: str


@dataclass(frozen=True, kw_only=True)
class Known:
    """Lookup tables by normalized name. ``classes`` are the measured device classes."""

    devices: DeviceNames
    models: Mapping[str, Architecture]
    formats: Mapping[str, Format]
    classes: Sequence[str]
    sizes: Sequence[Size] = ()


def read_case(cells: Mapping[str, str], *, known: Known) -> PlacementCase:
    """Return the case in one row of a table.

    Numbers in a row take precedence over values looked up by name, and those over assumptions.

    Raises CaseError if a value is not a number of its kind, a required name is unknown, or too little is given.
    """
    return _CaseReader(CaseRow(cells=cells, dialect=DIALECT), known=known).case()


class _CaseReader:
    """Parser of one row. It records its assumptions."""

    def __init__(self, row: CaseRow, *, known: Known) -> None:
        self.row, self.known = row, known
        self.notes: list[str] = []

    def case(self) -> PlacementCase:
        row, notes = self.row, self.notes
        device = self.device()
        bandwidth = self.bandwidth(device)
        device_class, backend = self.device_kind(device)
        model = self.model()
        total_parameters, active_parameters = _parameters(row, model=model)
        number_format = self.number_format()
        weights = row.number("weights_byte")
        active = row.number("active_weights_byte")
        bits = number_format.bits_per_weight if number_format else math.nan
        if math.isnan(weights):
            if math.isnan(total_parameters):
                raise CaseError(
                    f"column {row['weights_byte'].called}: needed, as no known model is named. Give the size of the "
                    f"weights in {row['weights_byte'].unit}, n_parameters, or a model of our tables."
                )
            if math.isnan(bits):
                bits = BITS_WITH_MODEL
                notes.append(f"no format given: weights counted at {bits:g} bits")
            weights = total_parameters * bits / 8
        active = value_or(active, weights * value_or(active_parameters / total_parameters, 1.0))
        if active > weights * (1 + 1e-9):
            raise CaseError(
                f"column {row['active_weights_byte'].called}: no more than the weights ({weights / 1e9:g} GB) can be "
                f"active; got {active / 1e9:g}. Leave it empty for a dense model."
            )
        format_name = number_format.name if number_format else row.text("format")
        if plain(row.text("format")) == plain(GROUPWISE):
            format_name = GROUPWISE  # as MLX and others write it, whatever number of bits is assumed
        if math.isnan(bits):
            bits = 8 * weights / total_parameters
            bits = self.bits_by_size(weights) if math.isnan(bits) else bits
            if not format_name and bits > 7:
                format_name = "8-bit" if bits < 12 else "FP16"
        context = value_or(row.number("context_tokens"), 0.0)
        batch = value_or(row.number("batch"), 1.0)
        peak = row.number("peak_flop_per_s")
        cache = row.number("kv_cache_byte_per_token") * context
        if math.isnan(cache):
            cache = float(kv_cache_byte(model, context)) if model else 0.0
        if device and weights + batch * cache > device.memory_capacity_byte:
            notes.append(
                f"weights and cache ({(weights + batch * cache) / 1e9:.3g} GB) do not fit the "
                f"{device.memory_capacity_byte / 1e9:g} GB of {device.name}: speed as if they did"
            )
        return PlacementCase(
            device=device.chip if device else row.text("device"),
            device_class=device_class,
            backend=backend,
            format_name=format_name,
            memory_bandwidth_byte_per_s=bandwidth,
            peak_flop_per_s=value_or(peak, device.peak_flop_per_s) if device else peak,
            weights_byte=weights,
            active_weights_byte=active,
            n_active_parameters=value_or(active_parameters, 8 * active / bits),
            kv_read_byte=cache,
            batch=batch,
            prompt_tokens=value_or(row.number("prompt_tokens"), PROMPT_WHERE_UNKNOWN),
            measured_decode_tokens_per_s=row.number("measured_decode_tokens_per_s"),
            engine=self.engine(),
            notes=tuple(notes),
        )

    def device(self) -> Device | None:
        name = self.row.text("device")
        if not name:
            return None
        called, bandwidth = self.row["device"].called, self.row["memory_bandwidth_byte_per_s"]
        named = find_device(name, self.known.devices)
        others = ", ".join(device.name for device in named.others[:4])
        if named.device is None and not bandwidth.text:
            if others:
                raise CaseError(
                    f"column {called}: {name!r} could be any of {others}. Name one of these, or give its "
                    f"{bandwidth.called}."
                )
            close = nearest(without_maker(name)[1], self.known.devices.entries)
            raise CaseError(
                f"column {called}: {name!r} is not in our tables (nearest: {close}). Give its {bandwidth.called} and "
                "device_class, or a device we know."
            )
        if named.device is None:
            self.notes.append(f"device {name!r} is not in our tables: predicted from its numbers and maker")
        elif named.unsure:
            self.notes.append(
                f"{name} taken as {named.device.name}" + (f"; there are also {others}" if others else "")
            )
        return named.device

    def bandwidth(self, device: Device | None) -> float:
        """Return the memory bandwidth in the row, or else that of the row's device. [byte/s]"""
        bandwidth = self.row.number("memory_bandwidth_byte_per_s")
        if not math.isnan(bandwidth):
            if bandwidth < 2e9:
                self.notes.append(
                    f"{bandwidth / 1e9:g} GB/s is slower than any device of our tables: were TB/s meant?"
                )
            return bandwidth
        if device is None or math.isnan(device.memory_bandwidth_byte_per_s):
            what = f"the tables have none of {device.name}" if device else "no known device is named"
            raise CaseError(
                f"column {self.row['memory_bandwidth_byte_per_s'].called}: needed, as {what}. Give the bandwidth in "
                f"{self.row['memory_bandwidth_byte_per_s'].unit}, or a device of our tables."
            )
        return device.memory_bandwidth_byte_per_s

    def device_kind(self, device: Device | None) -> tuple[str, str]:
        """Return the device class and the backend of the row."""
        device_class = self.row.text("device_class").lower().replace(" ", "_").replace("-", "_")
        device_class = device_class or (device.device_class if device else "")
        backend = self.row.text("backend").upper()
        if backend and backend not in BACKENDS:
            raise CaseError(
                f"column backend: one of {', '.join(BACKENDS)} is needed; got {backend!r}. "
                "Leave it empty for GPU."
            )
        if not backend:
            backend = "CPU" if device_class in CPU_CLASSES else device.backend if device else "GPU"
            if device is None:
                self.notes.append(f"no backend given: taken as {backend}")
        if f"{device_class} {backend}" not in self.known.classes:
            what = f"class {device_class!r} was not measured on {backend}"
            self.notes.append(
                f"{what if device_class else 'no device class given'}: fell back to all {backend} devices"
            )
        return device_class, backend

    def model(self) -> Architecture | None:
        name = self.row.text("model")
        model = known_model(name, self.known.models)
        sized = self.row.text("weights_byte") or self.row.text("n_parameters")
        if name and model is None and not sized:
            raise CaseError(
                f"column model: {name!r} is not in our tables (nearest: {nearest(plain(name), self.known.models)}). "
                f"Give its {self.row['weights_byte'].called} or n_parameters, or a model we know."
            )
        return model

    def number_format(self) -> Format | None:
        cell, formats = self.row["format"], self.known.formats
        name = cell.text
        if not name:
            return None
        number_format = formats.get(plain(name)) or formats.get(plain(name.split("(")[0]))
        weights = self.row["weights_byte"]
        if number_format is None and not weights.text:
            raise CaseError(
                f"column {cell.called}: {name!r} is not in our tables (nearest: {nearest(plain(name), formats)}). "
                f"Give {weights.called}, or a format we know."
            )
        if number_format and plain(name) in map(plain, WORDS) and number_format.name.lower() != name.lower():
            self.notes.append(
                f"format {name} taken as {number_format.name}, {number_format.bits_per_weight:g} bits a weight"
            )
        return number_format

    def engine(self) -> str:
        """Return the engine in the row, or ``""`` if none is known. A backend does not count as an engine."""
        name = self.row.text("engine")
        known = engine(name)
        if name and not known:
            self.notes.append(f"engine {name!r} is not one we know: speeds as on {REFERENCE}")
        return known

    def bits_by_size(self, weights_byte: float) -> float:
        """Return the bits per parameter of weights in an unknown format.

        They follow from the size and the parameter count in the model's name ("27B"), or else from the format's name
        ("Q4_K_XL"), or else from a known file of that size; the default is 16.
        """
        name = self.row.text("format")
        by_format = bits_of_name(name)
        in_name = PARAMETERS_IN_NAME.search(self.row.text("model"))
        if in_name is not None:
            by_model = 8 * weights_byte / (1e9 * float(in_name[1]))
            contradicts = abs(math.log(by_model / value_or(by_format, by_model))) > SAME_BITS
            if FEWEST_BITS < by_model < MOST_BITS and not contradicts:
                self.notes.append(
                    f"parameters counted at {by_model:.3g} bits each, from {in_name[0]} in the model's name"
                )
                return by_model
        if not math.isnan(by_format):
            self.notes.append(
                f"format {name!r} is not in our tables: parameters counted at {by_format:g} bits each, by its name"
            )
            return by_format
        sizes = [
            (abs(math.log(weights_byte / size.weights_byte)), i, size)
            for i, size in enumerate(self.known.sizes)
        ]
        distance, _, size = min(sizes, default=(math.inf, 0, None))
        if size is None or distance > SAME_SIZE:
            self.notes.append(f"no format given: parameters counted at {BITS_ALONE:g} bits each")
            return BITS_ALONE
        bits = 8 * size.weights_byte / size.n_parameters
        self.notes.append(
            f"no format given: parameters counted at {bits:.3g} bits each, as this is the size of {size.words}"
        )
        return bits


def _parameters(row: CaseRow, *, model: Architecture | None) -> tuple[float, float]:
    """Return the total and active parameter counts stated in a row, or else its model's. NaN if unknown."""
    total, active = row.number("n_parameters"), row.number("n_active_parameters")
    if math.isnan(total):
        if model is None:
            if not math.isnan(active):
                raise CaseError(
                    "column n_active_parameters: n_parameters is needed beside it, or a model of our tables. Give one."
                )
            return math.nan, math.nan
        total, active = model.n_parameters, value_or(active, model.n_active_parameters)
    elif math.isnan(active):
        active = total * (model.n_active_parameters / model.n_parameters if model else 1.0)
    if active > total * (1 + 1e-9):
        raise CaseError(
            f"column n_active_parameters: no more than all {total:g} parameters can be active; got {active:g}. Leave "
            "it empty for a dense model."
        )
    return total, active
