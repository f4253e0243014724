"""The columns that a served case may have, and how their cells are read."""

import math
from collections.abc import Mapping

from analysis.case_table import PROBLEM, CaseColumn, CaseError, Dialect, cell_of


def _column(name: str, *others: str) -> CaseColumn:
    return CaseColumn(name=name, others=dict.fromkeys(others, 1.0))


MODEL = _column("model", "model_path", "model_name")
ACCELERATOR = _column("accelerator", "device", "gpu", "system", "hardware")
ACCELERATORS = _column("accelerators", "n_accelerators", "gpus", "n_gpus", "num_gpus")
TENSOR = _column("tensor_parallel", "tp", "tp_size", "tensor_parallel_size")
DATA = _column(
    "data_parallel", "dp", "dp_size", "attention_data_parallel", "attention_dp_size", "data_parallel_size"
)
EXPERT = _column("expert_parallel", "ep", "ep_size", "moe_ep_size", "expert_parallel_size")
PIPELINE = _column("pipeline_parallel", "pp", "pp_size", "pipeline_parallel_size")
FORMAT = _column("format", "precision", "quantization", "quantisation")
CACHE_FORMAT = _column("cache_format", "kv_format", "kv_cache_format", "kv_cache_dtype", "kv_precision")
PROMPT = _column("prompt_tokens", "input_tokens", "isl", "prompt_length")
OUTPUT = _column("output_tokens", "osl", "output_length")
CACHED = _column("cached_tokens", "prefix_tokens")
CONCURRENCY = _column("concurrency", "max_concurrency", "requests_in_flight")
DRAFT = _column("draft", "speculation", "speculative_tokens", "draft_tokens")
SOFTWARE = _column("software", "engine", "backend", "framework")
VERSION = _column("software_version", "backend_version", "version")
DATE = _column("software_date", "software_on", "date")
MODE = _column("mode", "disaggregated", "disaggregated_prefill")
PREFILL_WORKERS = _column("prefill_workers", "prefill_num_workers")
PREFILL_CHIPS = _column("prefill_accelerators", "prefill_accelerators_per_worker")
PREFILL_DATA = _column(
    "prefill_data_parallel", "prefill_attention_dp_size", "prefill_attention_data_parallel"
)
DECODE_WORKERS = _column("decode_workers", "decode_num_workers")

COLUMNS = (
    MODEL,
    ACCELERATOR,
    ACCELERATORS,
    TENSOR,
    DATA,
    EXPERT,
    PIPELINE,
    FORMAT,
    CACHE_FORMAT,
    PROMPT,
    OUTPUT,
    CACHED,
    CONCURRENCY,
    DRAFT,
    SOFTWARE,
    VERSION,
    DATE,
    MODE,
    PREFILL_WORKERS,
    PREFILL_CHIPS,
    PREFILL_DATA,
    DECODE_WORKERS,
)
TIMES = (
    "predicted_time_per_output_token_s",
    "predicted_time_to_first_token_s",
    "predicted_output_tokens_per_s_per_accelerator",
)
PREDICTED = tuple(f"{name}{end}" for name in TIMES for end in ("", "_low", "_high"))
ADDED = (*PREDICTED, "accelerators_used", "concurrency_used", "note", PROBLEM)
DIALECT = Dialect(
    columns=COLUMNS,
    added=ADDED,
    needs=((MODEL.name,), (ACCELERATOR.name,)),
    slips={
        "chips": "accelerators",
        "kv": "cache_format",
        "prompt": "prompt_tokens",
        "output": "output_tokens",
    },
    joined=("note",),
    passed=("measured_time_per_output_token_s", "measured_time_to_first_token_s", "expert_tensor_parallel"),
)
_FROM_ZERO = (CACHED, PREFILL_WORKERS)
_WHOLE = (ACCELERATORS, TENSOR, DATA, EXPERT, PIPELINE, PREFILL_CHIPS, PREFILL_DATA, DECODE_WORKERS)
_MOST = {
    PROMPT.name: 1e7,
    OUTPUT.name: 1e7,
    CACHED.name: 1e7,
    CONCURRENCY.name: 1e6,
    ACCELERATORS.name: 1e5,
    TENSOR.name: 1024.0,
    DATA.name: 1024.0,
    EXPERT.name: 1024.0,
    PIPELINE.name: 128.0,
}


def number_of(row: Mapping[str, str], column: CaseColumn) -> float:
    """Return a cell's number, NaN where empty.

    Raises
    ------
    CaseError
        No finite number, too small or too large, or not whole where it counts chips or groups.
    """
    cell = cell_of(row, column)
    if not cell.text or cell.text.lower() in {"nan", "none", "na", "n/a", "-", "–"}:
        return math.nan
    try:
        value = float(cell.text.replace("_", ""))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise CaseError(
            f"column {cell.called}: a finite number is needed; got {cell.text!r}. Write it like 1024, or leave it "
            "empty."
        )
    least = 0.0 if column in _FROM_ZERO else 1.0
    if value < least:
        raise CaseError(
            f"column {cell.called}: a number at least {least:g} is needed; got {cell.text}. "
            "Correct it, or leave it empty."
        )
    most = _MOST.get(column.name, math.inf)
    if value > most:
        raise CaseError(f"column {cell.called}: at most {most:,.0f}; got {cell.text}. Check its unit.")
    if column in _WHOLE and value != int(value):
        raise CaseError(
            f"column {cell.called}: a whole number is needed; got {cell.text}. It counts chips or groups."
        )
    return value


def text_of(row: Mapping[str, str], column: CaseColumn) -> str:
    """Return a cell's text without blanks around it, empty where there is none."""
    return cell_of(row, column).text
