from dataclasses import replace

import numpy as np
import pytest

from analysis.measured.decode import decode_cases
from analysis.measured.prefill_cases import FIRST_PROMPT, attention, prefill_cases, prefill_usable
from data import standing
from tests.analysis.measured.prompts import MEASURED, ROWS, case


def test_engines_that_tell_of_themselves_and_first_prompts_are_left_out():
    assert not ROWS["software"].eq("MLX-Swift").any()
    left = MEASURED.loc[MEASURED["note"].str.contains(FIRST_PROMPT), "row_id"]
    assert list(left) == ["d522", "d528", "d534"]
    assert not ROWS["row_id"].isin(left).any()


def test_attention_counts_from_512_tokens_on_and_doubles_the_time_at_eighty_thousand():
    assert attention(np.array([1.0, 512.0])) == pytest.approx([0.0, 0.0])
    longer = attention(np.array([512.0, 4096.0, 40_000.0, 120_000.0]))
    assert np.all(np.diff(longer) > 0)
    assert np.exp(longer[2:]) == pytest.approx(np.array([2.0, 4.0]) / (1 + 512 / 40_000))


def test_only_prompts_of_engines_before_flash_attention_have_doublings():
    prompts = replace(case(tokens=4096.0), early=np.array([True]))
    assert prompts.early_doublings == pytest.approx([3.0])
    assert replace(prompts, prompt_tokens=np.array([100.0])).early_doublings == pytest.approx([0.0])
    assert replace(prompts, early=np.array([False])).early_doublings == pytest.approx([0.0])
    assert replace(prompts, early=None).early_doublings == pytest.approx([0.0])


def test_makers_are_those_of_gpus_and_tell_matrix_units_apart():
    names = ("Apple M4 Max", "Apple M5 Max", "Apple A19 Pro", "RTX 4090", "my own board")
    assert [case(name).makers[0] for name in names] == ["Apple", "Apple matrix", "Apple matrix", "NVIDIA", ""]
    assert case("Apple M5 Max", backend="CPU").makers == ("",)


def test_the_prompt_that_was_timed_counts_where_it_is_told_beside_the_context():
    some = ROWS.iloc[:2].assign(context_tokens=2048.0, prompt_tokens=[4096.0, np.nan])
    same = decode_cases(some, architectures=standing.table("architectures"))
    result = prefill_cases(some, same, peak_flop_per_s=np.full(2, np.nan))
    assert result.prompt_tokens == pytest.approx([4096.0, 2048.0])


def test_a_row_without_a_context_read_512_tokens_and_one_without_active_parameters_all():
    some = ROWS.iloc[:2].assign(context_tokens=np.nan, prompt_tokens=np.nan, n_active_parameters=np.nan)
    same = decode_cases(some, architectures=standing.table("architectures"))
    cases = prefill_cases(some, same, peak_flop_per_s=np.full(2, np.nan))
    assert cases.prompt_tokens.tolist() == [512.0, 512.0]
    assert cases.n_active_parameters.tolist() == some["n_parameters"].to_list()


@pytest.mark.parametrize(
    "change",
    [{"prefill_tokens_per_s": np.nan}, {"batch": 2}, {"software": "MLX-Swift"}, {"backend": "abacus"}],
)
def test_a_row_that_tells_of_something_else_than_one_device_reading_is_left_out(change):
    assert prefill_usable(ROWS.iloc[:3]).all()
    assert not prefill_usable(ROWS.iloc[:3].assign(**change)).any()
