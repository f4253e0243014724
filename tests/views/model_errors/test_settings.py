"""What a link may say of the rows it asks for."""

from views.model_errors.recorded import rows
from views.model_errors.settings import MODELS
from views.model_errors.view import VIEW
from views.view import read


def test_every_model_on_record_can_be_chosen_by_a_plain_word():
    assert set(MODELS.values()) == {row.model for row in rows()}
    for word in MODELS:
        settings, ignored = read(VIEW, f"model={word}")
        assert not ignored and settings.described()["model"] == word
        assert word == word.lower() and " " not in word
