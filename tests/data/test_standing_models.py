"""The sizes of language models and number formats add up to what their makers print."""

from typing import Any

import numpy as np

from data import standing


def parameters(model: dict[str, Any], *, active: bool = False) -> float:
    """Return the parameters that the sizes of a model amount to, without norms and biases."""
    layers, width, heads = model["n_layers"], model["hidden_size"], model["n_heads"]
    if model["attention"] == "latent":
        latent, rope, plain = model["kv_latent_size"], model["rope_head_size"], model["nope_head_size"]
        query, wide = model["query_latent_size"], heads * (plain + rope)
        queries = width * wide if np.isnan(query) else query * (width + wide)
        values = heads * model["head_size"]
        attention = queries + width * (latent + rope) + latent * (heads * plain + values) + values * width
        if not np.isnan(model["sparse_tokens"]):
            attention += model["index_head_size"] * (query * model["index_heads"] + width)
            attention += width * model["index_heads"]
    else:
        attention = 2 * width * model["head_size"] * (heads + model["n_kv_heads"])
        attention += width * model["head_size"] * heads if model["gated_attention"] else 0
    linear = 0.0
    if model["n_linear_layers"]:
        keys, values = (model["linear_head_size"] * model[f"linear_{of}_heads"] for of in ("key", "value"))
        linear = width * (2 * keys + 3 * values + 2 * model["linear_value_heads"])
    used = (model["n_active_experts"] if active else model["n_experts"]) + model["n_shared_experts"]
    matrices, dense = model["n_ffn_matrices"], model["n_dense_layers"]
    experts = used * matrices * width * np.nan_to_num(model["expert_ffn_size"]) + model["n_experts"] * width
    feed_forward = dense * matrices * width * np.nan_to_num(model["ffn_size"]) + (layers - dense) * experts
    embeddings = model["vocabulary"] * width * (1 if model["tied_embeddings"] else 2)
    mixing = (layers - model["n_linear_layers"]) * attention + model["n_linear_layers"] * linear
    return float(mixing + feed_forward + embeddings)


def kv_cache_byte(model: dict[str, Any]) -> float:
    """Return the bytes of keys and values of one token at 16 bits, windows aside."""
    if model["attention"] == "latent":
        return 2 * model["n_layers"] * (model["kv_latent_size"] + model["rope_head_size"])
    return 2 * 2 * model["n_layers"] * model["n_kv_heads"] * model["head_size"]


def test_the_sizes_of_every_model_amount_to_its_parameters():
    frame = standing.table("architectures")
    off = {
        model["name"]: parameters(model) / model["n_parameters"] - 1
        for model in frame.to_dict(orient="records")
    }
    assert {name: error for name, error in off.items() if abs(error) > 0.01} == {}


def test_the_active_parameters_follow_from_the_experts_used():
    frame = standing.table("architectures")
    sparse = frame.loc[frame["n_experts"] > 0]
    off = {
        model["name"]: parameters(model, active=True) / model["n_active_parameters"] - 1
        for model in sparse.to_dict(orient="records")
    }
    without_embeddings = {
        "gpt-oss-20b",
        "gpt-oss-120b",
        "DeepSeek-V2-Lite",
        "GLM-4.5 Air",
        "MiniMax-M2.5",
        "Qwen3-Next 80B-A3B",
        "Qwen3.5 35B-A3B",
    }
    assert {name for name, error in off.items() if abs(error) > 0.06} == without_embeddings
    assert all(0 < off[name] < 0.17 for name in without_embeddings)


def test_keys_and_values_per_token_are_those_printed():
    models = {model["name"]: model for model in standing.table("architectures").to_dict(orient="records")}
    printed = standing.table("published_kv_cache")
    assert len(printed) == 15
    ours = [kv_cache_byte(models[name]) for name in printed["architecture"]]
    assert ours == printed["kv_cache_byte"].tolist()
