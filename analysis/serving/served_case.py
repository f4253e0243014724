"""Deployments from a reader's file. Names are looked up, plans completed and assumptions noted."""

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from analysis.hardware.names import UnknownAccelerator, find_accelerator
from analysis.model.architecture import Architecture
from analysis.model.formats import SERVED_BITS_PER_WEIGHT, Format
from analysis.model.names import UnknownModel, find_model, nearest, plain
from analysis.predict.columns import CaseError, CaseRow, Cell, Dialect, Fault, declared, value_or
from analysis.predict.table import PROBLEM
from analysis.serving.deployment import Load, Plan, ServingChip, Software, deployment
from analysis.serving.points import DRAFTED, fewest_chips
from analysis.serving.times import SERVER_CHIPS
from analysis.serving.workers import disaggregated_workers
from analysis.trend.calendar_year import decimal_year

PREFILL_CHIPS = 32.0  # chips that prefill together: DeepSeek-AI, arXiv:2412.19437, section 3.4.1
TOKENS_WHERE_UNKNOWN = {"prompt_tokens": 1024.0, "output_tokens": 1024.0}
ENGINE_WORDS = ((r"tensor-?rt|trt[-_ ]?llm|\btrt\b", "trtllm"), (r"v-?llm", "vllm"), (r"sg-?lang", "sglang"))
DISAGGREGATED = {"disagg", "disaggregated", "yes", "true", "1", "prefill apart"}
AGGREGATED = {"", "agg", "aggregated", "no", "false", "0", "none", "unknown", "ifb", "in-flight batching"}
NO_DRAFT = {"none", "no", "off", "false", "0", "stp", "unknown", "-"}
DRAFT = re.compile(
    r"(mtp|eagle\d?|medusa|likely|yes|true|on|multi-token prediction|speculative|ngram)[-_ ]*(\d*)"
)


def _refusal(cell: Cell, fault: Fault) -> str:
    """Return the error message for an invalid number in a cell."""
    start, least, most = f"column {cell.called}:", cell.column.least, cell.column.most
    match fault:
        case "low":
            return f"{start} a number at least {least:g} is needed; got {cell.text}. Correct it, or leave it empty."
        case "high":
            return f"{start} at most {most:,.0f}; got {cell.text}. Check its unit."
        case "part":
            return f"{start} a whole number is needed; got {cell.text}. It counts chips or groups."
    return f"{start} a finite number is needed; got {cell.text!r}. Write it like 1024, or leave it empty."


STATED = tomllib.loads(Path(__file__).with_name("columns.toml").read_text(encoding="utf-8"))
TIMES = (
    "predicted_time_per_output_token_s",
    "predicted_time_to_first_token_s",
    "predicted_output_tokens_per_s_per_accelerator",
)
PREDICTED = tuple(f"{name}{end}" for name in TIMES for end in ("", "_low", "_high"))
DIALECT = Dialect(
    columns=declared(STATED["columns"]),
    added=(*PREDICTED, "accelerators_used", "concurrency_used", "note", PROBLEM),
    needs=(("model",), ("accelerator",)),
    refusal=_refusal,
    slips=STATED["slips"],
    joined=("note",),
    passed=tuple(STATED["passed"]),
    blanks=("nan", "none", "na", "n/a", "-", "–"),
)


@dataclass(frozen=True, kw_only=True)
class ServedTables:
    """Tables for looking up names.

    ``drafting`` are the setups in which every measured point drafts, as (model, accelerator, engine, version).
    """

    models: Mapping[str, Architecture]
    accelerators: Sequence[Mapping[str, Any]]
    chips: Mapping[str, ServingChip]
    formats: Mapping[str, Format]
    drafting: frozenset[tuple[str, str, str, str]] = frozenset()


@dataclass(frozen=True, kw_only=True)
class ServedCase:
    """One case: the entries of its deployment, the assumptions made, and alternative entries."""

    entries: Mapping[str, Any]
    notes: tuple[str, ...]
    others: tuple[Mapping[str, Any], ...] = ()


def read_case(cells: Mapping[str, str], *, tables: ServedTables) -> ServedCase:
    """Return the case in one row of a table.

    Raises CaseError if a name is unknown, a number is invalid, or its accelerators cannot run the plan.
    """
    row = CaseRow(cells=cells, dialect=DIALECT)
    return _CaseReader(
        row, model=_model(row, tables=tables), chip=_chip(row, tables=tables), tables=tables
    ).case()


def _model(row: CaseRow, *, tables: ServedTables) -> Architecture:
    cell = row["model"]
    if not cell.text:
        raise CaseError("column model: needed; it is empty. Name a model of our tables.")
    try:
        return find_model(cell.text, tables.models)
    except UnknownModel as error:
        raise CaseError(f"column {cell.called}: {error}") from None


def _chip(row: CaseRow, *, tables: ServedTables) -> ServingChip:
    cell = row["accelerator"]
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


class _CaseReader:
    """Parser of a row with a known model and accelerator. It completes the row and records its assumptions."""

    def __init__(self, row: CaseRow, *, model: Architecture, chip: ServingChip, tables: ServedTables) -> None:
        self.row, self.model, self.chip, self.tables = row, model, chip, tables
        self.notes: list[str] = []

    def case(self) -> ServedCase:
        name, bits, compute_bits = self.weights_format()
        software = self.software()
        plan, workers = self.plan(weights_byte=self.model.n_parameters * bits / 8)
        others = [{"decode_workers": decode, "prefill_workers": prefill} for decode, prefill in workers]
        if self.model.is_mixture and not plan.prefill_chips and not self.row.text("mode"):
            self.notes.append("no mode given: prompts read by the accelerators that write answers")
        if plan.expert > 1 and not self.model.is_mixture:
            self.notes.append(f"{self.model.name} has no experts: expert_parallel is passed over")
        return ServedCase(
            entries=deployment(
                self.model,
                chip=self.chip,
                format_name=name,
                bits=bits,
                compute_bits=compute_bits,
                plan=plan,
                load=self.load(software),
                software=software,
                cache_byte=self.cache_byte(),
            ),
            notes=tuple(self.notes),
            others=(*others, *(() if software.tuning else ({"tuning": "installed"},))),
        )

    def weights_format(self) -> tuple[str, float, float]:
        """Return the format's name, its bits in storage, and its bits in computation (NaN if the two are equal)."""
        cell = self.row["format"]
        text = cell.text
        if not text or text.lower() in {"nan", "none"}:
            inside = re.search(r"nvfp4|mxfp4|fp8|fp4|int8|awq|gptq|bf16", self.row.text("model").lower())
            if inside:
                text = inside[0]
            else:
                text = self.model.published_format
                self.notes.append(f"no format given: {text}, as the weights are published")
        known = self.tables.formats.get(plain(text))
        if known is None:
            raise CaseError(
                f"column {cell.called}: {text!r} is not in our tables (nearest: "
                f"{nearest(plain(text), self.tables.formats)}). Name one of them, or leave it empty."
            )
        name = known.name
        if name == "NVFP4" and (self.model.published_format == "MXFP4" or self.chip.maker == "AMD"):
            name = "MXFP4"
        if name in SERVED_BITS_PER_WEIGHT:
            return name, SERVED_BITS_PER_WEIGHT[name], math.nan
        if name in {"INT8", "FP32", "Q8_0"} or known.bits_per_weight > 8:
            return name, known.bits_per_weight, math.nan
        self.notes.append(f"{name}: {known.bits_per_weight:.3g} bits a weight, computed at 16 bits")
        return name, known.bits_per_weight, 16.0

    def cache_byte(self) -> float:
        """Return the size of a cached number as stated in the row. NaN if the engine decides. [byte]"""
        cell = self.row["cache_format"]
        if not cell.text or cell.text.lower() in {"auto", "default", "nan"}:
            return math.nan
        known = self.tables.formats.get(plain(cell.text))
        if known is None:
            raise CaseError(
                f"column {cell.called}: {cell.text!r} is no format of a cache. Write fp8 or bf16, or leave it empty."
            )
        return known.bits_per_weight / 8

    def software(self) -> Software:
        text = self.row.text("software")
        engine = next((name for pattern, name in ENGINE_WORDS if re.search(pattern, text.lower())), "")
        if text and not engine:
            self.notes.append(f"software {text!r} is none that was measured: taken as the mean of engines")
        inside = re.search(r"\d+\.\d+[\w.]*", text)
        version = (self.row.text("software_version") or (inside[0] if inside else "")).removeprefix("v")
        return Software(
            engine=engine,
            version=version,
            year=_year(self.row),
            tuning=_word(self.row, "tuning", among=("tuned", "installed")),
        )

    def plan(self, *, weights_byte: float) -> tuple[Plan, tuple[tuple[float, float], ...]]:
        """Return the sharding plan, and other possible numbers of workers.

        Raises CaseError if the plan has more chips than there are, or does not divide their number.
        """
        row = self.row
        total, tensor = row.number("accelerators"), row.number("tensor_parallel")
        data, pipeline = row.number("data_parallel"), value_or(row.number("pipeline_parallel"), 1.0)
        expert = value_or(row.number("expert_parallel"), 1.0)
        disaggregated = _is_disaggregated(row)
        if math.isnan(tensor):
            known_total = math.nan if disaggregated else total
            tensor = self.fewest_tensor(known_total, data=data, pipeline=pipeline, weights_byte=weights_byte)
            if math.isnan(data) and self.model.is_mixture and known_total / pipeline > tensor:
                data, expert = self.wide(known_total / pipeline, tensor=tensor)
                tensor = known_total / pipeline / data
        data = value_or(data, 1.0)
        written = tensor * data * pipeline
        tensor, data, expert = self.counted_once(
            tensor, data=data, expert=expert, total=total, pipeline=pipeline
        )
        chips = tensor * data * pipeline
        total = chips if total == written else total
        if disaggregated:
            prefill_chips = value_or(row.number("prefill_accelerators"), chips)
            prefill_workers = row.number("prefill_workers")
            workers = disaggregated_workers(
                decode_workers=row.number("decode_workers"),
                prefill_workers=prefill_workers if prefill_workers > 0 else math.nan,
                accelerators=total,
                decode_chips=chips,
                prefill_chips=prefill_chips,
            )
            if workers.note:
                self.notes.append(workers.note)
            plan = Plan(
                tensor=tensor,
                data=data,
                pipeline=pipeline,
                expert=expert,
                decode_workers=workers.decode_workers,
                prefill_workers=workers.prefill_workers,
                prefill_chips=prefill_chips,
                prefill_data=value_or(row.number("prefill_data_parallel"), 1.0),
            )
            return plan, workers.others
        elsewhere = 0.0
        if expert > self.chip.domain_size and self.model.is_mixture and not row.text("mode"):
            elsewhere = min(PREFILL_CHIPS, chips)
            self.notes.append("no mode given: prompts read by other servers, which are not counted")
        copies = 1.0 if math.isnan(total) else total / chips
        if copies < 1 or copies != int(copies):
            raise CaseError(
                f"tensor_parallel × data_parallel × pipeline_parallel = {chips:g} accelerators a copy; {total:g} are "
                "no multiple of that. Correct one of them, or leave accelerators empty."
            )
        if copies > 1:
            self.notes.append(f"{copies:g} copies of the model share the requests")
        return Plan(
            tensor=tensor,
            data=data,
            pipeline=pipeline,
            expert=expert,
            decode_workers=copies,
            prefill_chips=elsewhere,
            prefill_data=max(elsewhere, 1.0),
        ), ()

    def fewest_tensor(self, total: float, *, data: float, pipeline: float, weights_byte: float) -> float:
        """Return the number of chips assumed to share each layer if no plan is stated. ``total`` may be NaN. [1]"""
        if not math.isnan(data):
            return 1.0
        if math.isnan(total):
            tensor = fewest_chips(
                weights_byte / pipeline,
                capacity_byte=self.chip.memory_capacity_byte,
                most=self.chip.domain_size,
            )
        else:
            stage = max(math.floor(total / pipeline), 1)
            tensor = max(chips for chips in range(1, int(SERVER_CHIPS) + 1) if stage % chips == 0)
        self.notes.append(f"no tensor_parallel given: {tensor:g}")
        return float(tensor)

    def wide(self, chips: float, *, tensor: float) -> tuple[float, float]:
        """Return the data and expert parallelism of a mixture on several servers. Each chip (or, with grouped
        attention, each server) has its own requests, and experts are spread over all chips. [1]

        References
        ----------
        DeepSeek-AI, "DeepSeek-V3 Technical Report", arXiv:2412.19437, section 3.4.2 (320 chips that decode).
        """
        data = chips if self.model.latent is not None else chips // tensor
        self.notes.append(f"no plan given: experts spread over all {chips:g}, requests in {data:g} groups")
        return data, chips

    def counted_once(
        self, tensor: float, *, data: float, expert: float, total: float, pipeline: float
    ) -> tuple[float, float, float]:
        """Return the tensor, data and expert parallelism, counting chips once even if a source counts them twice. [1]

        AIConfigurator's tables write 64, and 8 for experts, for eight chips that share attention and experts. ``total``
        is the number of accelerators, NaN if unknown.
        """
        chips = tensor * data
        root = math.sqrt(chips)
        inside = total / pipeline if total < chips * pipeline else math.nan
        if math.isnan(inside):
            both = expert == root and data in (1.0, chips)
            either = expert == chips and tensor == data and math.isnan(total)
            if not ((both or either) and root == int(root) and chips > self.chip.domain_size):
                return tensor, data, expert
            inside = root
        if expert <= 1 or inside < 1 or inside != int(inside):
            return tensor, data, expert
        self.notes.append(
            f"{chips:g} counts tensor and expert parallelism on the same {inside:g} accelerators twice"
        )
        return (1.0, inside, inside) if data > 1 else (inside, 1.0, min(expert, inside))

    def load(self, software: Software) -> Load:
        tokens = {name: self.row.number(name) for name in TOKENS_WHERE_UNKNOWN}
        for name, default in TOKENS_WHERE_UNKNOWN.items():
            if math.isnan(tokens[name]):
                self.notes.append(f"no {name} given: {default:g}")
                tokens[name] = default
        prompt = tokens["prompt_tokens"]
        cached = value_or(self.row.number("cached_tokens"), 0.0)
        if cached >= prompt:
            raise CaseError(
                f"column {self.row['cached_tokens'].called}: fewer than the prompt's {prompt:g} tokens can be cached; "
                f"got {cached:g}. At least the last one is read."
            )
        concurrency = self.row.number("concurrency")
        if math.isnan(concurrency):
            self.notes.append("no concurrency given: as many requests as the memory holds")
        return Load(
            prompt_tokens=prompt - cached,
            output_tokens=tokens["output_tokens"],
            concurrency=concurrency,
            cached_tokens=cached,
            drafted=self.drafted(software),
            burst=_word(self.row, "load", among=("closed loop", "burst")) == "burst",
        )

    def drafted(self, software: Software) -> float:
        """Return the number of drafted tokens per step. [1]

        Raises CaseError if the cell is neither a number nor a word for drafting.
        """
        cell = self.row["draft"]
        text = cell.text.lower()
        if not text or text == "nan":
            setup = (self.model.name, self.chip.name, software.engine, software.version)
            if setup not in self.tables.drafting:
                return 0.0
            self.notes.append(f"drafts {DRAFTED:g} tokens, as all that was measured with this software")
            return DRAFTED
        if text in NO_DRAFT:
            return 0.0
        word = DRAFT.fullmatch(text)
        count = float(word[2]) if word and word[2] else DRAFTED if word else math.nan
        if text.isdigit():
            count = float(text)
        if math.isnan(count) or count > 16:
            raise CaseError(
                f"column {cell.called}: how many tokens are drafted, up to 16, or none; got {cell.text!r}. Write it "
                "like 3, mtp or none."
            )
        return count


def _year(row: CaseRow) -> float:
    cell = row["software_date"]
    if not cell.text or cell.text.lower() in {"nan", "nat"}:
        return math.nan
    try:
        year = float(cell.text)
    except ValueError:
        day = f"{cell.text}-15" if re.fullmatch(r"\d{4}-\d{2}", cell.text) else cell.text[:10]
        try:
            year = float(decimal_year(np.array([date.fromisoformat(day)]))[0])
        except ValueError:
            year = math.nan
    if not 2015 <= year < 2100:
        raise CaseError(
            f"column {cell.called}: a date from 2015 is needed; got {cell.text!r}. Write it like 2026-04-17."
        )
    return year


def _word(row: CaseRow, name: str, *, among: tuple[str, str]) -> str:
    cell = row[name]
    word = cell.text.lower().removeprefix("as ").replace("-", " ")
    if word in ("", *among):
        return word
    raise CaseError(
        f"column {cell.called}: {' or '.join(among)} is needed; got {cell.text!r}. Leave it empty where nobody says."
    )


def _is_disaggregated(row: CaseRow) -> bool:
    cell = row["mode"]
    word = cell.text.lower()
    if word in DISAGGREGATED:
        return True
    if word not in AGGREGATED:
        raise CaseError(
            f"column {cell.called}: aggregated or disaggregated is needed; got {cell.text!r}. Leave it empty where "
            "the same accelerators read prompts and write answers."
        )
    return not word and value_or(row.number("prefill_workers"), 0.0) > 0
