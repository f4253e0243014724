import pytest

from analysis.model.names import formats, nearest, plain, readable
from analysis.placement.tables import known, tables

KNOWN = known()


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("4-bit", "Q4_K_M"),
        ("8-bit", "Q8_0"),
        ("fp16", "FP16"),
        ("F16", "FP16"),
        ("int4", "MLC q4f16"),
        ("Q4_K_M (Ollama default tag)", "Q4_K_M"),
    ],
)
def test_the_words_people_use_for_formats_are_known(name, known_as):
    found = formats(tables().measured, tables().quantisation)
    assert found[plain(name)].name == known_as


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("Meta-Llama-3-8B", "Llama 3 8B"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "Llama 3.1 8B"),
        ("Mistral-7B-Instruct-v0.3", "Mistral 7B v0.3"),
        ("google/gemma-3-4b-it", "Gemma 3 4B"),
        ("Llama-2-7b-chat-hf", "Llama 2 7B"),
    ],
)
def test_models_are_known_by_the_names_of_their_files(name, known_as):
    assert KNOWN.models[plain(name)].name == known_as


def test_suggestions_are_names_that_can_be_read():
    assert nearest(plain("Lama 3 8B"), KNOWN.models).startswith("Llama 3 8B")
    assert readable("as it is") == "as it is"
