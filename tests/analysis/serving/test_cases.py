"""Which published results at full load are learned from, and how a row becomes a case."""

import numpy as np
import pandas as pd
import pytest

from analysis.model.formats import SERVED_BITS_PER_WEIGHT
from analysis.placement.tables import tables
from analysis.serving.cases import serving_cases, usable
from data.serving import serving_speeds

TABLES = tables()
NAMED = {"architectures": TABLES.architectures, "accelerators": TABLES.accelerators}
SERVING = serving_speeds()
ROWS = SERVING.loc[usable(SERVING, **NAMED)].reset_index(drop=True)
DENSE = ROWS.loc[ROWS["architecture"] == "Llama 3.3 70B"].iloc[:1]


def changed(**columns):
    """Return one row of a dense model of 70 billion parameters with some columns changed."""
    return DENSE.assign(**columns)


def test_every_row_of_the_fit_is_full_load_in_a_format_with_a_known_size():
    assert len(ROWS) >= 250
    assert set(ROWS["scenario"]) <= {"offline maximum throughput", "Offline"}
    assert set(ROWS["quantisation"]) <= set(SERVED_BITS_PER_WEIGHT)


@pytest.mark.parametrize(
    "change",
    [
        {"scenario": "Server"},
        {"token_kind": "total"},
        {"output_tokens_per_s_per_accelerator": 0.0},
        {"architecture": "a secret model"},
        {"accelerator": "a secret chip"},
        {"quantisation": "Q4_0"},
        {"memory_bandwidth_byte_per_s": np.nan},
        {"prompt_tokens": np.nan},
        {"output_tokens": np.nan},
        {"n_accelerators": np.nan},
    ],
    ids=str,
)
def test_a_row_without_full_load_or_with_something_unknown_is_left_out(change):
    assert usable(changed(), **NAMED).tolist() == [True]
    assert usable(changed(**change), **NAMED).tolist() == [False]


def test_where_no_split_is_stated_the_fewest_chips_that_hold_the_weights_share_them():
    row = changed(
        quantisation="FP16",
        tensor_parallel=np.nan,
        expert_parallel=np.nan,
        n_accelerators=8.0,
        memory_capacity_byte=80e9,
    )
    case = serving_cases(row, **NAMED)
    assert case.weights_byte[0] == pytest.approx(141e9, rel=0.01)
    assert case.tensor_parallel[0] == 4  # two chips of 80 GB hold 112 GB with a third to spare
    assert case.n_accelerators[0] == 4
    small = serving_cases(row.assign(memory_capacity_byte=40e9, n_accelerators=4.0), **NAMED)
    assert small.tensor_parallel[0] == 4, "no more chips than there are"


def test_a_stated_split_is_kept_with_its_stages():
    row = changed(tensor_parallel=2.0, pipeline_parallel=4.0, expert_parallel=1.0, n_accelerators=8.0)
    case = serving_cases(row, **NAMED)
    assert (case.tensor_parallel[0], case.n_accelerators[0], case.experts[0]) == (2, 8, False)


@pytest.mark.parametrize(
    ("quantisation", "accelerator", "column"),
    [
        ("FP16", "NVIDIA H100 SXM5 80GB", "peak_fp16_dense_flop_per_s"),
        ("FP8", "NVIDIA H100 SXM5 80GB", "peak_fp8_dense_flop_per_s"),
        ("NVFP4", "NVIDIA H100 SXM5 80GB", "peak_fp8_dense_flop_per_s"),
        ("FP8", "NVIDIA A100 SXM4 80 GB", "peak_fp16_dense_flop_per_s"),
    ],
)
def test_a_format_that_a_chip_cannot_compute_in_takes_the_peak_of_the_next_wider(
    *, quantisation, accelerator, column
):
    chips: pd.DataFrame = TABLES.accelerators.set_index("name")
    case = serving_cases(changed(quantisation=quantisation, accelerator=accelerator), **NAMED)
    assert case.peak_flop_per_s[0] == chips.loc[accelerator, column] > 0


def test_a_request_keeps_its_whole_cache_and_reads_it_as_it_stands_halfway():
    case = serving_cases(changed(prompt_tokens=1000.0, output_tokens=1000.0), **NAMED)
    assert case.kv_read_byte[0] / case.kv_kept_byte[0] == pytest.approx(0.75)
