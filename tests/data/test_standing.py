"""The standing tables agree with themselves, with each other, with the release and with what papers print."""

import re

import numpy as np
import pandas as pd
import pytest

from data import contract, releases, standing
from data.contract import DIRECTORY

NAMED = "2026-07"  # the release whose accelerators the standing tables name
BLIND = {"published_llama_interruptions", "published_zero"}


def names_of(resource: str) -> set[str]:
    """Return the keys of the table that a foreign key refers to."""
    if resource == "sources":
        return contract.source_ids()
    if resource == f"accelerators-{NAMED}":
        return set(releases.load(NAMED).accelerators["name"])
    table = resource.removeprefix("standing-").replace("-", "_")
    return set(standing.table(table)["name"])


def test_the_standing_tables_are_these():
    assert {
        "architectures",
        "claims",
        "cloud_prices",
        "edge_devices",
        "electricity",
        "measured_decode",
        "measured_serving",
        "networks",
        "published",
        "published_kv_cache",
        "published_llama_interruptions",
        "published_llama_training",
        "published_matmul",
        "published_megatron",
        "published_zero",
        "quantisation",
    } == set(standing.names())


def test_a_table_is_typed_and_read_once():
    frame = standing.table("edge_devices")
    assert frame is standing.table("edge_devices")
    assert frame["memory_bandwidth_byte_per_s"].dtype == "float64"
    assert frame["released_on"].dtype == "datetime64[s]"
    assert standing.table("measured_decode")["in_check"].dtype == bool
    assert set(standing.table("measured_decode")["edge_device"]) >= {""}


def test_a_table_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(
        LookupError, match=r"there is no standing table 'phones'; there are architectures, cl"
    ):
        standing.table("phones")
    with pytest.raises(LookupError, match=r"there is no standing table '\.\./sources'"):
        standing.table("../sources")


@pytest.mark.parametrize("name", standing.names())
def test_every_name_that_points_elsewhere_is_there(name: str):
    wanted = {key["reference"]["resource"] for key in contract.schema(name).get("foreignKeys", [])}
    keys = {resource: names_of(resource) for resource in wanted}
    assert contract.file_breaches(DIRECTORY / "standing" / f"{name}.csv", table=name, keys=keys) == []


@pytest.mark.parametrize("name", standing.names())
def test_every_row_says_where_it_is_from_and_how_sure_it_is(name: str):
    frame = standing.table(name)
    assert (frame["source_id"] != "").all()
    assert set(frame["confidence"]) <= {"confident", "likely", "speculative"}
    assert not frame.duplicated().any()
    text = " ".join(frame.select_dtypes(include="str").to_numpy().ravel()) if name not in BLIND else ""
    assert not re.search(r"\bTODO\b|\bnan\b|/tmp/|/root/", text)


# architectures


def parameters(model: pd.Series, *, active: bool = False) -> float:
    """Return the parameters that the sizes of a model amount to, without norms and biases."""
    layers, width, heads = model["n_layers"], model["hidden_size"], model["n_heads"]
    if model["attention"] == "latent":
        latent, rope, plain = model["kv_latent_size"], model["rope_head_size"], model["nope_head_size"]
        query, wide = model["query_latent_size"], heads * (plain + rope)
        queries = width * wide if np.isnan(query) else query * (width + wide)
        values = heads * model["head_size"]
        attention = queries + width * (latent + rope) + latent * (heads * plain + values) + values * width
    else:
        attention = 2 * width * model["head_size"] * (heads + model["n_kv_heads"])
    used = (model["n_active_experts"] if active else model["n_experts"]) + model["n_shared_experts"]
    matrices, dense = model["n_ffn_matrices"], model["n_dense_layers"]
    experts = used * matrices * width * np.nan_to_num(model["expert_ffn_size"]) + model["n_experts"] * width
    feed_forward = dense * matrices * width * np.nan_to_num(model["ffn_size"]) + (layers - dense) * experts
    embeddings = model["vocabulary"] * width * (1 if model["tied_embeddings"] else 2)
    return layers * attention + feed_forward + embeddings


def kv_cache_byte(model: pd.Series) -> float:
    """Return the bytes of keys and values of one token at 16 bits, windows aside."""
    if model["attention"] == "latent":
        return 2 * model["n_layers"] * (model["kv_latent_size"] + model["rope_head_size"])
    return 2 * 2 * model["n_layers"] * model["n_kv_heads"] * model["head_size"]


def test_the_sizes_of_every_model_amount_to_its_parameters():
    frame = standing.table("architectures")
    off = {model["name"]: parameters(model) / model["n_parameters"] - 1 for _, model in frame.iterrows()}
    assert {name: error for name, error in off.items() if abs(error) > 0.01} == {}


def test_the_active_parameters_follow_from_the_experts_used():
    frame = standing.table("architectures")
    sparse = frame.loc[frame["n_experts"] > 0]
    off = {
        model["name"]: parameters(model, active=True) / model["n_active_parameters"] - 1
        for _, model in sparse.iterrows()
    }
    without_embeddings = {"gpt-oss-20b", "gpt-oss-120b", "DeepSeek-V2-Lite", "GLM-4.5 Air"}
    assert {name for name, error in off.items() if abs(error) > 0.06} == without_embeddings
    assert all(0 < off[name] < 0.17 for name in without_embeddings)


def test_keys_and_values_per_token_are_those_printed():
    models = standing.table("architectures").set_index("name")
    printed = standing.table("published_kv_cache")
    assert len(printed) == 15
    ours = [kv_cache_byte(models.loc[name]) for name in printed["architecture"]]
    assert ours == printed["kv_cache_byte"].tolist()


def test_a_model_has_the_parts_its_kind_needs():
    frame = standing.table("architectures")
    latent = frame["attention"] == "latent"
    sparse = frame["n_experts"] > 0
    assert frame.loc[latent, ["kv_latent_size", "rope_head_size", "nope_head_size"]].notna().all(axis=None)
    assert frame["n_kv_heads"].isna().equals(latent)
    assert (frame["n_heads"] % frame["n_kv_heads"].fillna(1) == 0).all()
    assert (frame["expert_ffn_size"].notna() & (frame["n_active_experts"] > 0)).equals(sparse)
    assert (frame["n_dense_layers"] == frame["n_layers"]).equals(~sparse)
    assert frame["ffn_size"].notna().equals(frame["n_dense_layers"] > 0)
    assert frame["sliding_window_tokens"].notna().equals(frame["n_sliding_layers"] > 0)
    assert (frame["n_active_parameters"] < frame["n_parameters"]).equals(sparse)
    assert frame["n_parameters"].min() < 1.1e9 and frame["n_parameters"].max() > 1e12


# formats


def test_bits_per_weight_are_values_plus_scales():
    frame = standing.table("quantisation")
    blocks = frame.loc[frame["scale_bits"].notna()]
    bits = blocks["n_bits"] + blocks["scale_bits"] / blocks["block_values"]
    assert np.allclose(bits, blocks["bits_per_weight"])
    assert (frame["bits_per_weight"] >= frame["n_bits"]).all()


def test_measured_file_sizes_are_those_of_their_formats():
    bits = standing.table("quantisation").set_index("name")["bits_per_weight"]
    frame = standing.table("measured_decode")
    files = frame.loc[
        frame["weights_byte"].notna() & frame["quantisation"].isin(["FP16", "Q4_K_M", "Q8_0", "Q4_0"])
    ]
    measured = 8 * files["weights_byte"] / files["n_parameters"]
    ratio = measured / files["quantisation"].map(bits)
    assert ratio.between(0.97, 1.10).mean() > 0.95
    assert ratio.between(0.80, 1.35).all(), files.loc[~ratio.between(0.80, 1.35), ["model", "format"]]


# devices


def test_devices_have_the_classes_that_were_measured():
    classes = set(standing.table("measured_decode")["device_class"])
    assert set(standing.table("edge_devices")["device_class"]) <= classes
    assert {"phone", "laptop", "desktop_gpu", "embedded", "edge_server"} <= classes


def test_a_device_that_is_an_accelerator_has_its_bandwidth_and_memory():
    parts = releases.load(NAMED).accelerators.set_index("name")
    frame = standing.table("edge_devices")
    both = frame.loc[frame["accelerator"] != ""]
    assert len(both) > 15
    for column in ("memory_bandwidth_byte_per_s", "memory_capacity_byte"):
        known = both[column].to_numpy() / parts.loc[both["accelerator"], column].to_numpy()
        assert np.nanmax(np.abs(known - 1)) < 0.01


def test_a_device_reads_its_memory_in_a_plausible_time():
    frame = standing.table("edge_devices")
    seconds = frame["memory_capacity_byte"] / frame["memory_bandwidth_byte_per_s"]
    assert seconds.dropna().between(0.01, 0.65).all()
    matrix, vector = frame["peak_fp16_flop_per_s"], frame["peak_fp16_shader_flop_per_s"]
    assert ((matrix / vector).dropna() >= 0.99).all()
    balance = (matrix / frame["memory_bandwidth_byte_per_s"]).dropna()
    assert balance.between(50, 1000).all()


def test_a_bandwidth_says_what_it_rests_on():
    frame = standing.table("edge_devices")
    assert frame["memory_bandwidth_byte_per_s"].notna().equals(frame["bandwidth_basis"] != "")
    measured = standing.table("measured_decode")
    assert measured["memory_bandwidth_byte_per_s"].notna().equals(measured["memory_bandwidth_basis"] != "")


# measured speeds


def test_measured_rows_name_the_same_bandwidth_as_their_device():
    measured = standing.table("measured_decode")
    devices = standing.table("edge_devices").set_index("name")["memory_bandwidth_byte_per_s"]
    known = measured.loc[(measured["edge_device"] != "") & measured["memory_bandwidth_byte_per_s"].notna()]
    ratio = known["memory_bandwidth_byte_per_s"] / known["edge_device"].map(devices)
    assert ratio.between(0.99, 1.01).all(), known.loc[~ratio.between(0.99, 1.01), "device"].unique()


def test_rows_fit_for_checking_a_model_have_all_it_needs():
    frame = standing.table("measured_decode")
    checked = frame.loc[frame["in_check"] | frame["in_moe_check"]]
    assert len(frame) == 497 and frame["in_check"].sum() == 207 and frame["in_moe_check"].sum() == 19
    assert checked["memory_bandwidth_byte_per_s"].notna().all()
    assert checked["bytes_read_byte"].notna().all()
    assert not (checked["host_limited"] | ~checked["full_read"]).any()


def test_no_dense_model_is_read_faster_than_memory_allows():
    frame = standing.table("measured_decode")
    one = frame.loc[frame["in_check"] & (frame["n_devices"] == 1) & (frame["batch"] == 1)]
    share = one["decode_tokens_per_s"] * one["bytes_read_byte"] / one["memory_bandwidth_byte_per_s"]
    assert share.between(0.05, 1.0).all()


def test_serving_rows_are_counted_one_way_each():
    frame = standing.table("measured_serving")
    assert len(frame) == 484
    output = frame["output_tokens_per_s_per_accelerator"].notna()
    both = frame["total_tokens_per_s_per_accelerator"].notna()
    assert not (output & both).any()
    assert (frame.loc[output, "token_kind"] == "output").all()
    assert (frame.loc[both, "token_kind"] == "input and output").all()
    assert frame["concurrency"].notna().equals(frame["load"] == "concurrency")


def test_a_serving_plan_uses_the_accelerators_it_names():
    frame = standing.table("measured_serving")
    planned = frame.loc[frame["parallelism"].ne("") & frame["n_accelerators"].notna()]
    sharing = (
        planned["expert_parallel"]
        .fillna(1)
        .where(planned["expert_parallel"].notna(), planned["tensor_parallel"])
    )
    assert (sharing * planned["pipeline_parallel"] == planned["n_accelerators"]).mean() > 0.95


# prices, networks


def test_an_instance_costs_its_accelerators():
    frame = standing.table("cloud_prices")
    whole = frame["price_usd_per_hour"] * frame["n_accelerators"] / frame["instance_price_usd_per_hour"]
    assert whole.between(0.98, 1.02).all()
    assert frame["accelerator"].ne("").equals(frame["accelerator_basis"].ne(""))
    today = frame.loc[~frame["stale"] & (frame["accelerator"] == "NVIDIA H100 SXM5 80GB")]
    assert 2 < today["price_usd_per_hour"].median() < 6


def test_one_row_a_network_and_measure_is_preferred():
    frame = standing.table("networks")
    preferred = frame.loc[frame["preferred"]]
    assert not preferred.duplicated(["network", "measure"]).any()
    assert set(zip(frame["network"], frame["measure"], strict=True)) == set(
        zip(preferred["network"], preferred["measure"], strict=True)
    )
    values = ["round_trip_s", "bandwidth_byte_per_s", "energy_j_per_byte", "price_usd_per_byte"]
    assert (frame[values].notna().sum(axis=1) == 1).all()


def test_electricity_costs_what_it_costs():
    frame = standing.table("electricity")
    assert frame["price_usd_per_kwh"].between(0.05, 0.5).all()
    euros = frame["price_eur_per_kwh"].notna()
    assert (frame.loc[euros, "estimate"] == "derived").all()


# claims and published figures


def test_the_claims_are_eighty_nine_of_five_articles():
    frame = standing.table("claims")
    assert len(frame) == 89 and frame["source_id"].nunique() == 5
    assert (frame.loc[~frame["computable"], "judged_by_hand"] == "not checkable").all()
    ranged = frame.loc[frame["claimed_high"].notna()]
    assert (ranged["claimed_high"] > ranged["claimed_value"]).all()
    assert frame["claimed_value"].notna().sum() > 35


def test_published_rates_lie_within_their_intervals():
    frame = standing.table("published")
    ranged = frame.loc[frame["low"].notna()]
    assert ((ranged["low"] <= ranged["value"]) & (ranged["value"] <= ranged["high"])).all()
    assert set(frame["provenance"]) == {"read"}


def test_zero_needs_what_two_two_and_twelve_bytes_amount_to():
    frame = standing.table("published_zero")
    sharded = [
        2 + 2 + 12 / frame["data_parallel"],
        2 + 14 / frame["data_parallel"],
        16 / frame["data_parallel"],
    ]
    byte = frame["n_parameters"] * np.select([frame["stage"] == stage for stage in (1, 2, 3)], sharded)
    assert (frame["memory_byte"] / byte - 1).abs().max() < 0.025  # printed to two or three digits


def test_megatron_plans_and_totals_add_up():
    frame = standing.table("published_megatron")
    plan = frame["tensor_parallel"] * frame["pipeline_parallel"] * frame["data_parallel"]
    assert (plan == frame["n_accelerators"]).all()
    whole = frame["achieved_flop_per_s_per_accelerator"] * frame["n_accelerators"]
    assert (whole / frame["aggregate_flop_per_s"] - 1).abs().max() < 0.01


def test_llama_plans_add_up_and_interruptions_are_419():
    frame = standing.table("published_llama_training")
    plan = frame[["tensor_parallel", "context_parallel", "pipeline_parallel", "data_parallel"]].prod(axis=1)
    assert (plan == frame["n_accelerators"]).all()
    assert standing.table("published_llama_interruptions")["n_interruptions"].sum() == 419


def test_matrix_rates_stay_below_their_peak():
    frame = standing.table("published_matmul")
    assert np.allclose(
        frame["measured_flop_per_s"] / frame["peak_flop_per_s"], frame["efficiency"], atol=1e-4
    )
    assert frame["efficiency"].between(0.5, 0.9).all()
