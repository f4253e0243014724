from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.architecture import Architecture
from analysis.model.kv_cache import kv_cache_byte, state_byte
from data import standing

PUBLISHED = standing.table("published_kv_cache")
MODELS = standing.rows("architectures", "name")
LLAMA_3_8B = Architecture(
    n_layers=32, hidden_size=4096, n_heads=32, n_key_value_heads=8, head_size=128, vocabulary_size=128256
)


@pytest.mark.parametrize(
    ("name", "byte"), list(zip(PUBLISHED["architecture"], PUBLISHED["kv_cache_byte"], strict=True))
)
def test_published_cache_sizes_are_met_to_the_byte(name, byte):
    model = Architecture.from_row(MODELS[name])
    assert kv_cache_byte(model, 1) - state_byte(model) == byte


@given(tokens=st.integers(1, 200_000), window=st.integers(1, 10_000), sliding=st.integers(0, 32))
def test_sliding_layers_stop_growing_at_their_window(*, tokens, window, sliding):
    full, some = LLAMA_3_8B, replace(LLAMA_3_8B, sliding_window_tokens=window, n_sliding_layers=sliding)
    assert kv_cache_byte(some, tokens) <= kv_cache_byte(full, tokens)
    expected = 4096 * ((32 - sliding) * tokens + sliding * min(tokens, window))
    assert kv_cache_byte(some, tokens) == expected
