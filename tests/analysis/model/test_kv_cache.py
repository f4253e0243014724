import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.measured.decode_cases import attention_of
from analysis.model.kv_cache import Attention, kv_cache_byte, kv_cache_byte_per_token, tokens_kept
from data import standing

PUBLISHED = standing.table("published_kv_cache")
MODELS = {row["name"]: row for row in standing.table("architectures").to_dict("records")}
LLAMA_3_8B = Attention(n_layers=32, n_kv_heads=8, head_size=128)


@pytest.mark.parametrize(
    ("name", "byte"), list(zip(PUBLISHED["architecture"], PUBLISHED["kv_cache_byte"], strict=True))
)
def test_published_cache_sizes_are_met_to_the_byte(name, byte):
    assert kv_cache_byte_per_token(attention_of(MODELS[name])) == byte


def test_latent_attention_keeps_one_latent_and_one_rotary_key_a_layer():
    deepseek = Attention(n_layers=61, kv_latent_size=512, rope_head_size=64)
    assert kv_cache_byte_per_token(deepseek) == 70272  # DeepSeek-V3, inference/configs/config_671B.json


@given(tokens=st.integers(1, 200_000), window=st.integers(1, 10_000), sliding=st.integers(0, 32))
def test_sliding_layers_stop_growing_at_their_window(tokens, window, sliding):
    full = Attention(n_layers=32, n_kv_heads=8, head_size=128)
    some = Attention(
        n_layers=32, n_kv_heads=8, head_size=128, sliding_window_tokens=window, n_sliding_layers=sliding
    )
    assert kv_cache_byte(some, tokens) <= kv_cache_byte(full, tokens)
    expected = 4096 * ((32 - sliding) * tokens + sliding * min(tokens, window))
    assert kv_cache_byte(some, tokens) == expected


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"n_layers": 0, "n_kv_heads": 1, "head_size": 1}, "n_layers is 1 or more; got 0"),
        ({"n_layers": 2}, "needs n_kv_heads and head_size, or kv_latent_size; got 0, 0 and 0"),
        (
            {"n_layers": 2, "n_kv_heads": 1, "head_size": 1, "n_sliding_layers": 3},
            r"between 0 and n_layers \(2\); got 3",
        ),
    ],
)
def test_sizes_that_make_no_cache_are_refused(sizes, words):
    with pytest.raises(ValueError, match=words):
        Attention(**sizes)


def test_a_window_of_nothing_is_no_window():
    assert float(tokens_kept(1000, n_layers=32, n_sliding_layers=16)) == 32_000
