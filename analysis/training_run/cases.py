"""Training runs from the rows of a file: columns, parsing and error messages."""

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.hardware.names import UnknownAccelerator, find_accelerator
from analysis.model.architecture import Architecture
from analysis.model.names import known_model, nearest, plain
from analysis.predict.columns import CaseError, CaseRow, Cell, Dialect, Fault, declared
from analysis.training_run.plans import ImpossiblePlan, refuse_impossible

BY_NUMBERS = "accelerator by numbers"
_KINDS = (
    ("fp4", re.compile(r"^(nv|mx)?(fp|f|float)4|^4bit|^e2m1")),
    ("fp8", re.compile(r"^(mx)?(fp|f|float)8|^8bit|^e[45]m[32]|^(ds|cs|mx|deepseek|blockwise)?fp8")),
    ("fp16", re.compile(r"^b?(fp|f|float)16|^half$|^16bit|^b16$|^mixed")),
)
_DAY = re.compile(r"(?<![\d.])(20\d\d)-(\d\d)(?:-\d\d)?(?!\d)")
_YEAR = re.compile(r"(?<![\d.])(20\d\d(?:\.\d+)?)(?![\d-])")
_VERSION = re.compile(r"(?<![\d.])([12]\d)\.(\d\d)(?!\d)")
_CONTAINER = re.compile(r"containers? \d\d\.\d\d", re.IGNORECASE)


def _refusal(cell: Cell, fault: Fault) -> str:
    """Return the error message for an invalid number in a cell, with advice to check the unit if it may be wrong."""
    match fault:
        case "none":
            return f"{cell.called} is a number; got {cell.text!r}."
        case "part":
            return f"{cell.called} is a whole number; got {cell.text!r}."
    least = cell.column.least
    if least > 1 and math.isfinite(cell.number()) and cell.number() >= 1:
        return f"{cell.called} is {least / cell.factor:g} or more; got {cell.text!r}. Check its unit."
    return f"{cell.called} is {min(least, 1.0):g} or more; got {cell.text!r}."


STATED = tomllib.loads(Path(__file__).with_name("columns.toml").read_text(encoding="utf-8"))
(MODEL,), SHAPE, NEEDED, CHIP, OPEN, (NOTE,) = (declared(group) for group in STATED["columns"].values())
DIALECT = Dialect(
    columns=(MODEL, *SHAPE, *NEEDED, *CHIP, *OPEN, NOTE),
    passed=("notes",),
    added=tuple(STATED["added"]),
    needs=(
        *((size.name, "model") for size in SHAPE),
        ("sequence_tokens",),
        ("global_batch",),
        ("accelerator", "peak_flop_per_s"),
    ),
    refusal=_refusal,
)


def number_of(row: CaseRow, name: str) -> float | None:
    """Return a cell's number, or None if it is empty.

    Raises CaseError if it is not a number, too small, or not whole as required; or empty in a required column.
    """
    value = row.number(name)
    if not math.isnan(value):
        return value
    if name in {column.name for column in NEEDED}:
        raise CaseError(f"{row[name].called} is needed; it is empty. Give it for every case.")
    return None


def whole_of(row: CaseRow, name: str) -> int | None:
    """Return a cell's whole number, or None if it is empty."""
    value = number_of(row, name)
    return None if value is None else int(value)


def share_of(row: CaseRow, name: str) -> float | None:
    """Return a cell's value as a share, or None if it is empty."""
    share = number_of(row, name)
    if share is not None and share > 1:
        raise CaseError(f"{row[name].called} is a share from 0 to 1; got '{share:g}'.")
    return share


def choice_of(row: CaseRow, name: str) -> str | None:
    """Return a cell's word in lower case, or None if it is empty.

    Raises CaseError if the column does not allow the word.
    """
    cell = row[name]
    text, choices = cell.text.lower(), cell.column.choices
    if text and text not in choices:
        raise CaseError(f"{cell.called} is one of {', '.join(choices)}, or empty; got {text!r}.")
    return text or None


def flag_of(row: CaseRow, name: str) -> bool | None:
    """Return whether a cell means yes. None if it is empty.

    Raises CaseError if it is neither yes nor no.
    """
    cell = row[name]
    text = cell.text.lower()
    if text not in ("", "0", "1", "true", "false", "yes", "no"):
        raise CaseError(f"{cell.called} is true or false, or empty; got {text!r}.")
    return text in ("1", "true", "yes") if text else None


@dataclass(frozen=True, kw_only=True)
class TrainingCase:
    """One training run as a row states it. The model chooses the values of fields that are None."""

    model: Architecture
    global_batch: int
    accelerator: str
    accelerators: int
    tensor_parallel: int
    pipeline_parallel: int
    data_parallel: int
    context_parallel: int
    expert_parallel: int
    micro_batch: int | None
    interleave: int | None
    zero_stage: int | None
    recompute: str | None
    tokens: float | None
    attention: str | None
    attention_counted: str | None
    counts: str | None
    precision: str
    overlap: float | None
    expert_overlap: float
    network_byte_per_s: float | None
    link_byte_per_s: float | None
    domain_size: int | None
    software_year: float | None = None
    power_limit_w: float | None = None
    four_bit: bool = False


def parse(cells: Mapping[str, str], *, models: Mapping[str, Architecture] | None = None) -> TrainingCase:
    """Return the training run in one row. Every cell is text, and empty if its value is not stated.

    ``models`` are those that a row may name, by normalized name. ``data_parallel`` follows from ``accelerators`` or
    vice versa.

    Raises CaseError if a cell is invalid; the message has the column, the value and what is allowed.
    """
    row = CaseRow(cells=cells, dialect=DIALECT)
    accelerator = row["accelerator"]
    if not accelerator.text and not all(row.text(number.name) for number in CHIP):
        raise CaseError(f"{accelerator.called} is needed; it is empty. Give a name, such as H100 SXM.")
    whole = {name: whole_of(row, name) for name, column in DIALECT.by_name.items() if column.whole}
    stage = whole["zero_stage"]
    if stage is not None and stage > 3:
        raise CaseError(f"zero_stage is 0, 1, 2 or 3; got '{stage}'.")
    overlap, expert_overlap = (share_of(row, name) for name in ("overlap", "expert_overlap"))
    model = trained_model(row, known=models or {})
    t, p, c = (whole[f"{name}_parallel"] or 1 for name in ("tensor", "pipeline", "context"))
    d, total = _data_parallel(whole["data_parallel"], whole["n_accelerators"], others=t * p * c)
    batch, micro = whole["global_batch"] or 1, whole["micro_batch"]
    if batch < d * (micro or 1):
        raise CaseError(
            f"global_batch holds at least one micro-batch for each data-parallel rank; got {batch} for "
            f"{d} ranks of {micro or 1}."
        )
    tokens, step = number_of(row, "tokens"), batch * model.sequence_length
    if tokens is not None and tokens < step:
        raise CaseError(
            f"tokens are counted one by one and fill at least one step of {step:,}; got {tokens:g}. "
            f"For {tokens:g} billion give {tokens * 1e9:g}."
        )
    expert, pieces = _over_copies(whole["expert_parallel"] or 1, copies=c * d, tensor=t), whole["interleave"]
    try:
        refuse_impossible(
            model,
            global_batch=batch,
            tensor_parallel=t,
            pipeline_parallel=p,
            data_parallel=d,
            context_parallel=c,
            expert_parallel=expert,
            interleave=pieces or 1,
            micro_batch=micro or 1,
        )
    except ImpossiblePlan as fault:
        raise CaseError(f"{fault}.") from None
    precision = precision_of(row)
    return TrainingCase(
        model=model,
        global_batch=batch,
        accelerator=accelerator.text,
        accelerators=total,
        tensor_parallel=t,
        pipeline_parallel=p,
        data_parallel=d,
        context_parallel=c,
        expert_parallel=expert,
        micro_batch=micro,
        interleave=pieces,
        zero_stage=stage,
        recompute=choice_of(row, "recompute"),
        tokens=tokens,
        attention=choice_of(row, "attention"),
        attention_counted=choice_of(row, "attention_counted"),
        counts=choice_of(row, "counts"),
        precision="fp8" if precision in ("fp8", "fp4") else "fp16",
        four_bit=precision == "fp4",
        overlap=overlap,
        expert_overlap=expert_overlap or 0.0,
        network_byte_per_s=number_of(row, "network_bandwidth_byte_per_s"),
        link_byte_per_s=number_of(row, "chip_link_bandwidth_byte_per_s"),
        domain_size=whole["domain_size"],
        software_year=software_year_of(row),
        power_limit_w=number_of(row, "power_limit_w"),
    )


def _over_copies(expert: int, *, copies: int, tensor: int) -> int:
    """Return the number of data- and context-parallel ranks over which the experts are spread.

    If experts are spread over tensor-parallel accelerators too, as in Megatron-LM, these share each expert here:
    parameters and tokens per accelerator are the same.
    """
    return math.gcd(expert, copies) if (copies * tensor) % expert == 0 else expert


def _data_parallel(data: int | None, total: int | None, *, others: int) -> tuple[int, int]:
    if data is None:
        if total is None:
            return 1, others
        if total % others:
            raise CaseError(
                f"accelerators is a multiple of tensor x pipeline x context parallel ({others}); got {total}."
            )
        return total // others, total
    if total is not None and total != data * others:
        raise CaseError(
            f"accelerators is tensor x pipeline x data x context parallel ({data * others}); got {total}. "
            "Leave one of them empty."
        )
    return data, data * others


def accelerator_row(
    row: CaseRow, *, precision: str, accelerators: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a case's accelerator as a row of the accelerator table, with the case's own numbers.

    Raises CaseError if the name is unknown and required numbers are missing, or numbers are in another unit.
    """
    values = {column.name: number_of(row, column.name) for column in CHIP}
    names = (f"peak_{precision}_dense_flop_per_s", "memory_bandwidth_byte_per_s", "memory_capacity_byte")
    numbers = {name: value for name, value in zip(names, values.values(), strict=True) if value is not None}
    name = row.text("accelerator")
    try:
        return {**find_accelerator(name, rows=accelerators), **numbers}
    except UnknownAccelerator as error:
        if len(numbers) < len(names):
            raise CaseError(str(error)) from None
        return {"product": name or BY_NUMBERS, **numbers}


def accelerator_words(row: CaseRow, *, product: str) -> str:
    """Return the label of a prediction's accelerator: the product, and the numbers that the row states."""
    cells = [cell for cell in (row[column.name] for column in CHIP) if cell.text]
    own = ", ".join(f"{cell.called} {cell.text}" for cell in cells)
    return f"{product} with {own}" if own else product


def precision_of(row: CaseRow) -> str | None:
    """Return the precision in a row: fp16 (either 16-bit format), fp8 or fp4. None if it is not stated.

    Recipes count as their format: MXFP8, FP8 with current or delayed scaling (FP8-CS, FP8-DS), blockwise FP8, NVFP4.

    Raises CaseError if it is not a training format.
    """
    cell = row["precision"]
    if not cell.text:
        return None
    plain = re.sub(r"[^a-z0-9]", "", cell.text.lower())
    for name, pattern in _KINDS:
        if pattern.search(plain):
            return name
    raise CaseError(
        f"{cell.called} is one of fp16, bf16, fp8, mxfp8, nvfp4 or another recipe of these, or empty; got "
        f"{cell.text.lower()!r}."
    )


def software_year_of(row: CaseRow) -> float | None:
    """Return the software date in a row as a decimal year. None if it is not stated.

    Accepted are a version by year and month ("26.04", "container 26.04.01"), a date ("2026-04", "2026-04-30") or a year
    ("2026.3"; a year alone means its middle). A name alone has no date. If the column is empty, the container version
    in the row's note is used.

    Raises CaseError if the numbers are not a date.
    """
    for name in DIALECT.by_name["software"].names:
        text = (row.cells.get(name) or "").strip()
        if not text:
            continue
        year = _year_of(text, called=name)
        if year is not None:
            return year
        if not re.search(r"[A-Za-z]", text):
            raise CaseError(
                f"{name} is a date, such as 2026-04 or 2026.3, or a version by year and month, such as 26.04; got "
                f"{text!r}. Leave it empty for software of the chip's time."
            )
    container = _CONTAINER.search(row.cells.get(NOTE.name) or "")
    return _year_of(container[0], called=NOTE.name) if container else None


def _year_of(text: str, *, called: str) -> float | None:
    if day := _DAY.search(text):
        year, month = int(day[1]), int(day[2])
    elif whole_year := _YEAR.search(text):
        return float(whole_year[1]) + (0.0 if "." in whole_year[1] else 0.5)
    elif version := _VERSION.search(text):
        year, month = 2000 + int(version[1]), int(version[2])
    else:
        return None
    if not 1 <= month <= 12:
        raise CaseError(f"{called} has a month from 01 to 12; got {text!r}. Write 2026-04, or 26.04.")
    return year + (month - 0.5) / 12


FIELDS: Mapping[str, str] = STATED["fields"]
"""Model sizes that are columns of every case."""


def trained_model(row: CaseRow, *, known: Mapping[str, Architecture]) -> Architecture:
    """Return the model named in a row, with the run's sequence length.

    If layers, hidden size, heads and vocabulary are all given, they define the model and its name is only a label.
    Otherwise the named model supplies the missing sizes, and the label states which sizes are the row's.

    Raises CaseError if there is neither a complete shape nor a known model, or the sizes are impossible.
    """
    sequence = whole_of(row, "sequence_tokens") or 0
    name = row.text("model")
    model = known_model(name, known)
    lacking = [size.name for size in SHAPE if not row.text(size.name)]
    sizes = _sizes(row, mixture=bool(lacking) and model is not None and model.n_experts > 1)
    try:
        if not lacking:
            return Architecture(**sizes, sequence_length=sequence)
        if not name:
            called = row[lacking[0]].called
            raise CaseError(f"{called} is needed; it is empty. Give it for every case, or name a model.")
        if model is None:
            raise CaseError(
                f"model {name!r} is not in our tables (nearest: {nearest(plain(name), known)}). Give "
                f"{', '.join(row[name].called for name in lacking)}, or a model we know."
            )
        other = {field: size for field, size in sizes.items() if size != getattr(model, field)}
        if not other:
            return replace(model, sequence_length=sequence)
        words = ", ".join(f"{field} {size}" for field, size in other.items())
        return replace(
            model, **other, stated=None, name=f"{model.name} with {words}", sequence_length=sequence
        )
    except CaseError:
        raise
    except ValueError as error:
        raise CaseError(str(error)) from None


def _sizes(row: CaseRow, *, mixture: bool) -> dict[str, Any]:
    """Return the sizes that a row states, keyed by field of the model."""
    sizes: dict[str, Any] = {field: whole_of(row, column) for field, column in FIELDS.items()}
    sizes["n_experts"] = sizes["n_experts"] or None
    sizes["n_active_experts"] = sizes["n_active_experts"] or None
    width, feed_forward, of_expert, dense = (
        whole_of(row, column)
        for column in ("feed_forward", "ffn_size", "expert_ffn_size", "dense_feed_forward")
    )
    mixture = sizes["n_experts"] > 1 if sizes["n_experts"] else mixture
    sizes["feed_forward_size"] = (of_expert or width) if mixture else (width or feed_forward)
    sizes["dense_feed_forward_size"] = dense or (feed_forward if mixture else None)
    matrices = whole_of(row, "n_ffn_matrices")
    if matrices not in (None, 2, 3):
        raise CaseError(f"n_ffn_matrices is 2, or 3 where the feed-forward layer is gated; got '{matrices}'.")
    gated, tied = flag_of(row, "gated"), flag_of(row, "tied_embeddings")
    sizes["gated"] = matrices == 3 if gated is None and matrices else gated
    sizes["tied_embeddings"] = tied
    return {field: size for field, size in sizes.items() if size is not None}
