"""The precision of a run's matrix products, from what people call it: formats, and the recipes of their scales."""

import re
from collections.abc import Mapping

from analysis.case_table import CaseError, cell_of
from analysis.training_run import case_columns as columns

_KINDS = (
    ("fp4", re.compile(r"^(nv|mx)?(fp|f|float)4|^4bit|^e2m1")),
    ("fp8", re.compile(r"^(mx)?(fp|f|float)8|^8bit|^e[45]m[32]|^(ds|cs|mx|deepseek|blockwise)?fp8")),
    ("fp16", re.compile(r"^b?(fp|f|float)16|^half$|^16bit|^b16$|^mixed")),
)


def precision_of(row: Mapping[str, str]) -> str | None:
    """Return fp16 (for 16 bits of either kind), fp8 or fp4, None where a row does not say.

    Recipes count as their format: MXFP8, FP8 with current or delayed scaling (FP8-CS, FP8-DS), blockwise FP8, NVFP4.

    Raises
    ------
    CaseError
        No format that runs train in.
    """
    cell = cell_of(row, columns.PRECISION)
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
