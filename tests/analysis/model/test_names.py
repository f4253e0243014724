import pytest

from analysis.model.names import UnknownModel, find_model, formats, known_model, nearest, plain, readable
from analysis.placement.tables import known
from data import standing

KNOWN = known()


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("4-bit", "Q4_K_M"),
        ("8-bit", "Q8_0"),
        ("F16", "FP16"),
        ("int4", "MLC q4f16"),
        ("Q4_K_M (Ollama default tag)", "Q4_K_M"),
        ("fp8_block", "FP8"),
        ("fp4", "NVFP4"),
        ("w4a16_mxfp4", "MXFP4"),
        ("w4a8", "AWQ/GPTQ 4-bit g128"),
        ("awq", "AWQ/GPTQ 4-bit g128"),
    ],
)
def test_the_words_people_use_for_formats_are_known(name, known_as):
    known_formats = formats(standing.table("measured_decode"), standing.table("quantisation"))
    assert known_formats[plain(name)].name == known_as


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("Meta-Llama-3-8B", "Llama 3 8B"),
        ("Mistral-7B-Instruct-v0.3", "Mistral 7B v0.3"),
        ("google/gemma-3-4b-it", "Gemma 3 4B"),
        ("Llama-2-7b-chat-hf", "Llama 2 7B"),
        ("deepseek-ai/DeepSeek-R1", "DeepSeek-V3"),
        ("nvidia/DeepSeek-R1-0528-NVFP4-v2", "DeepSeek-V3"),
        ("deepseek-ai/DeepSeek-V3.2-Exp", "DeepSeek-V3.2"),
        ("gpt-oss:20b", "gpt-oss-20b"),
        ("amd/gpt-oss-120b-w4a16-mxfp4", "gpt-oss-120b"),
        ("nvidia/Llama-3.1-70B-Instruct-FP8", "Llama 3.1 70B"),
        ("neuralmagic/Meta-Llama-3.1-405B-Instruct-quantized.w4a16", "Llama 3.1 405B"),
        ("meta-llama/Llama-3.3-70B-Instruct", "Llama 3.3 70B"),
        ("zai-org/GLM-5-FP8", "GLM-5"),
        ("zai-org/GLM-4.6", "GLM-4.5"),
        ("glm-4.7-flash:latest", "GLM-4.7 Flash"),
        ("MiniMaxAI/MiniMax-M2.5", "MiniMax-M2.5"),
        ("moonshotai/Kimi-K2-Thinking", "Kimi K2"),
        ("Qwen/Qwen3-235B-A22B-Instruct-2507-FP8", "Qwen3 235B-A22B"),
        ("Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8", "Qwen3-Coder 480B-A35B"),
        ("Qwen3-8B-Q4_K_M.gguf", "Qwen3 8B"),
        ("gemma-3-27b-it-qat-q4_0-gguf", "Gemma 3 27B"),
        ("mistralai/Mistral-Small-3.2-24B-Instruct-2506", "Mistral Small 3 24B"),
        ("Qwen2.5-Coder-7B-Instruct-Q4_K_M.gguf", "Qwen2.5 7B"),
        ("mistralai/Mistral-Large-3-675B-Instruct-2512-NVFP4", "Mistral Large 3"),
        ("mistralai/Mistral-Nemo-Instruct-2407", "Mistral Nemo 12B"),
        ("llama2-70b-99.9", "Llama 2 70B"),
        ("llama3.1-405b", "Llama 3.1 405B"),
    ],
)
def test_models_are_known_by_the_names_of_repositories_and_benchmarks(name, known_as):
    assert find_model(name, KNOWN.models).name == known_as


@pytest.mark.parametrize("name", standing.rows("architectures", "name"))
def test_a_model_of_the_table_is_known_by_its_own_name(name):
    assert find_model(name, KNOWN.models).name == name


@pytest.mark.parametrize("name", standing.rows("model_names", "name"))
def test_a_model_of_the_same_shape_is_known_by_the_other(name):
    row = standing.rows("model_names", "name")[name]
    assert find_model(name, KNOWN.models).name == row["architecture"]
    assert plain(name) not in {plain(other) for other in standing.rows("architectures", "name")}


@pytest.mark.parametrize("name", ["", "  ", "fp8", "Llama 9 700B", "meta-llama/"])
def test_a_name_of_no_model_means_none(name):
    assert known_model(name, KNOWN.models) is None
    with pytest.raises(UnknownModel, match=r"is not in our tables \(nearest: .*\). Name one of them."):
        find_model(name, KNOWN.models)


def test_suggestions_are_names_that_can_be_read():
    assert nearest(plain("Lama 3 8B"), KNOWN.models).startswith("Llama 3 8B")
    assert readable("as it is") == "as it is"
