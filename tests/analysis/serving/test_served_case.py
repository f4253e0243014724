import math

import pytest

from analysis.predict.columns import CaseError, CaseRow
from analysis.serving.served_case import DIALECT, read_case
from analysis.serving.tables import served_tables
from tests.cases import cases

CASES = cases(__file__)


def read(**row):
    base = {"model": "Llama 3.1 70B", "accelerator": "H100", "tensor_parallel": "4", "format": "fp8"}
    load = {"prompt_tokens": "1024", "output_tokens": "512", "concurrency": "16", "software": "vllm 0.19.0"}
    return read_case({**base, **load, **row}, tables=served_tables())


def test_names_are_read_as_people_write_them():
    names = {"model": "openai/gpt-oss-120b", "accelerator": "b300_sxm", "format": "fp4"}
    case = read(**names, software="TensorRT-LLM 1.2.0rc2", mode="agg")
    entries = case.entries
    assert entries["model"] == "gpt-oss-120b"
    assert entries["accelerator"] == "NVIDIA B300 (Blackwell Ultra)"
    assert (entries["format_name"], entries["engine"], entries["version"]) == ("MXFP4", "trtllm", "1.2.0rc2")
    assert case.notes == ()
    assert read(software="nvcr.io/nvidia/sglang:0.5.9").entries["engine"] == "sglang"
    assert read(software="trt-llm").entries["engine"] == "trtllm"
    assert read(accelerator="MI355X", format="fp4").entries["format_name"] == "MXFP4"


@pytest.mark.parametrize(("row", "note"), CASES["assumed"])
def test_what_is_assumed_is_told(row, note):
    assert note in read(**row).notes


@pytest.mark.parametrize(("row", "words"), CASES["unreadable"])
def test_what_cannot_be_read_is_told(row, words):
    with pytest.raises(CaseError) as error:
        read(**row)
    assert str(error.value).startswith(words), str(error.value)


@pytest.mark.parametrize(("plan", "expected"), CASES["plans"])
def test_parallelism_counted_twice_is_counted_once(plan, expected):
    entries = read(model="DeepSeek-R1", accelerator="b200_sxm", **plan).entries
    assert tuple(entries[name] for name in ("tensor", "data", "expert", "decode_workers")) == (*expected, 1)


def test_workers_nobody_states_may_be_others_and_stated_ones_may_not():
    plan = {"mode": "disagg", "tensor_parallel": "8"}
    pairs = [tuple(each.values()) for each in read(**plan, tuning="tuned").others]
    assert sorted(pairs) == [(1, 1), (1, 6), (9, 1), (9, 6)]
    assert read(**plan, decode_workers="3", prefill_workers="2", tuning="installed").others == ()
    assert read().others == ({"tuning": "installed"},), "a tuning nobody states may be either"


def test_prompts_read_apart_have_workers_of_their_own():
    row = {"prefill_workers": "2", "prefill_accelerators": "4", "decode_workers": "3", "tensor_parallel": "8"}
    entries = read(**row).entries
    assert (entries["prefill_workers"], entries["prefill_chips"], entries["decode_workers"]) == (2, 4, 3)
    assert read(tensor_parallel="", accelerators="12").entries["tensor"] == 6
    rest = read(mode="disagg", accelerators="20", prefill_workers="1", prefill_accelerators="4").entries
    assert rest["decode_workers"] == 4


@pytest.mark.parametrize(
    ("draft", "tokens"), [("none", 0), ("mtp", 2), ("mtp3", 3), ("3", 3), ("eagle3-2", 2), ("", 0)]
)
def test_drafts_are_numbers_or_words(draft, tokens):
    assert read(draft=draft).entries["drafted"] == tokens


def test_dates_are_years_or_days():
    assert read(software_date="2026-07-02").entries["year"] == pytest.approx(2026.5, abs=0.01)
    assert read(software_date="2026-07").entries["year"] == pytest.approx(2026.54, abs=0.01)
    assert read(software_date="2025.25").entries["year"] == 2025.25


def test_a_cache_keeps_the_format_that_is_given():
    wide, narrow = read(cache_format="bf16").entries, read(cache_format="fp8").entries
    assert wide["cache_read_byte"] == 2 * narrow["cache_read_byte"]


def test_cached_tokens_are_remembered_and_not_read():
    entries = read(prompt_tokens="8192", cached_tokens="8000").entries
    assert entries["prompt_tokens"] == 192
    assert entries["cache_read_byte"] == read(prompt_tokens="8192").entries["cache_read_byte"]


def number(cells, name):
    return CaseRow(cells=cells, dialect=DIALECT).number(name)


def test_an_empty_cell_is_no_number():
    assert math.isnan(number({"isl": ""}, "prompt_tokens"))
    assert math.isnan(number({"tp": "nan"}, "tensor_parallel"))
    assert number({"isl": "1024"}, "prompt_tokens") == 1024


@pytest.mark.parametrize(("cell", "column", "words"), CASES["numbers"])
def test_a_number_that_is_none_is_refused(*, cell, column, words):
    with pytest.raises(CaseError) as error:
        number({column: cell}, column)
    assert str(error.value).startswith(words)
