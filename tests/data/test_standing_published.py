"""Claims and published tables are complete and add up as their papers say."""

import numpy as np
import pytest

from data import releases, standing


def test_the_claims_are_of_five_articles():
    frame = standing.table("claims")
    assert len(set(frame["source_id"])) == 5
    assert np.sum(frame["claimed_value"].notna()) > 35


def test_zero_needs_what_two_two_and_twelve_bytes_amount_to():
    frame = standing.table("published_zero")
    sharded = [
        2 + 2 + 12 / frame["data_parallel"],
        2 + 14 / frame["data_parallel"],
        16 / frame["data_parallel"],
    ]
    byte = frame["n_parameters"] * np.select([frame["stage"] == stage for stage in (1, 2, 3)], sharded)
    assert np.max(np.abs(frame["memory_byte"] / byte - 1)) < 0.025  # printed to two or three digits


def test_training_rates_of_megatron_bridge_have_the_date_of_its_version():
    frame = standing.table("published_training_rates")
    versions = frame["software"].str.extract(r"Bridge (\d\d)\.(\d\d)").astype(float)
    dated = frame["software"].str.startswith("Megatron Bridge") & versions[0].notna()
    days = frame["software_on"].dt
    assert dated.sum() > 60
    assert ((2000 + versions[0] == days.year) & (versions[1] == days.month))[dated].all()


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
