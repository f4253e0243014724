from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.architecture import Architecture
from analysis.model.attention import LatentAttention, LinearAttention, SparseAttention
from analysis.model.flop import token_flop
from analysis.model.kv_cache import kv_cache_byte, kv_read_byte, state_byte, tokens_attended, tokens_kept
from data import standing
from tests.analysis.refusals import refusals
from tests.cases import cases

MODELS = {name: Architecture.from_row(row) for name, row in standing.rows("architectures", "name").items()}
QWEN, GLM, DEEPSEEK = MODELS["Qwen3.5 397B-A17B"], MODELS["GLM-5"], MODELS["DeepSeek-V3.2"]
contexts = st.integers(1, 200_000)


def test_a_linear_layer_keeps_a_matrix_for_every_value_head():
    """Qwen3.5 397B-A17B: a state of 64 x 128 x 128 and a convolution over 12,288 channels of 4 tokens a layer
    (harmonyhu.com/2026/02/21/qwen3.5), exact; 45 such layers.
    """
    assert QWEN.linear is not None
    assert QWEN.linear.state_byte == 4 * 64 * 128 * 128 + 2 * 12_288 * 4
    assert state_byte(QWEN) == 45 * QWEN.linear.state_byte
    assert state_byte(GLM) == 0


def test_only_layers_that_attend_keep_tokens():
    """Qwen3.5 397B-A17B: 15 of 60 layers with two key-value heads of 256, 30,720 bytes a token at 16 bits."""
    grown = kv_cache_byte(QWEN, 2000) - kv_cache_byte(QWEN, 1000)
    assert grown == 1000 * 2 * 15 * 2 * 2 * 256


def test_sparse_attention_keeps_one_more_key_and_reads_the_picked_tokens():
    """DeepSeek-V3.2: 576 numbers and an indexer's key of 128 a token and layer; 2,048 tokens are attended to."""
    assert kv_cache_byte(DEEPSEEK, 1) == 2 * 61 * (576 + 128)
    assert kv_read_byte(DEEPSEEK, 100_000) == 2 * 61 * (100_000 * 128 + 2_048 * 576)
    assert kv_read_byte(DEEPSEEK, 2_048) == kv_cache_byte(DEEPSEEK, 2_048)


@given(contexts, st.sampled_from([QWEN, GLM, DEEPSEEK, MODELS["Gemma 3 27B"], MODELS["Llama 3.1 8B"]]))
def test_no_token_reads_more_than_is_kept(context, model):
    assert kv_read_byte(model, context) <= kv_cache_byte(model, context)
    assert tokens_attended(model, context) <= tokens_kept(model, context)
    if model.sparse is None:
        assert kv_read_byte(model, context) == kv_cache_byte(model, context)


@given(contexts)
def test_sparse_attention_never_takes_more_operations_than_dense_past_its_choice(context):
    dense = replace(DEEPSEEK, sparse=None)
    assert DEEPSEEK.sparse is not None
    scores = DEEPSEEK.n_layers * context * DEEPSEEK.sparse.index_flop
    assert token_flop(DEEPSEEK, context_tokens=context) <= token_flop(dense, context_tokens=context) + scores
    if context > 2 * DEEPSEEK.sparse.n_tokens:
        assert token_flop(DEEPSEEK, context_tokens=context) < token_flop(dense, context_tokens=context)


@pytest.mark.parametrize(("name", "parameters", "tolerance"), cases(__file__)["parameters"])
def test_published_parameters_are_counted_from_the_shape(name, parameters, *, tolerance):
    """Parameters as the makers' model cards print them; the tolerance is the last digit printed."""
    assert MODELS[name].counted.total == pytest.approx(parameters, rel=tolerance)


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "rope_head_size is a whole number from 0; got -1. Take it from the model.":
            lambda: LatentAttention(kv_latent_size=512, rope_head_size=-1),
        "n_layers is a whole number from 1; got 0. Take it from the model.":
            lambda: LinearAttention(n_layers=0, n_key_heads=16, n_value_heads=64, head_size=128),
        "index_head_size is a whole number from 1; got 0. Take it from the model.":
            lambda: SparseAttention(n_tokens=2048, n_index_heads=64, index_head_size=0),
        "linear and sliding layers are at most all 60; got 45 and 16. Lower one of them.":
            lambda: replace(QWEN, n_sliding_layers=16, sliding_window_tokens=128),
    }
)  # fmt: skip
