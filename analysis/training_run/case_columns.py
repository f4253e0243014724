"""The columns that a training run may have, and how their cells are read: numbers, words, yes or no."""

import math

from analysis.model.flop import RECOMPUTES
from analysis.predict.columns import CaseColumn, CaseError, CaseRow, by_name, column
from analysis.predict.table import PROBLEM, Dialect


def _count(*names: str, least: float = 1) -> CaseColumn:
    return column(*names, least=least, whole=True)


def _rate(name: str, *, other: str, factor: float, least: float) -> CaseColumn:
    return CaseColumn(name=name, others={other: factor}, least=least)


SHAPE = (
    _count("n_layers", "layers"),
    _count("hidden_size", "hidden"),
    _count("n_heads", "heads"),
    _count("vocabulary"),
)
"""What says a model's size where it is given by numbers, not by name."""
CHIP = (
    _rate("peak_flop_per_s", other="peak_tflop_per_s", factor=1e12, least=1e11),
    _rate("memory_bandwidth_byte_per_s", other="memory_bandwidth_gbyte_per_s", factor=1e9, least=1e9),
    _rate("memory_capacity_byte", other="memory_capacity_gbyte", factor=1e9, least=1e8),
)
"""What says an accelerator's speed and memory where it is given by numbers, not by name; numbers below the least were
likely given in another unit."""
NEEDED = (
    _count("sequence_tokens", "sequence_length"),
    _count("global_batch"),
    column("accelerator", "device", "gpu"),
)
OPEN = (
    _count("micro_batch"),
    _count("tensor_parallel"),
    _count("pipeline_parallel"),
    _count("data_parallel"),
    _count("context_parallel"),
    _count("expert_parallel"),
    _count("interleave"),
    _count("zero_stage", least=0),
    CaseColumn(name="recompute", choices=RECOMPUTES),
    _count("n_accelerators", "accelerators"),
    column("tokens", least=1),
    _count("n_kv_heads", "key_value_heads"),
    _count("feed_forward"),
    _count("ffn_size"),
    _count("expert_ffn_size"),
    _count("n_ffn_matrices"),
    column("gated"),
    _count("n_experts", "experts", least=0),
    _count("n_active_experts", "active_experts", least=0),
    CaseColumn(name="attention", choices=("fused", "unfused")),
    CaseColumn(name="attention_counted", choices=("full", "causal")),
    CaseColumn(name="counts", choices=("model", "hardware")),
    column("precision", "format"),
    column("overlap"),
    column("expert_overlap"),
    column("network_bandwidth_byte_per_s", least=1),
    column("chip_link_bandwidth_byte_per_s", least=1),
    _count("domain_size"),
    _count("head_size"),
    _count("n_shared_experts", "shared_experts", least=0),
    _count("n_dense_layers", "dense_layers", least=0),
    _count("dense_feed_forward"),
    column("tied_embeddings"),
    column("software", "software_date", "software_on", "software_version", "container"),
)
MODEL = column("model", "architecture")
NOTE = column("note")
COLUMNS = by_name(MODEL, *SHAPE, *NEEDED, *CHIP, *OPEN, NOTE)

ADDED = (
    "tflop_per_s_per_accelerator",
    "tflop_per_s_per_accelerator_low",
    "tflop_per_s_per_accelerator_high",
    "tokens_per_s_per_accelerator",
    "tokens_per_s_per_accelerator_low",
    "tokens_per_s_per_accelerator_high",
    "counts",
    "attention_counted",
    "mfu",
    "hfu",
    "step_s",
    "step_s_low",
    "step_s_high",
    "days",
    "memory_gbyte_per_accelerator",
    "fits",
    "micro_batch_used",
    "interleave_used",
    "zero_stage_used",
    "recompute_used",
    "software_used",
    "accelerator_used",
    "model_used",
    "assumed",
    PROBLEM,
)
DIALECT = Dialect(
    columns=tuple(COLUMNS.values()),
    passed=("notes",),
    added=ADDED,
    needs=(
        *((size.name, "model") for size in SHAPE),
        ("sequence_tokens",),
        ("global_batch",),
        ("accelerator", "peak_flop_per_s"),
    ),
)


def number_of(row: CaseRow, name: str) -> float | None:
    """Return a cell's number, None where it is empty.

    Raises
    ------
    CaseError
        No number, too small, or not whole where it should be; or nothing where every run needs one.
    """
    cell, column = row[name], COLUMNS[name]
    if not cell.text:
        if column in NEEDED:
            raise CaseError(f"{cell.called} is needed; it is empty. Give it for every case.")
        return None
    try:
        value = cell.factor * float(cell.text)
    except ValueError:
        raise CaseError(f"{cell.called} is a number; got {cell.text!r}.") from None
    least = min(column.least, 1.0)
    if not math.isfinite(value) or value < least:
        raise CaseError(f"{cell.called} is {least:g} or more; got {cell.text!r}.")
    if column.whole and value != int(value):
        raise CaseError(f"{cell.called} is a whole number; got {cell.text!r}.")
    return value


def whole_of(row: CaseRow, name: str) -> int | None:
    """Return a cell's whole number, None where it is empty."""
    value = number_of(row, name)
    return None if value is None else int(value)


def share_of(row: CaseRow, name: str) -> float | None:
    """Return a cell's share, None where it is empty."""
    share = number_of(row, name)
    if share is not None and share > 1:
        raise CaseError(f"{row[name].called} is a share from 0 to 1; got '{share:g}'.")
    return share


def choice_of(row: CaseRow, name: str) -> str | None:
    """Return a cell's word in lower case, None where it is empty.

    Raises
    ------
    CaseError
        None of the words that the column may hold.
    """
    cell, choices = row[name], COLUMNS[name].choices
    text = cell.text.lower()
    if text and text not in choices:
        raise CaseError(f"{cell.called} is one of {', '.join(choices)}, or empty; got {text!r}.")
    return text or None


def flag_of(row: CaseRow, name: str) -> bool | None:
    """Return whether a cell says yes, None where it is empty.

    Raises
    ------
    CaseError
        Neither yes nor no.
    """
    cell = row[name]
    text = cell.text.lower()
    if text not in ("", "0", "1", "true", "false", "yes", "no"):
        raise CaseError(f"{cell.called} is true or false, or empty; got {text!r}.")
    return text in ("1", "true", "yes") if text else None
