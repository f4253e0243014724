"""Training runs from the rows of a file: what each must say, what it may say, and what is wrong with it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from analysis.case_table import CaseColumn, CaseError, cell_of
from analysis.model.architecture import Architecture
from analysis.training_run import case_columns as columns
from analysis.training_run.case_columns import number_of, whole_of, word_of
from analysis.training_run.case_model import trained_model
from analysis.training_run.case_precision import precision_of
from analysis.training_run.case_software import software_year_of
from analysis.training_run.plans import ImpossiblePlan, refuse_impossible

__all__ = ["CaseError", "TrainingCase", "parse"]


@dataclass(frozen=True, kw_only=True)
class TrainingCase:
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
    expert_overlap: float
    network_byte_per_s: float | None
    link_byte_per_s: float | None
    domain_size: int | None
    software_year: float | None = None
    four_bit: bool = False


def parse(row: Mapping[str, str], *, models: Mapping[str, Architecture] | None = None) -> TrainingCase:
    """Return the training run of one row; every cell is text, empty for "not said".

    ``models`` are those that a row may name, by plain name.
    ``data_parallel`` follows from ``accelerators`` or the other way round.

    Raises
    ------
    CaseError
        With the column, what came and what is allowed.
    """
    accelerator = cell_of(row, columns.ACCELERATOR)
    if not accelerator.text and not all(cell_of(row, column).text for column in columns.CHIP):
        raise CaseError(f"{accelerator.called} is needed; it is empty. Give a name, such as H100 SXM.")
    whole = {column.name: whole_of(row, column) for column in columns.WHOLE}
    stage = whole_of(row, columns.ZERO_STAGE)
    if stage is not None and stage > 3:
        raise CaseError(f"zero_stage is 0, 1, 2 or 3; got '{stage}'.")
    overlap, expert_overlap = (_share_of(row, column) for column in (columns.OVERLAP, columns.EXPERT_OVERLAP))
    model = trained_model(row, known=models or {})
    t, p, c = (whole[f"{name}_parallel"] or 1 for name in ("tensor", "pipeline", "context"))
    d, total = _data_parallel(whole["data_parallel"], whole["n_accelerators"], others=t * p * c)
    batch, micro = whole["global_batch"] or 1, whole["micro_batch"]
    if batch < d * (micro or 1):
        raise CaseError(
            f"global_batch holds at least one micro-batch for each data-parallel rank; got {batch} for "
            f"{d} ranks of {micro or 1}."
        )
    tokens, step = number_of(row, columns.TOKENS), batch * model.sequence_length
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
        recompute=word_of(row, columns.RECOMPUTE),
        tokens=tokens,
        attention=word_of(row, columns.ATTENTION),
        attention_counted=word_of(row, columns.ATTENTION_COUNTED),
        counts=word_of(row, columns.COUNTS),
        precision="fp8" if precision in ("fp8", "fp4") else "fp16",
        four_bit=precision == "fp4",
        overlap=0.5 if overlap is None else overlap,
        expert_overlap=expert_overlap or 0.0,
        network_byte_per_s=number_of(row, columns.NETWORK),
        link_byte_per_s=number_of(row, columns.CHIP_LINK),
        domain_size=whole["domain_size"],
        software_year=software_year_of(row),
    )


def _share_of(row: Mapping[str, str], column: CaseColumn) -> float | None:
    """Return a cell's share, None where it is empty."""
    share = number_of(row, column)
    if share is not None and share > 1:
        raise CaseError(f"{cell_of(row, column).called} is a share from 0 to 1; got '{share:g}'.")
    return share


def _over_copies(expert: int, *, copies: int, tensor: int) -> int:
    """Return over how many of the accelerators that share data and context the experts are spread.

    Where they are spread over tensor-parallel accelerators too, as Megatron-LM does, these share each expert here: as
    many parameters on each of them, and as many tokens.
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
