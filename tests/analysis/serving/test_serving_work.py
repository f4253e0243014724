"""What a server needs to know of a model and a request."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.serving.serving_work import ServingWork, serving_work
from analysis.serving.tables import served_tables
from views.models import MODEL_OPTIONS, architecture

NAMES = st.sampled_from(["llama3.18b", "llama3.170b", "deepseekv3", "gptoss120b", "qwen330ba3b"])


def work(name: str, *, bits: float = 8.0, format_name: str = "FP8", **tokens: float) -> ServingWork:
    asked = {"prompt_tokens": 1000.0, "output_tokens": 500.0, **tokens}
    return serving_work(served_tables().models[name], format_name=format_name, bits=bits, **asked)


def test_weights_are_those_of_the_published_checkpoints():
    # Files of the checkpoints: Llama 3.1 70B at 16 bits 141 GB, gpt-oss-120b 65 GB (model card, arXiv:2508.10925)
    assert work("llama3.170b", bits=16.0, format_name="BF16").weights_byte == pytest.approx(141e9, rel=0.02)
    assert work("gptoss120b", bits=4.25, format_name="MXFP4").weights_byte == pytest.approx(65e9, rel=0.03)


@pytest.mark.parametrize("word", sorted(MODEL_OPTIONS))
def test_sixteen_bits_a_weight_are_two_bytes_a_parameter(word):
    """Input and output embedding are one where a model shares them."""
    model = architecture(word)
    asked = serving_work(model, format_name="BF16", bits=16.0, prompt_tokens=1000.0, output_tokens=500.0)
    assert asked.weights_byte == pytest.approx(2 * model.n_parameters, rel=1e-6)


@given(name=NAMES, cached=st.floats(0.0, 1e5), more=st.floats(1.0, 1e5))
def test_tokens_kept_from_before_lengthen_the_cache_and_attention_and_nothing_else(*, name, cached, more):
    less, longer = work(name, cached_tokens=cached), work(name, cached_tokens=cached + more)
    grown = {
        key for key, value in vars(longer).items() if isinstance(value, float) and value > getattr(less, key)
    }
    assert grown == {"cache_read_numbers", "cache_kept_numbers", "prompt_attention_flop"}
