"""The models a reader can choose: each can be read, and its cache is the published one."""

from analysis.model.kv_cache import kv_cache_byte
from data.standing import table
from views import models


def test_the_cache_of_every_published_model_is_met():
    """published_kv_cache: byte a token at 16 bits, exact, for the models of the table of architectures."""
    published = table("published_kv_cache")
    known = {name: word for word, name in models.names().items()}
    checked = 0
    for name, byte in zip(published["architecture"], published["kv_cache_byte"], strict=True):
        if name in known:
            one, two = kv_cache_byte(models.architecture(known[name]), [1, 2])
            assert two - one == byte, name
            checked += 1
    assert checked >= 10


def test_every_architecture_gives_a_model_that_can_be_read():
    for word in models.names():
        assert models.architecture(word).n_active_parameters > 0
        assert models.slug(models.names()[word]) == word


def test_models_come_smallest_first_and_say_whether_they_are_mixtures():
    sizes = [models.architecture(word).n_parameters for word in models.names()]
    assert sizes == sorted(sizes)
    assert models.meanings()["mixtral-8x7b"] == "Mixtral 8x7B, mixture of experts"
    assert models.meanings()["llama-3.1-70b"] == "Llama 3.1 70B, dense"
