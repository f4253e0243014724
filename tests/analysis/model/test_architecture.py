from typing import Any

import pytest

from analysis.model.architecture import Architecture, LatentAttention
from data import standing
from tests.analysis.refusals import refusals

SHAPE: Any = dict(n_layers=2, hidden_size=256, n_heads=4, vocabulary_size=1000, sequence_length=128)
ROWS = standing.rows("architectures", "name")


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_the_table_is_one_model(name):
    row, model = ROWS[name], Architecture.from_row(ROWS[name])
    assert model.name == name
    stated = (row["n_parameters"], row["n_active_parameters"])
    assert (model.n_parameters, model.n_active_parameters) == stated
    assert model.is_mixture == (row["n_experts"] > 0) == (model.n_active_parameters < model.n_parameters)
    assert bool(model.latent) == (row["attention"] == "latent")
    assert model.counted.total == pytest.approx(model.n_parameters, rel=0.01)
    # Some makers print active parameters without embeddings.
    assert -0.06 < model.counted.active / model.n_active_parameters - 1 < 0.17


def test_a_row_without_a_size_leaves_it_to_the_others():
    row = dict(n_layers=2, hidden_size=256, n_heads=4, vocabulary=1000, ffn_size="", n_kv_heads=None)
    model = Architecture.from_row(row)
    assert (model.head, model.key_value_heads, model.feed_forward) == (64, 4, 1024)
    assert model.stated is None and model.parameters == model.counted


def test_a_dense_model_looks_an_embedding_of_its_own_up_and_a_mixture_routes_its_experts():
    apart = Architecture(**SHAPE, tied_embeddings=False)
    assert (apart.counted.lookup, apart.counted.routed) == (256_000, 0)
    mixture = Architecture(**SHAPE, n_experts=8, n_active_experts=2, tied_embeddings=False, gated=True)
    assert (mixture.counted.lookup, mixture.counted.routed) == (0, 2 * 8 * 3 * 256 * 1024)
    assert mixture.counted.total - mixture.counted.active == mixture.counted.routed * 6 / 8


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "n_layers is a whole number from 1; got 0.": lambda: Architecture(**{**SHAPE, "n_layers": 0}),
        "got 2 active of 1. Lower n_active_experts.": lambda: Architecture(**SHAPE, n_active_experts=2),
        "got 4 heads and 3 key-value heads. Choose a divisor of 4.": lambda: Architecture(**SHAPE, n_key_value_heads=3),
        "3 heads do not divide a hidden size of 256; choose heads that divide it, or give the head size.":
            lambda: Architecture(**{**SHAPE, "n_heads": 3}),
        "a mixture has at most as many dense layers as layers; got 3 of 2. Lower n_dense_layers.":
            lambda: Architecture(**SHAPE, n_experts=8, n_dense_layers=3),
        "n_shared_experts is a whole number from 0; got -1.": lambda: Architecture(**SHAPE, n_shared_experts=-1),
        "n_key_value_heads is a whole number from 1; got 0. Take it from the model.":
            lambda: Architecture(**SHAPE, n_key_value_heads=0),
        "n_sliding_layers lies between 0 and n_layers (2); got 3. Count only layers whose attention slides.":
            lambda: Architecture(**SHAPE, n_sliding_layers=3),
        "kv_latent_size is a whole number from 1; got 0. Take it from the model.":
            lambda: LatentAttention(kv_latent_size=0, rope_head_size=64),
    }
)  # fmt: skip
