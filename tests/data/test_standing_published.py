"""Claims and published tables are complete and add up as their papers say."""

import numpy as np

from data import standing


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
    assert set(frame["provenance"]) == {"read"}


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


def test_matrix_rates_stay_below_their_peak():
    frame = standing.table("published_matmul")
    assert np.allclose(
        frame["measured_flop_per_s"] / frame["peak_flop_per_s"], frame["efficiency"], atol=1e-4
    )
    assert np.all(frame["efficiency"].between(0.5, 0.9))
