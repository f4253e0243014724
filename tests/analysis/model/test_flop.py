from typing import Any, cast

import pytest

from analysis.model.architecture import Architecture
from analysis.model.flop import attention_flop, sequence_attention_flop, token_flop, training_flop_per_token
from data import standing
from tests.analysis.refusals import refusals
from tests.analysis.small_models import DENSE

MODEL = Architecture(n_layers=2, hidden_size=256, n_heads=4, vocabulary_size=1000, sequence_length=128)
# What equation 3 (FLOP of a step) amounts to for the ten models of Narayanan et al., arXiv:2104.04473, table 1.
MEGATRON_FLOP = (1.54668e16, 3.26555e16, 6.71846e16, 3.24840e17, 1.02123e18)
MEGATRON_FLOP += (2.30205e18, 5.64168e18, 1.11940e19, 2.22159e19, 5.13905e19)
MEGATRON = standing.table("published_megatron").to_dict("records")


@pytest.mark.parametrize(
    ("row", "flop"),
    list(zip(MEGATRON, MEGATRON_FLOP, strict=True)),
    ids=[f"{row['n_parameters'] / 1e9:g}B" for row in MEGATRON],
)
def test_megatron_equations_2_and_3(row, flop):
    assert (row["vocabulary"], row["sequence_tokens"], row["counts_recompute"]) == (51200, 2048, True)
    layers, hidden = int(row["n_layers"]), int(row["hidden_size"])
    shape: Any = {"n_heads": int(row["n_heads"]), "vocabulary_size": 51200, "sequence_length": 2048}
    model = Architecture(n_layers=layers, hidden_size=hidden, **shape)
    by_equation = 12 * layers * hidden**2 * (1 + 13 / (12 * hidden) + (51200 + 2048) / (12 * layers * hidden))
    assert model.n_parameters == pytest.approx(by_equation - 2048 * hidden, rel=1e-9)
    tokens = row["global_batch"] * 2048
    assert tokens * training_flop_per_token(model, recompute="full") == pytest.approx(flop, rel=1e-5)


def test_korthikanti_hardware_over_model_flops():
    """Korthikanti et al., table 5: 52.8 over 51.4 % for 175 billion, 43.7 over 41.5 % for 22 billion, 1 %."""
    for layers, hidden, heads, ratio in ((96, 12288, 96, 52.8 / 51.4), (48, 6144, 64, 43.7 / 41.5)):
        size: Any = {"n_layers": layers, "hidden_size": hidden, "n_heads": heads}
        model = Architecture(**size, vocabulary_size=51200, sequence_length=2048)
        counted = training_flop_per_token(model, recompute="selective") / training_flop_per_token(model)
        assert counted == pytest.approx(ratio, rel=0.01)


def test_a_token_takes_two_operations_a_weight_and_its_attention():
    assert float(token_flop(DENSE, context_tokens=1000)) == 2 * 70e9 + 80 * 1000 * 4 * 64 * 128


def test_a_latent_cache_costs_more_to_use_as_stored_than_expanded():
    """DeepSeek-V3: 128 heads on 512 latent and 64 rotary numbers, or on 128 + 64 of a query and 128 of a value."""
    deepseek = Architecture.from_row(standing.rows("architectures", "name")["DeepSeek-V3"])
    assert attention_flop(deepseek) == 2 * 128 * (512 + 64 + 512)
    assert sequence_attention_flop(deepseek) == 2 * 128 * (128 + 64 + 128)
    assert attention_flop(DENSE) == sequence_attention_flop(DENSE) == 4 * 64 * 128


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "recompute is one of none, selective, full; got 'some'.":
            lambda: training_flop_per_token(MODEL, recompute=cast(Any, "some")),
    }
)  # fmt: skip
