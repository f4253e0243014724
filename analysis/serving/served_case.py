"""Reads a reader's rows into deployments: names looked up, plans completed, and what was assumed told."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np

from analysis.case_table import CaseColumn, CaseError, cell_of
from analysis.hardware.accelerator_names import UnknownAccelerator, find_accelerator
from analysis.model.architecture import Architecture
from analysis.model.formats import SERVED_BITS_PER_WEIGHT, Format
from analysis.model.names import UnknownModel, find_model, nearest, plain
from analysis.serving import case_columns as columns
from analysis.serving.case_columns import number_of, text_of
from analysis.serving.deployment import Load, Plan, ServingChip, Software, deployment
from analysis.serving.points import DRAFTED, fewest_chips
from analysis.serving.workers import workers_apart
from analysis.trend.calendar_year import decimal_year

PROMPT_WHERE_UNKNOWN, OUTPUT_WHERE_UNKNOWN = 1024.0, 1024.0
ENGINE_WORDS = (
    (r"tensor-?rt|trt[-_ ]?llm|\btrt\b", "trtllm"),
    (r"v-?llm", "vllm"),
    (r"sg-?lang", "sglang"),
)
APART = {"disagg", "disaggregated", "yes", "true", "1", "prefill apart"}
TOGETHER = {"", "agg", "aggregated", "no", "false", "0", "none", "unknown", "ifb", "in-flight batching"}
NO_DRAFT = {"none", "no", "off", "false", "0", "stp", "unknown", "-"}
DRAFT = re.compile(
    r"(mtp|eagle\d?|medusa|likely|yes|true|on|multi-token prediction|speculative|ngram)[-_ ]*(\d*)"
)


@dataclass(frozen=True, kw_only=True)
class ServedTables:
    """What names are looked up in.

    ``dates`` are the years that measured points give versions of engines, ``own_dates`` those of one model on one
    accelerator, by (engine, version, model, accelerator); ``drafting`` the setups of which every
    measured point drafts, as (model, accelerator, engine, version, year).
    """

    models: Mapping[str, Architecture]
    accelerators: Sequence[Mapping[str, Any]]
    chips: Mapping[str, ServingChip]
    formats: Mapping[str, Format]
    dates: Mapping[tuple[str, str], float] = field(default_factory=dict)
    own_dates: Mapping[tuple[str, str, str, str], float] = field(default_factory=dict)
    drafting: frozenset[tuple[str, str, str, str, str]] = frozenset()


@dataclass(frozen=True, kw_only=True)
class ServedCase:
    """One case: its entries of the deployments, what was assumed, and other entries that may be meant instead."""

    entries: Mapping[str, Any]
    notes: tuple[str, ...]
    others: tuple[Mapping[str, Any], ...] = ()


def read_case(row: Mapping[str, str], *, tables: ServedTables) -> ServedCase:
    """Return the case of one row of a table.

    Raises
    ------
    CaseError
        A name nobody knows, a number that is none, or a plan that its accelerators cannot have.
    """
    notes: list[str] = []
    model = _model(row, tables=tables)
    chip = _chip(row, tables=tables)
    name, bits, compute = _format(row, model=model, chip=chip, tables=tables, notes=notes)
    software = _software(row, model=model, chip=chip, tables=tables, notes=notes)
    plan, others = _plan(row, weights_byte=model.n_parameters * bits / 8, chip=chip, notes=notes)
    if model.is_mixture and not plan.prefill_workers and not text_of(row, columns.MODE):
        notes.append("no mode given: prompts read by the accelerators that write answers")
    if plan.expert > 1 and not model.is_mixture:
        notes.append(f"{model.name} has no experts: expert_parallel is passed over")
    return ServedCase(
        entries=deployment(
            model,
            chip=chip,
            format_name=name,
            bits=bits,
            compute_bits=compute,
            plan=plan,
            load=_load(row, model=model, chip=chip, software=software, tables=tables, notes=notes),
            software=software,
            cache_byte=_cache_byte(row, tables=tables),
        ),
        notes=tuple(notes),
        others=tuple({"decode_workers": writers, "prefill_workers": readers} for writers, readers in others),
    )


def _model(row: Mapping[str, str], *, tables: ServedTables) -> Architecture:
    text = text_of(row, columns.MODEL)
    if not text:
        raise CaseError("column model: needed; it is empty. Name a model of our tables.")
    try:
        return find_model(text, tables.models)
    except UnknownModel as error:
        raise CaseError(f"column {cell_of(row, columns.MODEL).called}: {error}") from None


def _chip(row: Mapping[str, str], *, tables: ServedTables) -> ServingChip:
    cell = cell_of(row, columns.ACCELERATOR)
    if not cell.text:
        raise CaseError(f"column {cell.called}: needed; it is empty. Name an accelerator of our tables.")
    exact = tables.chips.get(cell.text)
    if exact is not None:
        return exact
    try:
        name = str(find_accelerator(cell.text, rows=tables.accelerators)["name"])
    except UnknownAccelerator as error:
        raise CaseError(f"column {cell.called}: {error}") from None
    if name not in tables.chips:
        raise CaseError(
            f"column {cell.called}: the tables have no bandwidth, memory or 16-bit peak of {name}. Name another part."
        )
    return tables.chips[name]


def _format(
    row: Mapping[str, str],
    *,
    model: Architecture,
    chip: ServingChip,
    tables: ServedTables,
    notes: list[str],
) -> tuple[str, float, float]:
    """Return the format's name, its bits, and the bits that it computes in, NaN for its own."""
    cell = cell_of(row, columns.FORMAT)
    text = cell.text
    if not text or text.lower() in {"nan", "none"}:
        inside = re.search(r"nvfp4|mxfp4|fp8|fp4|int8|awq|gptq|bf16", text_of(row, columns.MODEL).lower())
        if inside:
            text = inside[0]
        else:
            text = model.published_format
            notes.append(f"no format given: {text}, as the weights are published")
    known = tables.formats.get(plain(text))
    if known is None:
        raise CaseError(
            f"column {cell.called}: {text!r} is not in our tables (nearest: {nearest(plain(text), tables.formats)}). "
            "Name one of them, or leave it empty."
        )
    name = known.name
    if name == "NVFP4" and (model.published_format == "MXFP4" or chip.maker == "AMD"):
        name = "MXFP4"
    if name in SERVED_BITS_PER_WEIGHT:
        return name, SERVED_BITS_PER_WEIGHT[name], math.nan
    whole = name in {"INT8", "FP32", "Q8_0"} or known.bits_per_weight > 8
    if whole:
        return name, known.bits_per_weight, math.nan
    notes.append(f"{name}: {known.bits_per_weight:.3g} bits a weight, computed at 16 bits")
    return name, known.bits_per_weight, 16.0


def _cache_byte(row: Mapping[str, str], *, tables: ServedTables) -> float:
    """Return bytes of a number of the cache as the row gives them, NaN where the engine decides."""
    cell = cell_of(row, columns.CACHE_FORMAT)
    if not cell.text or cell.text.lower() in {"auto", "default", "nan"}:
        return math.nan
    known = tables.formats.get(plain(cell.text))
    if known is None:
        raise CaseError(
            f"column {cell.called}: {cell.text!r} is no format of a cache. Write fp8 or bf16, or leave it empty."
        )
    return known.bits_per_weight / 8


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _software(
    row: Mapping[str, str], *, model: Architecture, chip: ServingChip, tables: ServedTables, notes: list[str]
) -> Software:
    text = text_of(row, columns.SOFTWARE)
    engine = next((name for pattern, name in ENGINE_WORDS if re.search(pattern, text.lower())), "")
    if text and not engine:
        notes.append(f"software {text!r} is none that was measured: taken as the mean of engines")
    stated = text_of(row, columns.VERSION)
    inside = re.search(r"\d+\.\d+[\w.]*", text)
    version = stated or (inside[0] if inside else "")
    year = _year(row)
    if math.isnan(year) and version:
        plain_version = version.removeprefix("v")
        year = tables.own_dates.get((engine, plain_version, model.name, chip.name), math.nan)
        year = year if year > 0 else _year_of_version(engine, plain_version, dates=tables.dates)
    if math.isnan(year):
        notes.append("no software date: software of 2026 assumed")
    return Software(engine=engine, version=version.removeprefix("v"), year=year)


def _year(row: Mapping[str, str]) -> float:
    cell = cell_of(row, columns.DATE)
    if not cell.text or cell.text.lower() in {"nan", "nat"}:
        return math.nan
    try:
        year = float(cell.text)
    except ValueError:
        try:
            year = float(decimal_year(np.array([date.fromisoformat(_whole_date(cell.text))]))[0])
        except ValueError:
            year = math.nan
    if not 2015 <= year < 2100:
        raise CaseError(
            f"column {cell.called}: a date from 2015 is needed; got {cell.text!r}. Write it like 2026-04-17."
        )
    return year


def _whole_date(text: str) -> str:
    return f"{text}-15" if re.fullmatch(r"\d{4}-\d{2}", text) else text[:10]


def _year_of_version(engine: str, version: str, *, dates: Mapping[tuple[str, str], float]) -> float:
    """Return the year of an engine's version: of the last measured one that is no newer, NaN where there is none."""
    if (engine, version) in dates:
        return dates[engine, version]
    key = _version_key(version)
    older = {
        _version_key(name): year
        for (of, name), year in dates.items()
        if of == engine and _version_key(name) and _version_key(name) <= key
    }
    return older[max(older)] if key and older else math.nan


def _plan(
    row: Mapping[str, str], *, weights_byte: float, chip: ServingChip, notes: list[str]
) -> tuple[Plan, tuple[tuple[float, float], ...]]:
    """Return how the accelerators share the model, and other numbers of workers that may be meant.

    Raises
    ------
    CaseError
        More chips in the plan than there are, or a number of chips that the plan does not divide.
    """
    total, tensor = number_of(row, columns.ACCELERATORS), number_of(row, columns.TENSOR)
    data, pipeline = number_of(row, columns.DATA), _or(number_of(row, columns.PIPELINE), 1.0)
    expert = _or(number_of(row, columns.EXPERT), 1.0)
    apart = _apart(row)
    if math.isnan(tensor):
        tensor, expert = _tensor(total, data=data, pipeline=pipeline, expert=expert, apart=apart, byte=weights_byte,
                                 chip=chip, notes=notes)  # fmt: skip
    data = _or(data, 1.0)
    written = tensor * data * pipeline
    tensor, data, expert = _shared(
        tensor, data=data, expert=expert, total=total, pipeline=pipeline, chip=chip, notes=notes
    )
    chips = tensor * data * pipeline
    total = chips if total == written else total
    if apart:
        read_by = _or(number_of(row, columns.PREFILL_CHIPS), chips)
        readers = number_of(row, columns.PREFILL_WORKERS)
        workers = workers_apart(
            writers=number_of(row, columns.DECODE_WORKERS),
            readers=readers if readers > 0 else math.nan,
            accelerators=total,
            writer_chips=chips,
            reader_chips=read_by,
        )
        if workers.note:
            notes.append(workers.note)
        plan = Plan(
            tensor=tensor,
            data=data,
            pipeline=pipeline,
            expert=expert,
            decode_workers=workers.writers,
            prefill_workers=workers.readers,
            prefill_chips=read_by,
            prefill_data=_or(number_of(row, columns.PREFILL_DATA), 1.0),
        )
        return plan, workers.others
    copies = 1.0 if math.isnan(total) else total / chips
    if copies < 1 or copies != int(copies):
        raise CaseError(
            f"tensor_parallel × data_parallel × pipeline_parallel = {chips:g} accelerators a copy; {total:g} are no "
            "multiple of that. Correct one of them, or leave accelerators empty."
        )
    if copies > 1:
        notes.append(f"{copies:g} copies of the model share the requests")
    return Plan(tensor=tensor, data=data, pipeline=pipeline, expert=expert, decode_workers=copies), ()


def _or(value: float, otherwise: float) -> float:
    return otherwise if math.isnan(value) else value


def _apart(row: Mapping[str, str]) -> bool:
    cell = cell_of(row, columns.MODE)
    word = cell.text.lower()
    if word in APART:
        return True
    if word not in TOGETHER:
        raise CaseError(
            f"column {cell.called}: aggregated or disaggregated is needed; got {cell.text!r}. Leave it empty where "
            "the same accelerators read prompts and write answers."
        )
    return not word and _or(number_of(row, columns.PREFILL_WORKERS), 0.0) > 0


def _tensor(
    total: float,
    *,
    data: float,
    pipeline: float,
    expert: float,
    apart: bool,
    byte: float,
    chip: ServingChip,
    notes: list[str],
) -> tuple[float, float]:
    """Return chips that share each layer where no plan says so, and groups of experts."""
    if not math.isnan(data):
        return 1.0, expert
    if not math.isnan(total) and not apart:
        tensor = max(math.floor(total / pipeline), 1.0)
    else:
        tensor = fewest_chips(byte / pipeline, capacity_byte=chip.memory_capacity_byte, most=chip.domain_size)
    notes.append(f"no tensor_parallel given: {tensor:g}")
    return float(tensor), expert


def _shared(
    tensor: float,
    *,
    data: float,
    expert: float,
    total: float,
    pipeline: float,
    chip: ServingChip,
    notes: list[str],
) -> tuple[float, float, float]:
    """Return tensor, data and expert parallelism where a source multiplied those that share the same chips.

    AIConfigurator's tables write 64 for eight chips that share attention and experts in two ways.
    """
    chips = tensor * data
    root = math.sqrt(chips)
    inside = total / pipeline if total < chips * pipeline else math.nan
    if math.isnan(inside):
        twice = root == int(root) and expert in (root, chips) and (data in (1.0, chips) or tensor == data)
        if not (twice and chips > chip.domain_size):
            return tensor, data, expert
        inside = root
    if expert <= 1 or inside < 1 or inside != int(inside):
        return tensor, data, expert
    notes.append(f"{chips:g} counts tensor and expert parallelism on the same {inside:g} accelerators twice")
    return (1.0, inside, inside) if data > 1 else (inside, 1.0, min(expert, inside))


def _load(
    row: Mapping[str, str],
    *,
    model: Architecture,
    chip: ServingChip,
    software: Software,
    tables: ServedTables,
    notes: list[str],
) -> Load:
    prompt, output = number_of(row, columns.PROMPT), number_of(row, columns.OUTPUT)
    for value, column, otherwise in (
        (prompt, columns.PROMPT, PROMPT_WHERE_UNKNOWN),
        (output, columns.OUTPUT, OUTPUT_WHERE_UNKNOWN),
    ):
        if math.isnan(value):
            notes.append(f"no {column.name} given: {otherwise:g}")
    prompt, output = _or(prompt, PROMPT_WHERE_UNKNOWN), _or(output, OUTPUT_WHERE_UNKNOWN)
    cached = _or(number_of(row, columns.CACHED), 0.0)
    if cached >= prompt:
        raise CaseError(
            f"column {cell_of(row, columns.CACHED).called}: fewer than the prompt's {prompt:g} tokens can be cached; "
            f"got {cached:g}. At least the last one is read."
        )
    concurrency = number_of(row, columns.CONCURRENCY)
    if math.isnan(concurrency):
        notes.append("no concurrency given: as many requests as the memory holds")
    return Load(
        prompt_tokens=prompt - cached,
        output_tokens=output,
        concurrency=concurrency,
        cached_tokens=cached,
        drafted=_drafted(
            row, columns.DRAFT, model=model, chip=chip, software=software, tables=tables, notes=notes
        ),
    )


def _drafted(
    row: Mapping[str, str],
    column: CaseColumn,
    *,
    model: Architecture,
    chip: ServingChip,
    software: Software,
    tables: ServedTables,
    notes: list[str],
) -> float:
    """Return how many tokens are drafted at a step.

    Raises
    ------
    CaseError
        No number and no word for drafting.
    """
    cell = cell_of(row, column)
    text = cell.text.lower()
    if not text or text == "nan":
        setup = (model.name, chip.name, software.engine, software.version, f"{software.year:.2f}")
        if setup not in tables.drafting:
            return 0.0
        notes.append(f"drafts {DRAFTED:g} tokens, as all that was measured with this software")
        return DRAFTED
    if text in NO_DRAFT:
        return 0.0
    word = DRAFT.fullmatch(text)
    count = float(word[2]) if word and word[2] else DRAFTED if word else math.nan
    if text.isdigit():
        count = float(text)
    if math.isnan(count) or count > 16:
        raise CaseError(
            f"column {cell.called}: how many tokens are drafted, up to 16, or none; got {cell.text!r}. Write it like "
            "3, mtp or none."
        )
    return count
