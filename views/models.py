"""The models a reader can choose, from the table of architectures."""

import re
from functools import cache
from typing import Any

from analysis.measured.decode_cases import attention_of
from analysis.model.decoder import Decoder
from analysis.model.kv_cache import numbers_per_token_and_layer
from data import standing


def slug(name: str) -> str:
    """Return a name as it stands in a link: Llama 3.1 70B is llama-3.1-70b."""
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-")


@cache
def names() -> dict[str, str]:
    """Return the models of the table by the word a link uses, smallest first."""
    table = standing.table("architectures").sort_values("n_parameters", kind="stable")
    return {slug(name): name for name in table["name"]}


def meanings() -> dict[str, str]:
    """Return each model's word with what it is: a dense model, or a mixture of experts."""
    return {
        word: f"{name}, {'mixture of experts' if row(word)['n_experts'] > 0 else 'dense'}"
        for word, name in names().items()
    }


def row(word: str) -> dict[str, Any]:
    """Return the row of the table that a model's word stands for."""
    return dict(standing.rows("architectures", "name")[names()[word]])


@cache
def decoder(word: str) -> Decoder:
    """Return the sizes of a model by its word.

    Decoding uses a latent cache as stored, each head's query working on the latent vector and its rotary part;
    reading a whole sequence expands it to the keys and values of every head.
    """
    found = row(word)
    heads, head = int(found["n_heads"]), int(found["head_size"])
    latent = found["attention"] == "latent"
    kept = float(numbers_per_token_and_layer(attention_of(found)))
    if latent:
        attention = 2 * heads * (kept + float(found["kv_latent_size"]))
        whole = 2.0 * heads * (2 * head + float(found["rope_head_size"]))
    else:
        attention = whole = 4.0 * heads * head
    experts = int(found["n_experts"])
    matrices = float(found["n_ffn_matrices"]) * float(found["hidden_size"])
    routed = (found["n_layers"] - found["n_dense_layers"]) * experts * matrices * found["expert_ffn_size"]
    sliding = int(found["n_sliding_layers"])
    apart = not experts and not found["tied_embeddings"]
    return Decoder(
        n_parameters=float(found["n_parameters"]),
        n_active_parameters=float(found["n_active_parameters"]),
        n_layers=int(found["n_layers"]),
        hidden_size=int(found["hidden_size"]),
        n_heads=heads,
        head_size=head,
        cache_elements=kept,
        attention_flop=attention,
        sequence_attention_flop=whole,
        routed_parameters=float(routed) if experts else 0.0,
        n_experts=experts,
        n_active_experts=int(found["n_active_experts"]) if experts else 0,
        lookup_parameters=float(found["vocabulary"] * found["hidden_size"]) if apart else 0.0,
        n_sliding_layers=sliding,
        sliding_window_tokens=float(found["sliding_window_tokens"]) if sliding else 0.0,
    )
