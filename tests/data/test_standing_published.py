"""Claims and published tables are complete and add up as their papers say."""

import numpy as np
import pytest

from data import releases, standing


def test_the_claims_are_eighty_nine_of_five_articles():
    frame = standing.table("claims")
    assert len(frame) == 89
    assert len(set(frame["source_id"])) == 5
    assert np.all(frame.loc[~frame["computable"], "judged_by_hand"] == "not checkable")
    ranged = frame.loc[frame["claimed_high"].notna()]
    assert np.all(ranged["claimed_high"] > ranged["claimed_value"])
    assert np.sum(frame["claimed_value"].notna()) > 35


def test_published_rates_lie_within_their_intervals():
    frame = standing.table("published")
    ranged = frame.loc[frame["low"].notna()]
    assert np.all((ranged["low"] <= ranged["value"]) & (ranged["value"] <= ranged["high"]))
    assert set(frame["provenance"]) == {"read", "derived"}
    assert np.all(frame.loc[frame["provenance"] == "derived", "note"] != "")


def test_zero_needs_what_two_two_and_twelve_bytes_amount_to():
    frame = standing.table("published_zero")
    sharded = [
        2 + 2 + 12 / frame["data_parallel"],
        2 + 14 / frame["data_parallel"],
        16 / frame["data_parallel"],
    ]
    byte = frame["n_parameters"] * np.select([frame["stage"] == stage for stage in (1, 2, 3)], sharded)
    assert np.max(np.abs(frame["memory_byte"] / byte - 1)) < 0.025  # printed to two or three digits


def test_megatron_plans_and_totals_add_up():
    frame = standing.table("published_megatron")
    plan = frame["tensor_parallel"] * frame["pipeline_parallel"] * frame["data_parallel"]
    assert np.all(plan == frame["n_accelerators"])
    whole = frame["achieved_flop_per_s_per_accelerator"] * frame["n_accelerators"]
    assert np.max(np.abs(whole / frame["aggregate_flop_per_s"] - 1)) < 0.01


def test_llama_plans_add_up_and_interruptions_are_419():
    frame = standing.table("published_llama_training")
    plan = frame[["tensor_parallel", "context_parallel", "pipeline_parallel", "data_parallel"]].prod(axis=1)
    assert np.all(plan == frame["n_accelerators"])
    assert np.sum(standing.table("published_llama_interruptions")["n_interruptions"]) == 419


def test_training_rates_have_one_rate_each_and_plans_that_add_up():
    frame = standing.table("published_training_rates")
    rates = frame[
        [
            "step_s",
            "achieved_tokens_per_s_per_accelerator",
            "achieved_flop_per_s_per_accelerator",
            "mfu_percent",
        ]
    ]
    assert np.all(rates.notna().sum(axis=1) == 1)
    split = frame[["tensor_parallel", "pipeline_parallel", "context_parallel"]].prod(axis=1)
    assert np.all(frame["n_accelerators"] % split == 0)
    assert np.all(frame["global_batch"] % (frame["n_accelerators"] / split) == 0)
    shape = frame[["n_layers", "hidden_size", "n_heads", "ffn_size", "n_ffn_matrices", "vocabulary"]]
    assert np.all(shape.notna().all(axis=1) == (frame["architecture"] == ""))
    assert np.sum(~frame["held_out"]) == 42
    software = frame["software_on"].dt.year
    assert software.between(2021, 2026).all() and np.all(frame["software"] != "")
    versions = frame["software"].str.extract(r"Bridge (\d\d)\.(\d\d)")
    dated = frame["software"].str.startswith("Megatron Bridge") & versions[0].notna()
    assert dated.sum() > 60
    assert np.all(2000 + versions[0][dated].astype(int).to_numpy() == software[dated].to_numpy())
    assert np.all(
        versions[1][dated].astype(int).to_numpy() == frame["software_on"].dt.month[dated].to_numpy()
    )


def test_printed_steps_and_rates_of_megascale_and_mt_nlg_agree():
    """Jiang et al., arXiv:2402.15627, table 2, tokens a second; Smith et al., arXiv:2201.11990, 126 TFLOP/s."""
    frame = standing.table("published_training_rates").set_index("run")
    row = frame.loc["Megatron-LM 175B in MegaScale, 12,288"]
    assert row["global_batch"] * row["sequence_tokens"] / row["step_s"] / 1466.8e3 == pytest.approx(
        1, abs=2e-3
    )
    row = frame.loc["MT-NLG 530B, 2,240"]
    tokens = row["global_batch"] * row["sequence_tokens"] / row["step_s"] / row["n_accelerators"]
    assert tokens * 8 * 530e9 == pytest.approx(126e12, rel=0.02)


def test_tokens_of_models_are_those_of_the_release_where_it_has_them():
    tokens = standing.table("training_tokens").set_index("name")["training_tokens"]
    runs = releases.load("2026-07").training_runs.set_index("name")
    for ours, theirs in (
        ("Llama 3.1 405B", "Llama 3.1-405B"),
        ("Kimi K2", "Kimi K2"),
        ("GLM-4.5", "GLM-4.5"),
    ):
        assert tokens[ours] == runs.loc[theirs, "dataset_size_datapoint"]


def test_matrix_rates_stay_below_their_peak():
    frame = standing.table("published_matmul")
    assert np.allclose(
        frame["measured_flop_per_s"] / frame["peak_flop_per_s"], frame["efficiency"], atol=1e-4
    )
    assert np.all(frame["efficiency"].between(0.5, 0.9))


def test_measured_bandwidths_stay_below_the_data_sheet():
    frame = standing.table("published_bandwidth")
    assert np.allclose(
        frame["measured_byte_per_s"] / frame["peak_byte_per_s"], frame["efficiency"], atol=1e-4
    )
    assert np.all(frame["efficiency"].between(0.75, 0.97))
