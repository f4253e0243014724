"""Training runs from the rows of a file: what each must say, what it may say, and what is wrong with it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from analysis.model.architecture import RECOMPUTES, Architecture
from analysis.training_run.possible_plan import ImpossiblePlan, refuse_impossible

REQUIRED = (
    "layers",
    "hidden",
    "heads",
    "vocabulary",
    "sequence_length",
    "global_batch",
    "accelerator",
)
OPTIONAL = (
    "micro_batch",
    "tensor_parallel",
    "pipeline_parallel",
    "data_parallel",
    "context_parallel",
    "expert_parallel",
    "interleave",
    "zero_stage",
    "recompute",
    "accelerators",
    "tokens",
    "key_value_heads",
    "feed_forward",
    "gated",
    "experts",
    "active_experts",
    "attention",
    "attention_counted",
    "counts",
    "precision",
    "overlap",
    "network_bandwidth_byte_per_s",
    "chip_link_bandwidth_byte_per_s",
    "domain_size",
    "head_size",
    "shared_experts",
    "dense_layers",
    "dense_feed_forward",
    "tied_embeddings",
)
FROM_ZERO = ("zero_stage", "overlap", "shared_experts", "dense_layers")
WORDS = {
    "recompute": RECOMPUTES,
    "attention": ("fused", "unfused"),
    "attention_counted": ("full", "causal"),
    "counts": ("model", "hardware"),
    "precision": ("fp16", "bf16", "fp8"),
}
WHOLE = (
    *REQUIRED[:-1],
    *OPTIONAL[:7],
    "accelerators",
    "key_value_heads",
    "feed_forward",
    "experts",
    "active_experts",
    "domain_size",
    "head_size",
    "shared_experts",
    "dense_layers",
    "dense_feed_forward",
)


class CaseError(ValueError):
    """A row that is no training run; the text names the column, what came and what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One training run as a row gives it; what is None is left to the model to choose."""

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
    overlap: float
    network_byte_per_s: float | None
    link_byte_per_s: float | None
    domain_size: int | None


def _number(row: Mapping[str, str], name: str) -> float | None:
    text = (row.get(name) or "").strip()
    if not text:
        if name in REQUIRED:
            raise CaseError(f"{name} is needed; it is empty. Give it for every case.")
        return None
    try:
        value = float(text)
    except ValueError:
        raise CaseError(f"{name} is a number; got {text!r}.") from None
    lowest = 0.0 if name in FROM_ZERO else 1.0
    if not math.isfinite(value) or value < lowest:
        raise CaseError(f"{name} is {lowest:g} or more; got {text!r}.")
    if (name in WHOLE or name == "zero_stage") and value != int(value):
        raise CaseError(f"{name} is a whole number; got {text!r}.")
    return value


def _whole(row: Mapping[str, str], name: str) -> int | None:
    value = _number(row, name)
    return None if value is None else int(value)


def _word(row: Mapping[str, str], name: str) -> str | None:
    text = (row.get(name) or "").strip().lower()
    if not text:
        return None
    if text not in WORDS[name]:
        raise CaseError(f"{name} is one of {', '.join(WORDS[name])}, or empty; got {text!r}.")
    return text


def _flag(row: Mapping[str, str], name: str, *, default: bool) -> bool:
    text = (row.get(name) or "").strip().lower()
    if text not in ("", "0", "1", "true", "false", "yes", "no"):
        raise CaseError(f"{name} is true or false, or empty; got {text!r}.")
    return text in ("1", "true", "yes") if text else default


def parse(row: Mapping[str, str]) -> Case:
    """Return the training run of one row; every cell is text, empty for "not said".

    ``data_parallel`` follows from ``accelerators`` or the other way round.

    Raises
    ------
    CaseError
        With the column, what came and what is allowed.
    """
    if not (row.get("accelerator") or "").strip():
        raise CaseError("accelerator is needed; it is empty. Give a name, such as H100 SXM.")
    whole = {name: _whole(row, name) for name in WHOLE}
    stage = _whole(row, "zero_stage")
    if stage is not None and stage > 3:
        raise CaseError(f"zero_stage is 0, 1, 2 or 3; got '{stage}'.")
    overlap = _number(row, "overlap")
    if overlap is not None and overlap > 1:
        raise CaseError(f"overlap is a share from 0 to 1; got '{overlap:g}'.")
    try:
        model = Architecture(
            n_layers=whole["layers"] or 0,
            hidden_size=whole["hidden"] or 0,
            n_heads=whole["heads"] or 0,
            vocabulary_size=whole["vocabulary"] or 0,
            sequence_length=whole["sequence_length"] or 0,
            n_key_value_heads=whole["key_value_heads"],
            feed_forward_size=whole["feed_forward"],
            gated=_flag(row, "gated", default=False),
            n_experts=whole["experts"] or 1,
            n_active_experts=whole["active_experts"] or 1,
            head_size=whole["head_size"],
            n_shared_experts=whole["shared_experts"] or 0,
            n_dense_layers=whole["dense_layers"] or 0,
            dense_feed_forward_size=whole["dense_feed_forward"],
            tied_embeddings=_flag(row, "tied_embeddings", default=True),
        )
    except ValueError as fault:
        raise CaseError(str(fault)) from None
    t, p, c = (whole[f"{name}_parallel"] or 1 for name in ("tensor", "pipeline", "context"))
    d, total = _data_parallel(whole["data_parallel"], whole["accelerators"], others=t * p * c)
    batch, micro = whole["global_batch"] or 1, whole["micro_batch"]
    if batch < d * (micro or 1):
        raise CaseError(
            f"global_batch holds at least one micro-batch for each data-parallel rank; got {batch} for "
            f"{d} ranks of {micro or 1}."
        )
    tokens, step = _number(row, "tokens"), batch * model.sequence_length
    if tokens is not None and tokens < step:
        raise CaseError(
            f"tokens are counted one by one and fill at least one step of {step:,}; got {tokens:g}. "
            f"For {tokens:g} billion give {tokens * 1e9:g}."
        )
    expert, pieces = whole["expert_parallel"] or 1, whole["interleave"]
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
    precision = _word(row, "precision")
    return Case(
        model=model,
        global_batch=batch,
        accelerator=row["accelerator"].strip(),
        accelerators=total,
        tensor_parallel=t,
        pipeline_parallel=p,
        data_parallel=d,
        context_parallel=c,
        expert_parallel=expert,
        micro_batch=micro,
        interleave=pieces,
        zero_stage=stage,
        recompute=_word(row, "recompute"),
        tokens=tokens,
        attention=_word(row, "attention"),
        attention_counted=_word(row, "attention_counted"),
        counts=_word(row, "counts"),
        precision="fp8" if precision == "fp8" else "fp16",
        overlap=0.5 if overlap is None else overlap,
        network_byte_per_s=_number(row, "network_bandwidth_byte_per_s"),
        link_byte_per_s=_number(row, "chip_link_bandwidth_byte_per_s"),
        domain_size=whole["domain_size"],
    )


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
