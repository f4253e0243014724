"""What a link may say of the rows it asks for."""

from views.model_errors.recorded import rows
from views.model_errors.settings import GROUPINGS, MODELS, ModelErrorsSettings
from views.model_errors.view import VIEW
from views.settings import definitions
from views.view import read


def test_every_model_on_record_can_be_chosen():
    assert set(MODELS.values()) == {row.model for row in rows()}
    assert len(MODELS) == len(set(MODELS.values()))
    for word in MODELS:
        settings, ignored = read(VIEW, f"model={word}")
        assert not ignored and settings.described()["model"] == word


def test_the_words_of_a_link_are_plain():
    assert {"decode", "prompts", "training"} <= set(MODELS)
    assert all(word == word.lower() and " " not in word for word in (*MODELS, *GROUPINGS))


def test_an_unknown_model_is_said_and_all_are_shown():
    settings, ignored = read(VIEW, "model=oracle")
    assert settings == ModelErrorsSettings()
    assert ignored[0].setting == "model" and "decode" in ignored[0].allowed


def test_all_choices_stand_in_the_first_row():
    assert [name for name, item in definitions(ModelErrorsSettings).items() if item.first_row] == [
        "model",
        "group",
        "only",
    ]
