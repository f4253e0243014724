import numpy as np
import pandas as pd
import pytest

from analysis.model.architecture import Architecture
from analysis.model.kv_cache import kv_read_byte
from analysis.model.weights import weights_read
from data import releases, standing
from data.serving import full_load_points, serving_points, serving_speeds

NAMED = "2026-07"  # the release whose accelerators the standing tables name


def test_a_prompt_that_a_source_states_stays_and_one_it_does_not_is_that_of_the_task():
    measured, filled = standing.table("measured_serving"), serving_speeds()
    others = measured.columns.drop("prompt_tokens")
    assert filled[others].equals(measured[others])
    stated = measured["prompt_tokens"].notna()
    assert np.array_equal(filled.loc[stated, "prompt_tokens"], measured.loc[stated, "prompt_tokens"])
    tasks = standing.rows("serving_tasks", "architecture")
    for row in filled.loc[~stated].to_dict("records"):
        task = tasks.get(row["architecture"])
        prompt = row["prompt_tokens"]
        assert np.isnan(prompt) if task is None else prompt == task["prompt_tokens"]


def points() -> pd.DataFrame:
    """Return the points of accelerators that share all work, and whose number is known."""
    frame = serving_points()
    return frame.loc[(frame["mode"] == "aggregated") & frame["n_accelerators"].notna()]


def test_every_point_stands_once_and_a_duplicate_is_the_same_measurement():
    whole = standing.table("measured_serving_points").set_index("point_id")
    again = whole.loc[whole["duplicate_of"] != ""]
    assert (len(whole), len(again), len(serving_points())) == (1504, 94, 1410)
    times = ["time_to_first_token_s", "time_per_output_token_s"]
    first = whole.loc[again["duplicate_of"]]
    assert np.allclose(again[times], first[times].to_numpy(), rtol=1e-5)
    load = ("concurrency", "prompt_tokens", "output_tokens")
    for column in ("accelerator", "architecture", "quantisation", *load):
        assert again[column].to_numpy().tolist() == first[column].tolist()
    assert set(first["duplicate_of"]) == {""}


def test_no_token_comes_sooner_than_its_bytes_are_read():
    """Weights and cache at 8 bits over the bandwidth of all accelerators: the least a step can take."""
    accelerators = releases.load(NAMED).accelerators.set_index("name")
    bits = standing.table("quantisation").set_index("name")["bits_per_weight"]
    rows = standing.rows("architectures", "name").items()
    models = {name: Architecture.from_row(row) for name, row in rows}
    frame = points()
    frame = frame.loc[frame["concurrency"].notna() & frame["time_per_output_token_s"].notna()]
    assert len(frame) > 900
    for row in frame.to_dict("records"):
        model, users = models[row["architecture"]], row["concurrency"]
        weights = float(weights_read(model, tokens=users)) * bits[row["quantisation"]] / 8
        middle = row["prompt_tokens"] + row["output_tokens"] / 2
        cache = users * float(kv_read_byte(model, middle, byte_per_number=1.0))
        bandwidth = accelerators.loc[row["accelerator"], "memory_bandwidth_byte_per_s"]
        least = (weights + cache) / (row["n_accelerators"] * bandwidth)
        assert row["time_per_output_token_s"] > least, row["locator"]


def test_drafts_are_marked_where_the_same_settings_are_faster_without_a_reason():
    """Two images of TensorRT-LLM, a month apart, on the same eight H200: the later one drafts tokens."""
    frame = points()
    same = ["accelerator", "quantisation", "prompt_tokens", "output_tokens", "concurrency", "n_accelerators"]
    same += ["tensor_parallel", "expert_parallel"]
    rows = frame.loc[(frame["architecture"] == "DeepSeek-V3") & (frame["software"] == "TensorRT-LLM")]
    drafted = rows.loc[rows["speculation"] == "multi-token prediction"]
    plain = rows.loc[rows["speculation"] == "none"]
    both = drafted.merge(plain, on=same)
    ratio = both["time_per_output_token_s_x"] / both["time_per_output_token_s_y"]
    assert len(ratio) >= 5
    assert 0.5 < float(np.median(ratio)) < 0.85


def test_the_age_of_the_software_is_a_year():
    row = serving_points().set_index("point_id").loc["p0001"]
    assert row["software_year"] == pytest.approx(2026 + 106 / 365)


def test_points_at_full_load_have_the_columns_of_the_other_table_and_the_memory_of_the_release():
    full, parts = full_load_points(), releases.load(releases.latest()).accelerators.set_index("name")
    assert set(full["load"]) == {"offline"}
    assert not np.isnan(full["memory_bandwidth_byte_per_s"].to_numpy(dtype=float)).any()
    capacity = parts.loc[full["accelerator"], "memory_capacity_byte"]
    assert full["memory_capacity_byte"].tolist() == capacity.tolist()
