import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.serving.deployment import ServingChip, ServingWork, cache_byte_per_number, serving_work
from analysis.serving.tables import chips, served_tables
from tests.analysis.refusals import refusals
from tests.analysis.serving.served import served
from views.models import MODEL_OPTIONS, architecture

NAMES = st.sampled_from(["llama3.18b", "llama3.170b", "deepseekv3", "gptoss120b", "qwen330ba3b"])


def work(name: str, *, bits: float = 8.0, format_name: str = "FP8", **tokens: float) -> ServingWork:
    tokens = {"prompt_tokens": 1000.0, "output_tokens": 500.0, **tokens}
    return serving_work(served_tables().models[name], format_name=format_name, bits=bits, **tokens)


def test_weights_are_those_of_the_published_checkpoints():
    # Files of the checkpoints: Llama 3.1 70B at 16 bits 141 GB, gpt-oss-120b 65 GB (model card, arXiv:2508.10925)
    assert work("llama3.170b", bits=16.0, format_name="BF16").weights_byte == pytest.approx(141e9, rel=0.02)
    assert work("gptoss120b", bits=4.25, format_name="MXFP4").weights_byte == pytest.approx(65e9, rel=0.03)


@pytest.mark.parametrize("word", sorted(MODEL_OPTIONS))
def test_sixteen_bits_a_weight_are_two_bytes_a_parameter(word):
    """Input and output embedding are one where a model shares them."""
    model = architecture(word)
    whole = serving_work(model, format_name="BF16", bits=16.0, prompt_tokens=1000.0, output_tokens=500.0)
    assert whole.weights_byte == pytest.approx(2 * model.n_parameters, rel=1e-6)


@given(name=NAMES, cached=st.floats(0.0, 1e5), more=st.floats(1.0, 1e5))
def test_tokens_kept_from_before_lengthen_the_cache_and_attention_and_nothing_else(*, name, cached, more):
    less, longer = work(name, cached_tokens=cached), work(name, cached_tokens=cached + more)
    numbers = {key: value for key, value in vars(longer).items() if isinstance(value, float)}
    grown = {key for key, value in numbers.items() if value > getattr(less, key)}
    assert grown == {"cache_read_numbers", "cache_kept_numbers", "prompt_attention_flop"}


H100 = "NVIDIA H100 SXM5 80GB"
ROW = {"name": "X", "vendor": "Y", "memory_bandwidth_byte_per_s": 1e12, "memory_capacity_byte": 8e10}


def test_a_part_without_a_peak_of_a_format_computes_in_the_next_wider_one():
    h100, b200 = chips()[H100], chips()["NVIDIA B200"]
    assert h100.peak(4.5) == h100.peak(8.0) == 1.979e15
    assert b200.peak(4.25) == 9e15
    assert (h100.has_fp4, b200.has_fp4) == (False, True)


def test_a_link_nobody_states_is_pcie():
    chip = ServingChip.from_row({**ROW, "peak_fp16_dense_flop_per_s": 1e14})
    assert chip.link_bandwidth_byte_per_s == 64e9
    assert chip.domain_size == 8


def test_the_cache_of_deepseek_is_its_latent():
    one = served(name="deepseekv3", tensor=8.0, prompt=1000.0, output=0.0, engine="trtllm")
    # 576 numbers a token and layer, 61 layers, one byte each: DeepSeek-V3, arXiv:2412.19437, section 2.1.1
    assert one.cache_read_byte[0] == pytest.approx(1000 * 61 * 576)
    assert one.cache_shards[0] == 1.0  # every chip keeps the whole latent


def test_the_parameters_of_a_mixture_are_its_experts_and_the_rest():
    one = served(name="gptoss120b", bits=4.25, format_name="MXFP4")
    # gpt-oss model card, arXiv:2508.10925, table 1: experts 114.71, attention 0.96, embeddings 1.16 billion
    assert one.routed_parameters[0] == pytest.approx(114.71e9, rel=0.01)
    assert one.common_parameters[0] == pytest.approx(0.96e9, rel=0.1)
    assert (one.bits[0], one.common_bits[0]) == (4.25, 16.0)


def test_how_wide_a_cache_is_follows_the_recipes():
    h100, b200 = chips()[H100], chips()["NVIDIA B200"]
    assert cache_byte_per_number(bits=8.0, has_fp4=h100.has_fp4, engine="vllm") == 2.0
    assert cache_byte_per_number(bits=8.0, has_fp4=b200.has_fp4, engine="vllm") == 1.0
    assert cache_byte_per_number(bits=8.0, has_fp4=h100.has_fp4, engine="trtllm") == 1.0
    assert cache_byte_per_number(bits=16.0, has_fp4=b200.has_fp4, engine="trtllm") == 2.0


def test_chips_that_read_prompts_count_among_all():
    apart = served(tensor=8.0, decode_workers=2.0, prefill_workers=3.0, prefill_chips=4.0)
    assert apart.all_chips[0] == 28.0
    assert bool(apart.disaggregated[0]) and not bool(served().disaggregated[0])
    assert np.shape(apart.at(np.array([True])).hidden) == (1,)


test_a_part_of_which_too_little_is_known_is_refused = refusals(
    {
        "accelerator X: the tables have no 16-bit peak. Name another part": lambda: ServingChip.from_row(ROW),
        "no memory bandwidth": lambda: ServingChip.from_row({**ROW, "memory_bandwidth_byte_per_s": ""}),
    }
)  # fmt: skip
