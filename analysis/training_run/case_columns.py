"""The columns that a training run may have, and how their cells are read: numbers, words, yes or no."""

import math
from collections.abc import Mapping

from analysis.case_table import PROBLEM, CaseColumn, CaseError, Dialect, cell_of
from analysis.model.flop import RECOMPUTES


def _column(name: str, *others: str) -> CaseColumn:
    return CaseColumn(name=name, others=dict.fromkeys(others, 1.0))


MODEL = _column("model", "architecture")
LAYERS = _column("n_layers", "layers")
HIDDEN = _column("hidden_size", "hidden")
HEADS = _column("n_heads", "heads")
VOCABULARY = _column("vocabulary")
SEQUENCE = _column("sequence_tokens", "sequence_length")
GLOBAL_BATCH = _column("global_batch")
ACCELERATOR = _column("accelerator", "device", "gpu")
MICRO_BATCH = _column("micro_batch")
TENSOR = _column("tensor_parallel")
PIPELINE = _column("pipeline_parallel")
DATA = _column("data_parallel")
CONTEXT = _column("context_parallel")
EXPERT = _column("expert_parallel")
INTERLEAVE = _column("interleave")
ZERO_STAGE = _column("zero_stage")
RECOMPUTE = _column("recompute")
ACCELERATORS = _column("n_accelerators", "accelerators")
TOKENS = _column("tokens")
KEY_VALUE_HEADS = _column("n_kv_heads", "key_value_heads")
FEED_FORWARD = _column("feed_forward")
FFN = _column("ffn_size")
EXPERT_FFN = _column("expert_ffn_size")
FFN_MATRICES = _column("n_ffn_matrices")
GATED = _column("gated")
EXPERTS = _column("n_experts", "experts")
ACTIVE_EXPERTS = _column("n_active_experts", "active_experts")
ATTENTION = _column("attention")
ATTENTION_COUNTED = _column("attention_counted")
COUNTS = _column("counts")
PRECISION = _column("precision", "format")
OVERLAP = _column("overlap")
EXPERT_OVERLAP = _column("expert_overlap")
NETWORK = _column("network_bandwidth_byte_per_s")
CHIP_LINK = _column("chip_link_bandwidth_byte_per_s")
DOMAIN = _column("domain_size")
PEAK = CaseColumn(name="peak_flop_per_s", others={"peak_tflop_per_s": 1e12})
BANDWIDTH = CaseColumn(name="memory_bandwidth_byte_per_s", others={"memory_bandwidth_gbyte_per_s": 1e9})
CAPACITY = CaseColumn(name="memory_capacity_byte", others={"memory_capacity_gbyte": 1e9})
HEAD_SIZE = _column("head_size")
SHARED_EXPERTS = _column("n_shared_experts", "shared_experts")
DENSE_LAYERS = _column("n_dense_layers", "dense_layers")
DENSE_FEED_FORWARD = _column("dense_feed_forward")
TIED = _column("tied_embeddings")
SOFTWARE = _column("software", "software_date", "software_on", "software_version", "container")
NOTE = _column("note")

SHAPE = (LAYERS, HIDDEN, HEADS, VOCABULARY)
"""What says a model's size where it is given by numbers, not by name."""
CHIP = (PEAK, BANDWIDTH, CAPACITY)
"""What says an accelerator's speed and memory where it is given by numbers, not by name."""
LEAST = {PEAK.name: 1e11, BANDWIDTH.name: 1e9, CAPACITY.name: 1e8}
"""Numbers of an accelerator below these were likely given in another unit; in ours."""
NEEDED = (SEQUENCE, GLOBAL_BATCH, ACCELERATOR)
OPEN = (
    MICRO_BATCH,
    TENSOR,
    PIPELINE,
    DATA,
    CONTEXT,
    EXPERT,
    INTERLEAVE,
    ZERO_STAGE,
    RECOMPUTE,
    ACCELERATORS,
    TOKENS,
    KEY_VALUE_HEADS,
    FEED_FORWARD,
    FFN,
    EXPERT_FFN,
    FFN_MATRICES,
    GATED,
    EXPERTS,
    ACTIVE_EXPERTS,
    ATTENTION,
    ATTENTION_COUNTED,
    COUNTS,
    PRECISION,
    OVERLAP,
    EXPERT_OVERLAP,
    NETWORK,
    CHIP_LINK,
    DOMAIN,
    HEAD_SIZE,
    SHARED_EXPERTS,
    DENSE_LAYERS,
    DENSE_FEED_FORWARD,
    TIED,
    SOFTWARE,
)
FROM_ZERO = (ZERO_STAGE, OVERLAP, EXPERT_OVERLAP, EXPERTS, ACTIVE_EXPERTS, SHARED_EXPERTS, DENSE_LAYERS)
WHOLE = (
    *SHAPE,
    SEQUENCE,
    GLOBAL_BATCH,
    MICRO_BATCH,
    TENSOR,
    PIPELINE,
    DATA,
    CONTEXT,
    EXPERT,
    INTERLEAVE,
    ACCELERATORS,
    KEY_VALUE_HEADS,
    FEED_FORWARD,
    FFN,
    EXPERT_FFN,
    FFN_MATRICES,
    EXPERTS,
    ACTIVE_EXPERTS,
    DOMAIN,
    HEAD_SIZE,
    SHARED_EXPERTS,
    DENSE_LAYERS,
    DENSE_FEED_FORWARD,
)
WORDS = {
    RECOMPUTE.name: RECOMPUTES,
    ATTENTION.name: ("fused", "unfused"),
    ATTENTION_COUNTED.name: ("full", "causal"),
    COUNTS.name: ("model", "hardware"),
}

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
    columns=(MODEL, *SHAPE, *NEEDED, *CHIP, *OPEN, NOTE),
    passed=("notes",),
    added=ADDED,
    needs=(
        *((column.name, MODEL.name) for column in SHAPE),
        *((column.name,) for column in (SEQUENCE, GLOBAL_BATCH)),
        (ACCELERATOR.name, PEAK.name),
    ),
)


def number_of(row: Mapping[str, str], column: CaseColumn) -> float | None:
    """Return a cell's number, None where it is empty.

    Raises
    ------
    CaseError
        No number, too small, or not whole where it should be; or nothing where every run needs one.
    """
    cell = cell_of(row, column)
    if not cell.text:
        if column in NEEDED:
            raise CaseError(f"{cell.called} is needed; it is empty. Give it for every case.")
        return None
    try:
        value = cell.factor * float(cell.text)
    except ValueError:
        raise CaseError(f"{cell.called} is a number; got {cell.text!r}.") from None
    lowest = 0.0 if column in FROM_ZERO else 1.0
    if not math.isfinite(value) or value < lowest:
        raise CaseError(f"{cell.called} is {lowest:g} or more; got {cell.text!r}.")
    if column in (*WHOLE, ZERO_STAGE) and value != int(value):
        raise CaseError(f"{cell.called} is a whole number; got {cell.text!r}.")
    return value


def whole_of(row: Mapping[str, str], column: CaseColumn) -> int | None:
    """Return a cell's whole number, None where it is empty."""
    value = number_of(row, column)
    return None if value is None else int(value)


def word_of(row: Mapping[str, str], column: CaseColumn) -> str | None:
    """Return a cell's word in lower case, None where it is empty.

    Raises
    ------
    CaseError
        None of the words that the column may hold.
    """
    cell = cell_of(row, column)
    if not cell.text:
        return None
    words = WORDS[column.name]
    if cell.text.lower() not in words:
        raise CaseError(f"{cell.called} is one of {', '.join(words)}, or empty; got {cell.text.lower()!r}.")
    return cell.text.lower()


def flag_of(row: Mapping[str, str], column: CaseColumn) -> bool | None:
    """Return whether a cell says yes, None where it is empty.

    Raises
    ------
    CaseError
        Neither yes nor no.
    """
    cell = cell_of(row, column)
    text = cell.text.lower()
    if text not in ("", "0", "1", "true", "false", "yes", "no"):
        raise CaseError(f"{cell.called} is true or false, or empty; got {text!r}.")
    return text in ("1", "true", "yes") if text else None
