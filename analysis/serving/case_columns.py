"""The columns that a served case may have, and how their numbers are read."""

import math

from analysis.predict.columns import CaseError, CaseRow, by_name, column
from analysis.predict.table import PROBLEM, Dialect

COLUMNS = by_name(
    column("model", "model_path", "model_name"),
    column("accelerator", "device", "gpu", "system", "hardware"),
    column("accelerators", "n_accelerators", "gpus", "n_gpus", "num_gpus", least=1, most=1e5, whole=True),
    column("tensor_parallel", "tp", "tp_size", "tensor_parallel_size", least=1, most=1024, whole=True),
    column(
        *(
            "data_parallel",
            "dp",
            "dp_size",
            "attention_data_parallel",
            "attention_dp_size",
            "data_parallel_size",
        ),
        least=1,
        most=1024,
        whole=True,
    ),
    column(
        *("expert_parallel", "ep", "ep_size", "moe_ep_size", "expert_parallel_size"),
        least=1,
        most=1024,
        whole=True,
    ),
    column("pipeline_parallel", "pp", "pp_size", "pipeline_parallel_size", least=1, most=128, whole=True),
    column("format", "precision", "quantization", "quantisation"),
    column("cache_format", "kv_format", "kv_cache_format", "kv_cache_dtype", "kv_precision"),
    column("prompt_tokens", "input_tokens", "isl", "prompt_length", least=1, most=1e7),
    column("output_tokens", "osl", "output_length", least=1, most=1e7),
    column("cached_tokens", "prefix_tokens", most=1e7),
    column("concurrency", "max_concurrency", "requests_in_flight", least=1, most=1e6),
    column("draft", "speculation", "speculative_tokens", "draft_tokens"),
    column("software", "engine", "backend", "framework"),
    column("software_version", "backend_version", "version"),
    column("software_date", "software_on", "date"),
    column("mode", "disaggregated", "disaggregated_prefill"),
    column("prefill_workers", "prefill_num_workers"),
    column("prefill_accelerators", "prefill_accelerators_per_worker", least=1, whole=True),
    column(
        *("prefill_data_parallel", "prefill_attention_dp_size", "prefill_attention_data_parallel"),
        least=1,
        whole=True,
    ),
    column("decode_workers", "decode_num_workers", least=1, whole=True),
)
TIMES = (
    "predicted_time_per_output_token_s",
    "predicted_time_to_first_token_s",
    "predicted_output_tokens_per_s_per_accelerator",
)
PREDICTED = tuple(f"{name}{end}" for name in TIMES for end in ("", "_low", "_high"))
ADDED = (*PREDICTED, "accelerators_used", "concurrency_used", "note", PROBLEM)
DIALECT = Dialect(
    columns=tuple(COLUMNS.values()),
    added=ADDED,
    needs=(("model",), ("accelerator",)),
    slips={
        "chips": "accelerators",
        "kv": "cache_format",
        "prompt": "prompt_tokens",
        "output": "output_tokens",
    },
    joined=("note",),
    passed=("measured_time_per_output_token_s", "measured_time_to_first_token_s", "expert_tensor_parallel"),
)


def number_of(row: CaseRow, name: str) -> float:
    """Return a cell's number, NaN where empty.

    Raises
    ------
    CaseError
        No finite number, too small or too large, or not whole where it counts chips or groups.
    """
    cell, column = row[name], COLUMNS[name]
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
    if value < column.least:
        raise CaseError(
            f"column {cell.called}: a number at least {column.least:g} is needed; got {cell.text}. "
            "Correct it, or leave it empty."
        )
    if value > column.most:
        raise CaseError(f"column {cell.called}: at most {column.most:,.0f}; got {cell.text}. Check its unit.")
    if column.whole and value != int(value):
        raise CaseError(
            f"column {cell.called}: a whole number is needed; got {cell.text}. It counts chips or groups."
        )
    return value
