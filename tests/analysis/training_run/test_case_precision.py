"""Formats of matrix products as people write them."""

import pytest

from analysis.case_table import CaseError
from analysis.training_run.case_precision import precision_of


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("", None),
        ("bf16", "fp16"),
        ("BFloat16", "fp16"),
        ("fp16", "fp16"),
        ("half", "fp16"),
        ("fp8", "fp8"),
        ("MXFP8", "fp8"),
        ("FP8-CS", "fp8"),
        ("FP8-MX", "fp8"),
        ("fp8 current scaling", "fp8"),
        ("fp8_delayed", "fp8"),
        ("FP8 (blockwise)", "fp8"),
        ("e4m3", "fp8"),
        ("NVFP4", "fp4"),
        ("mxfp4", "fp4"),
        ("fp4", "fp4"),
    ],
)
def test_formats_and_their_recipes_are_understood(text, precision):
    assert precision_of({"precision": text}) == precision


@pytest.mark.parametrize("text", ["int8", "fp32", "exact", "q4_k_m"])
def test_what_runs_do_not_train_in_is_refused(text):
    with pytest.raises(
        CaseError, match=f"precision is one of fp16, bf16, fp8, mxfp8, nvfp4 .*; got '{text}'"
    ):
        precision_of({"precision": text})


def test_the_column_may_be_called_format_too():
    assert precision_of({"format": "FP8"}) == "fp8"
